// A paper's equations walked through on this arm, step by step, with the numbers of the library's own formulation.
import { make } from '../page/dom.js';
import { button, heatTable } from './widgets.js';

const PAPERS = {
  denoc: ['DeNOC and UDUᵀ', 'Saha 2001; Bhangale, Saha and Agrawal 2004'],
  homogeneous: ['homogeneous 4 × 4 matrices', 'Legnani et al. 1996, part 2'],
  spatial_operator: ['spatial operators', 'Woliński and Malczyk 2015'],
  constraint_force: ['constraint forces', 'Fijany and Bejczy'],
};
const WIDEST = 12; // columns of a matrix whose numbers stand beside each other; of a larger one a picture, and one block
const BLOCK = 6;

/** Text with _i and _{i,i−1} as subscripts. */
const subscripted = (text) => text.split(/(_\{[^}]*\}|_[A-Za-z0-9]+)/).map((part, k) => (k % 2 ? make('sub', {}, part.replace(/[_{}]/g, '')) : part));

/** All of a large matrix as a picture, the larger a number the stronger, and the block of six that one points at. */
function largeMatrix(values, rows, name) {
  const columns = values.length / rows;
  const largest = values.reduce((size, x) => Math.max(size, Math.abs(x)), 0);
  const cell = Math.max(3, Math.min(9, Math.floor(330 / columns)));
  const canvas = make('canvas.matrix', { width: columns * cell, height: rows * cell, role: 'img', 'aria-label': `${name}, ${rows} × ${columns}, the larger a number the stronger its colour` });
  const pen = canvas.getContext('2d');
  const colours = getComputedStyle(document.body);
  values.forEach((x, k) => {
    if (!(Math.abs(x) > 1e-14 * largest)) return;
    pen.globalAlpha = 0.15 + 0.85 * Math.sqrt(Math.abs(x) / largest);
    pen.fillStyle = colours.getPropertyValue(x < 0 ? '--tip' : '--accent');
    pen.fillRect((k % columns) * cell, Math.floor(k / columns) * cell, cell, cell);
  });
  const block = make('div');
  const choice = (label, count) => make('select', { 'aria-label': `${label} of the block of ${name}` }, ...Array.from({ length: Math.ceil(count / BLOCK) }, (_, k) => make('option', { value: String(k) }, String(k + 1))));
  const [row, column] = [choice('row', rows), choice('column', columns)];
  const show = () => {
    const [r, c] = [BLOCK * Number(row.value), BLOCK * Number(column.value)];
    const height = Math.min(BLOCK, rows - r);
    const width = Math.min(BLOCK, columns - c);
    const part = Array.from({ length: height * width }, (_, k) => values[(r + Math.floor(k / width)) * columns + c + (k % width)]);
    block.replaceChildren(heatTable(part, height, `Block of ${name}`));
  };
  row.addEventListener('change', show);
  column.addEventListener('change', show);
  canvas.addEventListener('click', (event) => {
    const box = canvas.getBoundingClientRect();
    row.value = String(Math.floor(((event.clientY - box.top) / box.height) * rows / BLOCK));
    column.value = String(Math.floor(((event.clientX - box.left) / box.width) * columns / BLOCK));
    show();
  });
  const most = Math.max(0, values.findIndex((x) => Math.abs(x) === largest));
  row.value = String(Math.floor(most / columns / BLOCK));
  column.value = String(Math.floor((most % columns) / BLOCK));
  show();
  return make('div', {}, make('div.scroll', {}, canvas), make('p.row', {}, 'Block', row, column), block);
}

function matrixOf({ name, rows, array, link }, arrays) {
  const values = arrays[array];
  const columns = values.length / rows;
  const title = link > 0 ? name.replaceAll('i−1', String(link - 1)).replace(/i(?![a-z])/g, String(link)) : name;
  const table = columns > WIDEST || rows > 2 * WIDEST ? largeMatrix(values, rows, title) : heatTable(values, rows, title);
  return make('div.matrix-of', {}, make('h4', {}, ...subscripted(title), rows * columns > 1 ? `, ${rows} × ${columns}` : ''), table);
}

export function stepsView(app) {
  const view = make('div', { id: 'steps' });
  const method = make('select', { id: 'steps-method', 'aria-label': 'Formulation to walk through' });
  const link = make('select', { id: 'steps-link', 'aria-label': 'Link whose matrices are shown' });
  const linkField = make('label.field', { hidden: true }, 'link', link);
  const place = make('div', { id: 'step', 'aria-live': 'polite' });
  const of = make('span.note', { id: 'step-of' });
  let walk = null;
  let at = 0;

  const show = () => {
    if (!walk) return;
    const step = walk.steps[at];
    const perLink = step.matrices.filter((matrix) => matrix.link > 0);
    linkField.hidden = perLink.length === 0;
    const offered = [...new Set(perLink.map((matrix) => matrix.link))];
    const wanted = offered.includes(Number(link.value)) ? link.value : String(offered[0] ?? '');
    link.replaceChildren(...offered.map((k) => make('option', { value: String(k) }, `${k}`)));
    link.value = wanted;
    of.textContent = `step ${at + 1} of ${walk.steps.length}`;
    back.disabled = at === 0;
    on.disabled = at + 1 === walk.steps.length;
    place.replaceChildren(make('h4.step-title', {}, step.title), make('p.formula', {}, ...subscripted(step.formula)),
      make('p.note', {}, `${[walk.paper, step.equations].filter(Boolean).join(' ')}. `, ...subscripted(step.note)),
      ...step.matrices.filter((matrix) => matrix.link === 0 || String(matrix.link) === wanted).map((matrix) => matrixOf(matrix, walk.arrays)));
  };
  const go = (by) => {
    at = Math.min(walk.steps.length - 1, Math.max(0, at + by));
    show();
  };
  const back = button('◂ Before', () => go(-1), { id: 'step-before' });
  const on = button('Next ▸', () => go(1), { id: 'step-next' });

  async function load(keep) {
    const answer = await app.client.ask({ do: 'steps', method: method.value, q: app.q, v: app.v, a: app.a, tau: app.tau });
    walk = answer.error ? null : answer;
    for (const element of [back, on]) element.hidden = !walk;
    if (!walk) {
      linkField.hidden = true;
      of.textContent = '';
      place.replaceChildren(make('p.note', {}, answer.error));
      return;
    }
    if (!keep) at = 0;
    show();
  }

  link.addEventListener('change', show);
  method.addEventListener('change', () => load(false));
  app.listen('robot', () => {
    walk = null;
    place.replaceChildren();
    of.textContent = '';
    if (!app.robot) return;
    const before = method.value;
    method.replaceChildren(...app.robot.formulations.filter(({ name }) => name in PAPERS).map(({ name }) => make('option', { value: name }, `${PAPERS[name][0]} (${PAPERS[name][1]})`)));
    if (before) method.value = before;
    for (const element of [back, on]) element.hidden = true;
    linkField.hidden = true;
  });
  for (const element of [back, on]) element.hidden = true;
  view.append(make('div.row', {}, method, button('Walk through at this state', () => load(true), { id: 'walk' })),
    make('div.row', {}, back, on, of, linkField), place);
  return view;
}
