// Puts the page together from the run that it carries.
import './page.css';
import { bindKeys, bindPlayback, bindRange, bindTheme, bindView } from './controls.js';
import { readRun } from './data.js';
import { byId } from './dom.js';
import { Motion } from './motion.js';
import { bindPrint } from './print.js';
import { writeMasthead, writeRecord } from './record.js';
import { makePlots, span } from './run_plots.js';
import { Range, Timeline } from './timeline.js';
import { makeView } from './view.js';

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
  byId('main').classList.toggle('stands', run.stands);

  const [first, last] = span(run);
  const timeline = new Timeline(first, last, run.samples.time);
  const range = new Range(first, last);
  const motion = run.scene ? new Motion(run.scene) : null;
  const view = makeView(byId('viewport'), motion);
  timeline.listen(() => {
    motion?.at(timeline.t);
    view?.update(timeline.t);
  });
  const plots = makePlots(run, { timeline, range, events: run.events }, byId('plots'));
  bindPlayback(timeline);
  bindRange(range, timeline);
  bindView(view);
  bindKeys(() => ({ timeline, range }));
  bindPrint(plots, view);

  // For tests, and for whoever opens the console.
  window.ulna = { timeline, range, pose: (body) => motion?.pose(body) ?? null };
}

start();
