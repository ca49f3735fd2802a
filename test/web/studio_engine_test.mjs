// The studio's engine in WebAssembly against the native one: every bundled robot, formulation and 50 states to rounding,
// and the first second of a run to what the tolerance is worth.
//   node studio_engine_test.mjs WASM ANSWERS     folder of engine.wasm; the program engine_answers
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { callerOf } from '../../web/studio/engine.js';

const [folder, answers] = process.argv.slice(2).map((path) => resolve(path));
const makeEngine = createRequire(import.meta.url)(join(folder, 'engine.cjs'));
const wasm = callerOf(await makeEngine({ wasmBinary: readFileSync(join(folder, 'engine.wasm')) }));

const child = spawn(answers, { stdio: ['pipe', 'pipe', 'inherit'] });
const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();

/** The answer of the native engine, with its arrays. */
async function native(request) {
  child.stdin.write(`${JSON.stringify(request)}\n`);
  const answer = JSON.parse((await lines.next()).value);
  const words = (await lines.next()).value.split(' ').filter(Boolean);
  const all = new Float64Array(new BigUint64Array(words.map((word) => BigInt(`0x${word}`))).buffer);
  for (const [name, [from, rows, columns]] of Object.entries(answer.arrays ?? {})) answer.arrays[name] = all.slice(from, from + rows * columns);
  return answer;
}

const largest = (values) => values.reduce((size, x) => Math.max(size, Math.abs(x)), 0);
/** Both have the same shape and differ by at most `bound` of the largest number, or of `scale`. */
function near(a, b, bound, what, scale = largest(b)) {
  assert.equal(a.length, b.length, what);
  a.forEach((x, k) => assert.ok(Math.abs(x - b[k]) <= bound * scale, `${what}: ${x} and ${b[k]} differ by ${Math.abs(x - b[k]) / scale} of ${scale}`));
}

const EPSILON = 2 ** -52;
const STATES = 50;
const { robots } = wasm({ do: 'robots' });
assert.deepEqual(robots, (await native({ do: 'robots' })).robots);
let compared = 0;
for (const { name, family } of robots) {
  if (family) continue;
  const load = { do: 'load', robot: name };
  const here = wasm(load);
  const there = await native(load);
  assert.deepEqual(here.findings, there.findings, name);
  assert.equal(here.robot.nv, there.robot.nv, name);
  const { nv } = here.robot;
  const states = (await native({ do: 'states', count: STATES })).arrays;
  for (let k = 0; k < STATES; k++) {
    const state = Object.fromEntries(['q', 'v', 'a', 'tau'].map((key) => [key, [...states[`${key}${k}`]]]));
    const [a, b] = [wasm({ do: 'formulations', ...state }), await native({ do: 'formulations', ...state })];
    assert.equal(a.error, b.error, name);
    const matrices = await native({ do: 'state', ...state });
    // Sums over nv joints round some times per joint; forward dynamics lets that grow by the condition of M, on the scale
    // of the torques that it is solved for.
    const rounding = 64 * nv * EPSILON;
    const scale = largest(matrices.arrays?.M ?? [1]);
    const forces = Math.max(largest(b.arrays['id/newton_euler']), largest(state.tau), largest(b.arrays['gravity/newton_euler'] ?? [0]), scale);
    for (const [row, other] of a.rows.map((row, i) => [row, b.rows[i]])) {
      assert.equal(row.array, other.array);
      const what = `${name} ${row.array} state ${k}`;
      if (row.of === 'fd') near(a.arrays[row.array], b.arrays[row.array], rounding * (matrices.condition ?? 1 / EPSILON), what, Math.max(largest(b.arrays[row.array]), forces / scale));
      else near(a.arrays[row.array], b.arrays[row.array], rounding, what, forces);
      compared++;
    }
  }
}
console.log(`${compared} results of formulations agree`);

// The paths of two builds part by what an integrator leaves per step, grown by the motion: a second of it.
for (const name of ['planar3r', 'puma560', 'ur5_like', 'panda_like', 'satellite_arm', 'four_bar']) {
  const run = { do: 'simulate', scenario: `robot = "${name}"\n[run]\nfor = 1\nevery = 0.1\n` };
  wasm({ do: 'load', robot: name });
  await native({ do: 'load', robot: name });
  const [a, b] = [wasm(run), await native(run)];
  assert.equal(a.status, b.status, name);
  assert.deepEqual(a.columns, b.columns, name);
  const width = a.columns.length;
  a.columns.forEach((column, k) => {
    if (!/^[qv]\d/.test(column)) return;
    const values = (rows) => Array.from({ length: rows.length / width }, (_, i) => rows[i * width + k]);
    near(values(a.arrays.rows), values(b.arrays.rows), 1e-6, `${name} ${column}`, 1 + largest(values(b.arrays.rows)));
  });
}

// Counts are whole numbers.
wasm({ do: 'load', robot: 'puma560' });
await native({ do: 'load', robot: 'puma560' });
assert.deepEqual(wasm({ do: 'counts' }).rows, (await native({ do: 'counts' })).rows);

// Wrong robots get the same verdict.
for (const text of ['', '<robot', '<robot name="a"/>', '[[link]]', 'dh = "standard"', '\0', '{"a": 1}', '<mujoco/>', '<sdf/>', 'a = 1e400', '[[link]]\njoint = "revolute"\nmass = nan', `${'['.repeat(5000)}`, '<a>'.repeat(5000)]) {
  for (const file of ['a.toml', 'a.urdf', 'a.xml', 'a.sdf']) {
    const request = { do: 'load', text, file };
    assert.equal(wasm(request).error, (await native(request)).error, `${file}: ${text.slice(0, 40)}`);
  }
}
child.stdin.end();
console.log('runs, counts and refusals agree');
