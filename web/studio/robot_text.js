// A robot's TOML text as tables to edit. The text is the robot, and the engine alone reads it; here its lines of the form
// `key = value` are found, so that a cell can show one and put another in its place.

const HEADER = /^\s*(\[\[?)\s*([\w.-]+)\s*\]\]?\s*(#.*)?$/;
const FIELD = /^\s*([\w-]+)\s*=\s*/;

/** The parts of a line `key = value # comment`, or null. In one pass, because a line may be as long as the file. */
function fieldOf(line) {
  const start = FIELD.exec(line);
  if (!start) return null;
  const rest = line.slice(start[0].length);
  const comment = rest.indexOf('#', 1 + Math.max(rest.lastIndexOf('"'), rest.lastIndexOf("'")));
  const value = (comment < 0 ? rest : rest.slice(0, comment)).trimEnd();
  return { key: start[1], before: start[0], value, after: rest.slice(value.length) };
}

/** @returns {{kind: string, index: number, line: number, last: number, fields: Map<string, {line: number, value: string}>}[]} */
export function tablesOf(text) {
  const tables = [{ kind: '', index: 0, line: 0, last: -1, fields: new Map() }];
  const count = {};
  text.split('\n').forEach((content, line) => {
    const header = HEADER.exec(content);
    if (header) {
      count[header[2]] = (count[header[2]] ?? 0) + 1;
      tables.push({ kind: header[1] === '[[' ? header[2] : `.${header[2]}`, index: count[header[2]], line, last: line, fields: new Map() });
      return;
    }
    const field = fieldOf(content);
    const table = tables[tables.length - 1];
    if (!field || unclosed(field.value)) return;
    table.fields.set(field.key, { line, value: field.value });
    table.last = line;
  });
  return tables;
}

const unclosed = (value) => (value.match(/\[/g)?.length ?? 0) !== (value.match(/\]/g)?.length ?? 0) || value.startsWith('"""');

/** Without the quotes of a text. */
export const shown = (value) => value.replace(/^(["'])(.*)\1$/, '$2');

/** A value as TOML wants it: numbers and lists as they are, all else in quotes. */
function written(value) {
  const trimmed = value.trim();
  if (/^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i.test(trimmed)) return trimmed.replace(/^([-+]?)\./, '$10.').replace(/\.(?=e|$)/i, '.0').replace(/^\+/, '');
  if (/^(\[.*\]|\{.*\}|true|false)$/.test(trimmed)) return trimmed;
  return JSON.stringify(trimmed);
}

/** The text with another value of a table's key; an empty one takes the line away. */
export function changed(text, table, key, value) {
  const lines = text.split('\n');
  const field = table.fields.get(key);
  if (!field) {
    if (value.trim() !== '') lines.splice(table.last + 1, 0, `${key} = ${written(value)}`);
  } else if (value.trim() === '') {
    lines.splice(field.line, 1);
  } else {
    const { before, after } = fieldOf(lines[field.line]);
    lines[field.line] = `${before}${written(value)}${after}`;
  }
  return lines.join('\n');
}
