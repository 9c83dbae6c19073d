/** Verifies a candidate again after it was rebased onto a branch that moved: it is a new tree (P5). */

import {CONFIG_FILES} from "../detect/config/config.ts";
import type {Rebased} from "../publish/rebase.ts";
import {branchOf} from "../publish/target.ts";
import type {Attempt} from "../record/attempt.ts";
import type {OnEvent} from "../record/events.ts";
import {changedPaths, type Verdict, type Verification} from "../record/verification.ts";
import type {AdmittedRun} from "./admitted-run.ts";
import type {RunSetup} from "./run-setup.ts";
import {settledWithoutStages} from "./settled-without-stages.ts";
import {openVerifier} from "./verifier.ts";

/** Verifies the rebased candidate with dependencies and baseline of its new base, and puts that into the record as an attempt. */
export async function verifyAgain(o: {
  run: AdmittedRun;
  setup: RunSetup;
  rebased: Rebased;
  onEvent: OnEvent;
}): Promise<Attempt> {
  const {run, setup, rebased, onEvent} = o;
  const {record} = run;
  const {candidate, changes} = rebased;
  const {attempts, base} = record.current();
  const tree = await setup.repository.fetch(candidate.base);
  if (base !== null && tree.ok) record.update({base: {ref: setup.target.ref, ...tree.value}});
  const seen = {number: attempts.length + 1, turn: null, candidate, changes: [...changes]};
  const settled = (await rulesMoved(o)) ?? (await settledWithoutStages({run, setup, changes}));
  const verification = settled === null ? await examine(o) : null;
  const verdict = verification?.verdict ?? settled ?? {kind: "unverified", why: "gate-error", detail: ""};
  const attempt: Attempt = {...seen, verification, verdict};
  const text = `${branchOf(setup.target.ref)} moved to ${candidate.base.slice(0, 12)} during the run: the change was put onto it, and that was looked at again`;
  record.update({attempts: [...attempts, attempt], verdict});
  record.addNotes([{about: "push", text}]);
  onEvent({kind: "attempt-finished", attempt});
  return attempt;
}

async function examine(o: {
  run: AdmittedRun;
  setup: RunSetup;
  rebased: Rebased;
  onEvent: OnEvent;
}): Promise<Verification> {
  const {run, rebased, onEvent} = o;
  const {base, tree} = rebased.candidate;
  const setup = {...o.setup, base: {commit: base, tree}};
  const verifier = await openVerifier({run, setup, compareWith: base, onEvent});
  const previous = run.record.current().attempts.at(-1)?.verification ?? null;
  const verification = await verifier.verify({...rebased, previous, only: [], mayRunAffectedFirst: false});
  await verifier.dispose();
  return verification;
}

/** If verify.json changed on the branch that the rules come from, this run used the old rules (P4). */
async function rulesMoved(o: {run: AdmittedRun; setup: RunSetup; rebased: Rebased}): Promise<Verdict | null> {
  const {rules} = o.run.record.current();
  if (rules?.ref !== o.setup.target.ref) return null;
  const changed = await o.setup.repository.changes(rules.commit, o.rebased.candidate.base);
  const files: readonly string[] = CONFIG_FILES;
  const isSame = changed.ok && !changedPaths(changed.value).some((path) => files.includes(path));
  const detail = "verify.json was changed on the branch during the run; comment again to be verified by the new one";
  return isSame ? null : {kind: "unverified", why: "gate-error", detail};
}
