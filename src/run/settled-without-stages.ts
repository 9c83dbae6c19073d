/** Decides which changes need no stage, or may not have one. */
import {decideVerification} from "../changes/document-readers.ts";
import type {Change, Verdict} from "../record/verification.ts";
import type {PreparedRun} from "./prepare-run.ts";
import {unfinished} from "./verifier.ts";

/** The verdict if no stage needs to run, or none may run; null if the stages decide. */
export async function settledWithoutStages(run: PreparedRun, changes: readonly Change[]): Promise<Verdict | null> {
  const {config, configFailure, repository, base, wholePlan} = run;
  if (run.context.signal.aborted) {
    return unfinished(run, "the run was cancelled before the change could be verified");
  }
  if (changes.length === 0) {
    const aside = run.record.current().setAside ?? null;
    return {kind: "nothing-to-verify", why: aside === null ? "no-change" : "only-set-aside", detail: ""};
  }
  if (configFailure !== null) {
    return {kind: "unverified", why: "gate-error", detail: "verify.json of the base has mistakes; see below"};
  }
  if (!config.enabled) return {kind: "nothing-to-verify", why: "disabled", detail: ""};
  const trigger = await decideVerification({
    git: repository.git,
    commit: base.commit,
    changes,
    rules: config,
    stages: wholePlan.stages,
  });
  return trigger.kind === "skip" ? {kind: "nothing-to-verify", why: trigger.why, detail: trigger.detail} : null;
}
