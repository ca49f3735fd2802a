// Puts the studio together.
import '../page/page.css';
import './studio.css';
import { bindKeys, bindTheme } from '../page/controls.js';
import { indexNearest, sceneOf } from '../page/data.js';
import { byId, make, onceAFrame } from '../page/dom.js';
import { Motion } from '../page/motion.js';
import { makeView } from '../page/view.js';
import { App } from './app.js';
import { Client } from './client.js';
import { takeFiles, takeScenario } from './drop.js';
import { equationsPanel } from './equations_panel.js';
import { learnPanel } from './learn_panel.js';
import { robotOfLink } from './link.js';
import { movePanel } from './move_panel.js';
import { Overlays } from './overlays.js';
import { bindPull } from './pull.js';
import { robotPanel } from './robot_panel.js';
import { simulatePanel } from './simulate_panel.js';
import { bindTipDrag } from './tip_drag.js';

const FIRST_ROBOT = 'ur5_like';

/** A robot that stands where the sliders put it: room for all of its reach. */
class LiveMotion extends Motion {
  bounds() {
    const { size, up } = this.scene;
    const { centre, radius } = super.bounds();
    return { centre: centre.map((x, k) => 0.5 * (x + 0.35 * size * up[k])), radius: Math.max(0.62 * size, Math.min(radius, 1.1 * size)) };
  }
}

/** The picture: of the posture, or of the run that is played. */
function bindStage(app, overlays) {
  const host = byId('viewport');
  let view = null;
  let motion = null;
  let shownRobot = null;

  const replace = (made) => {
    const before = view;
    const keepView = before?.camera && shownRobot === app.robot.name;
    const look = keepView ? { camera: { position: before.camera.position.clone() }, controls: { target: before.controls.target.clone() } } : null;
    before?.remove();
    host.replaceChildren();
    motion = made;
    view = makeView(host, motion);
    if (look && view.lookAs) view.lookAs(look);
    shownRobot = app.robot.name;
    view.showFrames(byId('show-frames').checked);
    view.showPath(byId('show-path').checked);
    overlays.show(view.world ? view : null);
    byId('overlays').hidden = !view.world;
    byId('tip-hint').hidden = !view.world || app.robot.loops > 0 || app.run !== null;
    app.pulls = view.world && !app.run ? bindPull(view, () => app.live) : null;
    if (view.world && app.robot.loops === 0 && !app.run) bindTipDrag(view, () => (app.live ? null : app.answer?.arrays.tip?.slice(0, 3)), drag);
  };

  let aim = null;
  const follow = onceAFrame(async () => {
    const position = aim;
    if (!position) return;
    aim = null;
    const { robot } = app;
    const answer = await app.client.ask({ do: 'reach', q: app.q, position, follow: true });
    if (!answer.error && robot === app.robot) app.move([...answer.arrays.q]);
    if (aim) follow();
  });
  const drag = (position) => {
    aim = position;
    follow();
  };

  const still = () => {
    const poses = Float32Array.from(app.answer.arrays.poses);
    replace(new LiveMotion(sceneOf(app.robot.scene, new Float64Array([0]), poses)));
  };
  let stale = true;
  app.listen('robot', () => (stale = true));
  app.listen('answer', () => {
    if (stale && app.robot) {
      stale = false;
      still();
    } else if (!app.run) {
      motion.place(app.answer.arrays.poses);
      view.update(0);
      app.pulls?.draw();
    }
    overlays.update();
  });
  app.listen('run', () => {
    byId('run-tools').hidden = !app.run;
    if (!app.run) {
      if (app.answer && !stale) still();
      return;
    }
    const { run, timeline } = app.run;
    replace(new Motion(run.scene));
    timeline.listen(() => {
      if (app.run?.timeline !== timeline) return;
      motion.at(timeline.t);
      view.update(timeline.t);
      takeState(app, timeline.t);
    });
    timeline.play();
  });
  byId('show-frames').addEventListener('change', (event) => view?.showFrames(event.target.checked));
  byId('show-path').addEventListener('change', (event) => view?.showPath(event.target.checked));
  byId('reset-view').addEventListener('click', () => view?.reset());
  byId('end-run').addEventListener('click', () => {
    app.run?.timeline.pause();
    app.run = null;
    app.changed('run');
  });
  return { pose: (body) => motion?.pose(body), tipOnScreen: () => tipOnScreen(view, app) };
}

/** Where the tip is in the picture, in pixels of the page; for tests. */
function tipOnScreen(view, app) {
  if (!view?.camera) return null;
  const box = view.canvas.getBoundingClientRect();
  const on = view.camera.position.clone().fromArray(app.answer.arrays.tip).project(view.camera);
  return [box.left + ((on.x + 1) * box.width) / 2, box.top + ((1 - on.y) * box.height) / 2];
}

/** The panels show the state of the run at the present time. */
function takeState(app, t) {
  const { run, columns, rows } = app.run;
  const { nq, nv } = app.robot;
  const stride = run.sampling.stride ?? 1;
  const at = indexNearest(run.samples.time, t) * stride * columns.length;
  if (at + columns.length > rows.length) return;
  app.q = [...rows.subarray(at + 1, at + 1 + nq)];
  app.v = [...rows.subarray(at + 1 + nq, at + 1 + nq + nv)];
  app.touch();
}

function bindTabs(panels) {
  const tabs = byId('tabs');
  const host = byId('panel-host');
  const buttons = panels.map(([name, panel], k) => {
    panel.id = `panel-${name.toLowerCase()}`;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', `tab-${name.toLowerCase()}`);
    const tab = make('button', { type: 'button', id: `tab-${name.toLowerCase()}`, role: 'tab', 'aria-controls': panel.id }, name);
    tab.addEventListener('click', () => select(k));
    host.append(panel);
    return tab;
  });
  const select = (chosen) => {
    panels.forEach(([, panel], k) => {
      panel.hidden = k !== chosen;
      buttons[k].setAttribute('aria-selected', String(k === chosen));
      buttons[k].tabIndex = k === chosen ? 0 : -1;
    });
    panels[chosen][1].dispatchEvent(new Event('shown'));
  };
  tabs.addEventListener('keydown', (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const next = (buttons.indexOf(document.activeElement) + by + buttons.length) % buttons.length;
    select(next);
    buttons[next].focus();
  });
  tabs.append(...buttons);
  select(0);
  return (name) => select(panels.findIndex(([other]) => other === name));
}

/** The robot that the page's address holds. @returns {Promise<boolean>} whether it is there now */
async function loadLinked(app, options) {
  const linked = await robotOfLink(location.hash).catch((error) => app.trouble(error.message));
  return linked ? app.load(linked, options) : false;
}

/** The robot of the address, the one that the page was written with, or one to begin with; why another was refused stays in sight. */
async function loadFirst(app) {
  const data = byId('ulna-data').textContent;
  const page = data.trimStart().startsWith('{') ? JSON.parse(data) : {};
  const given = page.robot;
  const first = { remember: false };
  const ways = [() => loadLinked(app, first), () => given && app.load(given, first), () => app.load({ robot: FIRST_ROBOT }, first)];
  let refused = '';
  for (const way of ways) {
    if (await way()) break;
    refused ||= byId('trouble').textContent;
  }
  if (refused) app.trouble(refused);
  else if (given && !location.hash) await showGiven(app, page);
}

/** The scenario or the run that the page was written with, for the robot that is loaded. */
async function showGiven(app, { scenario, run, trajectory, tables = {}, robot }) {
  const asFile = (name, text) => new File([text], name);
  const files = [asFile(robot.file, robot.text), ...Object.entries(tables).map(([name, text]) => asFile(name, text))];
  for (const [name, text] of Object.entries(tables)) {
    const put = await app.client.put(name, new TextEncoder().encode(text));
    if (put.error) return app.trouble(put.error);
  }
  if (run) return takeFiles(app, [...files, asFile('run.json', run), asFile('trajectory.csv', trajectory)]);
  return scenario ? takeScenario(app, scenario, files) : undefined;
}

async function start() {
  bindTheme();
  const parts = JSON.parse(byId('ulna-engine').textContent);
  const client = new Client(parts);
  const app = new App(client);
  app.reportPage = parts.report;
  const known = await client.ask({ do: 'robots' });
  if (known.error) {
    byId('title').textContent = 'The studio cannot start';
    app.trouble(known.error);
    byId('main').hidden = true;
    return;
  }
  byId('maker-version').textContent = known.version;
  app.integrators = (await client.ask({ do: 'integrators' })).integrators;
  app.showPanel = bindTabs([['Robot', robotPanel(app, known.robots)], ['Move', movePanel(app)], ['Equations', equationsPanel(app)], ['Simulate', simulatePanel(app)], ['Learn', learnPanel(app)]]);
  app.listen('robot', () => {
    if (!app.robot) return;
    byId('title').textContent = app.robot.name;
    byId('subtitle').textContent = app.robot.title;
    document.title = `${app.robot.name} · Ulna Studio`;
  });
  byId('view-tools').open = innerWidth > 600;
  const stage = bindStage(app, new Overlays(app, byId('overlays')));
  bindKeys(() => app.run);
  await loadFirst(app);
  window.addEventListener('hashchange', () => loadLinked(app));

  // For tests, and for whoever opens the console.
  window.ulna = { app, stage };
}

start();
