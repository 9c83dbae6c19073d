/** A test stage that failed is run once more on the same tree: passed then, it is flaky, which is neither a pass nor the agent's bug. */
import type {Diagnostic, StageResult} from "../record/evidence.ts";

/** Where more fail at once it is no chance, and a second run is time lost. */
export const MOST_FAILURES = 20;

/** True for a failure that chance may have brought about: of a test stage, by its own exit, not too many, none the base has. */
export function deservesSecondLook(result: StageResult): boolean {
  const {kind, outcome, exit, failureKind, tests, baseline} = result;
  const failed = Math.max(tests?.failed ?? 0, failuresOf(result).length);
  const mayBeChance = kind === "test" && outcome === "failed" && failureKind === "code" && exit?.kind === "exited";
  return mayBeChance && exit.code !== 0 && failed <= MOST_FAILURES && baseline?.outcome !== "pre-existing";
}

/**
 * Takes both runs and the ids that the base's verify.json calls flaky. What fails again keeps its first result. What passes is
 * `flaky`; where each failing test is on the list it counts as a failure of the base (P15), and never as a pass.
 */
export function afterSecondLook(o: {first: StageResult; second: StageResult; known: readonly string[]}): StageResult {
  const {first, second} = o;
  if (second.outcome !== "passed" || ranFewer(first, second)) return first;
  const failures = failuresOf(first);
  const isNamed = failures.length > 0 && (first.tests?.failed ?? 0) <= failures.length;
  const isKnown = isNamed && failures.every(({testId}) => testId !== undefined && o.known.includes(testId));
  const why = isKnown ? "; verify.json lists what failed as flaky" : "";
  return {
    ...first,
    outcome: "flaky",
    failureKind: null,
    reason: `failed (${first.reason}), then passed on a second run of the same tree${why}`,
    durationMs: first.durationMs + second.durationMs,
    baseline: isKnown
      ? {outcome: "pre-existing", new: [], preexisting: failures, fixed: 0, why: "listed as flaky in verify.json"}
      : null,
  };
}

const failuresOf = ({diagnostics}: StageResult): Diagnostic[] =>
  diagnostics.filter(({severity}) => severity === "error");

/** A second run that left tests out has not passed them. */
function ranFewer(first: StageResult, second: StageResult): boolean {
  if (first.tests === null) return false;
  return second.tests === null || second.tests.passed < first.tests.passed + first.tests.failed;
}
