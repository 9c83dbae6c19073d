/** Third step: exactly the verified tree becomes one commit on its branch; what is not verified is parked. */
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
 * Publishes or parks the run's last candidate, and writes into the record where it went. `again` verifies what had to be put
 * onto a branch that moved, and puts that into the record; without it a moved branch means parking.
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

/** True when the newest attempt may be published: it is good, or the owner wants it all the same, and no guard keeps it back. */
async function isFree(o: {run: AdmittedRun; setup: RunSetup; attempt: Attempt}): Promise<boolean> {
  const {run, setup, attempt} = o;
  const {candidate, changes} = attempt;
  const {onFailure} = setup.config;
  const isWanted = isToPublish(run.record.current(), {onFailure, isCancelled: run.context.signal.aborted});
  return isWanted && candidate !== null && (await passesPublishChecks({run, setup, candidate, changes}));
}

/** The rule before any guard: a good verdict, or `onFailure: commit` for a whole change of a run that was not cancelled. */
export function isToPublish(
  record: Pick<RunRecord, "verdict" | "failures">,
  o: {onFailure: "park" | "commit"; isCancelled: boolean},
): boolean {
  if (mayBePublished(record)) return true;
  const isWhole = record.verdict.kind !== "partial" && !record.failures.some(({kind}) => kind === "candidate-refused");
  return o.onFailure === "commit" && isWhole && !o.isCancelled;
}

/** One commit on the verified tree, pushed only where nothing came in between; else on top of that, verified again. */
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

/** The commit that goes out: the bot's own, or GitHub's where the workflow asks for signed ones. */
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
