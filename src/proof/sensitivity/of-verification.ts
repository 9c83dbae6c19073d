/** Measures how sensitive the tests are after a finished verification, in at most a quarter of its time. */

import {type ChangeBase, comparedCommits} from "../../engine/checkout/compared-commits.ts";
import {readChange} from "../../integrity/read-change.ts";
import type {Attempt} from "../../record/attempt.ts";
import type {Sensitivity} from "../../record/sensitivity.ts";
import {isVerified} from "../../record/words.ts";
import {measureSensitivity, type SensitivityOptions} from "./measure-sensitivity.ts";

const SHARE = 0.25;
const MAX_MS = 10 * 60_000;

/** Null if the attempt is not verified, or no fault could be tried. */
export async function measureAfterVerification(
  attempt: Pick<Attempt, "candidate" | "changes" | "verification" | "verdict">,
  options: Pick<SensitivityOptions, "plan" | "checkouts" | "repository" | "signal"> & {changeBase?: ChangeBase | null},
): Promise<Sensitivity | null> {
  const {changes, verification, verdict} = attempt;
  if (attempt.candidate === null || verification === null || verification.where !== "checkout") return null;
  if (!isVerified(verdict) || changes.length === 0 || options.signal.aborted) return null;
  const {plan, repository, changeBase = null} = options;
  const candidate = comparedCommits({candidate: attempt.candidate, changeBase});
  if (candidate === null) return null;
  const change = await readChange({repository, base: candidate.base, head: candidate.commit, plan});
  if (!change.ok) return null;
  const budgetMs = Math.min(MAX_MS, SHARE * verification.durationMs);
  return measureSensitivity({
    ...{...options, candidate, budgetMs},
    change: change.value,
    stages: verification.stages,
  });
}
