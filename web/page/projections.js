// The way of the tip seen along each axis: three small drawings, one scale for all.
import { indexNearest } from './data.js';
import { make, onceAFrame } from './dom.js';
import { marks, ticks } from './format.js';
import { theme } from './theme.js';

const MARGIN = { left: 44, right: 10, top: 10, bottom: 24 };
const PAIRS = [[0, 1], [0, 2], [1, 2]];
const FONT = '11px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

function extent(values) {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low && value !== -Infinity) low = value;
    if (value > high && value !== Infinity) high = value;
  }
  return low > high ? [0, 0] : [low, high];
}

/** The widest of these extents; where all are points but for rounding, something that can be drawn. */
function widest(extents) {
  const span = Math.max(...extents.map(([low, high]) => high - low));
  const size = Math.max(...extents.flat().map(Math.abs));
  return span > 1e-9 * size ? span : 0.1 * size || 1;
}

export class Projections {
  #views = [];
  #host = make('div.projections');

  /**
   * @param {import('./data.js').Column[]} columns x, y and z of the tip
   * @param {Float64Array} time
   * @param {import('./timeline.js').Timeline} timeline
   */
  constructor(columns, time, timeline) {
    this.columns = columns;
    this.time = time;
    this.timeline = timeline;
    this.extents = columns.map((column) => extent(column.values));
    this.element = make('figure.plot', { id: 'plot-tip-path' },
      make('figcaption', {}, make('span.name', {}, 'Path of the tip'), ' ', make('span.unit', {}, columns[0].unit)), this.#host);
    for (const [across, along] of PAIRS) {
      const canvas = make('canvas', { role: 'img', 'aria-label': `Path of the tip, ${columns[along].label} over ${columns[across].label}` });
      const dot = make('div.dot');
      this.#host.append(make('div.projection', {}, canvas, dot));
      this.#views.push({ across, along, canvas, dot });
    }
    new ResizeObserver(onceAFrame(() => this.refresh())).observe(this.#host);
    theme.listen(() => this.refresh());
    timeline.listen(() => this.#moveDots());
  }

  refresh() {
    for (const view of this.#views) this.#draw(view);
    this.#moveDots();
  }

  #draw(view) {
    const { canvas, across, along } = view;
    const width = canvas.parentElement.clientWidth;
    if (width <= 0) return;
    const height = width;
    const ratio = devicePixelRatio;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const ctx = canvas.getContext('2d');
    ctx.scale(ratio, ratio);
    const box = { width: width - MARGIN.left - MARGIN.right, height: height - MARGIN.top - MARGIN.bottom };
    // The same metres per pixel in all three, so that they can be compared.
    const span = widest(this.extents);
    const scale = Math.min(box.width, box.height) / (span * 1.08);
    const centre = (k) => (this.extents[k][0] + this.extents[k][1]) / 2;
    view.x = (value) => MARGIN.left + box.width / 2 + (value - centre(across)) * scale;
    view.y = (value) => MARGIN.top + box.height / 2 - (value - centre(along)) * scale;
    this.#axes(ctx, view, box, scale, centre);
    this.#path(ctx, view);
  }

  #axes(ctx, view, box, scale, centre) {
    ctx.font = FONT;
    ctx.fillStyle = theme.colour('--ink-soft');
    ctx.strokeStyle = theme.colour('--grid');
    ctx.lineWidth = 1;
    const values = (k, pixels) => {
      const half = pixels / 2 / scale;
      return marks(centre(k) - half, centre(k) + half, 6);
    };
    const line = (x0, y0, x1, y1) => {
      ctx.beginPath();
      ctx.moveTo(x0, y0);
      ctx.lineTo(x1, y1);
      ctx.stroke();
    };
    const bottom = MARGIN.top + box.height;
    const right = MARGIN.left + box.width;
    const horizontal = values(view.across, box.width);
    const vertical = values(view.along, box.height);
    ctx.textAlign = 'center';
    ticks(horizontal).forEach((text, i) => {
      const x = Math.round(view.x(horizontal[i])) + 0.5;
      line(x, MARGIN.top, x, bottom);
      if (x < right - 18) ctx.fillText(text, x, bottom + 15);
    });
    ctx.textAlign = 'right';
    ticks(vertical).forEach((text, i) => {
      const y = Math.round(view.y(vertical[i])) + 0.5;
      line(MARGIN.left, y, right, y);
      if (y > MARGIN.top + 16) ctx.fillText(text, MARGIN.left - 6, y + 4);
    });
    ctx.fillStyle = theme.colour('--ink');
    ctx.font = `600 ${FONT}`;
    ctx.fillText(this.columns[view.across].label, right, bottom + 15);
    ctx.fillText(this.columns[view.along].label, MARGIN.left - 6, MARGIN.top + 8);
  }

  #path(ctx, view) {
    const xs = this.columns[view.across].values;
    const ys = this.columns[view.along].values;
    ctx.strokeStyle = theme.series(0).colour;
    ctx.lineWidth = 1.4;
    ctx.lineJoin = 'round';
    ctx.beginPath();
    let drawing = false;
    let lastX = 0;
    let lastY = 0;
    for (let i = 0; i < xs.length; i++) {
      if (!Number.isFinite(xs[i]) || !Number.isFinite(ys[i])) {
        drawing = false;
        continue;
      }
      const x = view.x(xs[i]);
      const y = view.y(ys[i]);
      // Steps below half a pixel do not show.
      if (drawing && Math.abs(x - lastX) < 0.5 && Math.abs(y - lastY) < 0.5) continue;
      if (drawing) ctx.lineTo(x, y);
      else ctx.moveTo(x, y);
      drawing = true;
      lastX = x;
      lastY = y;
    }
    ctx.stroke();
  }

  #moveDots() {
    if (this.time.length === 0) return;
    const i = indexNearest(this.time, this.timeline.t);
    for (const { across, along, dot, x, y } of this.#views) {
      if (!x) continue;
      const at = [this.columns[across].values[i], this.columns[along].values[i]];
      dot.hidden = !at.every(Number.isFinite);
      if (!dot.hidden) dot.style.transform = `translate(${x(at[0])}px, ${y(at[1])}px)`;
    }
  }
}
