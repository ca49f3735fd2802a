// From where to look at an arm, and the small compass that says how one looks.

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => {
  const length = Math.hypot(...a);
  return a.map((x) => x / length);
};

/** Two horizontal axes for a given up; x and y when z is up. */
export function horizontal(up) {
  const flattest = up.map(Math.abs).indexOf(Math.min(...up.map(Math.abs)));
  const axis = [0, 0, 0];
  axis[flattest] = 1;
  const dot = axis.reduce((sum, x, k) => sum + x * up[k], 0);
  const first = unit(axis.map((x, k) => x - dot * up[k]));
  return [first, cross(up, first)];
}

/** From the arm towards the eye, at first: obliquely from above. */
export function viewDirection(up) {
  const [e1, e2] = horizontal(up);
  return unit(up.map((x, k) => 0.75 * e1[k] - 1.15 * e2[k] + 0.55 * x));
}

/** A distance between grid lines that reads well: 1, 2 or 5 times a power of ten. */
export function gridCell(size) {
  const power = 10 ** Math.floor(Math.log10(size / 8));
  return power * ([1, 2, 5, 10].find((step) => step * power * 1.3 >= size / 8) ?? 10);
}

const SVG = 'http://www.w3.org/2000/svg';
const AXES = ['x', 'y', 'z'];

/** The world's axes in a corner of the view. */
export class Compass {
  #shown = '';

  constructor() {
    this.element = document.createElementNS(SVG, 'svg');
    this.element.setAttribute('viewBox', '-32 -32 64 64');
    this.element.setAttribute('class', 'compass');
    this.element.setAttribute('aria-hidden', 'true');
    this.parts = AXES.map((name) => {
      const group = document.createElementNS(SVG, 'g');
      group.setAttribute('class', `axis-${name}`);
      const line = document.createElementNS(SVG, 'line');
      const text = document.createElementNS(SVG, 'text');
      text.textContent = name;
      group.append(line, text);
      this.element.append(group);
      return { group, line, text };
    });
  }

  /** @param {number[][]} screen for each world axis: right, up, towards the eye */
  turn(screen) {
    if (this.#shown === String(screen)) return; // the browser would paint it anew all the same
    this.#shown = String(screen);
    screen.forEach(([right, up], k) => {
      const { line, text } = this.parts[k];
      line.setAttribute('x2', String(20 * right));
      line.setAttribute('y2', String(-20 * up));
      text.setAttribute('x', String(27 * right));
      text.setAttribute('y', String(-27 * up));
    });
    // What points away lies behind.
    const order = [0, 1, 2].sort((a, b) => screen[a][2] - screen[b][2]);
    this.element.append(...order.map((k) => this.parts[k].group));
  }
}
