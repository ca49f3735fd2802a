// Numbers as text.

const SUPERSCRIPT = { '-': '⁻', 0: '⁰', 1: '¹', 2: '²', 3: '³', 4: '⁴', 5: '⁵', 6: '⁶', 7: '⁷', 8: '⁸', 9: '⁹' };
const raised = (exponent) => String(exponent).replace(/[-\d]/g, (c) => SUPERSCRIPT[c]);
const minus = (text) => text.replace('-', '−');

/** A measured value with `digits` significant digits: "−1.2346", "3.1·10⁻¹¹", "—" for none. */
export function number(value, digits = 5) {
  if (value === null || value === undefined || Number.isNaN(value)) return '—';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 10 ** digits) {
    return minus(value.toFixed(Math.max(0, Math.min(digits, digits - 1 - Math.floor(Math.log10(size))))));
  }
  const [mantissa, exponent] = value.toExponential(digits - 1).split('e');
  return `${minus(mantissa)}·10${raised(Number(exponent))}`;
}

/** Multiples of 1, 2 or 5 times a power of ten between two numbers, about `count` of them; none where they do not differ. */
export function marks(low, high, count) {
  const raw = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= raw) ?? 10);
  const first = Math.ceil(low / step);
  const last = Math.floor(high / step);
  if (!(step > 0 && step < Infinity) || !Number.isSafeInteger(first) || !Number.isSafeInteger(last)) return [];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, k) => (first + k) * step);
}

/** Labels for the ticks of a linear axis: as many decimals as the distance between them asks. */
export function ticks(values) {
  const step = values.length > 1 ? Math.abs(values[1] - values[0]) : Math.abs(values[0] ?? 1) || 1;
  const largest = values.reduce((size, value) => Math.max(size, Math.abs(value)), step);
  const exponent = Math.floor(Math.log10(largest));
  const scale = exponent >= 5 || exponent <= -4 ? exponent : 0;
  // The fewest decimals that tell the step exactly: steps of 2.5 need one, steps of 2 none.
  let decimals = 0;
  const scaled = step / 10 ** scale;
  while (decimals < 9 && Math.abs(Number(scaled.toFixed(decimals)) - scaled) > 1e-6 * scaled) decimals++;
  return values.map((value) => {
    if (Math.abs(value) < step * 1e-6) return '0';
    const text = minus((value / 10 ** scale).toFixed(decimals));
    return scale === 0 ? text : `${text}·10${raised(scale)}`;
  });
}

/** Labels for a logarithmic axis: powers of ten, as many as fit. */
export function decades(values) {
  const exponents = values.map((value) => Math.log10(value));
  const whole = exponents.filter((e) => Math.abs(e - Math.round(e)) < 1e-6);
  const every = Math.max(1, Math.ceil(whole.length / 6));
  return exponents.map((e) => {
    const power = Math.round(e);
    if (Math.abs(e - power) > 1e-6 || power % every !== 0) return null;
    return power === 0 ? '1' : power === 1 ? '10' : `10${raised(power)}`;
  });
}

/** A clock for a run from t0 to t1: decimals so that a thousandth of it shows. */
export function clock(t, t0, t1) {
  const span = t1 - t0;
  const decimals = span > 0 ? Math.max(0, Math.min(9, 3 - Math.floor(Math.log10(span)))) : 3;
  return `${minus(t.toFixed(decimals))} s`;
}
