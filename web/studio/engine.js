// The engine's memory as JavaScript sees it: one call, JSON in, an object with Float64Arrays out. Runs in the page's worker
// and in Node.

/**
 * @param {any} module what makeEngine() of engine.cjs gives
 * @returns {(request: import('./studio').Request) => any} the answer; `{error}` where something is wrong
 */
export function callerOf(module) {
  return (request) => {
    const text = JSON.stringify(request);
    const size = module.lengthBytesUTF8(text) + 1;
    const at = module._malloc(size);
    if (at === 0) return { error: 'this takes more memory than there is' };
    module.stringToUTF8(text, at, size);
    const said = module._ulna_answer(at);
    module._free(at);
    const answer = JSON.parse(module.UTF8ToString(said));
    const first = module._ulna_numbers() / 8;
    for (const [name, [from, rows, columns]] of Object.entries(answer.arrays ?? {})) {
      answer.arrays[name] = module.HEAPF64.slice(first + from, first + from + rows * columns);
    }
    return answer;
  };
}

/** Puts a file where the engine finds it by its path. */
export function putFile(module, path, bytes) {
  const whole = `/${path}`;
  module.FS.mkdirTree(whole.slice(0, whole.lastIndexOf('/')) || '/');
  module.FS.writeFile(whole, bytes);
}
