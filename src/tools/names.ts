/** Lists of names of commands and options, and whether a word is in such a list. */

/** The names in lines, which blanks separate. */
export const namesIn = (...lines: readonly string[]): string[] => lines.flatMap((line) => line.split(" "));

export const nameSet = (...lines: readonly string[]): ReadonlySet<string> => new Set(namesIn(...lines));

/**
 * True for a command in the list. `*` stands for any words, also none, so `make *` is any command of Make; after `!` is
 * a command that is not meant.
 */
export const isCommandIn = (names: readonly string[] = [], command: string): boolean =>
  !names.includes(`!${command}`) && names.some((name) => fits(name.split(" "), command.split(" ")));

function fits([name, ...names]: readonly string[], words: readonly string[]): boolean {
  if (name === "*") return words.some((_, at) => fits(names, words.slice(at))) || fits(names, []);
  return name === undefined ? words.length === 0 : name === words[0] && fits(names, words.slice(1));
}

/** Tests a word for one of the names in lines. `*` stands for any characters, also none. */
export function namesTest(...lines: readonly string[]): (word: string) => boolean {
  const names = namesIn(...lines);
  const whole = new Set(names.filter((name) => !name.includes("*")));
  const parts = names.filter((name) => !whole.has(name)).map((name) => name.split("*"));
  return (word) => whole.has(word) || parts.some((of) => hasParts(of, word));
}

function hasParts([start = "", end = ""]: readonly string[], word: string): boolean {
  return word.length >= start.length + end.length && word.startsWith(start) && word.endsWith(end);
}

/**
 * True for an option in the list, with or without a value after `=`. `*` is as above, and a name with one hyphen also
 * stands for that with two, as in Go.
 */
export function isOptionIn(names: readonly string[] = [], word: string): boolean {
  const [option = ""] = word.split("=");
  return names.some((name) =>
    name.includes("*") ? hasParts(name.split("*"), option) : option === name || option === `-${name}`,
  );
}
