/** Shared functions to name failed tests to the commands of several tools. */
import type {RerunWords, TestName} from "./tool.ts";

/** The files of the tests; null if a test has none. */
export function filesOf(tests: readonly TestName[]): string[] | null {
  const files = [...new Set(tests.flatMap(({file}) => (file === null ? [] : [file])))];
  return tests.every(({file}) => file !== null) ? files : null;
}

/** The names of the tests; null if a test has none. */
export function namesOf(tests: readonly TestName[]): string[] | null {
  const names = [...new Set(tests.flatMap(({name}) => (name === null ? [] : [name])))];
  return tests.every(({name}) => name !== null) ? names : null;
}

/** The name of a test with the groups around it. */
export const fullName = ({groups = [], name}: Pick<TestName, "groups" | "name">, separator: string): string =>
  [...groups, name ?? ""].join(separator);

export const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
export const anyOf = (names: readonly string[]): string => `^(?:${names.join("|")})$`;

/**
 * Vitest and jest match a pattern against titles joined by blanks; the separator in a report may be part of a title.
 */
export function byTitle(
  tests: readonly TestName[],
  options: {separator: string; uncovered: string; pathOf: (file: string) => string},
): RerunWords | null {
  const files = filesOf(tests);
  if (files === null) return null;
  const {separator} = options;
  const names = namesOf(tests)?.map((name) => escaped(name).replaceAll(` ${separator} `, ` (?:${separator} )?`));
  const namePattern = names === undefined ? [] : ["-t", `^ ?${anyOf(names).slice(1)}`];
  // This option comes first, because it also ends an option of the command that takes many words.
  return {end: [options.uncovered, ...namePattern, ...files.map(options.pathOf)]};
}

/** Words like `file::name`: the tool takes them as it prints them. */
export function byPlace(tests: readonly TestName[], join: string): RerunWords | null {
  const words = tests.map(({file, name}) => (file === null ? null : name === null ? file : `${file}${join}${name}`));
  return words.includes(null) ? null : {end: words.flatMap((word) => word ?? [])};
}

export function byFile(tests: readonly TestName[]): RerunWords | null {
  const files = filesOf(tests);
  return files === null ? null : {end: files};
}

export function byName(
  tests: readonly TestName[],
  wordsFor: (names: readonly string[]) => readonly string[],
): RerunWords | null {
  const names = namesOf(tests);
  return names === null ? null : {end: wordsFor(names)};
}
