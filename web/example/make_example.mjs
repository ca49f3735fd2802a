// Writes reports for looking and for tests, in the form that the ulna command writes them:
//   node make_example.mjs TEMPLATE FOLDER [NAME…]
// The arm moves on invented smooth curves; nothing here is dynamics.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const base64 = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString('base64');

// --- poses -----------------------------------------------------------------------------------
const multiply = ([ax, ay, az, aw], [bx, by, bz, bw]) => [
  aw * bx + ax * bw + ay * bz - az * by,
  aw * by - ax * bz + ay * bw + az * bx,
  aw * bz + ax * by - ay * bx + az * bw,
  aw * bw - ax * bx - ay * by - az * bz,
];
const rotate = (q, [x, y, z]) => multiply(multiply(q, [x, y, z, 0]), [-q[0], -q[1], -q[2], q[3]]).slice(0, 3);
const about = ([x, y, z], angle) => [x, y, z].map((c) => c * Math.sin(angle / 2)).concat(Math.cos(angle / 2));
const add = (a, b) => a.map((x, k) => x + b[k]);

/** Six joints like the Stanford arm's; the third slides. `offset` is from the body before. */
const STANFORD = [
  { kind: 'revolute', axis: [0, 0, 1], offset: [0, 0, 0] },
  { kind: 'revolute', axis: [0, 1, 0], offset: [0, 0.15, 0.41] },
  { kind: 'prismatic', axis: [0, 0, 1], offset: [0, 0.08, 0] },
  { kind: 'revolute', axis: [0, 0, 1], offset: [0, 0, 0.12] },
  { kind: 'revolute', axis: [0, 1, 0], offset: [0, 0, 0.1] },
  { kind: 'revolute', axis: [0, 0, 1], offset: [0, 0, 0.08] },
];
const TIP = [0, 0, 0.14];

/** Poses of all moving bodies for joint values q. */
function forward(joints, q) {
  let position = [0, 0, 0];
  let turn = [0, 0, 0, 1];
  return joints.map((joint, k) => {
    position = add(position, rotate(turn, joint.offset));
    if (joint.kind === 'prismatic') position = add(position, rotate(turn, joint.axis.map((c) => c * q[k])));
    else turn = multiply(turn, about(joint.axis, q[k]));
    return [...position, ...turn];
  });
}

function sceneOf(joints, positions, times, size, shapes) {
  const poses = new Float32Array(times.length * joints.length * 7);
  times.forEach((t, i) => poses.set(forward(joints, positions(t)).flat(), i * joints.length * 7));
  return {
    bodies: [{ name: 'ground' }, ...joints.map((_, k) => ({ name: `link${k + 1}` }))],
    shapes,
    joints: joints.map((joint, k) => ({ body: k + 1, kind: joint.kind,
      look: joint.kind === 'prismatic' ? 'block' : 'cylinder', axis: joint.axis, at: [0, 0, 0] })),
    tip: { body: joints.length, at: TIP },
    up: [0, 0, 1],
    size,
    frames: { t: base64(Float64Array.from(times)), poses: base64(poses) },
  };
}

// --- a run -----------------------------------------------------------------------------------
const grid = (count, end) => Array.from({ length: count }, (_, i) => (count > 1 ? (end * i) / (count - 1) : 0));

/** Columns in order with a function of sample and time for each; packed as the contract says. */
function pack(times, columns) {
  const data = new Float32Array(times.length * columns.length);
  columns.forEach(({ value }, c) => times.forEach((t, i) => (data[c * times.length + i] = value(t, i))));
  return {
    columns: [{ name: 't', label: 'time', unit: 's', group: 'time' }, ...columns.map(({ value, ...column }) => column)],
    data: base64(data),
    time: base64(Float64Array.from(times)),
  };
}

const derivative = (f, order) => (order === 0 ? f : (t) => (derivative(f, order - 1)(t + 1e-3) - derivative(f, order - 1)(t - 1e-3)) / 2e-3);

function steps(count, end) {
  const t = [];
  for (let at = 0, i = 0; i < count; i++, at += end / count) t.push(at);
  return {
    t: base64(Float64Array.from(t)),
    h: base64(Float32Array.from(t, (at, i) => (i === 0 ? 1e-6 : (0.012 + 0.009 * Math.sin(2.1 * at)) * Math.min(1, 10 ** (i / 8 - 4))))),
    wall: base64(Float32Array.from(t, (at, i) => 2.1e-6 * i + 4e-7 * Math.sin(at) + 1e-5)),
  };
}

export function stanford({ samples = 1001, frames = 601, end = 10 } = {}) {
  const curves = STANFORD.map((joint, k) => {
    const swing = [0.9, 0.75, 0.16, 1.6, 1.1, 2.2][k];
    const pace = [0.7, 1.3, 0.9, 1.9, 2.4, 3.1][k];
    const centre = [0, 1.2, 0.32, 0, 0.3, 0][k];
    return (t) => centre + swing * Math.sin(pace * t + 0.4 * k) * (0.6 + 0.4 * Math.cos(0.45 * t + k));
  });
  const positions = (t) => curves.map((curve) => curve(t));
  const times = grid(samples, end);
  const kind = (k) => (STANFORD[k].kind === 'prismatic' ? ['m', 'm/s', 'm/s²', 'N'] : ['rad', 'rad/s', 'rad/s²', 'N·m']);
  const tipAt = (t) => {
    const pose = forward(STANFORD, positions(t))[5];
    return add(pose.slice(0, 3), rotate(pose.slice(3), TIP));
  };
  const potential = (t) => 9.81 * forward(STANFORD, positions(t)).reduce((sum, pose, k) => sum + [9, 6, 4, 1, 0.6, 0.5][k] * pose[2], 0);
  const highest = Math.max(...times.map(potential)) + 4;
  const noise = (i) => Math.abs(Math.sin(i * 12.9898) * 43758.5453 % 1);
  const balance = (t, i) => (i === 0 ? 0 : 3e-11 * (t / end) * (0.2 + noise(i)));
  const joints = (prefix, group, order) => curves.map((curve, k) => ({
    name: `${prefix}${k + 1}`, label: `joint${k + 1}`, unit: kind(k)[order], group, value: derivative(curve, order),
  }));
  const torque = curves.map((curve, k) => ({
    name: `tau${k + 1}`, label: `joint${k + 1}`, unit: kind(k)[3], group: 'torque',
    value: (t) => [3, 6, 14, 0.4, 0.3, 0.1][k] * (derivative(curve, 2)(t) + Math.cos(curve(t))),
  }));
  const xyz = ['x', 'y', 'z'];
  const packed = pack(times, [
    ...joints('q', 'position', 0), ...joints('v', 'velocity', 1), ...joints('a', 'acceleration', 2), ...torque,
    ...xyz.map((label, k) => ({ name: `tip_${label}`, label, unit: 'm', group: 'tip', value: (t) => tipAt(t)[k] })),
    ...xyz.map((label, k) => ({ name: `tip_v${label}`, label: `v${label}`, unit: 'm/s', group: 'tip_velocity', value: derivative((t) => tipAt(t)[k], 1) })),
    { name: 'kinetic', label: 'kinetic', unit: 'J', group: 'energy', value: (t) => highest - potential(t) },
    { name: 'potential', label: 'potential', unit: 'J', group: 'energy', value: potential },
    { name: 'total', label: 'total', unit: 'J', group: 'energy', value: () => highest },
    { name: 'balance', label: '|energy − work|', unit: 'J', group: 'balance', value: balance },
  ]);
  const turning = [1, 2, 4, 5, 6];
  const names = (prefix, list) => list.map((k) => `${prefix}${k}`);
  const link = (body, from, to, radius) => ({ body, kind: 'capsule', from, to, radius });
  return {
    schema: 1,
    title: 'stanford_free_fall',
    subtitle: 'Stanford arm, free fall for 10 s',
    facts: [['robot', 'stanford (6 joints)'], ['drive', 'free, no torques'], ['formulation', 'denoc'],
      ['integrator', 'dop853, tolerance 1e-9'], ['duration', '10 s, a sample every 0.01 s'], ['start', 'q = 0, v = 0'],
      ['gravity', '9.81 m/s² along −z'], ['computed in', '3.1 ms, 3200 times faster than the arm falls']],
    status: { ok: true, text: 'completed at t = 10 s' },
    warnings: [],
    sampling: { samples, stride: 1 },
    ...packed,
    steps: steps(1480, end),
    plots: [
      { id: 'positions', title: 'Joint positions', columns: names('q', turning), unit: 'rad', log: false },
      { id: 'positions-m', title: 'Joint positions, sliding', columns: ['q3'], unit: 'm', log: false },
      { id: 'velocities', title: 'Joint velocities', columns: names('v', turning), unit: 'rad/s', log: false },
      { id: 'velocities-m', title: 'Joint velocities, sliding', columns: ['v3'], unit: 'm/s', log: false },
      { id: 'accelerations', title: 'Joint accelerations', columns: names('a', turning), unit: 'rad/s²', log: false },
      { id: 'torques', title: 'Joint torques', columns: names('tau', turning), unit: 'N·m', log: false },
      { id: 'forces', title: 'Joint force, sliding', columns: ['tau3'], unit: 'N', log: false },
      { id: 'tip', title: 'Tip position', columns: ['tip_x', 'tip_y', 'tip_z'], unit: 'm', log: false, note: 'World axes.' },
      { id: 'tip-velocity', title: 'Tip velocity', columns: ['tip_vx', 'tip_vy', 'tip_vz'], unit: 'm/s', log: false },
      { id: 'energy', title: 'Energy', columns: ['kinetic', 'potential', 'total'], unit: 'J', log: false },
      { id: 'balance', title: 'Energy not accounted for', columns: ['balance'], unit: 'J', log: true },
    ],
    scene: sceneOf(STANFORD, positions, grid(frames, end), 1.3, [
      { body: 0, kind: 'cylinder', pose: [0, 0, 0.03, 0, 0, 0, 1], radius: 0.12, length: 0.06 },
      link(1, [0, 0, 0.06], [0, 0, 0.41], 0.045), link(1, [0, 0, 0.41], [0, 0.15, 0.41], 0.04),
      link(2, [0, 0, 0], [0, 0.08, 0], 0.038),
      { body: 3, kind: 'box', pose: [0, 0, -0.14, 0, 0, 0, 1], size: [0.05, 0.05, 0.52] },
      link(4, [0, 0, 0], [0, 0, 0.1], 0.026), link(5, [0, 0, 0], [0, 0, 0.08], 0.022),
      link(6, [0, 0, 0], [0, 0, 0.09], 0.018),
      { body: 6, kind: 'box', pose: [0, 0, 0.105, 0, 0, 0, 1], size: [0.07, 0.02, 0.02] },
      { body: 6, kind: 'sphere', pose: [0, 0, 0.14, 0, 0, 0, 1], radius: 0.01 },
    ]),
    scenario: 'schema = 1\nrobot = "stanford"\n\n[run]\nfor = 10.0        # s\nevery = 0.01      # s between samples\nintegrator = "dop853"\ntolerance = 1e-9\n\n[start]\nq = [0, "90 deg", 0.3, 0, 0, 0]\nv = [0, 0, 0, 0, 0, 0]\n\n[drive]\nkind = "free"\n',
    statistics: [['steps', '1480'], ['rejected', '3'], ['evaluations', '17796'], ['smallest step', '1.0e-6 s'], ['largest step', '0.021 s'], ['wall clock', '3.1 ms']],
    events: [{ t: 2.314, text: 'joint 2 passes its upper limit' }, { t: 6.871, text: 'joint 3 turns back' }],
    energy_balance: { text: 'Largest |energy − work| 3.6e-11 J (2.7e-13 of the largest energy).' },
    ulna: '0.1.0',
  };
}

/** 100 joints, 100,000 samples of 60 columns, 500 frames. */
export function big({ samples = 100_000, columns = 60, bodies = 100, frames = 500 } = {}) {
  const chain = Array.from({ length: bodies }, (_, k) => ({ kind: 'revolute', axis: k % 2 ? [1, 0, 0] : [0, 1, 0], offset: [0, 0, k === 0 ? 0 : 0.1] }));
  const positions = (t) => chain.map((_, k) => 0.06 * Math.sin(0.5 * t + 0.21 * k));
  const times = grid(samples, 100);
  const list = Array.from({ length: columns }, (_, k) => ({
    name: `q${k + 1}`, label: `joint${k + 1}`, unit: 'rad', group: k < columns / 2 ? 'position' : 'velocity',
    value: (t, i) => Math.sin(0.5 * t + 0.21 * k) + 0.1 * Math.sin(61 * t) + (i === 70_000 ? 2 : 0),
  }));
  const names = list.map((column) => column.name);
  const part = (from, to) => names.slice(Math.floor(from * columns), Math.floor(to * columns));
  return {
    ...stanford({ samples: 2, frames: 2 }),
    title: 'chain_100',
    subtitle: 'A chain of 100 joints',
    sampling: { samples, stride: 10 },
    ...pack(times, list),
    steps: steps(100_000, 100),
    plots: [
      { id: 'positions', title: 'Joint positions', columns: part(0, 0.5), unit: 'rad', log: false },
      { id: 'velocities', title: 'Joint velocities', columns: part(0.5, 1), unit: 'rad/s', log: false },
    ],
    scene: sceneOf(chain, positions, grid(frames, 100), 10,
      chain.map((_, k) => ({ body: k + 1, kind: 'capsule', from: [0, 0, 0], to: [0, 0, 0.1], radius: 0.03 }))),
    events: Array.from({ length: 40 }, (_, k) => ({ t: 2.5 * k, text: `event ${k + 1}` })),
  };
}

/** A run that went wrong: NaN from the middle on, infinities, negative values on a log axis. */
export function diverged() {
  const run = stanford({ samples: 401, frames: 101 });
  const times = grid(401, 10);
  const poses = new Float32Array(new Uint8Array(Buffer.from(run.scene.frames.poses, 'base64')).buffer).fill(NaN, 62 * 6 * 7);
  run.scene.frames.poses = base64(poses);
  const value = (t, i) => (i > 250 ? NaN : i === 249 ? Infinity : Math.exp(t) * Math.sin(t));
  return {
    ...run,
    title: 'diverged',
    status: { ok: false, text: 'stopped at t = 6.25 s: the accelerations are no longer finite' },
    warnings: ['joint 3 has no damping', 'the tolerance 1e-2 is coarse for this arm <b>&amp;</b>'],
    ...pack(times, [
      { name: 'q1', label: 'joint', unit: 'rad', group: 'position', value },
      { name: 'q2', label: 'joint', unit: 'rad', group: 'position', value: () => NaN },
      { name: 'e', label: 'error', unit: 'J', group: 'balance', value },
      { name: 'zero', label: 'zero', unit: 'J', group: 'residual', value: () => 0 },
      { name: 'flat', label: 'constant', unit: 'J', group: 'energy', value: () => 12.5 },
    ]),
    plots: [
      { id: 'positions', title: 'Joint positions', columns: ['q1', 'q2', 'absent'], unit: 'rad', log: false },
      { id: 'nothing', title: 'Nothing finite', columns: ['q2'], unit: 'rad', log: false },
      { id: 'balance', title: 'Error', columns: ['e'], unit: 'J', log: true },
      { id: 'zero', title: 'Zeros', columns: ['zero'], unit: 'J', log: true },
      { id: 'flat', title: 'Constant', columns: ['flat'], unit: 'J', log: false },
      { id: 'unknown', title: 'Unknown columns only', columns: ['absent'], unit: '', log: false },
    ],
  };
}

const without = (run, ...keys) => Object.fromEntries(Object.entries(run).filter(([key]) => !keys.includes(key)));

/** Name to a function that makes the run. */
export const EXAMPLES = {
  stanford,
  big,
  diverged,
  one_sample: () => stanford({ samples: 1, frames: 1, end: 0 }),
  no_samples: () => ({ ...without(stanford(), 'data', 'time', 'steps'), ...pack([], []), scene: null }),
  no_scene: () => without(stanford(), 'scene', 'steps', 'events'),
  bare: () => ({ schema: 1, title: 'bare' }),
  y_up: () => {
    const run = stanford();
    return { ...run, scene: { ...run.scene, up: [0, 1, 0] } };
  },
};

/** The page with a run in it, as the ulna command writes it. */
export const fill = (template, run) => template.replace('/*ULNA_DATA*/', () => JSON.stringify(run).replaceAll('<', '\\u003c'));

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [template, folder, ...names] = process.argv.slice(2);
  if (!template || !folder) {
    console.error('usage: node make_example.mjs TEMPLATE FOLDER [NAME…]');
    process.exit(2);
  }
  const page = readFileSync(template, 'utf8');
  mkdirSync(folder, { recursive: true });
  for (const name of names.length > 0 ? names : Object.keys(EXAMPLES)) {
    const file = join(folder, `${name}.html`);
    writeFileSync(file, fill(page, EXAMPLES[name]()));
    console.log(file);
  }
}
