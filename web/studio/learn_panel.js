// Learn: tours, step by step.
import { byId, make } from '../page/dom.js';
import { number } from '../page/format.js';
import { isRight, TOURS } from './tours.js';
import { button, numberInput, typed } from './widgets.js';

export function learnPanel(app) {
  const panel = make('div.panel');
  const host = make('div.tour', { id: 'tour', 'aria-live': 'polite', hidden: true });
  let wait = null;

  async function show(tour, index) {
    wait = null;
    const step = tour.steps[index];
    host.hidden = false;
    if (!step) {
      host.replaceChildren(make('p', {}, make('b', {}, `“${tour.title}” is done.`), ' Take another, or go on with this arm. ', button('Close', () => (host.hidden = true))));
      return;
    }
    const next = button(index + 1 < tour.steps.length ? 'Next' : 'Finish', () => show(tour, index + 1), { id: 'tour-next' });
    const said = make('p', { id: 'tour-said' });
    const parts = [make('p', {}, make('b', {}, `${tour.title}, ${index + 1} of ${tour.steps.length}`)), make('p', {}, step.text)];
    if (step.ask) {
      const input = numberInput('', step.ask);
      input.id = 'tour-answer';
      next.disabled = true;
      const check = async () => {
        const value = typed(input);
        if (value === null) return;
        const right = await isRight(step, app, value);
        said.replaceChildren(make(right ? 'span.good' : 'span.bad-word', {}, right ? 'Right.' : 'Not that. Look again, or go on and see.'));
        if (!right) said.append(' ', button('Show it', async () => said.replaceChildren(`It is ${number(await step.answer(app), 5)}.`)));
        next.disabled = false;
      };
      input.addEventListener('keydown', (event) => event.key === 'Enter' && check());
      parts.push(make('div.row', {}, input, button('Check', check, { id: 'tour-check' })));
    }
    if (step.until) {
      next.disabled = true;
      wait = () => {
        if (!step.until(app)) return;
        wait = null;
        next.disabled = false;
        said.replaceChildren(make('span.good', {}, 'Done.'));
      };
    }
    host.replaceChildren(...parts, said, make('div.row', {}, next, button('Skip', () => show(tour, index + 1), { id: 'tour-skip' })));
    if (step.begin) await step.begin(app);
    wait?.();
  }

  // Above the panels, so that it stays in sight in each of them.
  byId('panel-host').before(host);
  for (const what of ['state', 'run']) app.listen(what, () => wait?.());
  panel.append(make('p.note', {}, 'Short tours on a live arm; the other panels stay at your disposal.'),
    make('div.row', {}, ...TOURS.map((tour) => button(tour.title, () => show(tour, 0)))));
  return panel;
}
