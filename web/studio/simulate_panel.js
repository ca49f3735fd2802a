// Simulate: a run by the engine, then played on the report's timeline beside the report's plots.
import { bindPlayback, bindRange } from '../page/controls.js';
import { indexNearest, readRun } from '../page/data.js';
import { byId, make } from '../page/dom.js';
import { number } from '../page/format.js';
import { makePlots, span } from '../page/run_plots.js';
import { Range, Timeline } from '../page/timeline.js';
import { button, download, field, numberInput, typed } from './widgets.js';

const LIMIT = 60; // s of the engine's time for a run
const DRIVES = [['free', 'free fall'], ['gravity', 'gravity compensation'], ['pd', 'PD to the target'], ['computed_torque', 'computed torque to the target']];

/** Elements whose listeners belong to a run that is over are replaced by fresh ones. */
function renew(...ids) {
  for (const id of ids) byId(id).replaceWith(byId(id).cloneNode(id !== 'speed'));
}

export function simulatePanel(app) {
  const panel = make('div.panel');
  const drive = make('select', { id: 'drive', 'aria-label': 'Drive' }, ...DRIVES.map(([value, label]) => make('option', { value }, label)));
  const integrator = make('select', { id: 'integrator', 'aria-label': 'Integrator' });
  const input = (id, value, label) => Object.assign(numberInput(value, label), { id });
  const seconds = input('seconds', 5, 'duration in seconds');
  const tolerance = input('tolerance', '1e-9', 'tolerance');
  const step = input('step-size', 0.001, 'step in seconds');
  const kp = input('kp', 100, 'gain of the position');
  const kd = input('kd', 20, 'gain of the velocity');
  const time = input('move-time', 2, 'time to the target in seconds');
  const aim = make('select', { id: 'aim', 'aria-label': 'Target posture' });
  const gains = make('div.row', {}, field('kp', kp), field('kd', kd));
  const goal = make('div.row', {}, field('target', aim), field('in', time), 's');
  const said = make('p', { id: 'run-note', 'aria-live': 'polite' });
  const balance = make('p.note', { id: 'balance' });
  const plots = make('div.plots', { id: 'plots' });
  const go = button('Simulate', () => simulate(), { id: 'simulate' });
  const stop = button('Stop', () => app.client.interrupt(), { id: 'stop', disabled: true });
  const csv = button('CSV', () => download(`${app.robot.name}.csv`, csvOf(app.run), 'text/csv'), { id: 'csv', disabled: true });
  const toml = button('Scenario', () => download('run.toml', app.run.scenario), { id: 'scenario', disabled: true });
  let marked = null;
  let undrawn = null; // the plots of a run that ended while another panel was open: they need the width of this one

  const showChoice = () => {
    const kind = drive.value;
    gains.hidden = kind === 'free' || kind === 'gravity';
    goal.hidden = gains.hidden;
    const info = app.integrators.find(({ name }) => name === integrator.value);
    tolerance.closest('label').hidden = info?.needs_step ?? false;
    step.closest('label').hidden = !info?.needs_step;
  };
  drive.addEventListener('change', showChoice);
  integrator.addEventListener('change', showChoice);

  const csvOf = ({ columns, rows }) => {
    const lines = [columns.join(',')];
    for (let at = 0; at < rows.length; at += columns.length) lines.push(Array.from(rows.subarray(at, at + columns.length), String).join(','));
    return `${lines.join('\n')}\n`;
  };

  /** The run as a scenario file, or null where a field holds no number. */
  function scenario() {
    const needsStep = step.closest('label').hidden === false;
    const used = [seconds, needsStep ? step : tolerance, ...(gains.hidden ? [] : [kp, kd, time])];
    const values = used.map(typed);
    if (values.some((value) => value === null || value < 0)) return null;
    const list = (q) => `[${q.map((x) => Number(x)).join(', ')}]`;
    const lines = [`robot = ${JSON.stringify(app.file)}`, '', '[run]', `for = ${values[0]}`, `every = ${Math.max(0.005, values[0] / 2000)}`,
      `integrator = "${integrator.value}"`, needsStep ? `step = ${values[1]}` : `tolerance = ${values[1]}`,
      '', '[start]', `q = ${list(app.q)}`, `v = ${list(app.v)}`];
    const kind = drive.value;
    if (kind === 'gravity') lines.push('', '[drive]', 'kind = "pd"', 'kp = 0', 'kd = 0', 'gravity = true', '[drive.motion]', 'kind = "cycloid"', 'to = 0', 'time = 1');
    if (!gains.hidden) {
      const driven = app.robot.joints.filter((joint) => !joint.quaternion).flatMap((joint) => joint.numbers.map((_, k) => targets()[aim.value][joint.q_index + k]));
      lines.push('', '[drive]', `kind = "${kind}"`, `kp = ${values[2]}`, `kd = ${values[3]}`, '[drive.motion]', 'kind = "quintic"', `to = ${list(driven)}`, `time = ${values[4]}`);
    }
    return `${lines.join('\n')}\n`;
  }

  const targets = () => ({ zero: app.robot.neutral, ...app.robot.postures, ...(marked ? { marked } : {}) });
  const mark = button('Mark this posture as a target', () => {
    marked = [...app.q];
    showTargets();
    aim.value = 'marked';
  }, { id: 'mark' });
  function showTargets() {
    const before = aim.value;
    aim.replaceChildren(...Object.keys(targets()).map((name) => make('option', { value: name }, name)));
    if (before in targets()) aim.value = before;
  }

  async function simulate() {
    const text = scenario();
    if (!text) {
      said.textContent = 'A field holds no number that a run can use.';
      return;
    }
    go.disabled = true;
    stop.disabled = false;
    said.textContent = 'Simulating …';
    const answer = await app.client.ask({ do: 'simulate', scenario: text }, LIMIT);
    go.disabled = false;
    stop.disabled = true;
    if (answer.error) {
      said.textContent = answer.error;
      return;
    }
    const run = readRun(answer.run);
    app.run = { run, columns: answer.columns, rows: answer.arrays.rows, scenario: text };
    said.textContent = `${run.status.text}; the engine took ${number(1000 * answer.wall, 3)} ms.`;
    balance.textContent = run.balance;
    play(run);
    app.changed('run');
  }

  function play(run) {
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
    undrawn = () => makePlots(run, { timeline, range, events: run.events }, plots);
    draw();
    csv.disabled = toml.disabled = false;
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
    csv.disabled = toml.disabled = true;
  }

  integrator.append(...app.integrators.map(({ name, title }) => make('option', { value: name, title, selected: name === 'dop853' }, name)));
  app.listen('robot', () => {
    marked = null;
    if (app.robot) showTargets();
    showChoice();
  });
  app.listen('run', reset);
  panel.addEventListener('shown', draw);
  panel.append(make('p.note', {}, 'A run starts at the present posture, with the velocities of the panel Equations.'),
    make('div.row', {}, field('drive', drive), field('for', seconds), 's'), goal, gains, make('div.row', {}, mark),
    make('div.row', {}, field('integrator', integrator), field('tolerance', tolerance), field('step', step)),
    make('div.row', {}, go, stop, csv, toml), said, balance, plots);
  return panel;
}
