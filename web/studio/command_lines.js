// What the page shows as lines for a shell and for a program in C++, to be copied. A file's name comes from a link or a dropped file, so anybody chose it.

/** A word that a shell takes as it is. */
const shellWord = (text) => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** @param {string} file @param {string} q @returns {string} a program that prints the same, by `pkg-config --cflags --libs ulna` */
const program = (file, q) => `#include <iostream>
#include <ulna/ulna.hpp>
int main() {
  const ulna::Model arm = ulna::load(${JSON.stringify(file)});
  std::vector<double> q{${q}}, M(arm.nv() * arm.nv());
  ulna::composite_body::Workspace<double> workspace(arm);
  ulna::composite_body::mass_matrix(arm, workspace, q, {M.data(), arm.nv(), arm.nv()});
  for (const double element : M) std::cout << element << ' ';
}`;

/** @param {string} name of the robot file @param {string} q its numbers, with commas @returns {string} a line each for shell and Python, then C++ */
export function commandLines(name, q) {
  // A terminal acts on control characters within quotes too; a name that begins with - would be an option.
  const file = name.replace(/\p{Cc}/gu, '_').replace(/^-/, './-');
  const python = `import ulna; print(ulna.load(${JSON.stringify(file)}).mass_matrix([${q}]))`;
  return `ulna matrices ${shellWord(file)} --q ${q}\npython3 -c ${shellWord(python)}\n\n${program(file, q)}`;
}
