// Bundles page/ into one file: node build.mjs [FOLDER] writes FOLDER/page.html (default: dist).
// The file holds the placeholder that the ulna command replaces by a run; see README.md.
import { build } from 'esbuild';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const PLACEHOLDER = '/*ULNA_DATA*/';
const source = join(dirname(fileURLToPath(import.meta.url)), 'page');
const folder = resolve(process.argv[2] ?? 'dist');

const { outputFiles } = await build({
  entryPoints: [join(source, 'main.js')],
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
const output = (extension) => outputFiles.find((file) => file.path.endsWith(extension)).text.trim();
const script = output('.js');
const style = output('.css');

// Functions as replacements, because `$&` in a minified script must stay as it is.
const page = (await readFile(join(source, 'page.html'), 'utf8'))
  .replace('/*STYLE*/', () => style)
  .replace('/*SCRIPT*/', () => script);

const fail = (sentence) => {
  console.error(`error: ${sentence}`);
  process.exit(1);
};
if (page.split(PLACEHOLDER).length !== 2) fail(`page.html must contain ${PLACEHOLDER} exactly once`);
if (/<\/script/i.test(script)) fail('the script contains </script, which would end it early');
if (/<\/style/i.test(style)) fail('the style contains </style, which would end it early');

// Beside, then rename: an interrupted build leaves no half page.
await mkdir(folder, { recursive: true });
const file = join(folder, 'page.html');
await writeFile(`${file}.part`, page);
await rename(`${file}.part`, file);
console.log(`${file}: ${Math.round(Buffer.byteLength(page) / 1000)} kB`);
