// Small parts that the panels are made of.
import { make } from '../page/dom.js';
import { number } from '../page/format.js';

export const button = (label, press, properties = {}) => {
  const element = make('button', { type: 'button', ...properties }, label);
  element.addEventListener('click', press);
  return element;
};

/** The rows that a panel offers to type into; a page with inputs for a chain of thousands would stand still. */
export const MOST_ROWS = 60;
export const restNote = (count, what) => (count > MOST_ROWS ? [make('p.note', {}, `The first ${MOST_ROWS} of ${count} ${what} are shown.`)] : []);

export const field = (label, input) => make('label.field', {}, label, input);

export const numberInput = (value, label, change) => {
  const input = make('input', { type: 'text', value: String(value), inputMode: 'decimal', 'aria-label': label });
  input.addEventListener('change', () => change?.(input));
  return input;
};

/** The number that was typed, or null; marks the field. A comma is read as a point. */
export function typed(input) {
  const value = Number(input.value.trim().replace('−', '-').replace(',', '.'));
  const good = input.value.trim() !== '' && Number.isFinite(value);
  input.setAttribute('aria-invalid', String(!good));
  return good ? value : null;
}

/** A table of numbers, row by row, the larger the stronger coloured. */
export function heatTable(values, rows, label) {
  const columns = rows > 0 ? values.length / rows : 0;
  const largest = values.reduce((size, x) => Math.max(size, Math.abs(x)), 0);
  const table = make('table.heat', { 'aria-label': label });
  for (let i = 0; i < rows; i++) {
    const line = make('tr');
    for (let j = 0; j < columns; j++) {
      const x = values[i * columns + j];
      const cell = make('td', {}, number(Math.abs(x) < 1e-14 * largest ? 0 : x, 4));
      const share = largest > 0 ? Math.sqrt(Math.abs(x) / largest) : 0;
      cell.style.background = `color-mix(in srgb, var(${x < 0 ? '--tip' : '--accent'}) ${Math.round(45 * share)}%, transparent)`;
      line.append(cell);
    }
    table.append(line);
  }
  return make('div.scroll', { tabIndex: 0, role: 'region', 'aria-label': label }, table);
}

/** A table with a head; numbers to the right. */
export function dataTable(head, rows, label) {
  return make('div.scroll', {}, make('table.data', { 'aria-label': label },
    make('thead', {}, make('tr', {}, ...head.map((name) => make('th', { scope: 'col' }, name)))),
    make('tbody', {}, ...rows.map((row) => make('tr', {}, ...row.map((cell) => make(typeof cell === 'number' ? 'td.n' : 'td', {}, typeof cell === 'number' ? (Number.isInteger(cell) ? String(cell) : number(cell, 3)) : cell)))))));
}

export function download(name, text, type = 'text/plain') {
  const url = URL.createObjectURL(new Blob([text], { type }));
  make('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
