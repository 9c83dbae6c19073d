/** What CI's own commands do to a plan: they fill gaps, and their exact options replace a detector's guess. */
import type {Note} from "../../record/plan.ts";
import {toolOf, unwrap} from "../../shell/program.ts";
import {plainWords} from "../../shell/split.ts";
import type {CandidateStage} from "../proposals/ecosystem.ts";

interface Tools {
  /** the tools that a draft starts, seen through scripts where their bodies are known */
  all: (draft: CandidateStage) => ReadonlySet<string>;
  /** those at the very end */
  leaves: (draft: CandidateStage) => ReadonlySet<string>;
}

/** Tools that are a name for what a script or target of the project runs. */
export const PROJECT_SCRIPT = /^(script|make|just|task|composer|mise|rake|moon|nx|turbo|lerna) /;
/** Options that make a check look at more, or tell more, and need nothing that only CI has. */
const HARMLESS =
  /^(--all-features|--workspace|--all|--all-targets|--locked|--frozen|-race|-shuffle=on|-v|-vv|--|-D|-W|-Dwarnings|warnings|clippy::[\w-]+|-Dclippy::[\w-]+|--deny-warnings|--max-warnings(=\d+)?|--strict|--no-progress|--ansi|--colors?=\w+|--check|-D\w+)$/;
/** Options of a guess that a maintainer who does not use them does without. */
const DISPENSABLE = /^(--locked|-D|-Dwarnings|warnings|--)$/;

/** Tools that are given paths, and say less of the project where they are given others. */
const ON_PATHS = /^(mypy|black|isort|flake8|pylint|ruff check|ruff format)$/;
/** Options by which they tell GitHub, or write a report. */
const FOR_CI = /^--?(output|junit|[\w-]*report|[\w-]*format=|github|cov)/;

/** CI's commands where nothing else gave that kind, or for lint and typecheck, that tool. */
export function addMissingFromCi(o: {
  fromCi: readonly CandidateStage[];
  kept: readonly CandidateStage[];
  tools: Tools;
  passOver: (draft: CandidateStage, why: string) => Note;
}): {added: CandidateStage[]; notes: Note[]} {
  const added: CandidateStage[] = [];
  const surplus: CandidateStage[] = [];
  for (const draft of o.fromCi) {
    // What the root checks takes in its folders, as far as anybody can tell.
    const there = [...o.kept, ...added].filter((other) => other.cwd === draft.cwd || other.cwd === ".");
    const known = new Set(there.flatMap((other) => [...o.tools.all(other)]));
    const leaves = [...o.tools.leaves(draft)];
    const itself = [...o.tools.all({...draft, runs: []})];
    if ([leaves, itself].some((tools) => tools.every((tool) => known.has(tool)))) continue;
    const taken =
      draft.kind === "check"
        ? there.some((other) => other.kind === "test" || other.kind === "check")
        : there.some((other) => other.kind === draft.kind);
    const further =
      (draft.kind === "lint" || draft.kind === "typecheck") &&
      !leaves.some((tool) => known.has(tool) || PROJECT_SCRIPT.test(tool));
    if (taken && !further) surplus.push(draft);
    else added.push(draft);
  }
  return {added, notes: surplusNotes(surplus, o.passOver)};
}

/** A file with several such commands gets one note: a workflow may run one kind of check in a dozen ways. */
function surplusNotes(
  drafts: readonly CandidateStage[],
  passOver: (draft: CandidateStage, why: string) => Note,
): Note[] {
  const files = [...new Set(drafts.map(({origin}) => origin.file))];
  return files.flatMap((about) => {
    const of = drafts.filter(({origin}) => origin.file === about);
    const commands = [...new Set(of.map(({command}) => `\`${command}\``))];
    if (commands.length <= 2) return of.map((draft) => passOver(draft, "there is a stage of this kind already"));
    const more = commands.length > SHOWN ? ` and ${commands.length - SHOWN} more` : "";
    const text = `${commands.slice(0, SHOWN).join(", ")}${more} passed over: there are stages of their kinds already`;
    return [{about, text}];
  });
}

/** Of the commands that a note names. */
const SHOWN = 5;

/** The draft with CI's options, where CI starts the same tool and adds or spares only harmless ones; else the draft as it is. */
export function applyCiOptions(draft: CandidateStage, fromCi: readonly CandidateStage[]): CandidateStage {
  if (draft.evidence !== "default" && draft.evidence !== "tool") return draft;
  const own = plainWords(draft.command);
  if (own === null) return draft;
  const placed = onPathsOfCi(draft, {own, fromCi});
  if (placed !== null) return placed;
  const better = fromCi.find((other) => {
    const words = plainWords(other.command);
    if (words === null || other.cwd !== draft.cwd || other.runs !== undefined || words.length <= 1) return false;
    const [plain, less] = [withoutFeatures(words), own.filter((word) => !words.includes(word))];
    const more = plain.filter((word) => !own.includes(word));
    return (
      unwrap(words)[0] === unwrap(own)[0] &&
      words[0] === own[0] &&
      words[1] === own[1] &&
      more.length + words.length - plain.length > 0 &&
      more.every((word) => HARMLESS.test(word)) &&
      less.every((word) => DISPENSABLE.test(word))
    );
  });
  if (better === undefined) return draft;
  const why = `${draft.origin.why}; with the options of ${better.origin.file}`;
  return {...draft, command: better.command, env: {...better.env, ...draft.env}, origin: {...draft.origin, why}};
}

/** Tests or lints of cargo without the features that they name: without those a crate may have hardly a test. */
function withoutFeatures(words: readonly string[]): readonly string[] {
  if (words[0] !== "cargo" || !/^(test|nextest|clippy)$/.test(words[1] ?? "")) return words;
  return words.filter(
    (word, i) => !/^(--features|-F)$/.test(words[i - 1] ?? "") && !/^(--features(=[\w,/-]+)?|-F)$/.test(word),
  );
}

/** A checker of Python on the very paths that CI gives it, where CI starts it in one way only; null where it does not. */
function onPathsOfCi(
  draft: CandidateStage,
  o: {own: readonly string[]; fromCi: readonly CandidateStage[]},
): CandidateStage | null {
  const tool = toolOf(o.own);
  if (!ON_PATHS.test(tool)) return null;
  const theirs = o.fromCi.flatMap((other) => {
    const words = other.cwd === draft.cwd && other.runs === undefined ? plainWords(other.command) : null;
    return words !== null && toolOf(words) === tool ? [{other, words: unwrap(words)}] : [];
  });
  const [only] = theirs;
  const commands = new Set(theirs.map(({words}) => words.join(" ")));
  if (only === undefined || commands.size !== 1) return null;
  const {words, other} = only;
  const paths = words.slice(tool.split(" ").length).filter((word) => !word.startsWith("-"));
  const isPlain = words.every((word) => /^[\w@%+=:,./-]+$/.test(word) && !FOR_CI.test(word));
  if (!isPlain || paths.length === 0) return null;
  const why = `${draft.origin.why}; on the paths that ${other.origin.file} gives it`;
  return {...draft, command: words.join(" "), origin: {...draft.origin, why}};
}
