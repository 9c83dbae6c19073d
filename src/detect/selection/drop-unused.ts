/** Drops tests and combined checks that CI never starts, if CI starts others instead. */
import type {Note} from "../../record/plan.ts";
import type {CandidateStage} from "../proposals/ecosystem.ts";
import {skipNote} from "./place.ts";
import {finalTools, toolsOfLine} from "./stage-tools.ts";

export type IsPreferred = (candidate: CandidateStage) => boolean;

/** Starts a script in all packages, some of which may test in browsers. */
const IN_PACKAGES = /^(pnpm|npm|yarn|bun) (\S+ )*(-r|--recursive|-ws|--workspaces|foreach) /;
const TASK_RUNNER = /^(make|just|task|mise|rake|poe|invoke) /;

const programsOf = (candidate: CandidateStage): Set<string> =>
  new Set([...finalTools(candidate)].map((tool) => tool.split(" ", 1)[0] ?? ""));

/**
 * Drops a test task, or a usual test command, that CI never starts, if CI starts other tests: these replace it, or it
 * needs something that is missing here.
 */
export function dropUnusedTests(
  candidates: readonly CandidateStage[],
  {fromCi, isInCi, notes}: {fromCi: readonly CandidateStage[]; isInCi: IsPreferred; notes: Note[]},
): CandidateStage[] {
  return candidates.filter((candidate) => {
    const [tool = ""] = toolsOfLine(candidate.command);
    const isTask = TASK_RUNNER.test(tool) || (candidate.runs ?? []).some((line) => IN_PACKAGES.test(line));
    const isDefault = candidate.evidence === "default";
    if (candidate.kind !== "test" || (!isTask && !isDefault) || isInCi(candidate)) return true;
    const programs = programsOf(candidate);
    const ciTest = [...candidates, ...fromCi].find(
      (other) =>
        other !== candidate &&
        other.kind === "test" &&
        other.cwd === candidate.cwd &&
        isInCi(other) &&
        (isTask || [...programsOf(other)].some((program) => programs.has(program))),
    );
    if (ciTest !== undefined) notes.push(skipNote(candidate, `CI runs \`${ciTest.command}\`, and not this`));
    return ciTest === undefined;
  });
}

/** Drops a combined check that CI does not start, if its checks are also separate stages. */
export function dropUnusedCombined(
  candidates: readonly CandidateStage[],
  {isCommandOfCi, notes}: {isCommandOfCi: IsPreferred; notes: Note[]},
): CandidateStage[] {
  return candidates.filter((candidate) => {
    const {kind, priority, cwd} = candidate;
    if (kind !== "check" || priority !== undefined || isCommandOfCi(candidate)) return true;
    const isCombined = candidates.some(
      (other) => other.cwd === cwd && other.kind !== "check" && other.kind !== "build",
    );
    if (isCombined) notes.push(skipNote(candidate, "its parts run as separate stages"));
    return !isCombined;
  });
}
