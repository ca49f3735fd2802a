// Bundles a page into one file:
//   node build.mjs [FOLDER]                    page/ as FOLDER/page.html (default: dist), the report's
//   node build.mjs FOLDER studio ENGINE        studio/ as FOLDER/studio.html, with ENGINE/engine.cjs and ENGINE/engine.wasm
// Each holds the placeholder that the ulna command replaces by a run or a robot; see README.md.
import { build } from 'esbuild';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const PLACEHOLDER = '/*ULNA_DATA*/';
const [out = 'dist', name = 'page', engine] = process.argv.slice(2);
const source = join(dirname(fileURLToPath(import.meta.url)), name);
const folder = resolve(out);

const bundle = async (entry) => {
  const { outputFiles } = await build({
    entryPoints: [join(source, entry)],
    bundle: true,
    minify: true,
    write: false,
    outdir: folder,
    format: 'iife',
    // What browsers of 2021 and later understand.
    target: ['chrome96', 'firefox95', 'safari15.4'],
    charset: 'utf8',
    legalComments: 'inline',
    logLevel: 'warning',
  });
  return (extension) => outputFiles.find((file) => file.path.endsWith(extension)).text.trim();
};
const fail = (sentence) => {
  console.error(`error: ${sentence}`);
  process.exit(1);
};

/** The worker's script, the engine and the report's page, as JSON that cannot end its script. */
async function engineJson() {
  const loader = await readFile(join(engine, 'engine.cjs'), 'utf8');
  const worker = (await bundle('worker.js'))('.js');
  const wasm = (await readFile(join(engine, 'engine.wasm'))).toString('base64');
  const report = await readFile(join(folder, 'page.html'), 'utf8');
  return JSON.stringify({ script: `${loader}\n${worker}`, wasm, report }).replaceAll('<', '\\u003c').replaceAll(PLACEHOLDER, PLACEHOLDER.replace('/*', '\\u002f*'));
}

const output = await bundle('main.js');
const script = output('.js');
const style = output('.css');
if (/<\/script/i.test(script)) fail('the script contains </script, which would end it early');
if (/<\/style/i.test(style)) fail('the style contains </style, which would end it early');

// Functions as replacements, because `$&` in a minified script must stay as it is.
let page = (await readFile(join(source, `${name}.html`), 'utf8'))
  .replace('/*STYLE*/', () => style)
  .replace('/*SCRIPT*/', () => script);
if (page.split(PLACEHOLDER).length !== 2) fail(`${name}.html must contain ${PLACEHOLDER} exactly once`);
if (engine) {
  const json = await engineJson();
  page = page.replace('/*ENGINE*/', () => json);
}

// Beside, then rename: an interrupted build leaves no half page.
await mkdir(folder, { recursive: true });
const file = join(folder, `${name}.html`);
await writeFile(`${file}.part`, page);
await rename(`${file}.part`, file);
console.log(`${file}: ${Math.round(Buffer.byteLength(page) / 1000)} kB`);
