// In the worker, behind emscripten's script: one message is the engine, the others are files and requests.
import { callerOf, putFile } from './engine.js';

let engine = null;
let ask = null;
self.onmessage = async ({ data }) => {
  try {
    if (data.wasm) {
      engine = await self.makeEngine({ wasmBinary: data.wasm });
      ask = callerOf(engine);
      self.postMessage({});
    } else if (data.put) {
      putFile(engine, data.put, data.bytes);
      self.postMessage({});
    } else {
      self.postMessage(ask(data));
    }
  } catch (error) {
    // A trap of WebAssembly: memory or stack is at its end, and what is left cannot be trusted.
    setTimeout(() => { throw error; });
  }
};
