// One plot over time: uPlot draws what is decimated for its width; the cursor is the timeline's.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { indexNearest } from './data.js';
import { decimate } from './decimate.js';
import { atMostEvery, make, onceAFrame } from './dom.js';
import { decades, ticks } from './format.js';
import { Legend } from './legend.js';
import { theme } from './theme.js';

const HEIGHT = 230;
const READ = 100; // ms that a value stands while the arm plays: nobody reads faster
const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

/** Some room above and below; a constant gets a band that its rounding does not fill. */
function linearRange(low, high) {
  if (low === null || high === null || low > high) return [0, 1];
  const middle = (low + high) / 2;
  const least = Math.max(Math.abs(middle) * 4e-6, Number.MIN_VALUE * 1e10);
  const half = Math.max(((high - low) / 2) * 1.08, low === high ? Math.abs(middle) * 0.1 || 1 : least);
  return [middle - half, middle + half];
}

function logRange(low, high) {
  if (low === null || high === null || !(low > 0)) return [0.1, 1];
  const from = Math.floor(Math.log10(low) + 1e-9);
  return [10 ** from, 10 ** Math.max(from + 1, Math.ceil(Math.log10(high) - 1e-9))];
}

/** Powers of ten, not more than six of them. */
function logSplits(low, high) {
  const from = Math.round(Math.log10(low));
  const to = Math.round(Math.log10(high));
  const every = Math.max(1, Math.ceil((to - from) / 6));
  const out = [];
  for (let e = Math.ceil(from / every) * every; e <= to; e += every) out.push(10 ** e);
  return out;
}

export class Plot {
  #u = null;
  #width = 0;
  #visible = false;
  #stale = true;
  #cursor = make('div.cursor');
  #host = make('div.canvas');
  #columns;
  #table;
  #log;
  #bands;
  #legend;
  #shared;
  #tellSoon = atMostEvery(READ, () => this.#tell());

  /**
   * @param {{id: string, title: string, unit?: string, note?: string, log?: boolean,
   *          bands?: [string, string][]}} spec   bands: pairs of columns, upper and lower, with the colour between
   * @param {import('./data.js').Column[]} columns
   * @param {import('./data.js').Table} table where the columns are from
   * @param {{timeline: import('./timeline.js').Timeline, range: import('./timeline.js').Range,
   *          events: {t: number, text: string}[]}} shared
   */
  constructor(spec, columns, table, shared) {
    this.#columns = columns;
    this.#table = table;
    this.#log = spec.log ?? false;
    const place = (name) => columns.findIndex((column) => column.name === name) + 1;
    this.#bands = (spec.bands ?? []).map((pair) => pair.map(place)).filter((pair) => pair.every((at) => at > 0));
    this.#shared = shared;
    this.#legend = new Legend(columns, (shown) => this.#show(shown));
    const caption = make('figcaption', {}, make('span.name', {}, spec.title));
    if (spec.unit) caption.append(' ', make('span.unit', {}, spec.unit));
    this.element = make('figure.plot', { id: `plot-${spec.id}` }, caption, this.#host, this.#legend.element);
    const notes = [spec.note, ...this.#remarks()].filter(Boolean).join(' ');
    if (notes) this.element.append(make('p.note', {}, notes));
    this.#host.setAttribute('role', 'img');
    this.#host.setAttribute('aria-label', `${spec.title} over time`);
    this.#watch();
  }

  /** What a reader must know about values that cannot be drawn as they are. */
  #remarks() {
    const remarks = [];
    let notFinite = 0;
    let notPositive = false;
    for (const { values } of this.#columns) {
      for (let i = 0; i < values.length; i++) {
        if (!Number.isFinite(values[i])) notFinite++;
        else if (values[i] <= 0) notPositive = true;
      }
    }
    if (this.#log && notPositive) remarks.push('Magnitudes on a logarithmic axis; zeros lie on its lower edge.');
    if (notFinite > 0) remarks.push(`${notFinite} values are not finite and leave gaps.`);
    return remarks;
  }

  #watch() {
    const { timeline, range } = this.#shared;
    const refreshSoon = onceAFrame(() => {
      if (this.#visible) this.refresh();
    });
    // Plots outside the window wait until they come near it.
    new IntersectionObserver(([entry]) => {
      this.#visible = entry.isIntersecting;
      if (this.#visible) this.refresh();
    }, { rootMargin: '200px' }).observe(this.#host);
    new ResizeObserver(refreshSoon).observe(this.#host);
    range.listen(() => {
      this.#stale = true;
      refreshSoon();
    });
    timeline.listen(() => {
      if (this.#visible) this.#moveCursor();
    });
    theme.listen(() => {
      this.#legend.recolour();
      this.#u?.redraw(false, true);
    });
  }

  /** Draws what has changed: size, range, cursor. A width may be given for paper. */
  refresh(width = this.#host.clientWidth) {
    if (width <= 0) return;
    if (!this.#u) this.#create(width);
    else if (width !== this.#width) {
      this.#u.setSize({ width, height: HEIGHT });
      this.#stale = true;
    }
    this.#width = width;
    if (this.#stale) this.#fill();
    else this.#moveCursor();
  }

  #create(width) {
    const { timeline, range } = this.#shared;
    const ink = () => theme.colour('--ink-soft');
    const line = () => theme.colour('--grid');
    const axis = { stroke: ink, font: FONT, grid: { stroke: line, width: 1 }, ticks: { show: false }, gap: 6 };
    const labels = this.#log ? decades : ticks;
    this.#u = new uPlot({
      width,
      height: HEIGHT,
      legend: { show: false },
      scales: {
        x: { time: false, range: () => [range.min, range.max] },
        y: { distr: this.#log ? 3 : 1, range: (_, low, high) => (this.#log ? logRange : linearRange)(low, high) },
      },
      axes: [
        { ...axis, size: 30, space: 64, values: (_, at) => ticks(at).map((text, k) => (k === at.length - 1 ? `${text} s` : text)) },
        {
          ...axis,
          space: 34,
          // Wide enough for the longest label, the same in all plots unless it is long.
          size: (_, texts) => Math.max(54, 14 + 7 * Math.max(0, ...(texts ?? []).map((text) => (text ?? '').length))),
          values: (_, at) => labels(at),
          ...(this.#log && { splits: (_, __, low, high) => logSplits(low, high), filter: (_, at) => at }),
        },
      ],
      series: [{}, ...this.#columns.map((column, k) => ({
        stroke: () => theme.series(column.index).colour,
        dash: theme.series(column.index).dash,
        width: this.#lineWidth(k + 1),
        show: this.#legend.shown[k],
        // A run of one sample is a point, not a line.
        points: { show: this.#table.time.length === 1, size: 7 },
      }))],
      bands: this.#bands.map((series) => ({ series, fill: () => `${theme.series(this.#columns[series[0] - 1].index).colour}30` })),
      cursor: { x: false, y: false, points: { show: false }, drag: { x: true, y: false, setScale: false, dist: 5 },
        bind: { dblclick: () => () => range.reset() } },
      hooks: {
        setSelect: [(u) => {
          const { left, width: chosen } = u.select;
          if (chosen > 0) range.set(u.posToVal(left, 'x'), u.posToVal(left + chosen, 'x'));
          u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
        }],
        drawAxes: [(u) => this.#drawEvents(u)],
        // uPlot settles its scales when it draws; only then has a time its place.
        draw: [() => this.#moveCursor()],
      },
    }, [[], ...this.#columns.map(() => [])], this.#host);
    this.#u.over.append(this.#cursor);
    this.#hover(this.#u.over, timeline);
  }

  /** Many lines are thin: easier to tell apart, and drawn several times faster. So are the edges of bands. */
  #lineWidth(series) {
    if (this.#bands.length > 0) return this.#bands.some((pair) => pair.includes(series)) ? 0.5 : 2;
    return this.#columns.length > 12 ? 1 : 1.5;
  }

  /** The pointer over the plot sets the time; while the arm plays, only a click does. */
  #hover(over, timeline) {
    const seek = (event) => timeline.seek(this.#u.posToVal(event.clientX - over.getBoundingClientRect().left, 'x'));
    over.addEventListener('pointermove', (event) => {
      if (!timeline.playing) seek(event);
    });
    over.addEventListener('pointerdown', (event) => {
      if (timeline.playing) timeline.pause();
      seek(event);
    });
  }

  #fill() {
    this.#stale = false;
    const { range } = this.#shared;
    const values = this.#columns.map((column) => column.values);
    const pixels = Math.max(100, Math.round(this.#width));
    const { x, y } = decimate(this.#table.time, values, range.min, range.max, pixels, this.#log);
    this.#u.setData([x, ...y]);
    this.element.classList.toggle('empty', y.every((series) => series.every((value) => value === null)));
  }

  #show(shown) {
    this.#u?.batch(() => shown.forEach((show, k) => {
      if (this.#u.series[k + 1].show !== show) this.#u.setSeries(k + 1, { show });
    }));
  }

  #moveCursor() {
    if (!this.#u || this.#table.time.length === 0) return;
    const { timeline, range } = this.#shared;
    const inside = timeline.t >= range.min && timeline.t <= range.max;
    this.#cursor.hidden = !inside;
    if (inside) this.#cursor.style.transform = `translateX(${this.#u.valToPos(timeline.t, 'x')}px)`;
    if (timeline.playing) this.#tellSoon();
    else this.#tell();
  }

  #tell() {
    this.#legend.values(indexNearest(this.#table.time, this.#shared.timeline.t));
  }

  #drawEvents(u) {
    const { events, range } = this.#shared;
    const { ctx, bbox } = u;
    ctx.save();
    ctx.strokeStyle = ctx.fillStyle = theme.colour('--event');
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
    ctx.font = `${10 * devicePixelRatio}px system-ui, sans-serif`;
    ctx.textBaseline = 'top';
    ctx.textAlign = 'left';
    let free = -Infinity;
    events.forEach((event, k) => {
      if (event.t < range.min || event.t > range.max) return;
      const x = Math.round(u.valToPos(event.t, 'x', true)) + 0.5;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      // Numbers that would overlap are left out; the list below has them all.
      if (x < free) return;
      ctx.fillText(String(k + 1), x + 3 * devicePixelRatio, bbox.top + 2 * devicePixelRatio);
      free = x + 16 * devicePixelRatio;
    });
    ctx.restore();
  }
}
