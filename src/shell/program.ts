/** Reads the name of a program from the path that starts it. */

/** A program of an installed package by its path: `node node_modules/eslint/bin/eslint.js` is eslint. */
const PACKAGE_PROGRAM = /(?:^|\/)node_modules\/(?:[^\s]*\/)?([\w-]+)(?:\.[cm]?js)?$/;

/** The program of an installed package that node is given by its path; null for anything else. */
export function packageProgramIn([program, ...rest]: readonly string[]): string | null {
  const file = program === "node" ? rest.find((word) => !word.startsWith("-")) : undefined;
  return PACKAGE_PROGRAM.exec(file ?? "")?.[1] ?? null;
}

export function baseName(program: string): string {
  return program.slice(program.lastIndexOf("/") + 1);
}
