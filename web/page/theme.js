// Light or dark: as the system says, until the button says otherwise (for this session only);
// always light on paper. Canvases cannot read style sheets, so they ask here for colours.

// Okabe and Ito's colours, which remain apart for colour-blind readers; without their yellow,
// which no white page carries, and lifted a little for dark pages.
const PALETTE = {
  light: ['#0072b2', '#d55e00', '#009e73', '#b8639a', '#d18f00', '#3f9fd8', '#4a4f57'],
  dark: ['#4aa3df', '#f0763a', '#2fc79a', '#dc8fbd', '#eeb03a', '#8fd0f7', '#c3c8d0'],
};
// Past seven series the colours return with another dash.
const DASHES = [[], [7, 3], [2, 3], [9, 3, 2, 3]];

class Theme {
  #listeners = [];
  #chosen = null;
  #system = matchMedia('(prefers-color-scheme: dark)');
  #printing = false;

  constructor() {
    this.#system.addEventListener('change', () => this.#apply());
    this.#apply();
  }

  get name() {
    if (this.#printing) return 'light';
    return this.#chosen ?? (this.#system.matches ? 'dark' : 'light');
  }

  toggle() {
    this.#chosen = this.name === 'dark' ? 'light' : 'dark';
    this.#apply();
  }

  /** Paper is light whatever the screen is. */
  print(printing) {
    this.#printing = printing;
    this.#apply();
  }

  listen(listener) {
    this.#listeners.push(listener);
  }

  /** The value of a custom property of page.css, such as "--ink". */
  colour(property) {
    return getComputedStyle(document.documentElement).getPropertyValue(property).trim();
  }

  /** Colour and dash of the series with this index; the same joint has them in every plot. */
  series(index) {
    const colours = PALETTE[this.name];
    return {
      colour: colours[index % colours.length],
      dash: DASHES[Math.floor(index / colours.length) % DASHES.length],
    };
  }

  #apply() {
    document.documentElement.dataset.theme = this.name;
    for (const listener of this.#listeners) listener();
  }
}

export const theme = new Theme();
