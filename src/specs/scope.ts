/** Finds changed files that nothing leads to: no word of the request, no test that fails without the change, no other changed file. */
import {posix} from "node:path";

/** A changed file with its text before and after; "" without one. */
export interface ChangedText {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Returns the files that neither the request nor the files in `seeds` lead to. A request leads to a file if it has a word
 * of its path in any form, or a name that is new or gone there. A file leads to another if one names the other, as imports do, or if
 * a name is new or gone in both. Empty if the request leads to no file: then it says nothing about the others.
 */
export function filesOutOfScope(options: {
  request: string;
  files: readonly ChangedText[];
  seeds: ReadonlySet<string>;
}): string[] {
  const request = namesIn(options.request);
  const words = wordsIn(options.request);
  const texts = options.files.map(({path, before, after}) => {
    const [old, now] = [namesIn(before), namesIn(after)];
    const own = [...old, ...now].filter((name) => old.has(name) !== now.has(name));
    return {path, old, now, own: new Set(own), ofPath: wordsOfPath(path), stem: posix.parse(path).name.toLowerCase()};
  });
  const [old, now] = [new Set(texts.flatMap((text) => [...text.old])), new Set(texts.flatMap((text) => [...text.now]))];
  // A keyword is new in a new file, and old in the others.
  const files = texts.map((text) => ({
    ...text,
    unique: new Set([...text.own].filter((name) => old.has(name) !== now.has(name))),
  }));
  const isShared = (one: ReadonlySet<string>, other: ReadonlySet<string>) => [...one].some((name) => other.has(name));
  const names = ({old, now}: {old: Set<string>; now: Set<string>}, {stem}: {stem: string}) =>
    old.has(stem) || now.has(stem);
  const reached = new Set(
    files.filter(
      ({path, own, ofPath}) =>
        options.seeds.has(path) ||
        ofPath.some((word) => words.some((one) => isForm(one, word))) ||
        isShared(request, own),
    ),
  );
  if (reached.size === 0) return [];
  // Files that are added meanwhile are visited, too.
  for (const from of reached)
    for (const to of files)
      if (names(from, to) || names(to, from) || from.stem === to.stem || isShared(from.unique, to.unique))
        reached.add(to);
  return files.filter((file) => !reached.has(file)).map(({path}) => path);
}

/** The parts of its name, which may be short, such as `cli`, and of its folders, which are not. */
function wordsOfPath(path: string): string[] {
  const {dir, name} = posix.parse(path);
  return [...wordsIn(name), ...wordsIn(dir).filter((word) => word.length > 3)];
}

/** Without the case, and with each part of `rate_limit` and `rateLimit`. */
const wordsIn = (text: string): string[] =>
  text
    .split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u)
    .filter((word) => word.length > 1)
    .map((word) => word.toLowerCase());

/** `parsers` for `parser`. */
const isForm = (one: string, other: string): boolean =>
  one === other || (Math.min(one.length, other.length) > 3 && (one.startsWith(other) || other.startsWith(one)));

/** Names of at least four characters; shorter ones are in every text. */
const namesIn = (text: string): Set<string> =>
  new Set([...text.matchAll(/[\p{L}_$][\p{L}\p{N}_$]{3,}/gu)].map(([name]) => name.toLowerCase()));
