/** Third step: exactly the verified tree becomes one commit on its branch; what is not verified is parked. */
import type {Repository} from "../src/git/repository.ts";
import {type FinalCommit, idsOf, isOfCandidate, makeCommit} from "../src/publish/commit.ts";
import {type Delivered, deliver} from "../src/publish/deliver.ts";
import {park} from "../src/publish/park.ts";
import {workflowsAfterPush} from "../src/publish/pushed-workflows.ts";
import type {Rebased} from "../src/publish/rebase.ts";
import {signCommit, signingRef} from "../src/publish/sign.ts";
import {botBranchNames, branchOf} from "../src/publish/target.ts";
import {type Attempt, keptAttempt} from "../src/record/attempt.ts";
import type {OnEvent} from "../src/record/events.ts";
import type {Failure} from "../src/record/failure.ts";
import {mayBePublished, type Publication, type RunRecord} from "../src/record/record.ts";
import type {Candidate} from "../src/record/verification.ts";
import {isVerified, type Result} from "../src/record/words.ts";
import {renderPullRequest} from "../src/report/pull-request.ts";
import {passesPublishChecks, withoutSecrets} from "../src/run/publish-checks.ts";
import type {RunSetup} from "../src/run/run-setup.ts";
import {redactRecord} from "../src/secrets/redact-record.ts";
import type {AdmittedRun} from "./1-admit.ts";

type Published = Extract<Publication, {kind: "published"}>;

/**
 * Publishes or parks the run's last candidate, and writes into the record where it went. `again` verifies what had to be put
 * onto a branch that moved, and puts that into the record; without it a moved branch means parking.
 */
export async function publish(o: {
  run: AdmittedRun;
  ground: RunSetup;
  onEvent: OnEvent;
  again?: (rebased: Rebased) => Promise<Attempt>;
}): Promise<void> {
  const {run, ground, onEvent} = o;
  const {record} = run;
  const {attempts} = record.current();
  const kept = keptAttempt(attempts);
  if (kept === undefined || kept.candidate === null || kept.changes.length === 0) return;
  const isOut = kept === attempts.at(-1) && (await isFree({run, ground, attempt: kept}));
  const sent = isOut ? await send({...o, candidate: kept.candidate}) : null;
  if (sent?.kind === "refused") run.record.addFailure(sent.failure);
  const candidate = sent?.candidate ?? kept.candidate;
  const {exampleSecrets} = ground.config;
  const publication =
    sent?.kind === "pushed"
      ? await published({run, ground, sent, withWarning: !mayBePublished(record.current())})
      : await parkCandidate({run, repository: ground.repository, candidate, exampleSecrets});
  record.update({publication});
  onEvent({kind: "published", publication});
  if (publication.kind === "published" && ground.target.pullRequest === "open-or-update") {
    await propose({run, publication});
  }
}

/** True when the newest attempt may be published: it is good, or the owner wants it all the same, and no guard keeps it back. */
async function isFree(o: {run: AdmittedRun; ground: RunSetup; attempt: Attempt}): Promise<boolean> {
  const {run, ground, attempt} = o;
  const {candidate, changes} = attempt;
  const {onFailure} = ground.config;
  const isWanted = isToPublish(run.record.current(), {onFailure, isCancelled: run.world.signal.aborted});
  return isWanted && candidate !== null && (await passesPublishChecks({run, ground, candidate, changes}));
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
  ground: RunSetup;
  candidate: Candidate;
  again?: (rebased: Rebased) => Promise<Attempt>;
}): Promise<Delivered> {
  const {run, ground, candidate, again} = o;
  const {repository, target} = ground;
  return deliver({
    repository,
    candidate,
    target,
    otherNames: botBranchNames(run.event.thread.number),
    make: (newest) => makeFinal({run, repository, candidate: newest}),
    again: again === undefined ? null : async (rebased) => isFree({run, ground, attempt: await again(rebased)}),
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
  if (!made.ok || !run.world.inputs["sign-commits"]) return made;
  const {createSignedCommit: ask} = run.world.github;
  return signCommit({repository, unsigned: made.value, ref: signingRef(run.marker.run), ask});
}

async function published(o: {
  run: AdmittedRun;
  ground: RunSetup;
  sent: Extract<Delivered, {kind: "pushed"}>;
  withWarning: boolean;
}): Promise<Published> {
  const {run, ground, withWarning} = o;
  const {ref, final} = o.sent;
  const self = await run.world.github.whoami();
  const hasPullRequest = run.head !== null || ground.target.pullRequest === "open-or-update";
  const {apiUrl} = run.world.context;
  const workflows = self.ok && {workflows: workflowsAfterPush({login: self.value.login, hasPullRequest, apiUrl})};
  return {kind: "published", ref, ...final, pullRequest: null, withWarning, ...workflows};
}

/** Parks a candidate, but for files with secrets, as a commit that says what it is. What cannot be parked is a failure in the report. */
export async function parkCandidate(o: {
  run: Pick<AdmittedRun, "record" | "event" | "folder" | "world">;
  repository: Repository;
  candidate: Candidate;
  /** the owner's word for where keys are examples; none where it is not known, after a crash */
  exampleSecrets: readonly string[];
  /** asked after a crash: where what may be parked is parked already; null: nowhere */
  findParked?: (candidate: Candidate) => Promise<Publication | null>;
}): Promise<Publication> {
  const {run, repository} = o;
  if (await isParkedAlready(o)) return {kind: "none"};
  const candidate = await withoutSecrets(o);
  if (candidate === null) return {kind: "none"};
  const before = (await o.findParked?.(candidate)) ?? null;
  if (before !== null) return before;
  const made = await makeCommit({repository, candidate, facts: commitFacts(run)});
  const commit = made.ok ? made.value.commit : candidate.commit;
  // A cancelled run has seconds left, so the first answer has to do.
  const pausesMs = run.world.signal.aborted ? {pausesMs: []} : {};
  const parked = await park({
    repository,
    commit,
    tree: candidate.tree,
    issue: run.event.thread.number,
    folder: run.folder,
    ...pausesMs,
  });
  if (parked.problem !== null) run.record.addFailure(parked.problem);
  return parked.publication ?? {kind: "none"};
}

/** `/verify` of parked work that still may not go out leaves it where it is. */
async function isParkedAlready(o: {
  run: Pick<AdmittedRun, "record">;
  repository: Repository;
  candidate: Candidate;
}): Promise<boolean> {
  const {request, resumes} = o.run.record.current();
  if (request?.kind !== "verify" || resumes === undefined) return false;
  const parked = await idsOf(o.repository, resumes);
  return parked.ok && isOfCandidate(parked.value, o.candidate);
}

/** Opens the pull request of what was published, or brings the open one up to date, and puts it into the record. */
export async function propose(o: {run: AdmittedRun; publication: Published}): Promise<void> {
  const {run, publication} = o;
  const {world, event, record} = run;
  const closed = redactRecord({record: record.current(), redact: world.redact});
  const opened = await world.github.openOrUpdatePullRequest({
    head: branchOf(publication.ref),
    base: event.repository.defaultBranch,
    ...renderPullRequest(closed, {issueTitle: event.thread.title}),
    draft: publication.withWarning,
  });
  if (!opened.ok) return run.record.addFailure(opened.failure);
  const {number, url} = opened.value;
  record.update({publication: {...publication, pullRequest: {number, url}}});
}

/** A commit may say "verified" only for a run that is: documents that no stage looked at are published without the word. */
function commitFacts({record, event, world}: Pick<AdmittedRun, "record" | "event" | "world">) {
  const {request, run, verdict} = record.current();
  return {
    request: world.redact(request?.kind === "work" ? request.text : event.thread.title),
    issue: event.thread.number,
    run: run.id,
    verified: isVerified(verdict) && mayBePublished(record.current()),
    requester: event.author,
  };
}
