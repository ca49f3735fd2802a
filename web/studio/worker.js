// In the worker, behind emscripten's script: one message is the engine, the others are requests.
import { callerOf } from './engine.js';

let ask = null;
self.onmessage = async ({ data }) => {
  try {
    if (data.wasm) {
      ask = callerOf(await self.makeEngine({ wasmBinary: data.wasm }));
      self.postMessage({});
    } else {
      self.postMessage(ask(data));
    }
  } catch (error) {
    // A trap of WebAssembly: memory or stack is at its end, and what is left cannot be trusted.
    setTimeout(() => { throw error; });
  }
};
