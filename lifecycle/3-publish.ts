/** Third step: publishes exactly the verified tree as one commit; parks work that is not verified. */
import {findBuildOutputs} from "../src/changes/build-outputs.ts";
import {type FinalCommit, makeCommit, parentsOf} from "../src/publish/commit.ts";
import {type DeliveryResult, deliver} from "../src/publish/deliver.ts";
import {workflowsAfterPush} from "../src/publish/pushed-workflows.ts";
import type {Rebased} from "../src/publish/rebase.ts";
import {signCommit, signingRef} from "../src/publish/sign.ts";
import {type Attempt, keptAttempt} from "../src/record/attempt.ts";
import type {Failure} from "../src/record/failure.ts";
import {isQuestion, mayBePublished, type RunRecord, withheldPublication} from "../src/record/record.ts";
import type {Candidate} from "../src/record/verification.ts";
import type {Result} from "../src/record/words.ts";
import {openPullRequest, type Published} from "../src/run/after-push.ts";
import {checkAnswer} from "../src/run/check-answer.ts";
import {noteScope} from "../src/run/note-scope.ts";
import {commitFacts, parkCandidate} from "../src/run/park-candidate.ts";
import type {PreparedRun} from "../src/run/prepare-run.ts";
import {passesPublishChecks} from "../src/run/publish-checks.ts";
import {branchNames} from "../src/run/request-rules.ts";
import {saveOtherTries} from "../src/run/tries.ts";
import {mergesInto} from "../src/run/update-branch.ts";

interface PublishOptions {
  /** the result of the second step */
  readonly work: Pick<RunRecord, "attempts" | "verdict">;
  /** verifies a candidate that was rebased onto a moved branch, and records the result; null: such work is parked */
  readonly verifyRebased: ((run: PreparedRun, rebased: Rebased) => Promise<Attempt>) | null;
}

/** Publishes or parks the last candidate, and records its place. */
export async function publish(run: PreparedRun, {work, verifyRebased}: PublishOptions): Promise<void> {
  const {record, repository, config} = run;
  const {attempts, verdict} = work;
  await checkAnswer(run, attempts);
  const keptWork = keptAttempt(attempts);
  const {exampleSecrets} = config;
  // Before the push, because a run that dies after it is finished. A cancelled run saves the newest work first.
  if (!run.context.signal.aborted) await saveOtherTries(run, {repository, exampleSecrets});
  if (keptWork === undefined || keptWork.candidate === null || keptWork.changes.length === 0)
    return saveOtherTries(run, {repository, exampleSecrets});
  const buildOutputs = await findBuildOutputs(repository, keptWork.candidate);
  if (buildOutputs.length > 0) record.update({buildOutputs});
  await noteScope(run, keptWork);
  const isAllowed = keptWork === attempts.at(-1) && (await isPublishable(run, {...keptWork, verdict}));
  const delivery = isAllowed ? await deliverCandidate(run, keptWork.candidate, verifyRebased) : null;
  if (delivery?.kind === "refused") record.addFailure(delivery.failure);
  const candidate = delivery?.candidate ?? keptWork.candidate;
  const publication =
    delivery?.kind === "pushed"
      ? await publicationOf(run, delivery)
      : await parkCandidate(run, {repository, candidate, exampleSecrets});
  const isWithheld = run.context.withheld !== null;
  record.update({publication: isWithheld ? withheldPublication(publication) : publication});
  await saveOtherTries(run, {repository, exampleSecrets});
  run.onEvent({kind: "published", publication: record.current().publication});
  if (publication.kind === "published" && run.target.pullRequest === "open-or-update")
    await openPullRequest(run, {publication, settings: config.pullRequest, repository});
}

/**
 * True if the newest attempt may be published: it is good, or `onFailure: commit` allows it, and no check refuses it.
 */
async function isPublishable(run: PreparedRun, {candidate, changes, verdict}: Attempt): Promise<boolean> {
  const {onFailure} = run.config;
  const {failures} = run.record.current();
  const isWanted = isToPublish({verdict, failures}, {onFailure, isCancelled: run.context.signal.aborted});
  return isWanted && candidate !== null && (await passesPublishChecks(run, {candidate, changes}));
}

/**
 * The rule before any check: a good verdict, or `onFailure: commit` for a whole change of a run that was not cancelled.
 * A change that weakens its checks is never committed: with it, the checks of later changes would be weaker, too.
 */
export function isToPublish(
  record: Pick<RunRecord, "verdict" | "failures">,
  {onFailure, isCancelled}: {onFailure: "park" | "commit"; isCancelled: boolean},
): boolean {
  if (mayBePublished(record)) return true;
  const {kind: verdict} = record.verdict;
  const isWhole =
    verdict !== "partial" &&
    !isQuestion(record.verdict) &&
    verdict !== "tampered" &&
    !record.failures.some(({kind}) => kind === "candidate-refused");
  return onFailure === "commit" && isWhole && !isCancelled;
}

/** Pushes one commit with the verified tree. If the branch moved, the commit is rebased and verified again. */
function deliverCandidate(
  run: PreparedRun,
  candidate: Candidate,
  verifyRebased: PublishOptions["verifyRebased"],
): Promise<DeliveryResult> {
  const {repository, target} = run;
  return deliver({
    repository,
    candidate,
    target,
    baseRef: target.base.ref,
    otherNames: branchNames(run),
    make: (newest) => makeFinalCommit(run, newest),
    again: verifyRebased && (async (rebased) => isPublishable(run, await verifyRebased(run, rebased))),
  });
}

/** The commit to push: Assay's own, or one made by GitHub if the workflow asks for signed commits. */
async function makeFinalCommit(run: PreparedRun, candidate: Candidate): Promise<Result<FinalCommit, Failure>> {
  const {repository} = run;
  const ownCommit = await makeCommit({repository, candidate, facts: commitFacts(run), into: mergesInto(run)});
  // GitHub can only sign a commit that it creates itself.
  if (!ownCommit.ok || !run.context.inputs["sign-commits"] || run.context.withheld !== null) return ownCommit;
  const {createSignedCommit: createCommit} = run.context.github;
  return signCommit({repository, unsigned: ownCommit.value, ref: signingRef(run.marker.run), createCommit});
}

async function publicationOf(
  run: PreparedRun,
  {ref, final}: Extract<DeliveryResult, {kind: "pushed"}>,
): Promise<Published> {
  const withWarning = !mayBePublished(run.record.current());
  const self = await run.context.github.whoami();
  const hasPullRequest = run.head !== null || run.target.pullRequest === "open-or-update";
  const {apiUrl} = run.context.runner;
  const workflows = self.ok && {workflows: workflowsAfterPush({login: self.value.login, hasPullRequest, apiUrl})};
  return {kind: "published", ref, ...final, ...parentsOf(final), pullRequest: null, withWarning, ...workflows};
}
