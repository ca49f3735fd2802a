// Fewer points for drawing, never fewer data: in each pixel the smallest and the largest value
// of a series survive, in their order, so that no peak is lost at any zoom.
import { indexBefore } from './data.js';

/**
 * @param {Float64Array} time ascending
 * @param {Float32Array[]} series
 * @param {number} from @param {number} to the visible range
 * @param {number} pixels width of the drawing
 * @param {boolean} log draw magnitudes, and zeros at the lowest decade
 * @returns {{x: number[], y: (number | null)[][]}} one x for all; null where not finite
 */
export function decimate(time, series, from, to, pixels, log = false) {
  if (time.length === 0) return { x: [], y: series.map(() => []) };
  // One sample beyond either edge, so that lines run out of the picture.
  const first = Math.max(0, indexBefore(time, from) - 1);
  const end = Math.min(time.length, indexBefore(time, to) + 2);
  const bounds = end - first <= 2 * pixels
    ? Array.from({ length: end - first + 1 }, (_, k) => first + k)
    : buckets(time, first, end, from, to, pixels);

  const x = [];
  for (let k = 0; k + 1 < bounds.length; k++) {
    x.push(time[bounds[k]]);
    if (bounds[k + 1] - bounds[k] > 1) x.push(time[bounds[k + 1] - 1]);
  }
  const y = series.map((values) => extremes(values, bounds, log));
  if (log) raiseZeros(y);
  return { x, y };
}

/** Indices at which the samples of a pixel begin; by time, because steps are not equally far apart. */
function buckets(time, first, end, from, to, pixels) {
  const bounds = [first];
  for (let k = 0; k <= pixels; k++) {
    const begin = indexBefore(time, from + ((to - from) * k) / pixels) + 1;
    if (begin > bounds[bounds.length - 1] && begin < end) bounds.push(begin);
  }
  bounds.push(end);
  return bounds;
}

/** One value for a bucket of one sample, else two, as in the x of `decimate`. */
function extremes(values, bounds, log) {
  const out = [];
  for (let k = 0; k + 1 < bounds.length; k++) {
    let low = Infinity;
    let high = -Infinity;
    let lowAt = 0;
    let highAt = 0;
    for (let i = bounds[k]; i < bounds[k + 1]; i++) {
      const value = log ? Math.abs(values[i]) : values[i];
      // NaN fails both comparisons; infinities must not set the scale.
      if (value < low && value !== -Infinity) {
        low = value;
        lowAt = i;
      }
      if (value > high && value !== Infinity) {
        high = value;
        highAt = i;
      }
    }
    const none = low > high;
    const lowFirst = lowAt <= highAt;
    out.push(none ? null : lowFirst ? low : high);
    if (bounds[k + 1] - bounds[k] > 1) out.push(none ? null : lowFirst ? high : low);
  }
  return out;
}

/** A logarithm has no zero: zeros go to the lowest decade that the other values reach. */
function raiseZeros(y) {
  let low = Infinity;
  let high = 0;
  for (const values of y) {
    for (const value of values) {
      if (value === null || value === 0) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  // Beyond 20 decades the small values are zeros that rounding spared.
  const floor = high === 0 ? 1e-16 : 10 ** Math.floor(Math.log10(Math.max(low, high * 1e-20)));
  for (const values of y) {
    for (let i = 0; i < values.length; i++) if (values[i] !== null && values[i] < floor) values[i] = floor;
  }
}
