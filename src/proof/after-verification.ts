/** Measures what the tests of a verified change run and notice, in at most a quarter of the time of its verification. */

import {type ChangeBase, comparedCommits} from "../engine/checkout/compared-commits.ts";
import {readChange} from "../integrity/read-change.ts";
import type {Attempt} from "../record/attempt.ts";
import type {ExecutedLines} from "../record/executed-lines.ts";
import type {Sensitivity} from "../record/sensitivity.ts";
import {isVerified} from "../record/words.ts";
import {measureExecutedLines} from "./executed-lines.ts";
import {measureSensitivity, type SensitivityOptions} from "./sensitivity/measure-sensitivity.ts";

const SHARE = 0.25;
const MAX_MS = 10 * 60_000;
/** The least time for a comparison of two changes. */
const COMPARED_MS = 45_000;
/** Of the time for both. */
const LINES_SHARE = 0.5;

export interface TestMeasurements {
  readonly executedLines: ExecutedLines | null;
  readonly sensitivity: Sensitivity | null;
}

export const NOT_MEASURED: TestMeasurements = {executedLines: null, sensitivity: null};

/** A value is null if the attempt is not verified, the value is not wanted, or nothing could be measured. */
export async function measureAfterVerification(
  attempt: Pick<Attempt, "candidate" | "changes" | "verification" | "verdict">,
  options: Pick<SensitivityOptions, "plan" | "checkouts" | "repository" | "signal"> & {
    changeBase?: ChangeBase | null;
    wants: Readonly<Record<keyof TestMeasurements, boolean>>;
    /** true if the values decide between changes: then short checks do not limit the time */
    isCompared?: boolean;
  },
): Promise<TestMeasurements> {
  const {changes, verification, verdict} = attempt;
  const {plan, repository, changeBase = null, wants, isCompared = false} = options;
  if (!wants.executedLines && !wants.sensitivity) return NOT_MEASURED;
  if (attempt.candidate === null || verification === null || verification.where !== "checkout") return NOT_MEASURED;
  if (!isVerified(verdict) || changes.length === 0 || options.signal.aborted) return NOT_MEASURED;
  const candidate = comparedCommits({candidate: attempt.candidate, changeBase});
  if (candidate === null) return NOT_MEASURED;
  const change = await readChange({repository, base: candidate.base, head: candidate.commit, plan});
  if (!change.ok) return NOT_MEASURED;
  const shared = {...options, candidate, change: change.value, stages: verification.stages};
  const budgetMs = Math.min(MAX_MS, Math.max(isCompared ? COMPARED_MS : 0, SHARE * verification.durationMs));
  const startMs = performance.now();
  const share = wants.sensitivity ? LINES_SHARE : 1;
  const executedLines = wants.executedLines
    ? await measureExecutedLines({...shared, budgetMs: share * budgetMs})
    : null;
  const leftMs = budgetMs - (performance.now() - startMs);
  const sensitivity = wants.sensitivity ? await measureSensitivity({...shared, budgetMs: leftMs}) : null;
  return {executedLines, sensitivity};
}
