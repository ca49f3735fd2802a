// The names of a plot's series, their values at the cursor, and their switches.
import { make } from './dom.js';
import { number } from './format.js';
import { theme } from './theme.js';

const SHOWN = 12;
const SVG = 'http://www.w3.org/2000/svg';

/** A short piece of the line as the plot draws it. */
function swatch() {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 22 8');
  svg.setAttribute('class', 'swatch');
  svg.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(SVG, 'path');
  line.setAttribute('d', 'M0 4H22');
  svg.append(line);
  return svg;
}

export class Legend {
  element = make('div.legend');
  #entries;

  /**
   * @param {import('./data.js').Column[]} columns
   * @param {(shown: boolean[]) => void} changed called when series are switched on or off
   */
  constructor(columns, changed) {
    this.columns = columns;
    this.shown = columns.map(() => true);
    this.changed = changed;
    const labels = columns.map((column) => column.label);
    this.#entries = columns.map((column, k) => {
      const twice = labels.indexOf(column.label) !== labels.lastIndexOf(column.label);
      const value = make('span.value', {}, '—');
      const mark = swatch();
      const button = make(
        'button.entry',
        { type: 'button', title: `${column.name}: click hides or shows, shift-click shows only this one`, 'aria-pressed': 'true' },
        mark, make('span.label', {}, twice ? `${column.label} (${column.name})` : column.label), value);
      button.addEventListener('click', (event) => (event.shiftKey ? this.#only(k) : this.#toggle(k)));
      return { button, value, line: mark.firstChild };
    });
    this.element.append(...this.#entries.map((entry) => entry.button));
    if (columns.length > SHOWN) this.#collapse();
    this.recolour();
  }

  /** A hundred joints would bury the plot: the rest unfolds when asked for. */
  #collapse() {
    const rest = this.#entries.slice(SHOWN);
    const more = make('button.more', { type: 'button' });
    const fold = (folded) => {
      for (const entry of rest) entry.button.hidden = folded;
      more.textContent = folded ? `Show ${rest.length} more` : 'Show fewer';
      more.setAttribute('aria-expanded', String(!folded));
    };
    more.addEventListener('click', () => fold(more.getAttribute('aria-expanded') === 'true'));
    fold(true);
    this.element.append(more);
  }

  #toggle(k) {
    this.shown[k] = !this.shown[k];
    this.#apply();
  }

  /** Only this one; if it is the only one already, all. */
  #only(k) {
    const alone = this.shown.every((shown, i) => shown === (i === k));
    this.shown = this.shown.map((_, i) => alone || i === k);
    this.#apply();
  }

  #apply() {
    this.#entries.forEach((entry, k) => entry.button.setAttribute('aria-pressed', String(this.shown[k])));
    this.changed(this.shown);
  }

  recolour() {
    this.#entries.forEach((entry, k) => {
      const { colour, dash } = theme.series(this.columns[k].index);
      entry.line.setAttribute('stroke', colour);
      entry.line.setAttribute('stroke-dasharray', dash.join(' '));
    });
  }

  /** Shows the values of sample i. */
  values(i) {
    this.#entries.forEach((entry, k) => {
      if (!entry.button.hidden) entry.value.textContent = number(this.columns[k].values[i]);
    });
  }
}
