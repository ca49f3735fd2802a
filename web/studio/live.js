// A run that is computed while it is watched, a frame of the picture at a time, so that one can pull at the arm on the
// way. It ends as a scenario with every pull in it as a load, which is then simulated as a whole.

const FRAME = 1 / 60; // s: the longest that a pull is held
const LAG = 0.1; // s: what a slow machine may owe; more is not made up for
const LONGEST = 120; // s

export class Live {
  /** What the mouse pulls at. @type {import('./studio').Pull | null} */
  pull = null;
  paused = false;
  speed = 1;
  t = 0;
  /** @type {import('./studio').Load[]} */
  loads = [];
  #over = false;
  #trouble = '';
  /** @type {Promise<void>} */
  #tail = Promise.resolve();

  /**
   * @param {import('./app.js').App} app
   * @param {(from: {q: number[], v: number[], t: number, seconds: number}) => string} scenario the run's next piece
   * @param {() => void} tick after each frame
   */
  constructor(app, scenario, tick) {
    this.app = app;
    this.scenario = scenario;
    this.tick = tick;
    this.robot = app.robot;
    this.start = { q: [...app.q], v: [...app.v] };
    this.now = this.start;
  }

  end() {
    this.#over = true;
  }

  /** Until it is ended, or cannot go on. @returns {Promise<string>} why it ended, where that is not the user's wish */
  async run() {
    let before = performance.now();
    while (!this.#over && !this.#trouble) {
      const now = await new Promise((frame) => requestAnimationFrame(frame));
      const passed = this.paused ? 0 : Math.min(LAG, Math.max(0, (now - before) / 1000)) * this.speed;
      before = now;
      if (passed === 0) continue;
      const pieces = this.pull ? Math.ceil(passed / FRAME - 1e-9) : 1;
      for (let k = 0; k < pieces && !this.#over && !this.paused; k++) await this.#advance(passed / pieces);
      this.#show();
      if (this.t > LONGEST) return `a live run lasts ${LONGEST} s at most`;
    }
    return this.#trouble;
  }

  async step() {
    if (!this.paused) return;
    await this.#advance(FRAME);
    this.#show();
  }

  /** The page shows where the run has got to: once a frame, however many pieces it took. */
  #show() {
    if (this.#over || this.app.robot !== this.robot) return;
    Object.assign(this.app, this.now);
    this.app.touch();
    this.tick();
  }

  /** One piece after the other, also where a single frame is asked for while a piece is under way. */
  #advance(seconds) {
    this.#tail = this.#tail.then(async () => {
      if (!this.#over && !this.#trouble) this.#trouble = await this.#piece(seconds);
    });
    return this.#tail;
  }

  /** @returns {Promise<string>} why it cannot go on */
  async #piece(seconds) {
    const { app } = this;
    const until = this.t + seconds;
    if (until === this.t) return '';
    const scenario = this.scenario({ ...this.now, t: this.t, seconds: until - this.t });
    const answer = await app.client.ask(this.pull ? { do: 'advance', scenario, pull: this.pull } : { do: 'advance', scenario });
    if (app.robot !== this.robot) this.end();
    if (this.#over) return '';
    if (answer.error) return answer.error;
    if (answer.load) this.loads.push({ ...answer.load, from: this.t, until });
    this.now = { q: [...answer.arrays.q], v: [...answer.arrays.v] };
    this.t = until;
    return answer.status === 'completed' ? '' : answer.reason;
  }
}
