// A robot in the part of an address behind #, so that a link holds all of it.
const MARK = '#robot=';

const toLetters = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const toBytes = (letters) => Uint8Array.from(atob(letters.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
const through = (bytes, stream) => new Blob([bytes]).stream().pipeThrough(stream);
const MOST = 10e6; // bytes of a robot; a short link can unpack to more than a browser holds

/** The bytes of a stream, as long as they are not too many. */
async function collected(stream) {
  const reader = stream.getReader();
  const chunks = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(chunks);
    chunks.push(value);
    size += value.length;
    if (size <= MOST) continue;
    await reader.cancel();
    throw new Error(`it is larger than ${MOST / 1e6} MB`);
  }
}

/** @returns {Promise<string>} the address of this page with the robot */
export async function linkOf({ text, file }) {
  const bytes = new TextEncoder().encode(JSON.stringify({ text, file }));
  const packed = await new Response(through(bytes, new CompressionStream('deflate-raw'))).arrayBuffer();
  return `${location.href.split('#')[0]}${MARK}${toLetters(new Uint8Array(packed))}`;
}

/** @returns {Promise<{text: string, file: string} | null>} null where there is none; throws where it cannot be read */
export async function robotOfLink(hash) {
  if (!hash.startsWith(MARK)) return null;
  try {
    const bytes = await collected(through(toBytes(hash.slice(MARK.length)), new DecompressionStream('deflate-raw')));
    const { text, file } = JSON.parse(await bytes.text());
    if (typeof text !== 'string' || typeof file !== 'string') throw new Error('it has no text or no name');
    return { text, file };
  } catch (error) {
    throw new Error(`the robot in the link cannot be read: ${error.message}`);
  }
}
