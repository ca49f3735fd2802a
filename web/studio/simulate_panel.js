// Simulate: a run by the engine, played on the report's timeline beside the report's plots; or one that is computed while
// it is watched, for pulling at the arm.
import { bindPlayback, bindRange } from '../page/controls.js';
import { indexNearest, readRun } from '../page/data.js';
import { atMostEvery, byId, make } from '../page/dom.js';
import { number } from '../page/format.js';
import { makePlots, span } from '../page/run_plots.js';
import { Range, Timeline } from '../page/timeline.js';
import { Live } from './live.js';
import { RunForm } from './run_form.js';
import { button, download, field } from './widgets.js';

const LIMIT = 60; // s of the engine's time for a run
const READ = 100; // ms that a text stands which people read while it changes
const LIVE_SPEEDS = [0.1, 0.25, 0.5, 1, 2];

/** Elements whose listeners belong to a run that is over are replaced by fresh ones. */
function renew(...ids) {
  for (const id of ids) byId(id).replaceWith(byId(id).cloneNode(id !== 'speed'));
}

function csvOf({ columns, rows }) {
  const lines = [columns.join(',')];
  for (let at = 0; at < rows.length; at += columns.length) lines.push(Array.from(rows.subarray(at, at + columns.length), String).join(','));
  return `${lines.join('\n')}\n`;
}

/** Play, pause, slider, speed, steps and plots of the run that the page shows. */
function play(app, plots) {
  const { run } = app.run;
  const [first, last] = span(run);
  const timeline = new Timeline(first, last, run.samples.time);
  const range = new Range(first, last);
  Object.assign(app.run, { timeline, range });
  renew('play', 'slider', 'speed', 'zoom-in', 'zoom-out', 'zoom-all', 'step-on', 'step-back');
  bindPlayback(timeline);
  bindRange(range, timeline);
  for (const [id, by] of [['step-on', 1], ['step-back', -1]]) {
    byId(id).addEventListener('click', () => {
      timeline.pause();
      const { samples } = timeline;
      timeline.seek(samples[Math.min(samples.length - 1, Math.max(0, indexNearest(samples, timeline.t) + by))]);
    });
  }
  plots.replaceChildren();
  return () => makePlots(run, { timeline, range, events: run.events }, plots);
}

/** Keys that pull, by what they add to the right, upwards and away from the viewer. */
const PULLS = { ArrowRight: [1, 0, 0], ArrowLeft: [-1, 0, 0], ArrowUp: [0, 1, 0], ArrowDown: [0, -1, 0], PageUp: [0, 0, 1], PageDown: [0, 0, -1] };

/** Tells which way the keys that are down pull; null when none is. */
function bindPullKeys(element, tell) {
  const down = new Set();
  const say = () => tell(down.size === 0 ? null : [0, 1, 2].map((k) => [...down].reduce((sum, key) => sum + PULLS[key][k], 0)));
  element.addEventListener('keydown', (event) => {
    if (!(event.key in PULLS)) return;
    event.preventDefault();
    event.stopPropagation();
    if (down.has(event.key)) return; // it repeats
    down.add(event.key);
    say();
  });
  element.addEventListener('keyup', (event) => down.delete(event.key) && say());
  element.addEventListener('blur', () => {
    down.clear();
    say();
  });
}

export function simulatePanel(app) {
  const panel = make('div.panel');
  const form = new RunForm(app);
  const said = make('p', { id: 'run-note', 'aria-live': 'polite' });
  const guessed = make('p.note', { id: 'guessed-note', hidden: true });
  const balance = make('p.note', { id: 'balance' });
  const plots = make('div.plots', { id: 'plots' });
  const go = button('Simulate', () => simulate(), { id: 'simulate' });
  const goLive = button('Live', () => live(), { id: 'live', title: 'in real time, to pull at the arm' });
  const stop = button('Stop', () => (app.live ? app.live.end() : app.client.interrupt()), { id: 'stop', disabled: true });
  const csv = button('CSV', () => download(`${app.robot.name}.csv`, csvOf(app.run), 'text/csv'), { id: 'csv' });
  const toml = button('Scenario', () => download('run.toml', app.run.scenario), { id: 'scenario' });
  const html = button('Report', () => report(), { id: 'html', title: 'report.html, as `ulna simulate` writes it' });
  const exports = [csv, toml, html];
  const pause = button('Pause', () => {
    app.live.paused = !app.live.paused;
    pause.textContent = app.live.paused ? 'Go on' : 'Pause';
    stepOn.disabled = !app.live.paused;
  }, { id: 'live-pause' });
  const stepOn = button('One frame', () => app.live?.step(), { id: 'live-step', disabled: true });
  const speed = make('select', { id: 'live-speed' }, ...LIVE_SPEEDS.map((value) => make('option', { value: String(value), selected: value === 1 }, `${value}×`)));
  speed.addEventListener('change', () => app.live && (app.live.speed = Number(speed.value)));
  const pulled = make('select', { id: 'live-link' });
  const holder = button('Pull', () => {}, { id: 'live-hold', title: 'hold an arrow key here, or Page Up and Page Down for away and towards you' });
  bindPullKeys(holder, (along) => (along ? app.pulls?.hold(Number(pulled.value), along) : app.pulls?.release()));
  const liveTools = make('div.row', { id: 'live-tools', hidden: true }, pause, stepOn, field('speed', speed), field('link', pulled), holder, make('span.note', {}, 'Drag a link in the picture to pull at it, or hold an arrow key on Pull.'));
  let undrawn = null; // the plots of a run that ended while another panel was open: they need the width of this one

  const busy = (is) => {
    go.disabled = goLive.disabled = is;
    stop.disabled = !is;
  };
  /** A run that was refused leaves nothing of the one before it, which was another. */
  const refuse = (why) => {
    app.run = null;
    app.changed('run');
    said.textContent = why;
  };
  const reject = () => (said.textContent = 'A field holds no number that a run can use.');

  /** Shows the run that the engine answered with. */
  function take(answer, scenario, words) {
    const run = readRun(answer.run);
    app.run = { run, columns: answer.columns, rows: answer.arrays.rows, scenario };
    said.textContent = words ?? `${run.status.text}; the engine took ${number(1000 * answer.wall, 3)} ms.`;
    balance.textContent = run.balance;
    undrawn = play(app, plots);
    draw();
    for (const button of exports) button.disabled = false;
    app.changed('run');
  }

  async function runWhole(text, words) {
    busy(true);
    said.textContent = 'Simulating …';
    const answer = await app.client.ask({ do: 'simulate', scenario: text }, LIMIT);
    busy(false);
    if (answer.error) refuse(answer.error);
    else take(answer, text, words);
  }

  async function simulate() {
    const values = form.read();
    if (!values) return reject();
    let { q, v } = app;
    if (values.file) {
      // A motion begins where it begins, at rest.
      const start = await app.client.ask({ do: 'motion', scenario: form.scenario(values, { q, v }) });
      if (start.error) return refuse(start.error);
      q = [...start.arrays.q];
      v = v.map(() => 0);
    }
    return runWhole(form.scenario(values, { q, v }));
  }

  async function live() {
    const values = form.read();
    if (!values) return reject();
    if (values.file) return (said.textContent = 'A motion of a file runs as a whole: press Simulate.');
    app.run?.timeline.pause();
    app.run = null;
    app.changed('run');
    const now = new Live(app, ({ q, v, t, seconds }) => form.scenario(values, { q, v, from: now.start.q, t, seconds, every: seconds }), atMostEvery(READ, () => app.live === now && (said.textContent = `Live, t = ${now.t.toFixed(1)} s.`)));
    app.live = now;
    now.speed = Number(speed.value);
    busy(true);
    pulled.replaceChildren(...app.robot.joints.map(({ child, body }) => make('option', { value: String(body) }, child)));
    pulled.value = String(app.robot.joints.at(-1).body);
    liveTools.hidden = false;
    pause.textContent = 'Pause';
    stepOn.disabled = true;
    const hint = byId('tip-hint');
    const before = hint.textContent;
    hint.textContent = 'Drag a link to pull at it; drag elsewhere to turn the view.';
    const trouble = await now.run();
    app.live = null;
    hint.textContent = before;
    liveTools.hidden = true;
    busy(false);
    if (now.robot !== app.robot) return undefined;
    if (now.t === 0) return (said.textContent = trouble);
    // The same once more as a whole: one record, with the pulls as loads in its energy balance.
    return runWhole(form.scenario(values, { ...now.start, seconds: now.t, loads: now.loads }), trouble || undefined);
  }

  async function report() {
    const answer = await app.client.ask({ do: 'report', page: app.reportPage }, LIMIT);
    if (answer.error) said.textContent = answer.error;
    else download('report.html', answer.html, 'text/html');
  }

  function draw() {
    if (panel.hidden) return;
    undrawn?.();
    undrawn = null;
  }

  function reset() {
    if (!app.robot || app.run) return;
    undrawn = null;
    plots.replaceChildren();
    said.textContent = balance.textContent = '';
    for (const button of exports) button.disabled = true;
  }

  app.listen('run', reset);
  app.listen('robot', () => {
    app.live?.end();
    const links = app.robot?.guessed ?? [];
    guessed.hidden = links.length === 0;
    guessed.textContent = `Mass data are guessed from shapes, and torques and motions as rough: ${links.join(', ')}.`;
  });
  panel.addEventListener('shown', draw);
  app.simulate = { takeRun: take, runScenario: runWhole, addMotion: (name, bytes) => form.addMotion(name, bytes) };
  for (const button of exports) button.disabled = true;
  panel.append(make('p.note', {}, 'A run starts at the present posture, with the velocities of the panel Equations. Live runs in real time, and takes pulls of the mouse and of the arrow keys.'), guessed,
    form.element, make('div.row', {}, go, goLive, stop), liveTools, make('div.row', {}, make('span.note', {}, 'Save as'), ...exports), said, balance, plots);
  return panel;
}
