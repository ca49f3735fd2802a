// How finely a picture that moves is drawn: with all its pixels while frames come in time, with fewer where that makes them
// quicker, and with all of them again once it stands still.

const PARTS = [1, 0.75, 0.5]; // of the pixels of a side
const SLOW = 22; // ms from frame to frame: fewer than 45 a second
const WINDOW = 10; // frames that are judged together
const HELPS = 0.9; // of the time before: what fewer pixels must at least achieve
const STILL = 200; // ms without a frame
const FORGET = 2000; // ms of standing still after which all is tried anew

export class Fineness {
  #first;
  #level;
  #rest;
  #timer = 0;
  #last = -Infinity;
  #gaps = [];
  #before = Infinity; // of the level above
  #settled = false;

  /** @param {() => void} rest draws once with all pixels @param {boolean} slow whether it is known to be slow */
  constructor(rest, slow) {
    this.#rest = rest;
    this.#first = this.#level = slow ? 1 : 0;
  }

  /** For the frame that is drawn now. @returns {number} the part of the pixels of a side */
  next() {
    const now = performance.now();
    const gap = now - this.#last;
    this.#last = now;
    if (gap > FORGET) this.#begin();
    if (gap > STILL) this.#gaps = [];
    else this.#gaps.push(gap);
    if (this.#gaps.length === WINDOW) this.#judge();
    if (this.#level > 0) this.#timer ||= setTimeout(() => this.#stand(), STILL);
    return PARTS[this.#level];
  }

  stop() {
    clearTimeout(this.#timer);
  }

  #begin() {
    this.#level = this.#first;
    this.#before = Infinity;
    this.#settled = false;
  }

  #judge() {
    const typical = this.#gaps.sort((a, b) => a - b)[WINDOW / 2];
    this.#gaps = [];
    if (this.#settled) return;
    if (this.#level > this.#first && typical > HELPS * this.#before) {
      this.#level--; // something else takes the time
      this.#settled = true;
    } else if (typical > SLOW && this.#level + 1 < PARTS.length) {
      this.#before = typical;
      this.#level++;
    } else this.#settled = true;
  }

  #stand() {
    const left = this.#last + STILL - performance.now();
    this.#timer = left > 0 ? setTimeout(() => this.#stand(), left) : 0;
    if (left <= 0) this.#rest();
  }
}
