// The plots of a run, section by section.
import { make } from './dom.js';
import { Plot } from './plots.js';
import { Projections } from './projections.js';
import { eventList, samplingNote } from './record.js';
import { SECTIONS, sectionOf, STEP_PLOTS } from './sections.js';

/** First and last time of anything that the run holds. */
export function span(run) {
  const ends = [run.samples.time, run.steps.time, run.scene?.time ?? []]
    .filter((time) => time.length > 0)
    .flatMap((time) => [time[0], time[time.length - 1]])
    .filter(Number.isFinite);
  return ends.length > 0 ? [Math.min(...ends), Math.max(...ends)] : [0, 0];
}

/** Puts them into `host`. @returns {{refresh(width?: number): void}[]} every plot */
export function makePlots(run, shared, host) {
  const plots = [];
  const bodies = new Map(SECTIONS.map((section) => [section.id, make('div.section-body')]));
  const add = (spec, table) => {
    const columns = (spec.columns ?? []).map((name) => table.columns.get(name)).filter(Boolean);
    if (columns.length === 0) return;
    const plot = new Plot(spec, columns, table, shared);
    plots.push(plot);
    bodies.get(sectionOf(columns[0].group).id).append(plot.element);
  };
  for (const spec of run.plots) add(spec, run.samples);
  for (const spec of STEP_PLOTS) add(spec, run.steps);

  const tip = [...run.samples.columns.values()].filter((column) => column.group === 'tip');
  if (tip.length === 3 && run.samples.time.length > 0) {
    const projections = new Projections(tip, run.samples.time, shared.timeline);
    plots.push({ refresh: () => projections.refresh() });
    bodies.get('tip').append(projections.element);
  }
  if (run.balance) bodies.get('energy').prepend(make('p.balance', {}, run.balance));

  for (const { id, title } of SECTIONS) {
    const body = bodies.get(id);
    if (body.childElementCount > 0) host.append(make('section', { id }, make('h2', {}, title), body));
  }
  if (run.events.length > 0) {
    host.append(make('section', { id: 'events' }, make('h2', {}, 'Events'), eventList(run.events, shared.timeline)));
  }
  if (plots.length === 0 && !run.stands) host.append(make('p.note', {}, 'This run holds no samples to plot.'));
  const note = samplingNote(run.sampling);
  if (note) host.append(note);
  return plots;
}
