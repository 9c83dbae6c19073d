/** Gives a detector's command the options or paths with which CI starts the same tool. */
import {quoteWords} from "../../shell/quote.ts";
import {plainWords} from "../../shell/split.ts";
import {COMMANDS} from "../../tools/all-commands.ts";
import {toolOf, unwrap} from "../../tools/command-name.ts";
import type {CandidateStage} from "../proposals/ecosystem.ts";

/** Options that make a check stricter or more verbose, and need nothing that only CI has. */
const HARMLESS =
  /^(--all-features|--workspace|--all|--all-targets|--locked|--frozen|-race|-shuffle=on|-v|-vv|--|-D|-W|-Dwarnings|warnings|clippy::[\w-]+|-Dclippy::[\w-]+|--deny-warnings|--max-warnings(=\d+)?|--strict|--no-progress|--ansi|--colors?=\w+|--check|-D\w+|--warnings?-as-errors|--error-on-warnings?|--fatal-(infos|warnings)|-warnaserror)$/;
/** Options with which a check finds more, and that need nothing. */
export const STRICTER = /^(-race|--warnings?-as-errors|-warnaserror)$/;
/** Options that record coverage, some with a value. */
const RECORDS_COVERAGE = /^--?(cov|cover|coverage|export-coverage|cover\w+)(=|$)/;
/** Options of a default command that may be dropped when CI does not use them. */
const DISPENSABLE = /^(--locked|-D|-Dwarnings|warnings|--)$/;

/** Tools whose result depends on the paths that they are given. */
const PATH_TOOLS = new Set(COMMANDS.flatMap(({takesPaths = []}) => takesPaths));
const TAKES_FEATURES = new Set(COMMANDS.flatMap(({takesFeatures = []}) => takesFeatures));
/** Options with which these tools report to GitHub, or write a report. */
const REPORT_OPTION = /^--?(output|junit|[\w-]*report|[\w-]*format=|github|cov)/;

/** The candidate with CI's options, if CI starts the same tool and differs only in harmless options. */
export function applyCiOptions(candidate: CandidateStage, fromCi: readonly CandidateStage[]): CandidateStage {
  if (candidate.evidence !== "default" && candidate.evidence !== "tool") return candidate;
  const words = plainWords(candidate.command);
  if (words === null) return candidate;
  const onPaths = applyCiPaths(candidate, words, fromCi);
  if (onPaths !== null) return onPaths;
  const better = fromCi.find((other) => {
    const ciWords = plainWords(other.command);
    if (ciWords === null || other.cwd !== candidate.cwd || other.runs !== undefined || ciWords.length <= 1)
      return false;
    const comparable = withoutFeatures(ciWords);
    const extra = comparable.filter((word) => !words.includes(word));
    const droppedWords = words.filter((word) => !ciWords.includes(word));
    return (
      unwrap(ciWords)[0] === unwrap(words)[0] &&
      ciWords[0] === words[0] &&
      ciWords[1] === words[1] &&
      extra.length + ciWords.length - comparable.length > 0 &&
      extra.every((word) => HARMLESS.test(word)) &&
      droppedWords.every((word) => DISPENSABLE.test(word))
    );
  });
  if (better === undefined) return withStricterOptions(candidate, words, fromCi);
  const {origin} = candidate;
  const why = `${origin.why}; with the options of ${better.origin.file}`;
  return {...candidate, command: better.command, env: {...better.env, ...candidate.env}, origin: {...origin, why}};
}

/** The candidate with CI's stricter options, if CI otherwise only adds options that record coverage. */
function withStricterOptions(
  candidate: CandidateStage,
  words: readonly string[],
  fromCi: readonly CandidateStage[],
): CandidateStage {
  const tool = toolOf(words);
  const length = tool.split(" ").length;
  for (const other of fromCi) {
    const ciWords = plainWords(other.command);
    if (ciWords === null || other.cwd !== candidate.cwd || other.runs !== undefined || toolOf(ciWords) !== tool)
      continue;
    const extra = ciWords.filter((word) => !words.includes(word));
    const stricter = extra.filter((word) => STRICTER.test(word));
    const isRecorder = (word: string): boolean =>
      RECORDS_COVERAGE.test(word) || RECORDS_COVERAGE.test(ciWords[ciWords.indexOf(word) - 1] ?? "");
    if (stricter.length === 0 || !extra.every((word) => HARMLESS.test(word) || isRecorder(word))) continue;
    const command = [...words.slice(0, length), ...stricter, ...words.slice(length)].map(quoteWords).join(" ");
    const why = `${candidate.origin.why}; with the strict options of ${other.origin.file}`;
    return {...candidate, command, origin: {...candidate.origin, why}};
  }
  return candidate;
}

/** The arguments of cargo without the selected features: without its features, a crate may have hardly any tests. */
function withoutFeatures(words: readonly string[]): readonly string[] {
  if (!TAKES_FEATURES.has(toolOf(words))) return words;
  return words.filter(
    (word, i) => !/^(--features|-F)$/.test(words[i - 1] ?? "") && !/^(--features(=[\w,/-]+)?|-F)$/.test(word),
  );
}

/** A Python checker on CI's paths, if CI starts it in exactly one way; otherwise null. */
function applyCiPaths(
  candidate: CandidateStage,
  words: readonly string[],
  fromCi: readonly CandidateStage[],
): CandidateStage | null {
  const tool = toolOf(words);
  if (!PATH_TOOLS.has(tool)) return null;
  const uses = fromCi.flatMap((other) => {
    const ciWords = other.cwd === candidate.cwd && other.runs === undefined ? plainWords(other.command) : null;
    return ciWords !== null && toolOf(ciWords) === tool ? [{file: other.origin.file, words: unwrap(ciWords)}] : [];
  });
  const [use] = uses;
  if (use === undefined || new Set(uses.map((one) => one.words.join(" "))).size !== 1) return null;
  const paths = use.words.slice(tool.split(" ").length).filter((word) => !word.startsWith("-"));
  const isPlain = use.words.every((word) => /^[\w@%+=:,./-]+$/.test(word) && !REPORT_OPTION.test(word));
  if (!isPlain || paths.length === 0) return null;
  const {origin} = candidate;
  const why = `${origin.why}; on the paths that ${use.file} gives it`;
  return {...candidate, command: use.words.join(" "), origin: {...origin, why}};
}
