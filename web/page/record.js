// What the report says in words: title, facts, status, events, scenario, statistics.
import { byId, make } from './dom.js';
import { clock } from './format.js';

const FOLDED = 12;

const pairs = (list) => list.flatMap(([term, text]) => [make('div', {}, make('dt', {}, String(term)), make('dd', {}, String(text)))]);

export function writeMasthead(run) {
  document.title = `${run.title} · Ulna`;
  byId('title').textContent = run.title;
  byId('subtitle').textContent = run.subtitle;
  byId('maker-version').textContent = run.version;
  byId('facts').append(...pairs(run.facts));
  const status = byId('status');
  if (run.status) {
    status.hidden = false;
    status.textContent = run.status.text;
    status.classList.add(run.status.ok ? 'good' : 'bad');
    if (!run.status.ok) status.setAttribute('role', 'alert');
  }
  const warnings = byId('warnings');
  warnings.hidden = run.warnings.length === 0;
  warnings.append(...run.warnings.map((warning) => make('li', {}, warning)));
}

/** Every event with its number in the plots; a click goes there. */
export function eventList(events, timeline) {
  const items = events.map((event, k) => {
    const button = make('button.event', { type: 'button' },
      make('span.number', {}, String(k + 1)), make('span.when', {}, clock(event.t, timeline.start, timeline.end)), make('span', {}, event.text));
    button.addEventListener('click', () => {
      timeline.pause();
      timeline.seek(event.t);
    });
    return make('li', {}, button);
  });
  const list = make('ol.events', {}, ...items);
  if (items.length <= FOLDED) return list;
  return make('details', {}, make('summary', {}, `${items.length} events`), list);
}

export function writeRecord(run) {
  const record = byId('record');
  const section = (title, ...content) => record.append(make('section', {}, make('h2', {}, title), ...content));
  if (run.statistics.length > 0) section('Statistics', make('dl.facts', {}, ...pairs(run.statistics)));
  if (run.scenario) section('Scenario', make('pre', { tabIndex: 0 }, run.scenario));
  byId('footer').textContent = `Written by ulna ${run.version}. The page needs no network and holds all that it shows.`;
}

/** One sentence on what the plots hold, if not every sample. */
export function samplingNote({ samples, stride }) {
  if (!(stride > 1)) return null;
  const last = stride % 10;
  const ending = stride % 100 >= 11 && stride % 100 <= 13 ? 'th' : { 1: 'st', 2: 'nd', 3: 'rd' }[last] ?? 'th';
  return make('p.note.sampling', {}, `The plots hold every ${stride}${ending} sample of the run, ${samples} in all.`);
}
