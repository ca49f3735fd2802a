// Opens the studio in Chromium, from disk, and uses each panel as a person would.
//   node studio_test.mjs FOLDER ULNA     build/web, with studio.html and node_modules; the command
// Exit code 77 (ctest: skipped) where Chromium is missing. ULNA_CHROMIUM names another one; ULNA_PICTURES is a folder for
// pictures of what was seen.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { commandLines } from '../../web/studio/command_lines.js';
import { changed, shown, tablesOf } from '../../web/studio/robot_text.js';

const build = resolve(process.argv[2] ?? 'build/web');
const ulna = resolve(process.argv[3] ?? 'build/ulna');
const executablePath = process.env.ULNA_CHROMIUM ?? '/usr/bin/chromium';
if (!existsSync(executablePath)) {
  console.log(`skipped: there is no browser at ${executablePath} (Debian package chromium)`);
  process.exit(77);
}
const { chromium } = createRequire(join(build, 'package.json'))('playwright-core');
const folder = mkdtempSync(join(tmpdir(), 'ulna-studio-'));
const SOFTWARE_GL = ['--no-sandbox', '--disable-accelerated-2d-canvas', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
const NO_GL = ['--no-sandbox', '--disable-gpu', '--disable-3d-apis'];
const browser = await chromium.launch({ executablePath, args: SOFTWARE_GL });
const withoutGl = await chromium.launch({ executablePath, args: NO_GL });
const PATIENCE = 20_000; // ms: a busy machine is slow

/** Opens the page, waits for the arm, runs `use`, and demands silence: no error, no request. */
async function open(use, { by = browser, file = join(build, 'studio.html'), hash = '', options = {}, before = null, ready = true } = {}) {
  const page = await by.newPage({ viewport: { width: 1280, height: 800 }, acceptDownloads: true, ...options });
  page.setDefaultTimeout(PATIENCE);
  const noise = [];
  const own = /GPU stall|willReadFrequently|Automatic fallback to software WebGL/;
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && !own.test(message.text()) && noise.push(message.text()));
  page.on('pageerror', (error) => noise.push(String(error)));
  const address = pathToFileURL(file).href + hash;
  page.on('request', (request) => request.url().split('#')[0] !== address.split('#')[0] && !/^(data|blob):/.test(request.url()) && noise.push(`request ${request.url()}`));
  if (before) await page.addInitScript(before);
  await page.goto(address);
  if (ready) await page.waitForFunction(() => window.ulna?.app.answer);
  await use(page);
  if (process.env.ULNA_PICTURES) await page.screenshot({ path: join(process.env.ULNA_PICTURES, `${pictures++}.png`) });
  await page.close();
  assert.deepEqual(noise, []);
}
let pictures = 0;

const app = (page, read, argument) => page.evaluate(`(${read})(window.ulna.app, ${JSON.stringify(argument) ?? null})`);
const matrix = (page) => app(page, (a) => [...a.answer.arrays.M]);
const text = (page, selector) => page.locator(selector).textContent();
const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
/** Waits until something holds of the page's state. */
async function until(page, holds, argument) {
  for (const end = performance.now() + PATIENCE; performance.now() < end;) {
    if (await app(page, holds, argument)) return;
    await page.waitForTimeout(30);
  }
  assert.fail(`it never held that ${holds}`);
}
const pick = async (page, robot) => {
  await page.selectOption('#pick', robot);
  await until(page, (a, name) => a.robot.name === name && a.answer.arrays.g.length === a.robot.nv, robot);
};
async function saved(page, press) {
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  return { path, content: readFileSync(path, 'utf8') };
}

const tests = {
  'a cell changes one line of the text and no other': async () => {
    const arm = 'dh = "standard" # as it is\n\n[[link]]\njoint = "revolute"\na = 1 # m\nalpha = "90 deg"\nlist = [\n 1,\n]\n';
    const [, link] = tablesOf(arm);
    assert.deepEqual([...link.fields.keys()], ['joint', 'a', 'alpha']);
    assert.equal(shown(link.fields.get('alpha').value), '90 deg');
    assert.equal(changed(arm, link, 'a', '.5'), arm.replace('a = 1 # m', 'a = 0.5 # m'));
    assert.equal(changed(arm, link, 'alpha', '45 deg'), arm.replace('90 deg', '45 deg'));
    assert.equal(changed(arm, link, 'a', ''), arm.replace('a = 1 # m\n', ''));
    assert.match(changed(arm, link, 'mass', '2'), /alpha = "90 deg"\nmass = 2\n/);
    const start = performance.now();
    const [long] = tablesOf(`title = "a${' '.repeat(400_000)}b"`);
    assert.equal(long.fields.get('title').value.length, 400_004);
    assert.ok(performance.now() - start < 1000, 'a long line takes long');
  },

  'a name of a file is one word to a shell and one text to Python and C++': async () => {
    const name = `a'; echo "$(id)" \\ b.toml`;
    const [command, python] = commandLines(name, '0,1').split('\n');
    assert.equal(execFileSync('sh', ['-c', command.replace('ulna', 'printf "%s\n"')], { encoding: 'utf8' }), `matrices\n${name}\n--q\n0,1\n`);
    assert.equal(execFileSync('sh', ['-c', python.replace('python3 -c', 'printf %s')], { encoding: 'utf8' }), `import ulna; print(ulna.load(${JSON.stringify(name)}).mass_matrix([0,1]))`);
    assert.match(commandLines('-x\n.toml', '0'), /^ulna matrices \.\/-x_\.toml --q 0\n/);
    const [, cpp] = commandLines(name, '0,1').split('\n\n');
    assert.ok(cpp.includes(`ulna::load(${JSON.stringify(name)})`) && cpp.includes('q{0,1}'));
  },

  'Robot: a length that is typed changes M, a bad mass is found beside its field, undo and redo': async () => open(async (page) => {
    await pick(page, 'planar2r');
    const before = await matrix(page);
    await page.fill('[data-cell="link.2.a"]', '2.5');
    await until(page, (a, was) => Math.abs(a.answer.arrays.M[0] - was) > 1e-6, before[0]);
    await page.click('#undo');
    await until(page, (a, was) => Math.abs(a.answer.arrays.M[0] - was) < 1e-12, before[0]);
    await page.click('#redo');
    await until(page, (a, was) => Math.abs(a.answer.arrays.M[0] - was) > 1e-6, before[0]);
    await page.fill('[data-cell="link.1.mass"]', '-3');
    await page.waitForSelector('#findings .error');
    assert.equal(await page.locator('tr.faulty').count(), 1);
    await page.fill('[data-cell="link.1.mass"]', '3');
    await page.waitForSelector('#findings .error', { state: 'detached' });
  }),

  'Robot: two cells typed into at once, and a table longer than the page shows': async () => open(async (page) => {
    await pick(page, 'planar2r');
    await page.evaluate(() => {
      for (const [cell, value] of [['link.1.b', '0.25'], ['link.2.mass', '7']]) {
        const input = document.querySelector(`[data-cell="${cell}"]`);
        input.value = value;
        input.dispatchEvent(new Event('input'));
      }
    });
    await until(page, (a) => /^b = 0.25$/m.test(a.text) && /^mass = 7$/m.test(a.text));
    await until(page, (a) => a.findings.every(({ severity }) => severity !== 'error'));
    const link = '[[link]]\njoint = "revolute"\na = 1\nmass = 1\ncom = [-0.5, 0, 0]\ninertia = [0.1, 0.1, 0.1]\n';
    await page.setInputFiles('#file', { name: 'long.toml', mimeType: 'text/plain', buffer: Buffer.from(`dh = "standard"\n${link.repeat(80)}`) });
    await until(page, (a) => a.robot.nv === 80 && a.answer.arrays.poses.length > 80);
    assert.equal(await page.locator('#tables tbody tr').count(), 60);
    assert.match(await text(page, '#tables'), /The first 60 of 80/);
    assert.equal(await page.locator('#joints .joint').count(), 60);
    await page.click('#tab-equations');
    assert.match(await text(page, '#matrix-m'), /80 degrees of freedom/);
  }),

  'Robot: exported and read again, as a file and as a link': async () => open(async (page) => {
    await pick(page, 'puma560');
    await page.selectOption('#form', 'urdf');
    const urdf = await saved(page, () => page.click('#download'));
    assert.match(urdf.content, /<robot name="puma560"/);
    await page.click('#share');
    await page.waitForSelector('#link:not([hidden])');
    const link = await page.inputValue('#link');
    const before = await matrix(page);
    // So that what comes is the new robot's.
    await app(page, (a) => void (a.answer = null));
    await page.setInputFiles('#file', urdf.path);
    await until(page, (a) => a.past.length > 1 && a.answer);
    const after = await matrix(page);
    before.forEach((x, k) => assert.ok(Math.abs(x - after[k]) < 1e-9 * Math.abs(before[0]), `M ${k}`));
    await open(async (other) => {
      assert.equal(await text(other, '#title'), 'puma560');
      assert.deepEqual(await matrix(other), before);
      await other.evaluate(() => (location.hash = '#robot=AAAA'));
      await other.waitForSelector('#trouble:not([hidden])');
      assert.match(await text(other, '#trouble'), /the link cannot be read/);
    }, { hash: link.slice(link.indexOf('#')) });
    await open(async (other) => {
      await other.waitForSelector('#trouble:not([hidden])');
      assert.match(await text(other, '#trouble'), /the link cannot be read/);
      await other.evaluate((hash) => (location.hash = hash), link.slice(link.indexOf('#')));
      await until(other, (a) => a.robot.name === 'puma560');
      assert.equal(await other.locator('#trouble').isHidden(), true);
    }, { hash: link.slice(link.indexOf('#'), -20) });
  }),

  'Robot: what is no robot gets a word, and the page goes on': async () => open(async (page) => {
    const hostile = { name: 'bad.urdf', mimeType: 'text/xml', buffer: Buffer.from('<a>'.repeat(200_000)) };
    await page.setInputFiles('#file', hostile);
    await page.waitForSelector('#trouble:not([hidden])');
    assert.match(await text(page, '#trouble'), /\w{4}/);
    await pick(page, 'planar3r');
    assert.equal(await page.locator('#trouble').isHidden(), true);
  }),

  'Move: slider, typed angle, arrow keys, a place for the tip, and one out of reach': async () => open(async (page) => {
    await pick(page, 'panda_like');
    await page.click('#tab-move');
    await page.fill('#joints .joint:nth-child(4) input[type="text"]', '-90');
    await page.keyboard.press('Enter');
    await until(page, (a) => Math.abs(a.q[3] + Math.PI / 2) < 1e-9);
    await page.focus('#joints .joint:nth-child(2) input[type="range"]');
    const start = await app(page, (a) => a.q[1]);
    await page.keyboard.press('ArrowRight');
    await until(page, (a, was) => Math.abs(a.q[1] - was - Math.PI / 180) < 1e-9, start);
    const goal = ['0.4', '0.2', '0.5'];
    for (const [k, axis] of ['x', 'y', 'z'].entries()) await page.getByLabel(`target ${axis} in metres`).fill(goal[k]);
    await page.click('#reach');
    await until(page, (a) => Math.hypot(a.answer.arrays.tip[0] - 0.4, a.answer.arrays.tip[1] - 0.2, a.answer.arrays.tip[2] - 0.5) < 1e-5);
    await page.getByLabel('target x in metres').fill('50');
    await page.click('#reach');
    await page.waitForFunction(() => /Not reached/.test(document.getElementById('reach-note').textContent));
  }),

  'Move: the tip is dragged in the picture': async () => open(async (page) => {
    await pick(page, 'ur5e');
    await page.waitForTimeout(300);
    const [x, y] = await page.evaluate(() => window.ulna.stage.tipOnScreen());
    const q = await app(page, (a) => a.q);
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let k = 1; k <= 5; k++) await page.mouse.move(x + 6 * k, y - 6 * k);
    await until(page, (a, was) => a.q.some((value, k) => Math.abs(value - was[k]) > 1e-3), q);
    await page.mouse.up();
    await page.waitForTimeout(300);
    const [x2, y2] = await page.evaluate(() => window.ulna.stage.tipOnScreen());
    assert.ok(Math.hypot(x2 - x - 30, y2 - y + 30) < 20, `the tip went to ${x2 - x}, ${y2 - y}`);
  }),

  'Move: everything that can be drawn over the arm, and closed loops that follow': async () => open(async (page) => {
    for (const kind of ['centres', 'inertia', 'velocity', 'force', 'cloud', 'gravity', 'frames']) await page.check(`#show-${kind}`);
    await page.waitForTimeout(500);
    await pick(page, 'four_bar');
    await page.click('#tab-move');
    const before = await app(page, (a) => a.q);
    await page.focus('#joints .joint:nth-child(1) input[type="range"]');
    await page.keyboard.press('Shift+ArrowRight');
    await until(page, (a, was) => a.q.every((x, k) => Math.abs(x - was[k]) > 1e-4), before);
  }),

  'Equations: torques of a typed velocity, formulations and counts': async () => open(async (page) => {
    await pick(page, 'puma560');
    await page.click('#tab-equations');
    await page.getByLabel('velocity of joint2').fill('1.5');
    await page.keyboard.press('Enter');
    await until(page, (a) => a.v[1] === 1.5 && a.answer.arrays.C.some((x) => x !== 0));
    assert.equal(await page.locator('#matrix-m td').count(), 36);
    await page.click('#compare');
    await page.waitForSelector('#formulations tbody tr');
    assert.ok((await page.locator('#formulations tbody tr').count()) >= 15);
    await page.click('#count');
    await page.waitForSelector('#counts tbody tr');
    assert.match(await text(page, '#counts'), /denoc/);
    const rows = () => page.locator('#panel-equations table.edit tbody th').allTextContents();
    await page.click('#tab-robot');
    await pick(page, 'satellite_arm');
    await page.click('#tab-equations');
    assert.deepEqual((await rows()).slice(0, 6), ['wx', 'wy', 'wz', 'vx', 'vy', 'vz'].map((rate) => `free_base ${rate}`));
    assert.deepEqual((await page.locator('#panel-equations td.units').allTextContents()).slice(2, 4), ['rad, N m', 'm, N']);
  }),

  'Equations: a mechanism at rest in balance needs no torque, and what is of the tree says so': async () => open(async (page) => {
    await pick(page, 'four_bar');
    await page.click('#tab-equations');
    await until(page, (a) => a.answer.rates_moved === 0);
    assert.match(await text(page, '#closed-note'), /of the tree; the loops leave 1 degree of freedom/);
    // Motors that accelerate as gravity alone would do nothing.
    const torques = await app(page, async (a) => {
      const free = await a.client.ask({ do: 'state', q: a.q });
      const driven = await a.client.ask({ do: 'state', q: a.q, a: [...free.arrays.fd] });
      return [...driven.arrays.id];
    });
    assert.ok(torques.every((x) => Math.abs(x) < 1e-9), `${torques}`);
    assert.equal(await page.getByText('as if the loops were cut open').isVisible(), true);
    await page.click('#tab-robot');
    await pick(page, 'puma560');
    await page.click('#tab-equations');
    assert.equal(await text(page, '#closed-note'), '');
    assert.equal(await page.getByText('as if the loops were cut open').isVisible(), false);
  }),

  'Equations: each paper walked through to its last step, its numbers those of M': async () => open(async (page) => {
    await pick(page, 'puma560');
    await page.click('#tab-equations');
    for (const method of ['denoc', 'homogeneous', 'spatial_operator', 'constraint_force']) {
      await page.selectOption('#steps-method', method);
      await page.click('#walk');
      await page.waitForFunction(() => /^step 1 of/.test(document.getElementById('step-of').textContent));
      const count = Number((await text(page, '#step-of')).split(' ').pop());
      assert.ok(count >= 6, method);
      for (let k = 1; k < count; k++) {
        await page.click('#step-next');
        assert.match(await text(page, '#step .formula'), /=/, method);
        assert.match(await text(page, '#step .note'), /^(saha2001|bhangale2004|legnani1996|wolinski2015|fijany_bejczy) [^a-z]*(\(\d|\w+\. ?\d|section)/, method);
        assert.doesNotMatch(await text(page, '#step .note'), / of [a-z]+\d{4}/, method);
        assert.ok((await page.locator('#step .matrix-of').count()) > 0, method);
      }
      assert.equal(await page.locator('#step-next').isDisabled(), true);
    }
    // The inertia matrix of DeNOC is the M above it, and another link has another composite body.
    await page.selectOption('#steps-method', 'denoc');
    await page.waitForFunction(() => /of 9$/.test(document.getElementById('step-of').textContent));
    for (let k = 0; k < 3; k++) await page.click('#step-next');
    const shown = (selector) => page.locator(selector).evaluateAll((cells) => cells.map((cell) => cell.textContent));
    assert.deepEqual(await shown('#step .matrix-of:last-child td'), await shown('#matrix-m td'));
    const first = await shown('#step .matrix-of:nth-of-type(1) td');
    await page.selectOption('#steps-link', '4');
    assert.notDeepEqual(await shown('#step .matrix-of:nth-of-type(1) td'), first);
    // A large matrix is a picture with one block in numbers.
    await page.selectOption('#steps-method', 'spatial_operator');
    await page.waitForFunction(() => /of 6$/.test(document.getElementById('step-of').textContent));
    await page.click('#step-next');
    assert.equal(await page.locator('#step canvas.matrix').count(), 3);
    await page.locator('#step canvas.matrix').last().click({ position: { x: 3, y: 3 } });
    assert.equal((await shown('#step .matrix-of:last-child td'))[0], '1.000');
  }),

  'Simulate: live, a link pulled with the mouse, and the run that it was': async () => open(async (page) => {
    await page.click('#tab-simulate');
    await page.selectOption('#drive', 'gravity');
    await page.click('#live');
    await until(page, (a) => a.live?.t > 0.2);
    const q = await app(page, (a) => a.q);
    const [x, y] = await page.evaluate(() => window.ulna.stage.tipOnScreen());
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let k = 1; k <= 8; k++) await page.mouse.move(x - 10 * k, y - 10 * k);
    await until(page, (a, was) => a.live.loads.length > 5 && a.q.some((value, k) => Math.abs(value - was[k]) > 0.02), q);
    await page.mouse.up();
    await until(page, (a) => a.live.pull === null);
    // By keys: as long as one is down.
    const mouse = await app(page, (a) => a.live.loads.length);
    await page.focus('#live-hold');
    await page.keyboard.down('ArrowLeft');
    await page.keyboard.down('PageUp');
    await until(page, (a, was) => a.live.loads.length > was + 5, mouse);
    await page.keyboard.up('ArrowLeft');
    assert.ok(await app(page, (a) => a.live.pull !== null));
    await page.keyboard.up('PageUp');
    await until(page, (a) => a.live.pull === null);
    await page.keyboard.down('ArrowUp');
    await page.focus('#live-speed');
    await until(page, (a) => a.live.pull === null);
    await page.keyboard.up('ArrowUp');
    await page.click('#live-pause');
    // The piece that was under way ends, and no other begins.
    let t = -1;
    for (let now = await app(page, (a) => a.live.t); now !== t; now = await app(page, (a) => a.live.t)) {
      t = now;
      await page.waitForTimeout(100);
    }
    // Three frames asked for at once are three frames.
    await page.evaluate(() => Promise.all([1, 2, 3].map(() => window.ulna.app.live.step())));
    assert.ok(Math.abs((await app(page, (a) => a.live.t)) - t - 3 / 60) < 1e-9);
    assert.ok(await app(page, (a) => a.live.loads.every(({ from, until: to }, k, all) => from < to && (k === 0 || from >= all[k - 1].until))));
    await page.click('#stop');
    await until(page, (a) => a.run?.timeline);
    assert.match(await text(page, '#run-note'), /^completed/);
    const last = await app(page, (a) => {
      const { columns, rows } = a.run;
      return Object.fromEntries(columns.map((name, k) => [name, rows[rows.length - columns.length + k]]));
    });
    assert.ok(Math.abs(last.work_loads) > 1e-4, `the pull did ${last.work_loads} J`);
    assert.ok(Math.abs(last.balance) < 1e-6 * Math.max(1, Math.abs(last.work_loads)));
    // The scenario repeats it with the command.
    const scenario = await saved(page, () => page.click('#scenario'));
    assert.match(scenario.content, /\[\[load\]\]/);
    writeFileSync(scenario.path, scenario.content.replace(/^robot = .*$/m, 'robot = "ur5_like"'));
    const results = join(folder, 'pulled');
    execFileSync(ulna, ['simulate', scenario.path, '-o', results], { stdio: 'pipe' });
    const lines = readFileSync(join(results, 'trajectory.csv'), 'utf8').trim().split('\n');
    assert.ok(Math.abs(Number(lines.at(-1).split(',')[1]) - last.q1) < 1e-4);
    // As a robot changes, what runs live ends.
    await page.click('#end-run');
    await page.click('#live');
    await until(page, (a) => a.live?.t > 0.05);
    await page.evaluate(() => window.ulna.app.load({ robot: 'planar2r' }));
    await until(page, (a) => a.live === null && a.robot.name === 'planar2r');
    assert.equal(await app(page, (a) => a.client.ask({ do: 'state' }).then(() => a.run)), null);
    // A joint that is moved ends it too, and the run that is shown is the one before that.
    await page.click('#live');
    await until(page, (a) => a.live?.t > 0.05);
    const start = await app(page, (a) => a.live.start.q[0]);
    await app(page, (a) => a.move([2, 2]));
    await until(page, (a) => a.live === null && a.run?.timeline);
    assert.ok(Math.abs((await app(page, (a) => a.run.rows[1])) - start) < 1e-12);
  }),

  'Robot: one that is refused leaves a run and the steps in sight; loads and undo one after the other': async () => open(async (page) => {
    await pick(page, 'planar2r');
    const [good, file] = await app(page, (a) => [a.text, a.file]);
    const refuse = () => app(page, (a, [text_, name]) => a.load({ text: text_, file: name }, { keep: true }), [good.replace('mass', 'mas s'), file]);
    await page.click('#tab-equations');
    await page.click('#walk');
    await page.waitForFunction(() => /^step 1 of/.test(document.getElementById('step-of').textContent));
    assert.equal(await refuse(), false);
    assert.match(await text(page, '#step-of'), /^step 1 of/);
    await page.click('#tab-simulate');
    await page.click('#live');
    await until(page, (a) => a.live?.t > 0.05);
    assert.equal(await refuse(), false);
    const t = await app(page, (a) => a.live.t);
    await until(page, (a, was) => a.live.t > was + 0.05, t);
    await page.click('#stop');
    await until(page, (a) => a.run?.timeline.t > 0);
    assert.equal(await refuse(), false);
    // The picture still follows the run.
    const seek = (end) => app(page, (a, to) => (a.run.timeline.pause(), a.run.timeline.seek(a.run.timeline[to])), end);
    const pose = () => page.evaluate(() => JSON.stringify(window.ulna.stage.pose(2)));
    await seek('start');
    await page.waitForTimeout(200);
    const first = await pose();
    await seek('end');
    assert.notEqual(await pose(), first);
    await page.click('#end-run');
    // Robots of six joints and of two, with undo and redo between them: none has the position of another.
    await app(page, (a) => Promise.all([a.load({ robot: 'puma560' }), a.load({ robot: 'planar2r' }), a.undo(), a.load({ robot: 'stanford' }), a.undo(), a.redo(), a.load({ robot: 'four_bar' }), a.load({ robot: 'planar3r' })]));
    await until(page, (a) => a.answer.arrays.g.length === 3);
    assert.deepEqual(await app(page, (a) => [a.robot.name, a.q.length, a.v.length]), ['planar3r', 3, 3]);
    assert.equal(await page.locator('#trouble').isHidden(), true);
  }),

  'Simulate: playback along a motion of a file; the report is the one of the command': async () => open(async (page) => {
    await pick(page, 'planar2r');
    await page.click('#tab-simulate');
    const motion = 't,q1,q2\n0,0.3,-0.2\n0.5,0.4,0\n1,0.3,0.1\n';
    await page.setInputFiles('#motion-file', { name: 'wave.csv', mimeType: 'text/csv', buffer: Buffer.from(motion) });
    await page.waitForFunction(() => document.getElementById('drive').value === 'playback');
    await page.fill('#seconds', '1');
    await page.click('#simulate');
    await until(page, (a) => a.run?.timeline);
    const state = await app(page, (a) => {
      const { columns, rows } = a.run;
      const at = (name, k) => rows[k * columns.length + columns.indexOf(name)];
      const last = rows.length / columns.length - 1;
      return [at('q1', 0), at('q2', 0), at('q1', last), at('q2', last)];
    });
    [0.3, -0.2, 0.3, 0.1].forEach((wanted, k) => assert.ok(Math.abs(state[k] - wanted) < 1e-5, `${state}`));
    const report = await saved(page, () => page.click('#html'));
    assert.match(report.content, /<html/);
    const data = JSON.parse(report.content.match(/<script id="ulna-data" type="application\/json">([^<]*)<\/script>/)[1]);
    assert.equal(data.schema, 1);
    assert.ok(data.plots.length > 5);
    assert.match(data.warnings.join(' '), /Playback without feedback/);
    const shown = await browser.newPage();
    await shown.goto(pathToFileURL(report.path).href);
    await shown.waitForFunction(() => window.ulna?.timeline?.end === 1);
    await shown.close();
    await page.setInputFiles('#motion-file', { name: 'bad.csv', mimeType: 'text/csv', buffer: Buffer.from('t,q1\n0,nan\n') });
    await page.waitForFunction(() => /bad\.csv/.test(document.getElementById('trouble').textContent));
    assert.equal(await page.locator('#aim option', { hasText: 'bad.csv' }).count(), 0);
  }),

  'Simulate: a run that is refused takes the one before it along; drives that loops do not take; masses that are guessed': async () => open(async (page) => {
    await pick(page, 'planar2r');
    await page.click('#tab-simulate');
    await page.fill('#seconds', '1');
    await page.click('#simulate');
    await until(page, (a) => a.run?.timeline);
    assert.match(await text(page, '#balance'), /J/);
    await app(page, (a) => a.simulate.runScenario('robot = "planar2r"\n[run]\nfor = -1\n'));
    assert.equal(await text(page, '#balance'), '');
    assert.notEqual(await text(page, '#run-note'), '');
    assert.equal(await app(page, (a) => a.run), null);
    // What a browser has not is not recommended.
    await app(page, (a) => a.simulate.runScenario('robot = "planar2r"\n[run]\nfor = 5\n[drive]\nkind = "pd"\nkp = 1e18\nkd = 1e18\n[drive.motion]\nkind = "cycloid"\nto = 1\ntime = 1\n'));
    assert.match(await text(page, '#run-note'), /coarser tolerance/);
    assert.doesNotMatch(await text(page, '#run-note'), /bdf/);
    await page.selectOption('#drive', 'computed_torque');
    await page.click('#tab-robot');
    await pick(page, 'four_bar');
    assert.equal(await page.inputValue('#drive'), 'free');
    assert.deepEqual(await page.locator('#drive option:disabled').evaluateAll((all) => all.map(({ value }) => value)), ['gravity', 'computed_torque', 'playback']);
    assert.equal(await page.locator('#guessed-note').isHidden(), true);
    const arm = 'gravity = [0, 0, -9.81]\n[[body]]\nname = "beam"\nmass = 1\ncom = [0.5, 0, 0]\ninertia = [0.1, 0.1, 0.1]\nguessed = true\n[[joint]]\nname = "j"\nkind = "revolute"\nparent = "base"\nchild = "beam"\naxis = [0, 0, 1]\n';
    await page.setInputFiles('#file', { name: 'guess.toml', mimeType: 'text/plain', buffer: Buffer.from(arm) });
    await until(page, (a) => a.robot.guessed[0] === 'beam');
    assert.match(await page.locator('#guessed-note').textContent(), /guessed.*beam/);
  }),

  'Robot: a URDF with its meshes, found by their names; the folder of a run; a scenario': async () => open(async (page) => {
    const corpus = join(dirname(fileURLToPath(import.meta.url)), '..', 'fuzz', 'corpus', 'mesh');
    const link = (name, mesh) => `<link name="${name}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial><visual><geometry><mesh filename="${mesh}"/></geometry></visual></link>`;
    const joint = (name, parent, child) => `<joint name="${name}" type="revolute"><parent link="${parent}"/><child link="${child}"/><origin xyz="0 0 1"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>`;
    const urdf = join(folder, 'clad.urdf');
    writeFileSync(urdf, `<robot name="clad">${link('base', 'package://clad/meshes/block.stl')}${link('one', 'meshes/block.dae')}${link('two', '../x/block.obj')}${joint('a', 'base', 'one')}${joint('b', 'one', 'two')}</robot>`);
    await page.setInputFiles('#file', [urdf, ...['stl', 'dae', 'obj'].map((ending) => join(corpus, `block.${ending}`))]);
    await until(page, (a) => a.robot.name === 'clad');
    assert.equal(await app(page, (a) => a.robot.scene.shapes.filter(({ kind }) => kind === 'mesh').length), 3);
    assert.deepEqual(await app(page, (a) => a.robot.notices.filter((notice) => /mesh/.test(notice))), []);
    // A worker that had to be ended has them again.
    await page.evaluate(() => {
      const answer = window.ulna.app.client.ask({ do: 'cloud', count: 100000 });
      window.ulna.app.client.interrupt();
      return answer;
    });
    await page.evaluate(() => window.ulna.app.load({ text: window.ulna.app.text, file: window.ulna.app.file }, { keep: true }));
    assert.equal(await app(page, (a) => a.robot.scene.shapes.filter(({ kind }) => kind === 'mesh').length), 3);
    const results = join(folder, 'stanford_results');
    execFileSync(ulna, ['simulate', 'stanford', '--for', '1', '-o', results], { stdio: 'pipe' });
    await page.setInputFiles('#file', [join(results, 'run.json'), join(results, 'trajectory.csv')]);
    await until(page, (a) => a.run?.timeline && a.robot.name === 'stanford');
    assert.equal(await page.locator('#panel-simulate').isVisible(), true);
    assert.ok((await page.locator('#plots .plot').count()) > 5);
    const rows = readFileSync(join(results, 'trajectory.csv'), 'utf8').trim().split('\n');
    assert.equal(await app(page, (a) => a.run.rows.length / a.run.columns.length), rows.length - 1);
    assert.equal(await app(page, (a) => a.run.rows.at(-1)), Number(rows.at(-1).split(',').at(-1)));
    await page.click('#tab-robot');
    await page.setInputFiles('#file', join(results, 'run.json'));
    await page.waitForSelector('#trouble:not([hidden])');
    assert.match(await text(page, '#trouble'), /came alone/);
    const scenario = { name: 'fall.toml', mimeType: 'text/plain', buffer: Buffer.from('robot = "planar3r"\n[run]\nfor = 0.5\n') };
    await page.setInputFiles('#file', scenario);
    await until(page, (a) => a.run?.timeline && a.robot.name === 'planar3r');
    await page.click('#tab-robot');
    await page.setInputFiles('#file', { name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from('dear') });
    await page.waitForFunction(() => /none of these files/.test(document.getElementById('trouble').textContent));
    await page.setInputFiles('#file', { name: 'alone.stl', mimeType: 'model/stl', buffer: readFileSync(join(corpus, 'block.stl')) });
    await page.waitForFunction(() => /names no mesh/.test(document.getElementById('trouble').textContent));
  }),

  'Robot: what reading left out stands beside the findings; lines to copy hold q to rounding': async () => open(async (page) => {
    const urdf = '<robot name="odd"><link name="w"/><link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="j" type="revolute"><parent link="w"/><child link="b"/><axis xyz="0 0 1"/><limit lower="-2" upper="2" effort="1" velocity="1"/><wings/></joint></robot>';
    assert.equal(await page.locator('#notices').isHidden(), true);
    await page.setInputFiles('#file', { name: 'odd.urdf', mimeType: 'text/plain', buffer: Buffer.from(urdf) });
    await until(page, (a) => a.robot.name === 'odd');
    assert.match(await text(page, '#notices'), /wings/);
    await pick(page, 'ur5e'); // at home, with right angles
    const q = /--q (\S+)/.exec(await text(page, '.lines'))[1].split(',').map(Number);
    assert.deepEqual(q, await app(page, (a) => a.q));
    assert.ok(q.includes(-Math.PI / 2), `${q}`);
  }),

  'many parts are drawn as lines, and said to be': async () => open(async (page) => {
    const link = '[[link]]\njoint = "revolute"\na = 1\nmass = 1\ncom = [-0.5, 0, 0]\ninertia = [0.1, 0.1, 0.1]\n';
    await page.setInputFiles('#file', { name: 'long.toml', mimeType: 'text/plain', buffer: Buffer.from(`dh = "standard"\n${link.repeat(400)}`) });
    await until(page, (a) => a.robot.nv === 400);
    await page.waitForFunction(() => /too many for solids/.test(document.querySelector('#viewport .scale')?.textContent ?? ''));
  }),

  'a hostile robot, a huge chain and a run without end: each ends with a word': async () => open(async (page) => {
    const ask = (request, seconds) => page.evaluate(([r, s]) => window.ulna.app.client.ask(r, s), [request, seconds]);
    for (const [text_, file] of [['<a>'.repeat(100_000), 'a.urdf'], ['['.repeat(100_000), 'a.toml'], [`x = "${'a'.repeat(5_000_000)}`, 'a.toml'], ['\u0000'.repeat(1000), 'a.sdf'], [`<robot name="a">${'<link name="b"/>'.repeat(50_000)}</robot>`, 'a.urdf']]) {
      const { error } = await ask({ do: 'load', text: text_, file });
      assert.match(error, /\w{4}/, file);
      assert.doesNotMatch(error, /took longer|gave up|was stopped/, file);
    }
    assert.match((await ask({ do: 'load', robot: 'chain:1000000000' })).error, /\w{4}/);
    // A chain that is long and may be: it is loaded, and what cannot be shown of it is refused.
    assert.equal((await ask({ do: 'load', robot: 'chain:2000' }, 20)).robot.nv, 2000);
    assert.match((await ask({ do: 'steps', method: 'denoc' })).error, /2000 links/);
    assert.match((await ask({ do: 'advance', scenario: 'robot = "x"\n[run]\nfor = 1\n' })).error, /too many joints/);
    await ask({ do: 'load', robot: 'ur5_like' });
    const endless = 'robot = "ur5_like"\n[run]\nfor = 1000\nevery = 1\nintegrator = "rk4"\nstep = 1e-6\n';
    assert.match((await ask({ do: 'simulate', scenario: endless }, 1)).error, /took longer than 1 s and was stopped/);
    assert.match((await ask({ do: 'simulate', scenario: endless.replace('every = 1', 'every = 1e-5') })).error, /more samples than a page can hold/);
    assert.equal((await ask({ do: 'state' })).error, undefined);
    // Files that have no place: a path that runs through a file, and the name of a folder.
    const mesh = (name) => `<visual><geometry><mesh filename="${name}"/></geometry></visual>`;
    const urdf = `<robot name="twice"><link name="w"/><link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>${mesh('a.stl')}${mesh('a.stl/b.stl')}</link><joint name="j" type="revolute"><parent link="w"/><child link="b"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>`;
    const block = readFileSync(join(dirname(fileURLToPath(import.meta.url)), '..', 'fuzz', 'corpus', 'mesh', 'block.stl'));
    const named = (name, buffer) => ({ name, mimeType: 'text/plain', buffer });
    const refused = (name) => page.waitForFunction((words) => document.getElementById('trouble').textContent.includes(words), `the file ${name} cannot be kept`);
    await page.setInputFiles('#file', [named('twice.urdf', Buffer.from(urdf)), named('a.stl', block), named('b.stl', block)]);
    await refused('a.stl/b.stl');
    assert.equal(await app(page, (a) => a.robot.name), 'twice');
    await page.click('#tab-simulate');
    await page.selectOption('#drive', 'playback');
    await page.setInputFiles('#motion-file', named('tmp', Buffer.from('t,q1\n0,0\n1,1\n')));
    await refused('tmp');
    // Another worker is not burdened with them.
    assert.match((await ask({ do: 'simulate', scenario: endless.replace('ur5_like', 'twice') }, 1)).error, /took longer/);
    assert.equal((await ask({ do: 'state' })).error, undefined);
    await page.click('#tab-robot');
    await pick(page, 'planar3r');
  }),

  'Simulate: a run, its plots, playing, stepping, CSV and the scenario; each drive': async () => open(async (page) => {
    await pick(page, 'planar3r');
    await page.click('#tab-simulate');
    await page.fill('#seconds', '2');
    await page.click('#simulate');
    await until(page, (a) => a.run?.timeline);
    assert.ok((await page.locator('#plots .plot').count()) > 5);
    assert.match(await text(page, '#balance'), /J/);
    await until(page, (a) => a.run.timeline.t > 0.3);
    await page.click('#play');
    const t = await app(page, (a) => a.run.timeline.t);
    await page.click('#step-on');
    assert.ok((await app(page, (a) => a.run.timeline.t)) > t);
    const csv = await saved(page, () => page.click('#csv'));
    assert.match(csv.content, /^t,q1,q2,q3,v1/);
    assert.equal(csv.content.trim().split('\n').length, 402);
    const run = await saved(page, () => page.click('#scenario'));
    assert.match(run.content, /\[run\]\nfor = 2\n/);
    for (const drive of ['gravity', 'pd', 'computed_torque', 'playback']) {
      await page.selectOption('#drive', drive);
      const before = await text(page, '#run-note');
      await page.click('#simulate');
      await page.waitForFunction((was) => !/Simulating/.test(document.getElementById('run-note').textContent) && document.getElementById('run-note').textContent !== was, before);
      assert.match(await text(page, '#run-note'), /^completed/, drive);
    }
    await page.click('#end-run');
    assert.equal(await page.locator('#run-tools').isHidden(), true);
    // A run that ends while another panel is open has its plots all the same.
    await page.evaluate(() => {
      document.getElementById('simulate').click();
      document.getElementById('tab-move').click();
    });
    await until(page, (a) => a.run?.timeline);
    await page.click('#tab-simulate');
    assert.ok((await page.locator('#plots .plot').count()) > 5);
  }),

  'Simulate: a run without end is stopped and the page goes on': async () => open(async (page) => {
    await pick(page, 'stewart');
    await page.click('#tab-simulate');
    await page.selectOption('#integrator', 'rk4');
    await page.fill('#seconds', '60');
    await page.fill('#step-size', '1e-6');
    // The second time also while the robot is on its way into a fresh worker.
    for (const wait of [500, 0, 500]) {
      await page.click('#simulate');
      await page.waitForTimeout(wait);
      await page.click('#stop');
      await page.waitForFunction(() => document.getElementById('run-note').textContent === 'stopped');
    }
    await page.fill('#seconds', '0.1');
    await page.selectOption('#integrator', 'dop853');
    await page.click('#simulate');
    await page.waitForFunction(() => /^completed/.test(document.getElementById('run-note').textContent));
  }),

  'Learn: each tour to its end, by wrong answers and by right ones': async () => open(async (page) => {
    // What a person finds out: M₁₁ in Equations, the freedoms of a four-bar linkage.
    const inertia = async () => {
      await until(page, (a) => a.robot.name === 'planar2r' && a.answer.arrays.M.length === 4);
      await page.click('#tab-equations');
      return page.locator('#matrix-m td').first().textContent();
    };
    const right = { 0: inertia, 5: async () => '1' };
    await page.click('#tab-learn');
    const count = await page.locator('#panel-learn > .row button').count();
    assert.equal(count, 6);
    for (let k = 0; k < count; k++) {
      await page.locator('#panel-learn > .row button').nth(k).click();
      await page.waitForSelector('#tour-skip');
      for (let step = 0; step < 10 && (await page.locator('#tour-skip').count()) > 0; step++) {
        if ((await page.locator('#tour-answer').count()) > 0) {
          await page.fill('#tour-answer', '123456');
          await page.click('#tour-check');
          await page.waitForSelector('#tour-said .bad-word');
          await page.click('#tour-said button');
          await page.waitForFunction(() => /It is/.test(document.getElementById('tour-said').textContent));
          if (right[k]) {
            await page.fill('#tour-answer', await right[k]());
            await page.click('#tour-check');
            await page.waitForSelector('#tour-said .good');
            await page.click('#tab-learn');
          }
        }
        await page.click('#tour-skip');
        await page.waitForTimeout(50);
      }
      assert.match(await text(page, '#tour'), /is done/);
    }
  }),

  'by keyboard alone: from the tabs to a run': async () => open(async (page) => {
    await page.focus('#tab-robot');
    for (let k = 0; k < 3; k++) await page.keyboard.press('ArrowRight');
    assert.equal(await page.locator('#panel-simulate').isVisible(), true);
    for (let k = 0; k < 12 && (await page.evaluate(() => document.activeElement.id)) !== 'simulate'; k++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await until(page, (a) => a.run?.timeline);
  }),

  'on a phone, light and dark: nothing is wider than the screen': async () => {
    for (const colorScheme of ['light', 'dark']) {
      await open(async (page) => {
        for (const tab of ['robot', 'move', 'equations', 'simulate', 'learn']) {
          await page.click(`#tab-${tab}`);
          assert.ok((await overflow(page)) <= 0, `${tab} is too wide`);
          if (process.env.ULNA_PICTURES) await page.screenshot({ path: join(process.env.ULNA_PICTURES, `phone_${colorScheme}_${tab}.png`) });
        }
      }, { options: { viewport: { width: 390, height: 844 }, colorScheme } });
    }
  },

  'without WebGL lines, without WebAssembly a sentence': async () => {
    await open(async (page) => {
      assert.match(await text(page, '.scale'), /no WebGL/);
      await page.click('#tab-simulate');
      await page.click('#simulate');
      await until(page, (a) => a.run?.timeline);
    }, { by: withoutGl });
    await open(async (page) => {
      await page.waitForSelector('#trouble:not([hidden])');
      assert.match(await text(page, '#trouble'), /WebAssembly/);
    }, { before: () => delete globalThis.WebAssembly, ready: false });
  },

  'ulna studio writes it with a robot': async () => {
    const arm = join(folder, 'my_arm.toml');
    writeFileSync(arm, 'title = "mine </script>"\ndh = "standard"\n[[link]]\njoint = "revolute"\na = 1\nmass = 2\ncom = [-0.5, 0, 0]\ninertia = [0.1, 0.2, 0.2]\n');
    const file = join(folder, 'with_arm.html');
    execFileSync(ulna, ['studio', arm, '-o', file, '--no-open'], { stdio: 'pipe' });
    await open(async (page) => {
      assert.equal(await text(page, '#title'), 'my_arm');
      assert.equal((await matrix(page)).length, 1);
    }, { file });
  },

  'ulna studio writes it with a scenario, and with a run': async () => {
    const table = join(folder, 'path.csv');
    writeFileSync(table, 't,q1,q2,q3\n0,0,0,0\n1,0.5,0.2,0.1\n');
    const scenario = join(folder, 'follow.toml');
    writeFileSync(scenario, `robot = "planar3r"\n[run]\nfor = 1\n[drive]\nkind = "computed_torque"\nkp = 100\nkd = 20\n[drive.motion]\nkind = "spline"\nfile = "path.csv"\n`);
    const results = join(folder, 'follow_results');
    execFileSync(ulna, ['simulate', scenario, '-o', results], { stdio: 'pipe' });
    const rows = readFileSync(join(results, 'trajectory.csv'), 'utf8').trim().split('\n');
    for (const given of [scenario, results]) {
      const file = join(folder, 'given.html');
      execFileSync(ulna, ['studio', given, '-o', file, '--no-open'], { stdio: 'pipe' });
      await open(async (page) => {
        await until(page, (a) => a.run?.timeline);
        assert.equal(await text(page, '#title'), 'planar3r');
        const last = await app(page, (a) => a.run.rows[a.run.rows.length - a.run.columns.length + 1]);
        assert.ok(Math.abs(last - Number(rows.at(-1).split(',')[1])) < 1e-9, `${given}: ${last}`);
      }, { file });
    }
  },
};

let failed = 0;
const only = process.env.ULNA_ONLY;
for (const [name, run] of Object.entries(tests)) {
  if (only && !name.includes(only)) continue;
  try {
    await run();
    console.log(`ok      ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}\n${error.stack}`);
  }
}
await browser.close();
await withoutGl.close();
rmSync(folder, { recursive: true });
process.exit(failed > 0 ? 1 : 0);
