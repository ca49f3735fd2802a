// The studio's engine in WebAssembly against the native one: every bundled robot, formulation and 50 states to rounding,
// the first second of a run to what the tolerance is worth, and the same verdict on hostile files.
//   node studio_engine_test.mjs WASM ANSWERS     folder of engine.wasm; the program engine_answers
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { callerOf, putFile } from '../../web/studio/engine.js';

const [folder, answers] = process.argv.slice(2).map((path) => resolve(path));
const makeEngine = createRequire(import.meta.url)(join(folder, 'engine.cjs'));
const module = await makeEngine({ wasmBinary: readFileSync(join(folder, 'engine.wasm')) });
const wasm = callerOf(module);
const corpus = join(dirname(fileURLToPath(import.meta.url)), '..', 'fuzz', 'corpus');

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
    assert.equal(a.rows.length, b.rows.length, name);
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

// Two builds part by rounding, which changes steps by little or makes one more: each stays as near to the true path as
// the tolerance is worth, which a tolerance a thousand times smaller shows. After a second chaos has not grown that yet.
const STATE_COLUMN = /^[qv]\d/;
const statesOf = ({ columns, arrays: { rows } }) => rows.filter((_, k) => STATE_COLUMN.test(columns[k % columns.length]));
const furthest = (a, b) => a.reduce((most, x, k) => Math.max(most, Math.abs(x - b[k])), 0);
for (const name of ['planar3r', 'puma560', 'ur5_like', 'panda_like', 'satellite_arm', 'four_bar']) {
  wasm({ do: 'load', robot: name });
  await native({ do: 'load', robot: name });
  const { v0 } = (await native({ do: 'states' })).arrays; // at rest some would stay where they are
  const run = (tolerance) => ({ do: 'simulate', scenario: `robot = "${name}"\n[run]\nfor = 1\nevery = 0.1\ntolerance = ${tolerance}\n[start]\nv = [${v0}]\n` });
  const [a, b, exact] = [wasm(run(1e-9)), await native(run(1e-9)), await native(run(1e-12))];
  assert.equal(a.status, b.status, name);
  assert.deepEqual(a.columns, b.columns, name);
  const [here, there, truth] = [a, b, exact].map(statesOf);
  assert.equal(here.length, there.length, name);
  const worth = furthest(there, truth);
  const apart = furthest(here, there);
  console.log(`${name}: apart by ${apart.toExponential(1)}, the tolerance is worth ${worth.toExponential(1)}`);
  // What rounding alone leaves after some thousand operations a step, on the scale of the largest number.
  assert.ok(apart <= 2 * worth + 1e4 * EPSILON * largest(truth), `${name}: ${apart} apart, where the tolerance is worth ${worth}`);
}

// Counts are whole numbers.
wasm({ do: 'load', robot: 'puma560' });
await native({ do: 'load', robot: 'puma560' });
assert.deepEqual(wasm({ do: 'counts' }).rows, (await native({ do: 'counts' })).rows);

// Wrong robots get the same verdict, and so do the corpora of the fuzzers: hostile, and plain.
const verdict = async (request, what) => {
  const [here, there] = [wasm(request), await native(request)];
  assert.equal(here.error, there.error, what);
  assert.deepEqual(here.findings, there.findings, what);
  assert.equal(here.robot?.nv, there.robot?.nv, what);
  assert.deepEqual(here.robot?.notices, there.robot?.notices, what);
};
for (const text of ['', '<robot', '<robot name="a"/>', '[[link]]', 'dh = "standard"', '\0', '{"a": 1}', '<mujoco/>', '<sdf/>', 'a = 1e400', '[[link]]\njoint = "revolute"\nmass = nan', `${'['.repeat(5000)}`, '<a>'.repeat(5000)]) {
  for (const file of ['a.toml', 'a.urdf', 'a.xml', 'a.sdf']) await verdict({ do: 'load', text, file }, `${file}: ${text.slice(0, 40)}`);
}
const filesIn = (name) => readdirSync(join(corpus, name)).map((file) => [`${name}/${file}`, readFileSync(join(corpus, name, file))]);
let read = 0;
for (const [name, ending] of [['toml_robot', 'toml'], ['cycle', 'toml'], ['urdf', 'urdf'], ['mjcf', 'xml'], ['sdf', 'sdf']]) {
  for (const [what, bytes] of filesIn(name)) {
    await verdict({ do: 'load', text: bytes.toString('utf8'), file: `a.${ending}` }, what);
    read++;
  }
}
// Scenarios, for a robot that some of them are meant for; what they name in files is nowhere, and the browser has no CVODE.
for (const [what, bytes] of filesIn('scenario')) {
  const load = { do: 'load', robot: 'planar2r' };
  wasm(load);
  await native(load);
  const request = { do: 'simulate', scenario: bytes.toString('utf8').replace(/"(bdf|adams)"/, '"dop853"') };
  const [here, there] = [wasm(request), await native(request)];
  assert.equal(here.error, there.error, what);
  assert.equal(here.status, there.status, what);
  read++;
}
// Meshes and tables are files; in the browser they are in memory, under the same paths.
const folder2 = mkdtempSync(join(tmpdir(), 'ulna-engine-'));
for (const [what, bytes] of [...filesIn('mesh'), ...filesIn('csv')]) {
  const path = join(folder2, what.replace('/', '_'));
  writeFileSync(path, bytes);
  putFile(module, path.slice(1), bytes);
  if (what.startsWith('csv')) {
    await verdict({ do: 'load', robot: 'planar2r' }, what);
    const request = { do: 'motion', scenario: `robot = "planar2r"\n[drive]\nkind = "playback"\n[drive.motion]\nkind = "spline"\nfile = "${path}"\n` };
    const [here, there] = [wasm(request), await native(request)];
    assert.equal(here.error, there.error, what);
    assert.equal(here.end, there.end, what);
  } else {
    const text = `<robot name="a"><link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial><visual><geometry><mesh filename="${path}"/></geometry></visual></link><link name="w"/><joint name="j" type="revolute"><parent link="w"/><child link="b"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>`;
    const request = { do: 'load', text, file: 'a.urdf' };
    await verdict(request, what);
    assert.deepEqual(wasm(request).robot.scene.shapes, (await native(request)).robot.scene.shapes, what);
  }
  read++;
}
rmSync(folder2, { recursive: true });
console.log(`${read} files of the fuzzers' corpora get the same verdict`);
child.stdin.end();
console.log('runs, counts and refusals agree');
