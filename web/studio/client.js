// The engine behind a worker: questions one after the other, each with a limit of time. A worker that does not answer in
// time is ended, another takes its place, and the robot is loaded into it again.
import { bytes } from '../page/data.js';

const START_LIMIT = 30; // s

export class Client {
  #parts;
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Promise<any>} */
  #tail = Promise.resolve();
  #robot = null;
  #files = new Map();
  #stop = null;

  /** @param {{script: string, wasm: string}} parts the worker's script, and the engine in base64 */
  constructor(parts) {
    this.#parts = parts;
  }

  /**
   * @param {import('./studio').Request} request @param {number} seconds the limit
   * @returns {Promise<any>} the answer; `{error}` where something is wrong
   */
  ask(request, seconds = 10) {
    const answer = this.#tail.then(() => this.#now(request, seconds));
    this.#tail = answer.catch(() => {});
    return answer;
  }

  /**
   * Puts a file where the engine finds it, also after it was started again.
   * @param {string} path @param {Uint8Array} bytes @returns {Promise<{error?: string}>}
   */
  put(path, bytes) {
    const done = this.#tail.then(() => this.#putNow(path, bytes));
    this.#tail = done.catch(() => {});
    return done;
  }

  /** Ends what is under way; its answer says so. */
  interrupt() {
    this.#stop?.('stopped');
  }

  /** A file that was refused is not put again: it would be refused by each worker. */
  async #putNow(path, bytes) {
    const failed = this.#worker ? null : await this.#start();
    if (failed) return failed;
    const answer = await this.#exchange({ put: path, bytes }, START_LIMIT);
    if (answer.error) this.#files.delete(path);
    else this.#files.set(path, bytes);
    return answer;
  }

  async #now(request, seconds) {
    const failed = this.#worker ? null : await this.#start();
    if (failed) return failed;
    const answer = await this.#exchange(request, seconds);
    if (request.do === 'load' && !answer.error) this.#robot = request;
    return answer;
  }

  async #start() {
    if (typeof WebAssembly !== 'object') return { error: 'this browser has no WebAssembly, which the engine needs' };
    const url = URL.createObjectURL(new Blob([this.#parts.script], { type: 'text/javascript' }));
    this.#worker = new Worker(url);
    URL.revokeObjectURL(url);
    const started = await this.#exchange({ wasm: bytes(this.#parts.wasm) }, START_LIMIT);
    if (started.error) return started;
    for (const [path, content] of this.#files) {
      const put = await this.#exchange({ put: path, bytes: content }, START_LIMIT);
      if (put.error) this.#files.delete(path);
      if (!this.#worker) return put;
    }
    if (!this.#robot) return null;
    const again = await this.#exchange(this.#robot, START_LIMIT);
    if (!again.error) return null;
    // A worker without the robot would answer the next question wrongly.
    this.#worker?.terminate();
    this.#worker = null;
    return again;
  }

  #exchange(message, seconds) {
    return new Promise((done) => {
      const worker = this.#worker;
      if (!worker) {
        done({ error: 'the engine was stopped' });
        return;
      }
      const finish = (answer) => {
        clearTimeout(timer);
        this.#stop = null;
        done(answer);
      };
      const end = (why) => {
        worker.terminate();
        if (this.#worker === worker) this.#worker = null;
        finish({ error: why });
      };
      const timer = setTimeout(() => end(`the engine took longer than ${seconds} s and was stopped`), 1000 * seconds);
      this.#stop = end;
      worker.onmessage = ({ data }) => finish(data);
      worker.onerror = (event) => {
        event.preventDefault();
        end(`the engine gave up: ${event.message}`);
      };
      worker.postMessage(message);
    });
  }
}
