// A robot in the part of an address behind #, so that a link holds all of it.
const MARK = '#robot=';

const toLetters = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const toBytes = (letters) => Uint8Array.from(atob(letters.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

/** @returns {Promise<string>} the address of this page with the robot */
export async function linkOf({ text, file }) {
  const bytes = new TextEncoder().encode(JSON.stringify({ text, file }));
  return `${location.href.split('#')[0]}${MARK}${toLetters(await through(bytes, new CompressionStream('deflate-raw')))}`;
}

/** @returns {Promise<{text: string, file: string} | null>} */
export async function robotOfLink(hash) {
  if (!hash.startsWith(MARK)) return null;
  const bytes = await through(toBytes(hash.slice(MARK.length)), new DecompressionStream('deflate-raw'));
  const { text, file } = JSON.parse(new TextDecoder().decode(bytes));
  return typeof text === 'string' && typeof file === 'string' ? { text, file } : null;
}
