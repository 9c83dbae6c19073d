/** Verifies a candidate again after it was rebased onto a branch that moved: it is a new tree (P5). */

import {CONFIG_FILES} from "../detect/config/config.ts";
import type {Rebased} from "../publish/rebase.ts";
import {branchOf} from "../publish/target.ts";
import type {Attempt} from "../record/attempt.ts";
import {changedPaths, type Verdict, type Verification} from "../record/verification.ts";
import type {PreparedRun} from "./prepare-run.ts";
import {settledWithoutStages} from "./settled-without-stages.ts";
import {openVerifier} from "./verifier.ts";

/**
 * Verifies the rebased candidate with the dependencies and the baseline of its new base, and records it as an attempt.
 */
export async function verifyAgain(run: PreparedRun, rebased: Rebased): Promise<Attempt> {
  const {record, target} = run;
  const {candidate, changes} = rebased;
  const {attempts, base} = record.current();
  const tree = await run.repository.fetch(candidate.base);
  if (base !== null && tree.ok) record.update({base: {ref: target.base.ref, ...tree.value}});
  const attemptFacts = {number: attempts.length + 1, turn: null, candidate, changes: [...changes]};
  const settledVerdict = (await rulesMoved(run, candidate.base)) ?? (await settledWithoutStages(run, changes));
  const verification = settledVerdict === null ? await examine(run, rebased) : null;
  const verdict = verification?.verdict ?? settledVerdict ?? {kind: "unverified", why: "gate-error", detail: ""};
  const attempt: Attempt = {...attemptFacts, verification, verdict};
  const text = `${branchOf(target.base.ref)} moved to ${candidate.base.slice(0, 12)} during the run; the change was rebased onto it and verified again`;
  record.update({attempts: [...attempts, attempt], verdict});
  record.addNotes([{about: "push", text}]);
  run.onEvent({kind: "attempt-finished", attempt});
  return attempt;
}

async function examine(run: PreparedRun, rebased: Rebased): Promise<Verification> {
  const {base, tree} = rebased.candidate;
  const verifier = await openVerifier({...run, base: {commit: base, tree}}, base, {folder: "rebased-checkouts"});
  const previous = run.record.current().attempts.at(-1)?.verification ?? null;
  const verification = await verifier.verify({...rebased, previous, only: [], mayRunAffectedFirst: false});
  await verifier.dispose();
  return verification;
}

/** If verify.json changed on the branch that the rules come from, this run used the old rules (P4). */
async function rulesMoved({record, target, repository}: PreparedRun, newBase: string): Promise<Verdict | null> {
  const {rules} = record.current();
  if (rules?.ref !== target.base.ref) return null;
  const changes = await repository.changes(rules.commit, newBase);
  const files: readonly string[] = CONFIG_FILES;
  const isSame = changes.ok && !changedPaths(changes.value).some((path) => files.includes(path));
  const detail = "verify.json was changed on the branch during the run, so the checks that ran are out of date";
  return isSame ? null : {kind: "unverified", why: "gate-error", detail};
}
