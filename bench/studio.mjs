// The engine in WebAssembly against the native one, and the page: prints the table of doc/studio.md.
//   node bench/studio.mjs BUILD [NATIVE]     BUILD: a build folder with the studio; NATIVE: engine_answers of another build
// Times are the least of several. Native numbers depend on the level that NATIVE was built for: the table's is the
// lowest, without FMA (-DULNA_LEVEL=x86-64), since WebAssembly has none either.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { callerOf } from '../web/studio/engine.js';

const build = resolve(process.argv[2] ?? 'build');
const answers = resolve(process.argv[3] ?? join(build, 'test', 'engine_answers'));
// Short and many, so that some fall between what else the machine does.
const [CALLS, REPEATS, RUNS] = [10_000, 150, 40];
const TEN_SECONDS = 'robot = "ur5_like"\n[run]\nfor = 10\nevery = 0.01\ntolerance = 1e-9\n';

/** Least seconds of forward dynamics of two arms, and of the ten-second run. @param {(request: any) => Promise<any>} ask */
async function speeds(ask) {
  const found = {};
  for (const robot of ['ur5_like', 'panda_like']) {
    await ask({ do: 'load', robot });
    found[robot] = Infinity;
    for (let k = 0; k < REPEATS; k++) found[robot] = Math.min(found[robot], (await ask({ do: 'time', count: CALLS })).seconds);
  }
  await ask({ do: 'load', robot: 'ur5_like' });
  found.run = Infinity;
  for (let k = 0; k < RUNS; k++) found.run = Math.min(found.run, (await ask({ do: 'simulate', scenario: TEN_SECONDS })).wall);
  return found;
}

async function nativeSpeeds() {
  const child = spawn(answers, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const found = await speeds(async (request) => {
    child.stdin.write(`${JSON.stringify(request)}\n`);
    const answer = JSON.parse((await lines.next()).value);
    await lines.next();
    return answer;
  });
  child.stdin.end();
  return found;
}

async function nodeSpeeds() {
  const makeEngine = createRequire(import.meta.url)(join(build, 'wasm', 'engine.cjs'));
  const ask = callerOf(await makeEngine({ wasmBinary: readFileSync(join(build, 'wasm', 'engine.wasm')) }));
  return speeds(async (request) => ask(request));
}

const GL = ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
const page = join(build, 'web', 'studio.html');

/** Speeds in the page's worker, seconds until the arm is drawn, and what a frame takes while seven joints run live. */
async function browserFigures(executablePath) {
  const { chromium } = createRequire(join(build, 'web', 'package.json'))('playwright-core');
  const browser = await chromium.launch({ executablePath, args: GL });
  let first = Infinity;
  let tab = null;
  for (let k = 0; k < 5; k++) {
    await tab?.close();
    tab = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    // Two frames after the engine's first answer the arm is on the screen.
    await tab.addInitScript(() => {
      const look = () => (window.ulna?.app.answer || document.querySelector('#viewport canvas') ? requestAnimationFrame(() => requestAnimationFrame((now) => (window.drawnAt = now))) : requestAnimationFrame(look));
      requestAnimationFrame(look);
    });
    await tab.goto(pathToFileURL(page).href);
    await tab.waitForFunction(() => window.drawnAt && window.ulna);
    first = Math.min(first, (await tab.evaluate(() => window.drawnAt)) / 1000);
  }
  const wasm = await speeds((request) => tab.evaluate((r) => window.ulna.app.client.ask(r, 60).then(({ seconds, wall, error }) => ({ seconds, wall, error })), request));
  const frames = await liveFrames(tab);
  // What is left when drawing costs nothing.
  const bare = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await bare.addInitScript(() => {
    for (const name of ['clear', 'drawArrays', 'drawElements', 'drawArraysInstanced', 'drawElementsInstanced']) WebGL2RenderingContext.prototype[name] = () => {};
  });
  await bare.goto(pathToFileURL(page).href);
  await bare.waitForFunction(() => window.ulna?.app.answer);
  const undrawn = await liveFrames(bare);
  await browser.close();
  return { wasm, first, frames, undrawn };
}

/** Of five seconds in which seven joints run live. */
async function liveFrames(tab) {
  await tab.evaluate(() => window.ulna.app.load({ robot: 'panda_like' }));
  await tab.click('#tab-simulate');
  await tab.selectOption('#drive', 'gravity');
  await tab.click('#live');
  // By then the picture is as coarse as it has to be.
  await tab.waitForFunction(() => window.ulna.app.live?.t > 2);
  const frames = await tab.evaluate(async () => {
    const seconds = 5;
    const { client } = window.ulna.app;
    const asked = client.ask.bind(client);
    let engine = 0;
    client.ask = async (...request) => {
      const before = performance.now();
      const answer = await asked(...request);
      engine += performance.now() - before;
      return answer;
    };
    const live = window.ulna.app.live;
    const [t, start] = [live.t, performance.now()];
    let count = 0;
    while (performance.now() - start < 1000 * seconds) {
      await new Promise((frame) => requestAnimationFrame(frame));
      count++;
    }
    const passed = (performance.now() - start) / 1000;
    client.ask = asked;
    return { perSecond: count / passed, engine: engine / count, pace: (live.t - t) / passed };
  });
  await tab.click('#stop');
  await tab.close();
  return frames;
}

const ns = (seconds) => `${Math.round(seconds * 1e9)} ns`;
const ms = (seconds) => `${(seconds * 1e3).toFixed(1)} ms`;
const native = await nativeSpeeds();
const node = await nodeSpeeds();
const executablePath = process.env.ULNA_CHROMIUM ?? '/usr/bin/chromium';
const chromium = existsSync(executablePath) ? await browserFigures(executablePath) : null;
const row = (name, show, of) => `| ${name} | ${show(of(native))} | ${show(of(node))} (${(of(node) / of(native)).toFixed(2)} ×) | ${chromium ? `${show(of(chromium.wasm))} (${(of(chromium.wasm) / of(native)).toFixed(2)} ×)` : '–'} |`;
console.log('| | native | Node | Chromium |\n|---|---|---|---|');
console.log(row('forward dynamics, `ur5_like`', ns, (s) => s.ur5_like));
console.log(row('forward dynamics, `panda_like`', ns, (s) => s.panda_like));
console.log(row('ten seconds of `ur5_like` at 1e-9', ms, (s) => s.run));
const bytes = readFileSync(page);
console.log(`\nstudio.html: ${(bytes.length / 1e6).toFixed(2)} MB, ${(gzipSync(bytes, { level: 9 }).length / 1e6).toFixed(2)} MB gzipped`);
if (chromium) {
  console.log(`first picture after ${chromium.first.toFixed(2)} s`);
  for (const [what, { perSecond, pace, engine }] of [['drawn', chromium.frames], ['with drawing that does nothing', chromium.undrawn]]) {
    console.log(`live, seven joints, ${what}: ${perSecond.toFixed(0)} frames a second, at ${pace.toFixed(2)} × real time; the engine's answers take ${engine.toFixed(1)} ms of a frame`);
  }
}
