// On paper: light, every plot drawn at one width, the arm as a picture.
import { theme } from './theme.js';

const WIDTH = 660; // CSS pixels: A4 or letter between usual margins

/**
 * @param {{refresh(width?: number): void}[]} plots
 * @param {{print(): void} | null} view
 */
export function bindPrint(plots, view) {
  let printing = false;
  const begin = () => {
    if (printing) return;
    printing = true;
    theme.print(true);
    for (const plot of plots) plot.refresh(WIDTH);
    view?.print();
  };
  const end = () => {
    if (!printing) return;
    printing = false;
    theme.print(false);
    for (const plot of plots) plot.refresh();
  };
  addEventListener('beforeprint', begin);
  addEventListener('afterprint', end);
  // Tools that switch the medium without printing send no events.
  matchMedia('print').addEventListener('change', (medium) => (medium.matches ? begin() : end()));
}
