/** What was put onto a branch that moved is another tree: it goes through the same gate before it may be pushed (P5). */

import type {AdmittedRun} from "../../lifecycle/1-admit.ts";
import {settledWithoutStages} from "../../lifecycle/2-work.ts";
import {CONFIG_FILES} from "../detect/config/config.ts";
import type {Rebased} from "../publish/rebase.ts";
import {branchOf} from "../publish/target.ts";
import type {Attempt} from "../record/attempt.ts";
import type {OnEvent} from "../record/events.ts";
import {changedPaths, type Verdict, type Verification} from "../record/verification.ts";
import type {RunSetup} from "./run-setup.ts";
import {openVerifier} from "./verifier.ts";

/** Verifies the rebased candidate with dependencies and baseline of its new base, and puts that into the record as an attempt. */
export async function verifyAgain(o: {
  run: AdmittedRun;
  ground: RunSetup;
  rebased: Rebased;
  onEvent: OnEvent;
}): Promise<Attempt> {
  const {run, ground, rebased, onEvent} = o;
  const {record} = run;
  const {candidate, changes} = rebased;
  const {attempts, base} = record.current();
  const tree = await ground.repository.fetch(candidate.base);
  if (base !== null && tree.ok) record.update({base: {ref: ground.target.ref, ...tree.value}});
  const seen = {number: attempts.length + 1, turn: null, candidate, changes: [...changes]};
  const settled = (await rulesMoved(o)) ?? (await settledWithoutStages({run, ground, changes}));
  const verification = settled === null ? await examine(o) : null;
  const verdict = verification?.verdict ?? settled ?? {kind: "unverified", why: "gate-error", detail: ""};
  const attempt: Attempt = {...seen, verification, verdict};
  const text = `${branchOf(ground.target.ref)} moved to ${candidate.base.slice(0, 12)} during the run: the change was put onto it, and that was looked at again`;
  record.update({attempts: [...attempts, attempt], verdict});
  record.addNotes([{about: "push", text}]);
  onEvent({kind: "attempt-finished", attempt});
  return attempt;
}

async function examine(o: {
  run: AdmittedRun;
  ground: RunSetup;
  rebased: Rebased;
  onEvent: OnEvent;
}): Promise<Verification> {
  const {run, rebased, onEvent} = o;
  const {base, tree} = rebased.candidate;
  const ground = {...o.ground, base: {commit: base, tree}};
  const gate = await openVerifier({run, ground, compareWith: base, onEvent});
  const before = run.record.current().attempts.at(-1)?.verification ?? null;
  const verification = await gate.verify({...rebased, before, only: [], mayLookFirst: false});
  await gate.dispose();
  return verification;
}

/** Where the branch is the one that the rules come from, its new rules are not those that this run was planned by (P4). */
async function rulesMoved(o: {run: AdmittedRun; ground: RunSetup; rebased: Rebased}): Promise<Verdict | null> {
  const {rules} = o.run.record.current();
  if (rules?.ref !== o.ground.target.ref) return null;
  const changed = await o.ground.repository.changes(rules.commit, o.rebased.candidate.base);
  const files: readonly string[] = CONFIG_FILES;
  const isSame = changed.ok && !changedPaths(changed.value).some((path) => files.includes(path));
  const detail = "verify.json was changed on the branch during the run; comment again to be verified by the new one";
  return isSame ? null : {kind: "unverified", why: "gate-error", detail};
}
