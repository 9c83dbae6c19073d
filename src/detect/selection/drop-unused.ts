/** Drops tests that CI never starts, if CI starts others instead. */
import type {CandidateStage} from "../proposals/ecosystem.ts";
import type {Dropped} from "./dropped.ts";
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
  {fromCi, isInCi, drops}: {fromCi: readonly CandidateStage[]; isInCi: IsPreferred; drops: Dropped[]},
): CandidateStage[] {
  return candidates.filter((candidate) => {
    const [tool = ""] = toolsOfLine(candidate.command);
    const isTask = TASK_RUNNER.test(tool) || (candidate.runs ?? []).some((line) => IN_PACKAGES.test(line));
    const isDefault = candidate.evidence === "default";
    if (candidate.kind !== "test" || (!isTask && !isDefault) || isInCi(candidate)) return true;
    const programs = programsOf(candidate);
    const ciTests = [...candidates, ...fromCi].filter(
      (other) =>
        other !== candidate &&
        other.kind === "test" &&
        other.cwd === candidate.cwd &&
        isInCi(other) &&
        (isTask || [...programsOf(other)].some((program) => programs.has(program))),
    );
    if (ciTests.length > 0) drops.push({kind: "other in CI", candidate, by: ciTests});
    return ciTests.length === 0;
  });
}
