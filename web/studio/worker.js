// In the worker, behind emscripten's script: one message is the engine, the others are files and requests.
import { callerOf, putFile } from './engine.js';

/** @returns {{error?: string}} a file that has no place is refused; the engine is none the worse */
function put(path, bytes) {
  try {
    putFile(engine, path, bytes);
    return {};
  } catch (error) {
    return { error: `the file ${path} cannot be kept: ${error.errno !== undefined ? 'its name is that of a folder, or its path runs through a file' : error.message}` };
  }
}

let engine = null;
let ask = null;
self.onmessage = async ({ data }) => {
  try {
    if (data.wasm) {
      engine = await self.makeEngine({ wasmBinary: data.wasm });
      ask = callerOf(engine);
      self.postMessage({});
    } else if (data.put) {
      self.postMessage(put(data.put, data.bytes));
    } else {
      self.postMessage(ask(data));
    }
  } catch (error) {
    // A trap of WebAssembly: memory or stack is at its end, and what is left cannot be trusted.
    setTimeout(() => { throw error; });
  }
};
