// Buttons, slider and keys.
import { indexNearest } from './data.js';
import { byId, make } from './dom.js';
import { clock } from './format.js';
import { theme } from './theme.js';

const SPEEDS = [0.1, 0.2, 0.5, 1, 2, 5, 10];

export function bindPlayback(timeline) {
  const play = byId('play');
  const slider = byId('slider');
  const now = byId('clock');
  play.addEventListener('click', () => timeline.toggle());
  slider.min = String(timeline.start);
  slider.max = String(timeline.end);
  slider.addEventListener('input', () => {
    if (timeline.playing) timeline.pause();
    timeline.seek(Number(slider.value));
  });
  const speed = byId('speed');
  speed.append(...SPEEDS.map((value) => make('option', { value: String(value), selected: value === 1 }, `${value}×`)));
  speed.addEventListener('change', () => (timeline.speed = Number(speed.value)));
  const show = () => {
    const text = clock(timeline.t, timeline.start, timeline.end);
    slider.value = String(timeline.t);
    slider.setAttribute('aria-valuetext', text);
    const share = timeline.end > timeline.start ? (timeline.t - timeline.start) / (timeline.end - timeline.start) : 0;
    slider.style.setProperty('--done', `${100 * share}%`);
    now.textContent = text;
    const name = timeline.playing ? 'Pause' : 'Play';
    if (play.getAttribute('aria-label') !== name) play.setAttribute('aria-label', name);
    play.classList.toggle('playing', timeline.playing);
  };
  const still = timeline.end <= timeline.start;
  play.disabled = slider.disabled = speed.disabled = still;
  timeline.listen(show);
  show();
}

export function bindRange(range, timeline) {
  byId('zoom-in').addEventListener('click', () => range.zoom(0.5, timeline.t));
  byId('zoom-out').addEventListener('click', () => range.zoom(2, timeline.t));
  byId('zoom-all').addEventListener('click', () => range.reset());
  const show = () => {
    byId('zoom-out').disabled = byId('zoom-all').disabled = range.whole;
  };
  range.listen(show);
  show();
}

/** @param {{reset(): void, showPath(on: boolean): void, showFrames(on: boolean): void} | null} view */
export function bindView(view) {
  byId('view-tools').hidden = view === null;
  if (!view) return;
  byId('reset-view').addEventListener('click', () => view.reset());
  for (const [id, apply] of [['show-path', 'showPath'], ['show-frames', 'showFrames']]) {
    byId(id).addEventListener('change', (event) => view[apply](event.target.checked));
  }
}

export function bindTheme() {
  const button = byId('theme');
  const show = () => (button.textContent = theme.name === 'dark' ? 'Light' : 'Dark');
  button.setAttribute('aria-label', 'Change between light and dark');
  button.addEventListener('click', () => theme.toggle());
  theme.listen(show);
  show();
}

/** @param {() => {timeline: Timeline, range: Range} | null} shown the run that the keys are for, if there is one */
export function bindKeys(shown) {
  const step = (timeline, direction, far) => {
    if (timeline.playing) timeline.pause();
    const { samples, start, end } = timeline;
    if (far || samples.length === 0) timeline.seek(timeline.t + (direction * (end - start)) / 50);
    else timeline.seek(samples[Math.min(samples.length - 1, Math.max(0, indexNearest(samples, timeline.t) + direction))]);
  };
  const keys = {
    ' ': ({ timeline }) => timeline.toggle(),
    ArrowLeft: ({ timeline }, event) => step(timeline, -1, event.shiftKey),
    ArrowRight: ({ timeline }, event) => step(timeline, 1, event.shiftKey),
    Home: ({ timeline }) => timeline.seek(timeline.start),
    End: ({ timeline }) => timeline.seek(timeline.end),
    '+': ({ timeline, range }) => range.zoom(0.5, timeline.t),
    '-': ({ timeline, range }) => range.zoom(2, timeline.t),
    0: ({ range }) => range.reset(),
  };
  document.addEventListener('keydown', (event) => {
    const run = shown();
    if (!run || event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
    // Where a key has a meaning of its own it keeps it: space presses buttons, arrows choose a speed.
    const on = event.target;
    if (on.matches('select, pre') || on.closest('[data-own-keys]')) return;
    if (event.key === ' ' && on.matches('button, summary, a, input:not([type="range"])')) return;
    if ((event.key === 'Home' || event.key === 'End') && !on.matches('input[type="range"]')) return;
    event.preventDefault();
    keys[event.key](run, event);
  });
}
