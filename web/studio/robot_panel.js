// Robot: pick, drop, edit in place, undo, export.
import { make } from '../page/dom.js';
import { commandLines } from './command_lines.js';
import { filesOf, takeFiles } from './drop.js';
import { linkOf } from './link.js';
import { changed, shown, tablesOf } from './robot_text.js';
import { button, download, MOST_ROWS, restNote } from './widgets.js';

// The keys that a table offers, in their order; others that a file has come after them.
const COLUMNS = {
  link: ['joint', 'a', 'b', 'alpha', 'theta', 'mass', 'com', 'r', 'inertia', 'lower', 'upper'],
  body: ['name', 'mass', 'com', 'inertia'],
  joint: ['name', 'kind', 'parent', 'child', 'at', 'rpy', 'axis'],
};
const OFFERED = { link: ['a', 'b', 'alpha', 'theta', 'mass'] };
const UNITS = { a: 'm', b: 'm', alpha: 'rad or "90 deg"', theta: 'rad', mass: 'kg', com: 'm', r: 'm', inertia: 'kg m²' };
const FORMS = [['toml', 'TOML, DH table where it can'], ['explicit', 'TOML, explicit frames'], ['urdf', 'URDF'], ['mjcf', 'MJCF'], ['sdf', 'SDF']];
const PAUSE = 250; // ms without a key before what is typed is read

export function robotPanel(app, robots) {
  const panel = make('div.panel');
  const pick = make('select', { id: 'pick', 'aria-label': 'Bundled robots' });
  const group = (label, list) => make('optgroup', { label }, ...list.map(({ name, title }) => make('option', { value: name, title }, title ? `${name}: ${title}` : name)));
  pick.append(make('option', { value: '' }, 'choose a robot …'),
    group('Robots of the papers, and to learn with', robots.filter((r) => !r.in_use && !r.family && r.loops === 0)),
    group('Closed loops', robots.filter((r) => r.loops > 0)),
    group('Arms in use', robots.filter((r) => r.in_use)));
  pick.addEventListener('change', () => pick.value && app.load({ robot: pick.value }));

  const chooser = make('input', { type: 'file', multiple: true, accept: '.toml,.urdf,.xml,.mjcf,.sdf,.stl,.dae,.obj,.csv,.json', id: 'file', 'aria-label': 'Files of your own: a robot with its meshes, a scenario, a motion, or a run' });
  chooser.addEventListener('change', () => takeFiles(app, [...chooser.files]));
  const drop = make('div.drop', {}, 'Drop a robot anywhere on the page (TOML, URDF, MJCF or SDF, with its meshes), a scenario, a motion as CSV, or the folder of a run; or ', chooser);
  document.addEventListener('dragover', (event) => {
    event.preventDefault();
    drop.classList.add('over');
  });
  document.addEventListener('dragleave', () => drop.classList.remove('over'));
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    drop.classList.remove('over');
    filesOf(event.dataTransfer).then((files) => takeFiles(app, files));
  });

  const undo = button('Undo', () => app.undo(), { id: 'undo' });
  const redo = button('Redo', () => app.redo(), { id: 'redo' });
  const tables = make('div', { id: 'tables' });
  const findings = make('ul.findings', { id: 'findings', 'aria-live': 'polite' });
  const notices = make('ul.findings', { id: 'notices' });
  const left = make('div', { hidden: true }, make('h3', {}, 'What reading it left out or guessed'), notices);
  const area = make('textarea', { id: 'robot-text', spellcheck: false, 'aria-label': 'The robot file' });
  let timer = 0;
  let pending = null; // what is typed and not read yet; the next cell changes this text, or the edit before it would be lost
  let sent = null; // what of it the engine reads now
  let known = ''; // the text that the tables were last shown for
  const read = async () => {
    if (sent !== null) return;
    try {
      while (pending !== null) {
        sent = pending;
        await app.load({ text: sent, file: app.file || 'robot.toml' }, { keep: true });
        if (pending === sent) pending = null;
      }
    } finally {
      sent = null;
    }
  };
  const later = (text) => {
    pending = text;
    clearTimeout(timer);
    timer = setTimeout(read, PAUSE);
  };
  /** Another robot took the place of the one that was typed at. */
  const forget = () => {
    clearTimeout(timer);
    pending = null;
  };
  area.addEventListener('input', () => later(area.value));
  panel.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z' || event.target === area) return;
    event.preventDefault();
    if (event.shiftKey) app.redo();
    else app.undo();
  });

  const form = make('select', { id: 'form', 'aria-label': 'Form of the export' }, ...FORMS.map(([value, label]) => make('option', { value }, label)));
  const link = make('input', { type: 'text', id: 'link', readOnly: true, hidden: true, 'aria-label': 'A link that holds this robot', size: 40 });
  const said = make('p.note', { id: 'export-note' });
  const save = async () => {
    const answer = await app.client.ask({ do: 'text', form: form.value, drop: true });
    said.textContent = answer.error ?? answer.notices.join(' ');
    if (!answer.error) download(`${app.robot.name}${answer.ending}`, answer.text);
  };
  const share = async () => {
    link.value = await linkOf({ text: app.text, file: app.file });
    link.hidden = false;
    link.select();
  };
  const lines = make('pre.lines', { tabIndex: 0 });

  /** Editable cells of one kind of table; the text decides what is there. */
  function editor(kind, every) {
    const list = every.slice(0, MOST_ROWS);
    const keys = [...new Set([...(COLUMNS[kind] ?? []), ...list.flatMap((table) => [...table.fields.keys()])])]
      .filter((key) => (OFFERED[kind] ?? []).includes(key) || list.some((table) => table.fields.has(key)));
    const head = make('tr', {}, make('th', { scope: 'col' }, kind), ...keys.map((key) => make('th', { scope: 'col', title: UNITS[key] ?? '' }, UNITS[key] ? `${key}, ${UNITS[key].split(' or ')[0]}` : key)));
    const rows = list.map((table) => {
      const faulty = app.findings.some((f) => f.line - 1 >= table.line && f.line - 1 <= table.last);
      const name = `${kind} ${table.index}`;
      return make(faulty ? 'tr.faulty' : 'tr', {}, make('th', { scope: 'row' }, String(table.index)), ...keys.map((key) => {
        const at = table.fields.get(key);
        const input = make(/^(com|r|inertia|at|rpy|axis|position)$/.test(key) ? 'input.wide' : 'input', { type: 'text', value: shown(at?.value ?? ''), 'aria-label': `${name} ${key}` });
        input.setAttribute('aria-invalid', String(app.findings.some((f) => f.severity === 'error' && f.line - 1 === at?.line)));
        input.dataset.cell = `${kind}.${table.index}.${key}`;
        input.addEventListener('input', () => {
          const text = pending ?? app.text;
          const now = tablesOf(text).find((other) => other.kind === kind && other.index === table.index);
          if (now) later(changed(text, now, key, input.value));
        });
        return make('td', {}, input);
      }));
    });
    return [make('div.scroll', {}, make('table.data.edit', { 'aria-label': kind }, make('thead', {}, head), make('tbody', {}, ...rows))),
      ...restNote(every.length, `tables [[${kind}]]`)];
  }

  function showTables() {
    const all = tablesOf(pending ?? app.text);
    const kinds = ['link', 'body', 'joint'].filter((kind) => all.some((table) => table.kind === kind));
    const focused = document.activeElement?.dataset?.cell;
    const caret = document.activeElement?.selectionStart;
    const typedValue = document.activeElement?.value;
    tables.replaceChildren(...kinds.flatMap((kind) => [make('h3', {}, { link: 'DH table and mass data', body: 'Bodies', joint: 'Joints' }[kind]), ...editor(kind, all.filter((table) => table.kind === kind))]));
    const again = focused && [...tables.querySelectorAll('input')].find((input) => input.dataset.cell === focused);
    if (again) {
      again.value = typedValue;
      again.focus();
      again.setSelectionRange(caret, caret);
    }
  }

  function show() {
    if (app.text !== known && app.text !== sent) forget();
    known = app.text;
    showTables();
    if (document.activeElement !== area) area.value = pending ?? app.text;
    undo.disabled = app.past.length === 0;
    redo.disabled = app.future.length === 0;
    findings.replaceChildren(...app.findings.slice(0, MOST_ROWS).map((f) => make(`li.${f.severity}`, {}, `${f.line > 0 ? `line ${f.line}: ` : ''}${f.link ? `${f.link}: ` : ''}${f.reason}${f.remedy ? `; ${f.remedy}` : ''}`)));
    if (app.findings.length > MOST_ROWS) findings.append(make('li', {}, `and ${app.findings.length - MOST_ROWS} more`));
    if (app.findings.length === 0) findings.append(make('li.good', {}, 'The checker has nothing to complain about.'));
    if (!app.robot) return;
    const read = app.findings.every((f) => f.severity !== 'error'); // else these are of the robot before
    left.hidden = !read || app.robot.notices.length === 0;
    notices.replaceChildren(...app.robot.notices.slice(0, MOST_ROWS).map((notice) => make('li.warning', {}, notice)));
    const q = app.q.map(String).join(',');
    lines.textContent = commandLines(app.file, q);
  }
  for (const what of ['robot', 'findings']) app.listen(what, show);

  panel.append(make('div.row', {}, pick, undo, redo), drop, make('h3', {}, 'Findings of the checker'), findings, left, tables,
    make('details', {}, make('summary', {}, 'The robot file as text'), area),
    make('h3', {}, 'Export'), make('div.row', {}, form, button('Download', save, { id: 'download' }), button('Link', share, { id: 'share' }), link), said,
    make('p.note', {}, 'The same by the command, from Python and in C++, once the file is saved:'), lines);
  return panel;
}
