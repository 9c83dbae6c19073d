/** Compares the claims of an agent's answer with the change and the results of the checks, without a model. */
import {DEFAULT_CODE_EXTENSIONS} from "../../changes/path-lists.ts";
import type {InspectedFile} from "../../integrity/source/inspected-change.ts";
import {isOtherTest, isTestPath} from "../../integrity/source/kinds.ts";
import type {StageResult} from "../../record/evidence.ts";
import type {RunRecord} from "../../record/record.ts";
import {plainWords} from "../../shell/split.ts";
import {languageOf} from "../../test-code/languages.ts";
import {readSource, readTests} from "../../test-code/read-source.ts";
import {RUNNERS, toolOf, unwrap} from "../../tools/command-name.ts";
import {withCount} from "../format.ts";
import {type ClaimKind, FORMS, isIn, PAST} from "./forms.ts";
import {type AnswerSentence, type AnswerToken, matchEnd, readSentences} from "./sentences.ts";

/** The observations of a change. The grammars of its files must be loaded. */
export interface ObservedChange {
  readonly files: readonly InspectedFile[];
  /** true if each text was read */
  readonly isWhole: boolean;
  readonly stages: readonly StageResult[];
  /** the agent's tool calls as its log has them; absent if they are not known */
  readonly actions?: readonly string[] | undefined;
}

export type Doubt = NonNullable<RunRecord["doubts"]>[number];

interface Claim {
  readonly words: readonly string[];
  readonly codes: readonly string[];
  readonly paths: readonly string[];
  readonly sentence: AnswerSentence;
}

/** Longer sentences, and the sentences after these, are left alone. */
const MAX_TOKENS = 80;
const MAX_SENTENCES = 400;
const MAX_DOUBTS = 10;
const MAX_TEXT = 300;

const PATTERNS = Object.entries(FORMS).flatMap(([kind, patterns]) =>
  patterns.map((text) => {
    const isFirst = text.startsWith("^");
    return {kind: kind as ClaimKind, isFirst, parts: text.split(" ").slice(isFirst ? 1 : 0)};
  }),
);

/** The sentences that do not agree with the observations: the first ten, with one observation each. */
export function findDoubts(answer: string, change: ObservedChange): Doubt[] {
  const sentences = readSentences(answer).filter(({tokens}) => tokens.length <= MAX_TOKENS);
  const doubts = sentences.slice(0, MAX_SENTENCES).flatMap((sentence) => {
    const observed = doubtSentence(sentence, change);
    return observed === null ? [] : [{claim: sentence.text.slice(0, MAX_TEXT), observed: observed.slice(0, MAX_TEXT)}];
  });
  return doubts.slice(0, MAX_DOUBTS);
}

function doubtSentence(sentence: AnswerSentence, change: ObservedChange): string | null {
  const isHedge = ({word}: AnswerToken) => isIn("HEDGE", word);
  const {tokens, lead, isItem} = sentence;
  const hedge = tokens.findIndex(isHedge);
  const said = tokens.map((token, i) => (i === 0 && isItem ? {...token, word: PAST[token.word] ?? token.word} : token));
  const lastStart = lead.some(isHedge) ? -1 : hedge < 0 ? tokens.length - 1 : hedge;
  for (const {kind, isFirst, parts} of PATTERNS)
    for (let from = 0; from <= (isFirst ? Math.min(0, lastStart) : lastStart); from++) {
      const end = matchEnd(said, parts, from);
      if (end < 0) continue;
      const words = said.slice(from, end).map(({word}) => word);
      const codes = said.slice(from, end).flatMap(({code}) => code ?? []);
      const doubt = CHECKS[kind]({words, codes, paths: codes.filter(isPath), sentence}, change);
      if (doubt !== null) return doubt;
    }
  return null;
}

const CHECKS: Readonly<Record<ClaimKind, (claim: Claim, change: ObservedChange) => string | null>> = {
  changed: (claim, change) =>
    doubtPaths(claim, change, ["added", "modified", "renamed"]) ??
    doubtNames(withoutErrors(claim), change, "No changed file"),
  added: (claim, change) =>
    doubtPaths(claim, change, ["added", "renamed", ...(claim.words.includes("created") ? [] : ["modified"])]) ??
    doubtNames(claim, change, "No added line"),
  removed: (claim, change) =>
    doubtPaths(claim, change, ["deleted", "renamed"]) ?? doubtNames(claim, change, "No removed line"),
  renamed: (claim, change) =>
    doubtPaths(claim, change, ["added", "deleted", "renamed"]) ??
    doubtNames({...claim, codes: claim.codes.slice(1)}, change, "No added line"),
  unchanged: (claim, change) => doubtPaths(claim, change, [undefined]),
  "unchanged tests": ({words}, change) => {
    const isOfOld = words.includes("existing");
    const changed = once(change, `tests ${isOfOld}`, ({files}) =>
      files.find((file) => losesTest(file) || (!isOfOld && isTestFile(file.path))),
    );
    return changed === undefined
      ? null
      : `The change ${isOfOld ? "alters a test" : "touches tests"} in ${code(changed.basePath)}.`;
  },
  "new tests": ({words}, change) => {
    const added = once(change, "new tests", countNewTests);
    return added === null || added >= numberIn(words)
      ? null
      : `The change adds ${added === 0 ? "no test" : withCount(added, "test")}.`;
  },
  "tests passed": ({words, sentence}, {stages}) =>
    hasException(sentence) ||
    words.some((word) =>
      ["new", "added", "updated", "these", "those", "regression", "other", "remaining"].includes(word),
    )
      ? null
      : doubtPassed(stages.filter(({kind}) => kind === "test")),
  "all passed": ({sentence}, {stages}) => (hasException(sentence) ? null : doubtPassed(stages)),
  "passed tests": ({words, sentence}, {stages}) => {
    // The number of all tests is no claim: "39 of 43 tests passed".
    if (sentence.tokens.some(({word}) => word === "of" || word === "/")) return null;
    const counts = stages.flatMap(({tests}) => tests?.passed ?? []);
    const passed = counts.reduce((sum, count) => sum + count, 0);
    return counts.length === 0 || numberIn(words) <= passed
      ? null
      : `The checks counted ${withCount(passed, "passed test")}.`;
  },
  "check passed": ({words: [first = "", second]}, {stages}) =>
    doubtPassed(stages.filter((stage) => isNamed(stage, first) || isNamed(stage, `${first}${second}`))),
  "command passed": ({codes}, {stages}) =>
    doubtPassed(stages.filter(({command}) => codes.some((one) => isSameCommand(one, command)))),
  ran: doubtRun,
  "listed command": (claim, change) => {
    const {isItem, lead} = claim.sentence;
    return isItem && lead.some(({word}) => isIn("TESTING", word)) ? doubtRun(claim, change) : null;
  },
};

const numberIn = (words: readonly string[]): number =>
  Number(words.find((word) => /^\d/.test(word))?.replaceAll(",", "") ?? 1);
/** "Everything passes except lint." */
const hasException = ({tokens}: AnswerSentence): boolean =>
  tokens.some(({word}) => ["except", "besides", "apart", "aside", "but", "other"].includes(word));

/** The change need not name an error that it fixes. */
const withoutErrors = (claim: Claim): Claim => ({
  ...claim,
  codes: claim.codes.filter((text) => !/(?:Error|Exception)$/.test(text)),
});

const code = (text: string): string => `\`${text.replaceAll("`", "'")}\``;

/** With a folder, any ending makes a path; without one, only that of a known format. */
function isPath(text: string): boolean {
  const [, ending = ""] = /^[\w@.()[\]-]+(?:\/[\w@.()[\]-]+)*(\.[a-z]\w{0,9})$/i.exec(text) ?? [];
  const isKnown =
    DEFAULT_CODE_EXTENSIONS.includes(ending) || /^\.(?:mdx?|rst|txt|jsonc?|ya?ml|toml|lock)$/.test(ending);
  return (ending !== "" && text.includes("/")) || isKnown || /^(?:readme|changelog)$/i.test(text);
}

/** People leave out the folders before a name, or write those of the machine. */
function namesFile(named: string, path: string): boolean {
  const name = `/${named.replace(/^\.?\//, "")}`.toLowerCase();
  const whole = `/${path}`.toLowerCase();
  return whole.endsWith(name) || name.endsWith(whole) || whole.replace(/\.\w+$/, "").endsWith(name);
}

const isTestFile = (path: string): boolean => isTestPath(path) || isOtherTest(path);
const VERBS = {added: "adds", modified: "modifies", deleted: "deletes", renamed: "renames"};

function doubtPaths({paths}: Claim, {files}: ObservedChange, allowed: readonly (string | undefined)[]): string | null {
  for (const named of paths) {
    const namedFiles = files.filter(({path, basePath}) => namesFile(named, path) || namesFile(named, basePath));
    const statuses = namedFiles.length === 0 ? [undefined] : namedFiles.map(({status}) => status);
    const verb = statuses[0] === undefined ? "does not touch" : VERBS[statuses[0]];
    if (!statuses.some((status) => allowed.includes(status))) return `The change ${verb} ${code(named)}.`;
  }
  return null;
}

const linesOf = (text: string | null): readonly string[] => (text ?? "").split("\n");
/** The lines that the other list lacks, or has less often. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = counts.get(line) ?? 0;
    counts.set(line, count - 1);
    return count <= 0;
  });
}
const LINES = {
  "No changed file": ({before, after}: InspectedFile) => [before ?? "", after ?? ""],
  "No added line": ({before, after}: InspectedFile) => without(linesOf(after), linesOf(before)),
  "No removed line": ({before, after}: InspectedFile) => without(linesOf(before), linesOf(after)),
};

const results = new WeakMap<ObservedChange, Map<string, unknown>>();

/** A long answer asks the same of a long change many times. */
function once<T>(change: ObservedChange, key: string, make: (change: ObservedChange) => T): T {
  const known = results.get(change) ?? new Map<string, unknown>();
  results.set(change, known);
  if (!known.has(key)) known.set(key, make(change));
  return known.get(key) as T;
}

/** A name is the last one in `Store.get_item()`, or the text of a test. Other code is not looked for. */
function doubtNames({codes, words}: Claim, change: ObservedChange, where: keyof typeof LINES): string | null {
  const lines = once(change, where, ({files}) => files.flatMap(LINES[where]).join("\n"));
  const isMissing = (text: string) => {
    const name =
      /^[\w$@.:#-]*?([\w$]{3,})[!?]?(?:\([^()]*\))?$/.exec(text)?.[1] ??
      (words.some((word) => isIn("TESTS", word)) ? text : "");
    return !isPath(text) && !lines.includes(name);
  };
  const missing = change.isWhole ? codes.find((text) => text.length <= MAX_TEXT && isMissing(text)) : undefined;
  return missing === undefined ? null : `${where} has ${code(missing)}.`;
}

function losesTest({path, basePath, before, after}: InspectedFile): boolean {
  const now = readTests(path, after);
  return readTests(basePath, before).some(({id, text}) => !now.some((test) => test.id === id && test.text === text));
}

/** The number of new and changed tests; null if it is not known, also because of a table, which is many tests. */
function countNewTests({files, isWhole}: ObservedChange): number | null {
  const tests = files.flatMap(({path, basePath, before, after}) => {
    const old = readTests(basePath, before);
    return readTests(path, after).filter(({id, text}) => !old.some((one) => one.id === id && one.text === text));
  });
  const isUnread = ({path, after}: InspectedFile) =>
    isTestFile(path) && (languageOf(path) === null || readSource(path, after).unread !== null);
  const isUnknown = !isWhole || files.some(isUnread) || tests.some(({rows, loops}) => rows + loops.length > 0);
  return isUnknown ? null : tests.length;
}

function doubtPassed(stages: readonly StageResult[]): string | null {
  const failed = stages.find(({outcome}) => outcome === "failed" || outcome === "timed-out");
  if (failed === undefined) return null;
  const {name, outcome, tests} = failed;
  const count = tests?.failed ? `: ${tests.failed} of ${withCount(tests.failed + tests.passed, "test")}` : "";
  return `The check ${code(name)} ${outcome === "failed" ? "failed" : "timed out"}${count}.`;
}

/** By name, kind or program. A sentence about a test can mean any test. */
function isNamed({name, kind, command}: StageResult, word: string): boolean {
  if (["test", "tests", "script", "run", "check", "checks"].includes(word)) return false;
  return (
    word === name ||
    (kind !== "test" && word.startsWith(kind)) ||
    toolOf(plainWords(command) ?? [])
      .split(" ")
      .includes(word)
  );
}

/** True if the claimed words are the first ones of the command, or both start the same tool. */
function isSameCommand(claimed: string, command: string): boolean {
  const [one, other] = [plainWords(claimed) ?? [], plainWords(command) ?? []];
  if (one.length === 0) return false;
  return one.every((word, index) => other[index] === word) || (one.length < 3 && toolOf(one) === toolOf(other));
}

/** Programs that can start any other. */
const STARTERS = new Set([...RUNNERS, ..."sh bash zsh python python3 node npm pnpm yarn bun docker ruby …".split(" ")]);

/** Doubts a command that no check ran and that none of the agent's commands can have started, if those are known. */
function doubtRun({codes}: Claim, {stages, actions}: ObservedChange): string | null {
  const programs = (actions ?? ["… …"]).flatMap((action) => action.slice(action.indexOf(" ") + 1).split(", "));
  for (const text of codes) {
    const [program] = isPath(text) ? [] : unwrap(plainWords(text) ?? []);
    const isSeen = programs.some((one) => one === program || STARTERS.has(one));
    if (program && !isSeen && !stages.some(({command}) => isSameCommand(text, command) || command.includes(text)))
      return `No check ran ${code(text)}, and no recorded command of the agent starts ${code(program)}.`;
  }
  return null;
}
