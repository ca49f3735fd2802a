// Equations: M, C, g, the Jacobian and what follows, live; the formulations beside each other; operations counted.
import { make } from '../page/dom.js';
import { number } from '../page/format.js';
import { stepsView } from './steps_view.js';
import { button, dataTable, heatTable, MOST_ROWS, numberInput, restNote, typed } from './widgets.js';

const TITLES = { id: 'inverse dynamics', fd: 'forward dynamics', gim: 'inertia matrix M', gravity: 'gravity g', c: 'Coriolis matrix C' };

/** What of a mechanism's numbers is with its loops closed, and what is not. */
function aboutLoops({ freedoms, rates_moved: moved }) {
  const changed = moved > 1e-9 ? ` v and a were changed by up to ${number(moved, 3)} to agree with the loops.` : '';
  return `M, C and g are those of the tree; the loops leave ${freedoms} degree${freedoms === 1 ? '' : 's'} of freedom. τ and a keep them closed, τ with a motor in every joint.${changed}`;
}

export function equationsPanel(app) {
  const panel = make('div.panel');
  const part = (id) => make('div', { id });
  const [M, C, J, singular, formulations, counts] = ['matrix-m', 'matrix-c', 'matrix-j', 'singular', 'formulations', 'counts'].map(part);
  const motion = make('table.data.edit', { 'aria-label': 'Motion and torques' });
  const rest = make('div');
  const closed = make('p.note', { id: 'closed-note' });
  const cut = make('p.note', { hidden: true }, 'What follows is of the tree, as if the loops were cut open.');
  let cells = [];

  function build() {
    if (!app.robot) return;
    counts.replaceChildren();
    formulations.replaceChildren();
    const { joints, loops } = app.robot;
    const rates = joints.flatMap((joint) => joint.rates);
    cut.hidden = loops === 0;
    rest.replaceChildren(...restNote(rates.length, 'rows'));
    cells = rates.slice(0, MOST_ROWS).map(({ name, length }, k) => {
      const input = (key, label) => {
        const made = numberInput(app[key][k], `${label} of ${name}`, () => {
          const value = typed(made);
          if (value === null) return;
          app[key][k] = value;
          app.touch();
        });
        return made;
      };
      return { name, units: length ? 'm, N' : 'rad, N m', inputs: [input('v', 'velocity'), input('a', 'acceleration'), input('tau', 'torque')], g: make('td.n'), id: make('td.n'), fd: make('td.n') };
    });
    motion.replaceChildren(
      make('thead', {}, make('tr', {}, ...['joint', 'g(q)', 'v', 'a', ...(loops > 0 ? ['τ, loops closed', 'given τ', 'a, loops closed'] : ['τ = M a + C v + g', 'given τ', 'a = M⁻¹(τ − C v − g)']), 'units'].map((name) => make('th', { scope: 'col' }, name)))),
      make('tbody', {}, ...cells.map(({ name, units, inputs, g, id, fd }) => make('tr', {}, make('th', { scope: 'row' }, name), g, make('td', {}, inputs[0]), make('td', {}, inputs[1]), id, make('td', {}, inputs[2]), fd, make('td.units', { title: 'v and a by s and s²; torque or force' }, units)))));
  }

  function show() {
    if (panel.hidden) return;
    closed.textContent = '';
    if (!app.answer.arrays.M) {
      for (const place of [C, J, singular]) place.replaceChildren();
      M.replaceChildren(make('p.note', {}, `The robot has ${app.robot.nv} degrees of freedom, too many for matrices on a page.`));
      return;
    }
    const { arrays, manipulability, condition } = app.answer;
    const { nv } = app.robot;
    if (app.robot.loops > 0) closed.textContent = aboutLoops(app.answer);
    M.replaceChildren(make('h3', {}, `M, condition ${condition ? number(condition, 3) : '∞'}`), heatTable(arrays.M, nv, 'The inertia matrix M'));
    C.replaceChildren(make('h3', {}, 'C, with Ṁ − 2C skew-symmetric'), heatTable(arrays.C, nv, 'The Coriolis matrix C'));
    J.replaceChildren(make('h3', {}, 'Jacobian of the tip: angular rows first, world axes'), heatTable(arrays.J, 6, 'The Jacobian of the tip'));
    const largest = arrays.singular?.[0] ?? 0;
    const values = arrays.singular ? [...arrays.singular].map((x) => number(x < 1e-14 * largest ? 0 : x, 4)).join(', ') : '—';
    const lost = manipulability && manipulability.rank < manipulability.full_rank;
    singular.replaceChildren(make('p', {}, `Singular values for ${app.robot.task}: ${values}. Manipulability ${number(manipulability?.yoshikawa < 1e-14 ? 0 : manipulability?.yoshikawa, 4)}. `,
      make(lost ? 'span.bad-word' : 'span', {}, lost ? `Singular posture: rank ${manipulability.rank} of ${manipulability.full_rank}.` : '')));
    const rounding = 1e-14 * [...arrays.g, ...arrays.id].reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    const torque = (x) => number(Math.abs(x) < rounding ? 0 : x, 5);
    cells.forEach(({ g, id, fd, inputs }, k) => {
      g.textContent = torque(arrays.g[k]);
      id.textContent = torque(arrays.id[k]);
      fd.textContent = number(arrays.fd[k], 5);
      ['v', 'a', 'tau'].forEach((key, i) => {
        if (document.activeElement !== inputs[i]) inputs[i].value = String(Number(app[key][k].toPrecision(6)));
      });
    });
  }

  async function compare() {
    const answer = await app.client.ask({ do: 'formulations', q: app.q, v: app.v, a: app.a, tau: app.tau });
    if (answer.error) return formulations.replaceChildren(make('p.note', {}, answer.error));
    const rows = answer.rows.map((row) => [TITLES[row.of] ?? row.of, row.method, row.apart ?? 'not finite', [...answer.arrays[row.array].slice(0, 4)].map((x) => number(x, 6)).join(', ') + (answer.arrays[row.array].length > 4 ? ' …' : '')]);
    const others = app.robot.formulations.filter((f) => f.refusal);
    return formulations.replaceChildren(dataTable(['of', 'formulation', 'apart, in units of rounding', 'first numbers'], rows, 'Formulations beside each other'),
      ...others.map((f) => make('p.note', {}, `${f.name}: ${f.refusal}`)));
  }

  async function count() {
    const answer = await app.client.ask({ do: 'counts', of: 'id,fd,gim,c,gravity' }, 30);
    if (answer.error) return counts.replaceChildren(make('p.note', {}, answer.error));
    const rows = answer.rows.map((row) => [TITLES[row.of] ?? row.of, row.cheapest ? make('b', {}, `${row.method} ✓`) : row.method, row.mul, row.add, row.sincos, row.printed ? `${row.printed.mul} M ${row.printed.add} A (${row.printed.where})` : '']);
    return counts.replaceChildren(dataTable(['of', 'formulation', 'multiplications', 'additions', 'sines and cosines', 'printed in the paper'], rows, 'Operations'));
  }

  app.listen('robot', build);
  app.listen('answer', show);
  panel.addEventListener('shown', () => app.answer && show());
  panel.append(make('h3', {}, 'Motion and torques'), make('div.scroll', {}, motion), rest, closed, M, C, J, singular, cut,
    make('h3', {}, 'A paper, step by step, on this arm'), stepsView(app),
    make('h3', {}, 'Formulations side by side'), button('Compare at this state', compare, { id: 'compare' }), formulations,
    make('h3', {}, 'Operations for this very arm'), button('Count', count, { id: 'count' }), counts);
  return panel;
}
