// What the panels share: the robot, its state, the engine, and who wants to know when one of them changes.
import { byId } from '../page/dom.js';

export class App {
  #listeners = { robot: [], state: [], answer: [], run: [], findings: [] };
  #asked = false;
  #busy = false;
  /** @type {Promise<any>} */
  #turn = Promise.resolve();

  /** @param {import('./client.js').Client} client */
  constructor(client) {
    this.client = client;
    this.robot = null;
    this.text = '';
    this.file = '';
    this.findings = [];
    this.q = [];
    this.v = [];
    this.a = [];
    this.tau = [];
    /** The engine's answer to the present state. */
    this.answer = null;
    this.run = null;
    /** The run that is computed while it is watched. @type {import('./live.js').Live | null} */
    this.live = null;
    this.past = [];
    this.future = [];
  }

  /** @param {'robot' | 'state' | 'answer' | 'run' | 'findings'} what findings: a robot was refused, the one before stays */
  listen(what, listener) {
    this.#listeners[what].push(listener);
  }

  changed(what) {
    for (const listener of this.#listeners[what]) listener();
  }

  trouble(sentence) {
    const place = byId('trouble');
    place.hidden = !sentence;
    place.textContent = sentence ?? '';
  }

  /** What changes the robot, or asks about its state, goes one after the other: q is then that of the engine's robot. */
  #inTurn(act) {
    const done = this.#turn.then(act);
    this.#turn = done.catch(() => {});
    return done;
  }

  /**
   * @param {import('./studio').RobotSource} source @param {{remember?: boolean, keep?: boolean}} options
   * @returns {Promise<boolean>} whether it is there now
   */
  load(source, options = {}) {
    return this.#inTurn(() => this.#load(source, options));
  }

  async #load(source, { remember = true, keep = false }) {
    const answer = await this.client.ask({ do: 'load', ...source });
    if (answer.error && !answer.findings) this.trouble(answer.error);
    if (answer.error) {
      this.findings = answer.findings ?? [];
      if (source.text !== undefined && keep) this.text = source.text;
      else this.trouble(answer.error);
      this.changed('findings');
      return false;
    }
    this.trouble(null);
    if (remember && this.text) {
      this.past.push({ text: this.text, file: this.file });
      this.future = [];
    }
    const same = this.robot?.nq === answer.robot.nq;
    this.findings = answer.findings;
    this.robot = answer.robot;
    this.file = source.file ?? `${source.robot.replace(/[^\w]+/g, '_')}.toml`;
    this.text = source.text ?? answer.text;
    if (source.text !== undefined && !/\.toml$/.test(this.file)) {
      // What TOML cannot hold stays in the words of its own file.
      const written = await this.client.ask({ do: 'text', form: 'toml' });
      if (written.error) {
        this.trouble(written.error);
      } else {
        this.text = written.text;
        this.file = this.file.replace(/\.\w+$/, '.toml');
      }
    }
    if (!same || !keep) {
      this.q = [...(Object.values(answer.robot.postures)[0] ?? answer.robot.neutral)];
      for (const key of ['v', 'a', 'tau']) this[key] = new Array(answer.robot.nv).fill(0);
    }
    this.run = null;
    if (this.robot.loops > 0) await this.#close([]);
    this.changed('robot');
    this.changed('run');
    this.touch();
    return true;
  }

  async #back(from, to) {
    const entry = from.pop();
    if (!entry) return;
    to.push({ text: this.text, file: this.file });
    await this.#load(entry, { remember: false, keep: true });
  }
  undo() {
    return this.#inTurn(() => this.#back(this.past, this.future));
  }
  redo() {
    return this.#inTurn(() => this.#back(this.future, this.past));
  }

  /** Joints of closed loops follow those that are held. */
  async #close(held) {
    const answer = await this.client.ask({ do: 'close', q: this.q, held });
    if (answer.error || !answer.closed) {
      this.trouble(answer.error ?? `the loops do not close there: ${answer.miss}`);
      return;
    }
    this.trouble(null);
    this.q = [...answer.arrays.q];
  }

  /** Moves some joints; `held` are the velocity indices that a person moved. A live run ends: it did not get there. */
  async move(q, held = []) {
    this.live?.end();
    this.q = q;
    const { robot } = this;
    if (robot.loops > 0) await this.#inTurn(() => robot === this.robot && this.#close(held));
    this.touch();
  }

  /** The state has changed: asks for everything that follows from it, but not faster than the engine answers. */
  touch() {
    this.changed('state');
    this.#asked = true;
    if (!this.#busy) this.#askOn();
  }

  async #askOn() {
    this.#busy = true;
    while (this.#asked) {
      this.#asked = false;
      const answer = await this.#inTurn(() => this.client.ask({ do: 'state', q: this.q, v: this.v, a: this.a, tau: this.tau }));
      if (answer.error) this.trouble(answer.error);
      else {
        this.answer = answer;
        this.changed('answer');
      }
    }
    this.#busy = false;
  }
}
