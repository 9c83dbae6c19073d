/** What narrowing the commands of several tools has in common. */
import {posix} from "node:path";
import {quoteWords} from "../shell/quote.ts";

/** The words up to and with the tool's name, and those behind it. */
export function splitAt(words: readonly string[], tool: string): [string[], string[]] {
  const at = words.findIndex((word) => posix.basename(word) === tool);
  return [words.slice(0, at + 1), words.slice(at + 1)];
}

/** An option whose value, if it has one, is written with `=`: a separate word may be a value, or a filter. */
export const isOption = (word: string): boolean => /^--?[\w.-]+(?:=\S+)?$/.test(word);

/** Options that choose packages, or another folder: words that are added behind them could mean something else. */
export const choosesPackages = (word: string): boolean =>
  /^--?(?:F|filter|affected|only|cwd|pl|projects|amd?|also-\S+|rf|resume-from|N|non-recursive|f|file)(?:=|$)/.test(
    word,
  );

/** The files that match, as words of a command; null if there is none. */
export function fitting(files: readonly string[], pattern: RegExp): string[] | null {
  const paths = files.filter((file) => pattern.test(file)).map((file) => quoteWords(`./${file}`));
  return paths.length === 0 ? null : paths;
}

/** For a runner that takes files in place of all, behind its options: those that match. */
export function namedFiles(
  {words, files}: {readonly words: readonly string[]; readonly files: readonly string[]},
  {after, pattern}: {readonly after: string; readonly pattern: RegExp},
): string | null {
  const [call, options] = splitAt(words, after);
  const paths = fitting(files, pattern);
  return paths === null || !options.every(isOption) ? null : [...call, ...options, ...paths].join(" ");
}
