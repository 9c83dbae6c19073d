/** Narrows a test stage's command to the tests that failed. */

import {posix} from "node:path";
import {lastCommand} from "../shell/append-arguments.ts";
import {assignments, quoteWords} from "../shell/quote.ts";
import type {SimpleCommand} from "../shell/split.ts";
import {type PackageScripts, startedScript} from "../shell/started-script.ts";
import {TOOLS} from "../tools/all.ts";
import {unwrap} from "../tools/command-name.ts";
import {isOptionIn} from "../tools/names.ts";
import type {RerunRule, RerunWords, TestName} from "../tools/tool.ts";
import type {FailedTests} from "./failed-tests.ts";

/** With more tests, a rerun is no faster than the whole suite. */
const MAX_TESTS = 50;
const MAX_CHARS = 20_000;

export interface Rerun {
  readonly command: string;
  /** how many tests must pass at least; with fewer, the rerun did not run the selected tests */
  readonly tests: number;
}

/** Options that end a run at its first failure, so that later tests do not run. */
const STOPS_EARLY = /^(?:-x|--exitfirst|--maxfail\b.*|--bail\b.*|-b|--fail-?fast|-failfast|--stop-on-\w+)$/;
/** Not usable as a name on a command line: it cannot be typed, or looks like an option. */
const UNFIT = /^-|[\u0000-\u001f\u007f\ufffd]/;

/**
 * Takes a stage's shell line, its folder, its failed tests, and the package.json scripts that the line may run. Null if
 * the command cannot be narrowed: an unreadable script, a line with another command after the tests, or an incomplete
 * run. It may run more than the failed tests, never fewer.
 */
export function rerunOf(options: {
  command: string;
  cwd: string;
  failed: FailedTests;
  scripts: PackageScripts;
}): Rerun | null {
  const {tests, isComplete, tool} = options.failed;
  if (!isComplete || tests.length > MAX_TESTS) return null;
  if (tests.some(({file, name}) => UNFIT.test(file ?? "") || UNFIT.test(name ?? ""))) return null;
  const rule = TOOLS.find(({name}) => name === tool)?.rerun;
  const inFolder = tests.map(({file, name}) => ({file: pathInFolder(file, options.cwd), name}));
  const command = rule === undefined ? null : commandWith({...options, rule, words: rule.narrow(inFolder)});
  return command === null ? null : {command, tests: countOf(tests)};
}

/**
 * The stage's command for tests that are known from their source: by their files or, if the runner accepts no files, by
 * their names. `files` and the files of `tests` are relative to the stage's folder. With `endsEarly`, the run ends at
 * its first failure if the runner has an option for it. Null if it cannot be narrowed.
 */
export function chooseTests(options: {
  command: string;
  files: readonly string[];
  tests: readonly TestName[];
  scripts: PackageScripts;
  endsEarly?: boolean;
}): string | null {
  const {files, tests} = options;
  if (files.some((file) => UNFIT.test(file)) || tests.some(({name}) => UNFIT.test(name ?? ""))) return null;
  for (const {rerun: rule} of TOOLS) {
    if (rule === undefined) continue;
    const paths = rule.takesFolders === true ? files.map((file) => `./${posix.dirname(file)}`) : files;
    const byFile: TestName[] = [...new Set(paths)].map((file) => ({file, name: null}));
    const byPart = tests.length === 0 ? (rule.chooseParts?.(files) ?? null) : null;
    const byPath = files.length > MAX_TESTS ? null : (rule.narrow(byFile) ?? byPart);
    const chosenWords =
      byPath ?? (tests.length === 0 || tests.length > MAX_TESTS ? null : (rule.choose?.(tests) ?? null));
    const words = options.endsEarly === true ? withWords(chosenWords, rule.endsEarly) : chosenWords;
    const command = commandWith({command: options.command, scripts: options.scripts, rule, words});
    if (command !== null) return command;
  }
  return null;
}

const withWords = (words: RerunWords | null, added: Partial<RerunWords> = {}): RerunWords | null =>
  words && {
    start: [...(words.start ?? []), ...(added.start ?? [])],
    end: [...words.end, ...(added.end ?? [])],
  };

function commandWith(options: {
  command: string;
  scripts: PackageScripts;
  rule: RerunRule;
  words: RerunWords | null;
}): string | null {
  const call =
    options.words === null ? null : callOf({line: options.command, rule: options.rule, scripts: options.scripts});
  if (call === null || options.words === null) return null;
  const command = call({start: (options.words.start ?? []).map(quoteWords), end: options.words.end.map(quoteWords)});
  return command === null || command.length > MAX_CHARS ? null : command;
}

/** Nested tests count once, as the test that contains them. */
const countOf = (tests: FailedTests["tests"]): number =>
  tests.filter(({name}) => name === null || !tests.some((one) => one.name !== null && name.startsWith(`${one.name}/`)))
    .length;

/** Some runners print absolute paths, which are shown as in the repository. The command runs in its own folder. */
function pathInFolder(file: string | null, cwd: string): string | null {
  return file !== null && cwd !== "." && file.startsWith(`${cwd}/`) ? file.slice(cwd.length + 1) : file;
}

/** Inserts these words into the line, and returns the whole line; null if they cannot be inserted. */
type Call = (words: {start: readonly string[]; end: readonly string[]}) => string | null;

function callOf(options: {line: string; rule: RerunRule; scripts: PackageScripts}): Call | null {
  const lastSimple = lastCommand(options.line);
  if (lastSimple === null) return null;
  const toolIndex = startOf(lastSimple, options.rule);
  if (toolIndex === null) return throughScript({...options, words: lastSimple.words});
  const wordsBehind = lastSimple.words.slice(toolIndex);
  if (isBound(wordsBehind, options.rule)) return null;
  const {flags} = options.rule.selects ?? {};
  const raws = lastSimple.raws
    .slice(toolIndex)
    .filter((_, place) => flags === undefined || !isSelection(wordsBehind, place, flags));
  const env = assignments(lastSimple.env);
  return ({start, end}) => {
    // Words after a `--` of the command go to the program that the tool starts. A second `--` would be passed as a
    // word.
    const [first, ...words] = end;
    const addedWords = first === "--" && raws.includes("--") ? words : end;
    return (
      options.line.slice(0, lastSimple.start) +
      [...env, ...lastSimple.raws.slice(0, toolIndex), ...start, ...raws, ...addedWords].join(" ")
    );
  };
}

/** The number of words that start the tool in this command; null if it starts another tool. */
function startOf(command: SimpleCommand, rule: RerunRule): number | null {
  const words = unwrap(command.words);
  const skippedCount = command.words.length - words.length;
  for (let count = Math.min(words.length, 8); count > 0; count--) {
    if (rule.calls.test(words.slice(0, count).join(" "))) return skippedCount + count;
  }
  return null;
}

const isBound = (words: readonly string[], rule: RerunRule): boolean =>
  words.some((word) => isOptionIn(rule.never, word) || STOPS_EARLY.test(word));

/**
 * A plain word after an option may be the option's value. It is kept, so that too many tests run rather than too few.
 */
function isSelection(words: readonly string[], at: number, flags: RegExp): boolean {
  const [word = "", previous = ""] = [words[at], words[at - 1]];
  return !word.startsWith("-") && (!previous.startsWith("-") || previous.includes("=") || flags.test(previous));
}

/**
 * A package manager appends words to the script's end. If they belong elsewhere, the script's own line runs instead.
 */
function throughScript(options: {
  line: string;
  words: readonly string[];
  rule: RerunRule;
  scripts: PackageScripts;
}): Call | null {
  const script = startedScript(options.words, options.scripts);
  if (script === null || isBound(script.handedOn, options.rule)) return null;
  const {name, body, handedOn, separator} = script;
  const scriptCall = callOf({line: body, rule: options.rule, scripts: {}});
  if (scriptCall === null) return null;
  const hasHooks = [`pre${name}`, `post${name}`].some((hook) => options.scripts[hook] !== undefined);
  if (
    options.rule.standsAlone === true &&
    handedOn.length === 0 &&
    !hasHooks &&
    options.words.join(" ") === options.line.trim()
  )
    return scriptCall;
  return ({start, end}) =>
    start.length > 0 || end[0] === "--" ? null : `${options.line.trimEnd()}${separator} ${end.join(" ")}`;
}
