// The one time that the arm, the slider and the plots share, and the range the plots show.

/** Calls its listeners; the little that timeline and range have in common. */
class Source {
  #listeners = [];
  /** @param {() => void} listener called after every change */
  listen(listener) {
    this.#listeners.push(listener);
  }
  changed() {
    for (const listener of this.#listeners) listener();
  }
}

/** The present time between start and end, and its playing. */
export class Timeline extends Source {
  speed = 1;
  playing = false;
  #last = 0;

  /** @param {number} start @param {number} end @param {Float64Array} samples the times to step by */
  constructor(start, end, samples) {
    super();
    this.start = start;
    this.end = end;
    this.samples = samples;
    this.t = start;
  }

  seek(t) {
    this.t = Math.min(this.end, Math.max(this.start, t));
    this.changed();
  }

  /** Seconds of the run pass as seconds of the clock do, times the speed; stops at the end. */
  play() {
    if (this.playing || this.end <= this.start) return;
    if (this.t >= this.end) this.t = this.start;
    this.playing = true;
    this.#last = performance.now();
    const frame = (now) => {
      if (!this.playing) return;
      // A page that was hidden continues where it was.
      const passed = Math.min(0.25, Math.max(0, (now - this.#last) / 1000));
      this.#last = now;
      const t = this.t + passed * this.speed;
      if (t >= this.end) this.playing = false;
      else requestAnimationFrame(frame);
      this.seek(t);
    };
    requestAnimationFrame(frame);
    this.changed();
  }

  pause() {
    this.playing = false;
    this.changed();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }
}

/** The times that every plot shows. */
export class Range extends Source {
  constructor(start, end) {
    super();
    // A run of one sample has a width too, or there is no axis to draw.
    this.start = start;
    this.end = end > start ? end : start + 1;
    this.min = this.start;
    this.max = this.end;
  }

  get whole() {
    return this.min === this.start && this.max === this.end;
  }

  set(min, max) {
    const least = (this.end - this.start) * 1e-7;
    if (!(max - min > least)) return;
    this.min = Math.max(this.start, min);
    this.max = Math.min(this.end, max);
    this.changed();
  }

  reset() {
    this.set(this.start, this.end);
  }

  /** Scales the range by `factor` and keeps `around` where it is. */
  zoom(factor, around) {
    const centre = Math.min(this.max, Math.max(this.min, around));
    this.set(centre - (centre - this.min) * factor, centre + (this.max - centre) * factor);
  }
}
