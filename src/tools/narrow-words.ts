/** Shared functions to narrow the commands of several tools. */
import {posix} from "node:path";
import {type FileKind, isOfKind} from "../git/paths.ts";
import {quoteWords} from "../shell/quote.ts";

/** The words up to and including the tool's name, and the words after it. */
export function splitAt(words: readonly string[], tool: string): [string[], string[]] {
  const toolIndex = words.findIndex((word) => posix.basename(word) === tool);
  return [words.slice(0, toolIndex + 1), words.slice(toolIndex + 1)];
}

/** An option whose value, if it has one, is written with `=`: a separate word may be a value, or a filter. */
export const isOption = (word: string): boolean => /^--?[\w.-]+(?:=\S+)?$/.test(word);

/** Options that select packages, or another folder. Words after them could mean something else. */
export const choosesPackages = (word: string): boolean =>
  /^--?(?:F|filter|affected|only|cwd|pl|projects|amd?|also-\S+|rf|resume-from|N|non-recursive|f|file)(?:=|$)/.test(
    word,
  );

/** The files that match, as words of a command; null if there is none. */
export function fittingFiles(files: readonly string[], pattern: FileKind): string[] | null {
  const paths = files.filter((file) => isOfKind(file, pattern)).map((file) => quoteWords(`./${file}`));
  return paths.length === 0 ? null : paths;
}

/** The matching files, added after a runner's options; the runner then runs only these. */
export function namedFiles(
  {words, files}: {readonly words: readonly string[]; readonly files: readonly string[]},
  {after, pattern}: {readonly after: string; readonly pattern: FileKind},
): string | null {
  const [call, options] = splitAt(words, after);
  const paths = fittingFiles(files, pattern);
  return paths === null || !options.every(isOption) ? null : [...call, ...options, ...paths].join(" ");
}
