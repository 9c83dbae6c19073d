/** Handles `/undo`: undoes Assay's newest run in the branch. Verified and published like any change. */
import {examineCandidate, keepCandidate} from "../../changes/candidate.ts";
import type {ChangeBase} from "../../engine/checkout/compared-commits.ts";
import {fetchHistory, readHistory} from "../../git/history.ts";
import {type Merged, merge} from "../../git/merge.ts";
import {findLastRun} from "../../publish/last-run.ts";
import {branchOf} from "../../publish/target.ts";
import type {Failure} from "../../record/failure.ts";
import type {UndoneRun} from "../../record/record.ts";
import type {Candidate, Change} from "../../record/verification.ts";
import {ok, type Result, refused} from "../../record/words.ts";
import {short} from "../../report/format.ts";
import {recordFailure} from "../catch-bug.ts";
import {mergeOntoTip} from "../change-base.ts";
import {createClaimCheck} from "../check-claim.ts";
import type {PreparedRun} from "../prepare-run.ts";
import {settledWithoutStages} from "../settled-without-stages.ts";
import type {CheckedCandidate} from "../verifier.ts";
import {NOTHING_CHECKED, verifyOnce} from "./verify.ts";

/** At most this many commits of the branch are searched. */
const MAX_COMMITS = 100;
/** A refusal names at most this many files. */
const MAX_NAMED = 20;

/**
 * Records the run to undo, or refuses; false if there is none. In separate jobs the job `admit` decides this, because only it can read the
 * thread.
 */
export async function findUndoneRun(run: PreparedRun): Promise<Result<boolean, Failure>> {
  const {repository, target, record} = run;
  const branch = branchOf(target.ref);
  if (target.expect === null) return ok(false);
  const history = await openHistory(run, [target.expect]);
  if (!history.ok) return history;
  const commits = await readHistory({repository, tip: target.expect, most: MAX_COMMITS});
  if (!commits.ok) return commits;
  const undone = await findLastRun(commits.value, createClaimCheck(run));
  if (!undone.ok) return undone;
  if (undone.value === null && commits.value.length < MAX_COMMITS) return ok(false);
  if (undone.value === null)
    return refuse(
      `${branch} has no run of Assay left to undo; its newest ${commits.value.length} commits were searched`,
    );
  const merged = await revertRun(run, undone.value);
  if (!merged.ok) return merged;
  record.update({undoes: undone.value});
  return ok(true);
}

/** Verifies the branch without the recorded run. */
export async function verifyUndo(run: PreparedRun): Promise<CheckedCandidate> {
  const {undoes} = run.record.current();
  const undone = await undoneCandidate(run);
  if (!undone.ok || undoes === undefined) {
    if (!undone.ok) recordFailure(run, undone.failure);
    return NOTHING_CHECKED;
  }
  const {candidate, changes} = undone.value;
  // Failures from before that run may occur again, so they are compared with its base.
  const compareWith = undoes.parent;
  const changeBase = await comparedBase(run, candidate, undoes);
  return verifyOnce(run, {
    candidate,
    changes,
    compareWith,
    changeBase,
    settled: await settledWithoutStages(run, changes),
  });
}

/** The branch without the recorded run, as one new commit on its newest commit. */
export async function undoneCandidate(
  run: PreparedRun,
): Promise<Result<{candidate: Candidate; changes: Change[]}, Failure>> {
  const {repository, base, record} = run;
  const {undoes} = record.current();
  if (undoes === undefined) return refuse("no run to undo was found");
  const history = await openHistory(run, [base.commit]);
  if (!history.ok) return history;
  const merged = await revertRun(run, undoes);
  if (!merged.ok) return merged;
  const commit = await keepCandidate({repository, base: base.commit, tree: merged.value.tree});
  return commit.ok ? examineCandidate({repository, base: base.commit, commit: commit.value}) : commit;
}

/** Works like `git revert`: merges the later commits and the tree before the run, with the run's commit as ancestor. */
async function revertRun({repository, base}: PreparedRun, undone: UndoneRun): Promise<Result<Merged, Failure>> {
  const {commit, parent} = undone;
  const merged = await merge({repository, base: commit, theirs: base.commit, ours: parent});
  if (!merged.ok) return merged;
  const {conflicts, tree} = merged.value;
  if (conflicts.length > 0) {
    const message = `later commits changed the same lines as ${short(commit)} in these files. Run \`git revert ${short(commit)}\` and solve the conflicts, or ask for it with \`/assay\``;
    return refused({kind: "undo-refused", message, paths: conflicts.slice(0, MAX_NAMED)});
  }
  if (tree === base.tree) return refuse(`the changes of ${short(commit)} are no longer in the branch`);
  return merged;
}

/**
 * The commits whose difference is inspected for weakened checks. Tests that the run itself added may be removed, so the
 * branch is compared with the default branch, like a pull request. Work on the default branch itself is compared with
 * the tree before the run.
 */
async function comparedBase(run: PreparedRun, candidate: Candidate, undone: UndoneRun): Promise<ChangeBase> {
  const {rules} = run.record.current();
  const head = candidate.commit;
  if (rules === null || rules.ref === run.target.ref) return {base: undone.parent, head, isExact: true};
  const tip = rules.commit;
  const merged = await mergeOntoTip(run, {branch: candidate.base, head, tip});
  return merged ?? {base: tip, head, isExact: false};
}

const openHistory = ({repository, context}: PreparedRun, commits: readonly string[]) =>
  fetchHistory({repository, commits, depth: MAX_COMMITS, signal: context.signal});

const refuse = (message: string): Result<never, Failure> => refused({kind: "undo-refused", message, paths: []});
