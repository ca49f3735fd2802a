// Reads the run that the ulna command wrote into the page (the contract is in web/README.md).
// Whatever is missing becomes empty, so that the rest of the page need not ask.

/**
 * @typedef {{name: string, label: string, unit: string, group: string, index: number,
 *            values: Float32Array}} Column   index: its place among the columns of its group
 * @typedef {{time: Float64Array, columns: Map<string, Column>}} Table   columns over one time axis
 */

/** @param {string | undefined} text base64 @returns {ArrayBuffer} */
export function bytes(text) {
  if (!text) return new ArrayBuffer(0);
  const newer = /** @type {any} */ (Uint8Array);
  if (newer.fromBase64) return newer.fromBase64(text).buffer;
  // In blocks of whole base64 groups: one string of 24 MB beside the text is enough.
  const block = 1 << 20;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const out = new Uint8Array((text.length / 4) * 3 - padding);
  for (let from = 0, at = 0; from < text.length; from += block) {
    const part = atob(text.slice(from, from + block));
    for (let i = 0; i < part.length; i++) out[at++] = part.charCodeAt(i);
  }
  return out.buffer;
}

// Truncated data yields what whole numbers there are.
const floats = (text) => {
  const buffer = bytes(text);
  return new Float32Array(buffer, 0, buffer.byteLength >> 2);
};
const doubles = (text) => {
  const buffer = bytes(text);
  return new Float64Array(buffer, 0, buffer.byteLength >> 3);
};

const shorts = (text) => {
  const buffer = bytes(text);
  return new Uint16Array(buffer, 0, buffer.byteLength >> 1);
};

/** A mesh's points in metres and its triangles; what names a point that is not there is left out. */
export function readMesh({ lower, step, points, triangles }) {
  const steps = shorts(points);
  const positions = Float32Array.from(steps.subarray(0, 3 * Math.floor(steps.length / 3)), (n, i) => lower[i % 3] + n * step[i % 3]);
  const corners = shorts(triangles);
  const whole = corners.subarray(0, 3 * Math.floor(corners.length / 3));
  return { positions, corners: whole.every((corner) => 3 * corner < positions.length) ? whole : new Uint16Array(0) };
}

/** Columns of one time axis; `packed` holds them one after the other, in the order of `list`. */
function table(time, list, packed) {
  const columns = new Map();
  const inGroup = new Map();
  list.forEach((column, k) => {
    const group = column.group ?? '';
    const index = inGroup.get(group) ?? 0;
    inGroup.set(group, index + 1);
    columns.set(column.name, {
      name: column.name,
      label: column.label ?? column.name,
      unit: column.unit ?? '',
      group,
      index: column.joint ?? index,
      values: packed.subarray(k * time.length, (k + 1) * time.length),
    });
  });
  return { time, columns };
}

/** The integrator's steps as a table of their own, because their times are not the samples'. */
function stepsTable(steps) {
  const time = doubles(steps?.t);
  const list = [];
  const parts = [];
  for (const [name, label, unit] of [['h', 'step size', 's'], ['wall', 'wall clock', 's']]) {
    const values = floats(steps?.[name]);
    if (time.length === 0 || values.length !== time.length) continue;
    list.push({ name, label, unit, group: 'steps', joint: 0 });
    parts.push(values);
  }
  const packed = new Float32Array(time.length * list.length);
  parts.forEach((part, k) => packed.set(part, k * time.length));
  return table(time, list, packed);
}

const readScene = (scene) => (scene?.frames ? sceneOf(scene, doubles(scene.frames.t), floats(scene.frames.poses)) : null);

/** A scene with the poses of its bodies at these times, or null where there are too few. */
export function sceneOf(scene, time, poses) {
  const bodies = scene.bodies ?? [];
  const moving = Math.max(0, bodies.length - 1);
  if (time.length === 0 || poses.length < time.length * moving * 7) return null;
  const up = scene.up ?? [0, 0, 1];
  const length = Math.hypot(...up);
  return {
    bodies,
    moving,
    shapes: scene.shapes ?? [],
    joints: scene.joints ?? [],
    tip: scene.tip ?? null,
    // Without gravity nothing is up: z then.
    up: length > 0 ? up.map((x) => x / length) : [0, 0, 1],
    size: scene.size > 0 ? scene.size : 1,
    time,
    poses,
  };
}

/** The run as the page uses it, or null when the page is the template that nobody filled. */
export function readRun(text) {
  if (!text.trimStart().startsWith('{')) return null;
  const raw = JSON.parse(text);
  const time = doubles(raw.time);
  const list = (raw.columns ?? []).filter((column) => column.group !== 'time');
  return {
    title: raw.title ?? 'Report',
    subtitle: raw.subtitle ?? '',
    facts: raw.facts ?? [],
    status: raw.status ?? null,
    warnings: raw.warnings ?? [],
    sampling: raw.sampling ?? { samples: time.length, stride: 1 },
    samples: table(time, list, floats(raw.data)),
    steps: stepsTable(raw.steps),
    plots: raw.plots ?? [],
    scene: readScene(raw.scene),
    /** A scene to look at, which was never to move. */
    stands: raw.columns === undefined && raw.scene?.frames !== undefined,
    scenario: raw.scenario ?? '',
    statistics: raw.statistics ?? [],
    events: (raw.events ?? []).filter((event) => Number.isFinite(event.t)),
    balance: raw.energy_balance?.text ?? '',
    version: raw.ulna ?? '',
  };
}

/** Index of the last entry of the ascending `time` that is not after t, or 0. */
export function indexBefore(time, t) {
  let low = 0;
  let high = time.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (time[middle] <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Index of the entry of the ascending `time` nearest to t, or 0. */
export function indexNearest(time, t) {
  const i = indexBefore(time, t);
  return i + 1 < time.length && time[i + 1] - t < t - time[i] ? i + 1 : i;
}
