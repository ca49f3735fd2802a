// Making elements in one line.

/**
 * @param {string} tag "p", or "p.note" for a class
 * @param {Record<string, any>} properties set on the element; aria-… and data-… as attributes
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
export function make(tag, properties = {}, ...children) {
  const [name, ...classes] = tag.split('.');
  const element = document.createElement(name);
  element.classList.add(...classes);
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes('-') || key === 'role') element.setAttribute(key, value);
    else element[key] = value;
  }
  element.append(...children);
  return element;
}

/** @param {string} id @returns {HTMLElement} */
export const byId = (id) => document.getElementById(id);

/** Runs `work` once before the next picture, however often it is asked for. */
export function onceAFrame(work) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      work();
    });
  };
}

/** Runs `work` at once, or where it did less than so many milliseconds ago, as soon as they are over. */
export function atMostEvery(milliseconds, work) {
  let last = -Infinity;
  let timer = 0;
  const go = () => {
    timer = 0;
    last = performance.now();
    work();
  };
  return () => {
    const wait = last + milliseconds - performance.now();
    if (!timer) timer = wait > 0 ? setTimeout(go, wait) : (go(), 0);
  };
}
