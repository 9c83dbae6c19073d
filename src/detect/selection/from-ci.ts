/** Uses CI's commands in the plan: they add missing stages, and their options replace a detector's default command. */
import type {Note} from "../../record/plan.ts";
import {plainWords} from "../../shell/split.ts";
import {COMMANDS} from "../../tools/all.ts";
import {toolOf, unwrap} from "../../tools/command-name.ts";
import type {CandidateStage} from "../proposals/ecosystem.ts";
import {skipNote} from "./place.ts";
import {finalTools, PROJECT_SCRIPT, startedTools} from "./stage-tools.ts";

/** Options that make a check stricter or more verbose, and need nothing that only CI has. */
const HARMLESS =
  /^(--all-features|--workspace|--all|--all-targets|--locked|--frozen|-race|-shuffle=on|-v|-vv|--|-D|-W|-Dwarnings|warnings|clippy::[\w-]+|-Dclippy::[\w-]+|--deny-warnings|--max-warnings(=\d+)?|--strict|--no-progress|--ansi|--colors?=\w+|--check|-D\w+)$/;
/** Options of a default command that may be dropped when CI does not use them. */
const DISPENSABLE = /^(--locked|-D|-Dwarnings|warnings|--)$/;

/** Tools whose result depends on the paths that they are given. */
const PATH_TOOLS = new Set(COMMANDS.flatMap(({takesPaths = []}) => takesPaths));
const TAKES_FEATURES = new Set(COMMANDS.flatMap(({takesFeatures = []}) => takesFeatures));
/** Options with which these tools report to GitHub, or write a report. */
const REPORT_OPTION = /^--?(output|junit|[\w-]*report|[\w-]*format=|github|cov)/;

/** At most this many commands are named in one note. */
const MAX_NAMED = 5;

/** Adds CI's commands of kinds that no other stage has; also further linters and type checkers. */
export function addMissingFromCi(
  fromCi: readonly CandidateStage[],
  planned: readonly CandidateStage[],
): {added: CandidateStage[]; notes: Note[]} {
  const addedStages: CandidateStage[] = [];
  const surplus: CandidateStage[] = [];
  for (const candidate of fromCi) {
    // A check of the root is assumed to cover the folders below it.
    const coveringStages = [...planned, ...addedStages].filter(({cwd}) => cwd === candidate.cwd || cwd === ".");
    const knownTools = new Set(coveringStages.flatMap((other) => [...startedTools(other)]));
    const tools = [...finalTools(candidate)];
    const directTools = [...startedTools({...candidate, runs: []})];
    if ([tools, directTools].some((set) => set.every((tool) => knownTools.has(tool)))) continue;
    const {kind} = candidate;
    const hasKind = coveringStages.some((other) => other.kind === kind || (kind === "check" && other.kind === "test"));
    const isFurtherTool =
      (kind === "lint" || kind === "typecheck") &&
      !tools.some((tool) => knownTools.has(tool) || PROJECT_SCRIPT.test(tool));
    (hasKind && !isFurtherTool ? surplus : addedStages).push(candidate);
  }
  return {added: addedStages, notes: noteSurplus(surplus)};
}

/** One note per file with several commands: a workflow may run one kind of check in a dozen ways. */
function noteSurplus(surplus: readonly CandidateStage[]): Note[] {
  return [...new Set(surplus.map(({origin}) => origin.file))].flatMap((about) => {
    const candidates = surplus.filter(({origin}) => origin.file === about);
    const commands = [...new Set(candidates.map(({command}) => `\`${command}\``))];
    if (commands.length <= 2) return candidates.map((one) => skipNote(one, "another stage already has this kind"));
    const suffix = commands.length > MAX_NAMED ? ` and ${commands.length - MAX_NAMED} more` : "";
    const list = commands.slice(0, MAX_NAMED).join(", ");
    return [{about, text: `${list}${suffix} skipped: other stages already have these kinds`}];
  });
}

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
  if (better === undefined) return candidate;
  const {origin} = candidate;
  const why = `${origin.why}; with the options of ${better.origin.file}`;
  return {...candidate, command: better.command, env: {...better.env, ...candidate.env}, origin: {...origin, why}};
}

/** Cargo's words without the features that they select: without its features, a crate may have hardly any tests. */
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
