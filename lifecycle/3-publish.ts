/** Third step: publishes exactly the verified tree as one commit; parks work that is not verified. */
import type {Repository} from "../src/git/repository.ts";
import {type FinalCommit, makeCommit} from "../src/publish/commit.ts";
import {type Delivered, deliver} from "../src/publish/deliver.ts";
import {workflowsAfterPush} from "../src/publish/pushed-workflows.ts";
import type {Rebased} from "../src/publish/rebase.ts";
import {signCommit, signingRef} from "../src/publish/sign.ts";
import {botBranchNames} from "../src/publish/target.ts";
import {type Attempt, keptAttempt} from "../src/record/attempt.ts";
import type {OnEvent} from "../src/record/events.ts";
import type {Failure} from "../src/record/failure.ts";
import {mayBePublished, type RunRecord} from "../src/record/record.ts";
import type {Candidate} from "../src/record/verification.ts";
import type {Result} from "../src/record/words.ts";
import type {AdmittedRun} from "../src/run/admitted-run.ts";
import {type Published, propose} from "../src/run/open-pull-request.ts";
import {commitFacts, parkCandidate} from "../src/run/park-candidate.ts";
import {passesPublishChecks} from "../src/run/publish-checks.ts";
import type {RunSetup} from "../src/run/run-setup.ts";

/**
 * Publishes or parks the run's last candidate, and records its place. `again` verifies a candidate that was rebased onto a moved
 * branch, and records the result; without it, work for a moved branch is parked.
 */
export async function publish(o: {
  run: AdmittedRun;
  setup: RunSetup;
  onEvent: OnEvent;
  again?: (rebased: Rebased) => Promise<Attempt>;
}): Promise<void> {
  const {run, setup, onEvent} = o;
  const {record} = run;
  const {attempts} = record.current();
  const kept = keptAttempt(attempts);
  if (kept === undefined || kept.candidate === null || kept.changes.length === 0) return;
  const isOut = kept === attempts.at(-1) && (await isFree({run, setup, attempt: kept}));
  const sent = isOut ? await send({...o, candidate: kept.candidate}) : null;
  if (sent?.kind === "refused") run.record.addFailure(sent.failure);
  const candidate = sent?.candidate ?? kept.candidate;
  const {exampleSecrets} = setup.config;
  const publication =
    sent?.kind === "pushed"
      ? await published({run, setup, sent, withWarning: !mayBePublished(record.current())})
      : await parkCandidate({run, repository: setup.repository, candidate, exampleSecrets});
  record.update({publication});
  onEvent({kind: "published", publication});
  if (publication.kind === "published" && setup.target.pullRequest === "open-or-update") {
    await propose({run, publication});
  }
}

/** True if the newest attempt may be published: it is good, or `onFailure: commit` allows it, and no check refuses it. */
async function isFree(o: {run: AdmittedRun; setup: RunSetup; attempt: Attempt}): Promise<boolean> {
  const {run, setup, attempt} = o;
  const {candidate, changes} = attempt;
  const {onFailure} = setup.config;
  const isWanted = isToPublish(run.record.current(), {onFailure, isCancelled: run.context.signal.aborted});
  return isWanted && candidate !== null && (await passesPublishChecks({run, setup, candidate, changes}));
}

/** The rule before any check: a good verdict, or `onFailure: commit` for a whole change of a run that was not cancelled. */
export function isToPublish(
  record: Pick<RunRecord, "verdict" | "failures">,
  o: {onFailure: "park" | "commit"; isCancelled: boolean},
): boolean {
  if (mayBePublished(record)) return true;
  const isWhole = record.verdict.kind !== "partial" && !record.failures.some(({kind}) => kind === "candidate-refused");
  return o.onFailure === "commit" && isWhole && !o.isCancelled;
}

/** Pushes one commit with the verified tree. If the branch moved, the commit is rebased and verified again. */
function send(o: {
  run: AdmittedRun;
  setup: RunSetup;
  candidate: Candidate;
  again?: (rebased: Rebased) => Promise<Attempt>;
}): Promise<Delivered> {
  const {run, setup, candidate, again} = o;
  const {repository, target} = setup;
  return deliver({
    repository,
    candidate,
    target,
    otherNames: botBranchNames(run.event.thread.number),
    make: (newest) => makeFinal({run, repository, candidate: newest}),
    again: again === undefined ? null : async (rebased) => isFree({run, setup, attempt: await again(rebased)}),
  });
}

/** The commit to push: Assay's own, or one made by GitHub if the workflow asks for signed commits. */
async function makeFinal(o: {
  run: AdmittedRun;
  repository: Repository;
  candidate: Candidate;
}): Promise<Result<FinalCommit, Failure>> {
  const {run, repository, candidate} = o;
  const made = await makeCommit({repository, candidate, facts: commitFacts(run)});
  if (!made.ok || !run.context.inputs["sign-commits"]) return made;
  const {createSignedCommit: ask} = run.context.github;
  return signCommit({repository, unsigned: made.value, ref: signingRef(run.marker.run), ask});
}

async function published(o: {
  run: AdmittedRun;
  setup: RunSetup;
  sent: Extract<Delivered, {kind: "pushed"}>;
  withWarning: boolean;
}): Promise<Published> {
  const {run, setup, withWarning} = o;
  const {ref, final} = o.sent;
  const self = await run.context.github.whoami();
  const hasPullRequest = run.head !== null || setup.target.pullRequest === "open-or-update";
  const {apiUrl} = run.context.runner;
  const workflows = self.ok && {workflows: workflowsAfterPush({login: self.value.login, hasPullRequest, apiUrl})};
  return {kind: "published", ref, ...final, pullRequest: null, withWarning, ...workflows};
}
