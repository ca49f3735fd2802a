// What the page shows as lines for a shell, to be copied. A file's name comes from a link or a dropped file, so anybody chose it.

/** A word that a shell takes as it is. */
const shellWord = (text) => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** @param {string} name of the robot file @param {string} q its numbers, with commas @returns {string} two lines */
export function commandLines(name, q) {
  // A terminal acts on control characters within quotes too; a name that begins with - would be an option.
  const file = name.replace(/\p{Cc}/gu, '_').replace(/^-/, './-');
  const python = `import ulna; print(ulna.load(${JSON.stringify(file)}).mass_matrix([${q}]))`;
  return `ulna matrices ${shellWord(file)} --q ${q}\npython3 -c ${shellWord(python)}`;
}
