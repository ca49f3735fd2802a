// Puts the page together from the run that it carries.
import './page.css';
import { bindKeys, bindPlayback, bindRange, bindTheme, bindView } from './controls.js';
import { readRun } from './data.js';
import { byId, make } from './dom.js';
import { Motion } from './motion.js';
import { Plot } from './plots.js';
import { bindPrint } from './print.js';
import { Projections } from './projections.js';
import { eventList, samplingNote, writeMasthead, writeRecord } from './record.js';
import { ArmScene, webgl } from './scene.js';
import { SECTIONS, sectionOf, STEP_PLOTS } from './sections.js';
import { Skeleton } from './skeleton.js';
import { Range, Timeline } from './timeline.js';

/** First and last time of anything that the run holds. */
function span(run) {
  const ends = [run.samples.time, run.steps.time, run.scene?.time ?? []]
    .filter((time) => time.length > 0)
    .flatMap((time) => [time[0], time[time.length - 1]])
    .filter(Number.isFinite);
  return ends.length > 0 ? [Math.min(...ends), Math.max(...ends)] : [0, 0];
}

/** The arm in 3-D, as lines without WebGL, or a sentence without a scene. */
function makeView(motion) {
  const host = byId('viewport');
  if (!motion) {
    host.classList.add('absent');
    host.append(make('p', {}, 'This run holds no poses of the arm to draw.'));
    return null;
  }
  const canvas = make('canvas');
  const context = webgl(canvas);
  return context ? new ArmScene(host, canvas, context, motion) : new Skeleton(host, motion);
}

/** @returns {{refresh(width?: number): void}[]} every plot of the page */
function makePlots(run, shared) {
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

  const host = byId('plots');
  for (const { id, title } of SECTIONS) {
    const body = bodies.get(id);
    if (body.childElementCount > 0) host.append(make('section', { id }, make('h2', {}, title), body));
  }
  if (run.events.length > 0) {
    host.append(make('section', { id: 'events' }, make('h2', {}, 'Events'), eventList(run.events, shared.timeline)));
  }
  if (plots.length === 0) host.append(make('p.note', {}, 'This run holds no samples to plot.'));
  const note = samplingNote(run.sampling);
  if (note) host.append(note);
  return plots;
}

function start() {
  bindTheme();
  const run = readRun(byId('ulna-data').textContent);
  if (!run) {
    byId('title').textContent = 'Nothing to show';
    byId('subtitle').textContent = 'This is the template of Ulna’s reports. The ulna command fills it with a run.';
    return;
  }
  writeMasthead(run);
  writeRecord(run);
  byId('main').hidden = false;

  const [first, last] = span(run);
  const timeline = new Timeline(first, last, run.samples.time);
  const range = new Range(first, last);
  const motion = run.scene ? new Motion(run.scene) : null;
  const view = makeView(motion);
  timeline.listen(() => {
    motion?.at(timeline.t);
    view?.update(timeline.t);
  });
  const plots = makePlots(run, { timeline, range, events: run.events });
  bindPlayback(timeline);
  bindRange(range, timeline);
  bindView(view);
  bindKeys(timeline, range);
  bindPrint(plots, view);

  // For tests, and for whoever opens the console.
  window.ulna = { timeline, range, pose: (body) => motion?.pose(body) ?? null };
}

start();
