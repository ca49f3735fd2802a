// Move: sliders, typed angles, postures, the tip to a place by inverse kinematics.
import { make } from '../page/dom.js';
import { number } from '../page/format.js';
import { button, field, MOST_ROWS, numberInput, restNote, typed } from './widgets.js';

const DEGREES = 180 / Math.PI;

/** The numbers of q that one slider each can stand for: all but quaternions. */
export function coordinates(robot) {
  return robot.joints.flatMap((joint) => {
    const numbers = joint.quaternion ? joint.numbers.slice(0, joint.numbers.length - 4) : joint.numbers;
    return numbers.map(({ length }, k) => {
      const low = joint.lower ?? (length ? -1 : -Math.PI);
      const high = joint.upper ?? (length ? 1 : Math.PI);
      return { joint, name: numbers.length > 1 ? `${joint.name} ${k + 1}` : joint.name, index: joint.q_index + k, held: joint.quaternion ? null : joint.v_index + k, length, low, high };
    });
  });
}

export function movePanel(app) {
  const panel = make('div.panel');
  const joints = make('div', { id: 'joints' });
  const postures = make('div.row', { id: 'postures' });
  const place = make('p', { id: 'tip-place', 'aria-live': 'off' });
  const said = make('p.note', { id: 'reach-note', 'aria-live': 'polite' });
  const target = ['x', 'y', 'z'].map((axis) => numberInput(0, `target ${axis} in metres`));
  const keep = make('input', { type: 'checkbox', id: 'keep-orientation' });
  let rows = [];

  const set = (coordinate, value) => {
    const q = [...app.q];
    q[coordinate.index] = value;
    app.move(q, coordinate.held === null ? [] : [coordinate.held]);
  };

  function build() {
    if (!app.robot) return;
    const all = coordinates(app.robot);
    rows = all.slice(0, MOST_ROWS).map((coordinate) => {
      const scale = coordinate.length ? 1 : DEGREES;
      const unit = coordinate.length ? 'm' : '°';
      const slider = make('input', { type: 'range', min: String(coordinate.low), max: String(coordinate.high), step: 'any', 'aria-label': coordinate.name });
      slider.addEventListener('input', () => set(coordinate, Number(slider.value)));
      slider.addEventListener('keydown', (event) => {
        const direction = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
        if (!direction) return;
        event.preventDefault();
        const step = (coordinate.length ? 0.01 : 1 / DEGREES) * (event.shiftKey ? 10 : 1);
        set(coordinate, Math.min(coordinate.high, Math.max(coordinate.low, app.q[coordinate.index] + direction * step)));
      });
      const input = numberInput(0, `${coordinate.name} in ${coordinate.length ? 'metres' : 'degrees'}`, () => {
        const value = typed(input);
        if (value !== null) set(coordinate, value / scale);
      });
      return { coordinate, scale, slider, input, element: make('div.joint', {}, make('span.name', { title: coordinate.name }, coordinate.name), slider, input, unit) };
    });
    joints.replaceChildren(...rows.map((row) => row.element), ...restNote(all.length, 'coordinates'));
    const named = Object.entries(app.robot.postures);
    postures.replaceChildren(button('Zero', () => app.move([...app.robot.neutral])), ...named.map(([name, q]) => button(name, () => app.move([...q]))));
    reach.disabled = app.robot.loops > 0;
    said.textContent = app.robot.loops > 0 ? 'Inverse kinematics is for robots without closed loops; here the other joints follow the one that you move.' : '';
    show();
  }

  function show() {
    if (panel.hidden) return;
    for (const { coordinate, scale, slider, input } of rows) {
      slider.value = String(app.q[coordinate.index]);
      if (document.activeElement !== input) input.value = String(Number((app.q[coordinate.index] * scale).toFixed(coordinate.length ? 4 : 2)));
    }
  }

  function showTip() {
    if (panel.hidden || !app.answer) return;
    const { tip } = app.answer.arrays;
    place.textContent = `Tip at x ${number(tip[0], 4)}, y ${number(tip[1], 4)}, z ${number(tip[2], 4)} m. Kinetic energy ${number(app.answer.kinetic, 4)} J, potential ${number(app.answer.potential, 4)} J.`;
    target.forEach((input, k) => {
      if (!panel.contains(document.activeElement) || !target.includes(document.activeElement)) input.value = String(Number(tip[k].toFixed(4)));
    });
  }

  const reach = button('Reach', async () => {
    const position = target.map(typed);
    if (position.includes(null)) return;
    const request = { do: 'reach', q: app.q, position };
    if (keep.checked) request.quaternion = [...app.answer.arrays.tip.slice(3)];
    const { robot } = app;
    const answer = await app.client.ask(request);
    if (robot !== app.robot) return;
    if (answer.error) said.textContent = answer.error;
    else said.textContent = answer.solved ? 'Reached.' : `Not reached, ${number(1000 * answer.position_error, 3)} mm are left: ${answer.reason}`;
    if (!answer.error) app.move([...answer.arrays.q]);
  }, { id: 'reach' });

  app.listen('robot', build);
  app.listen('state', show);
  app.listen('answer', showTip);
  panel.addEventListener('shown', () => {
    show();
    showTip();
  });
  panel.append(postures, joints, place, make('h3', {}, 'The tip to a place'),
    make('div.row', {}, ...['x', 'y', 'z'].map((axis, k) => field(axis, target[k])), make('label.check', {}, keep, 'keep its orientation'), reach), said);
  return panel;
}
