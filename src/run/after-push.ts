/** The steps after a push: the pull request, and the verdict on the commit as the check `assay/verified`. */

import type {Config} from "../detect/config/config.ts";
import {MAX_CONFIG_BYTES, readConfig} from "../detect/config/read-config.ts";
import {diffStat} from "../git/diff-stat.ts";
import type {Repository} from "../git/repository.ts";
import {branchOf} from "../publish/target.ts";
import type {Publication} from "../record/record.ts";
import {CHECK_NAME, renderCheck} from "../report/check.ts";
import {renderPullRequest} from "../report/pull-request.ts";
import {redactRecord} from "../secrets/redact-record.ts";
import type {AdmittedRun} from "./admitted-run.ts";
import {extendedOf} from "./extended-config.ts";
import {openOwnRepository, type PreparedRun} from "./prepare-run.ts";
import {branchNames, requestRules} from "./request-rules.ts";

export type Published = Extract<Publication, {kind: "published"}>;

interface PullRequestOptions {
  readonly publication: Published;
  /** of the base's `verify.json` */
  readonly settings: Config["pullRequest"];
  readonly repository: Repository;
}

/** Opens the pull request for the published work, or updates the open one, and records it. */
export async function openPullRequest(run: AdmittedRun, options: PullRequestOptions): Promise<void> {
  const {context, event, record} = run;
  const {publication, settings, repository} = options;
  const closedRecord = redactRecord({record: record.current(), redact: context.redact});
  const stat = await diffStat(repository, publication.parent, publication.commit);
  const pullRequest = await context.github.openOrUpdatePullRequest({
    head: branchOf(publication.ref),
    base: event.repository.defaultBranch,
    ...renderPullRequest(closedRecord, {issueTitle: event.thread.title, stat, starter: event.author?.login ?? null}),
    draft: publication.withWarning || settings.draft,
  });
  if (!pullRequest.ok) return record.addFailure(pullRequest.failure);
  if (context.withheld !== null) return;
  const {number, url, created} = pullRequest.value;
  record.update({publication: {...publication, pullRequest: {number, url, ...(created && {isNew: true})}}});
}

/**
 * Labels a new pull request, and asks the requester and the reviewers of `verify.json` to review it. GitHub refuses
 * some people, such as its author; that needs no answer.
 */
export async function requestReview({context, record, config, event}: PreparedRun): Promise<void> {
  const {publication, thread} = record.current();
  const pullRequest = publication.kind === "published" ? publication.pullRequest : null;
  if (pullRequest?.isNew !== true) return;
  const {number} = pullRequest;
  const {labels, reviewers} = config.pullRequest;
  for (const reviewer of new Set([thread?.actor ?? event.author?.login ?? "", ...reviewers].filter(Boolean))) {
    const request = await context.github.requestReview({number, reviewer});
    if (!request.ok) context.log(`No review was requested from ${reviewer}: ${request.failure.message}`);
  }
  const labelling = labels.length === 0 ? null : await context.github.addLabels({number, labels});
  if (labelling?.ok === false)
    record.addNotes([{about: "labels", text: `could not be added (${labelling.failure.message})`}]);
}

/**
 * Marks the published or parked commit, or the head that `/verify` verified. If the token may not create a check, a
 * commit status replaces it; if it may do neither, the record gets a note.
 */
export async function markCommit(run: AdmittedRun): Promise<void> {
  const {record, context, event} = run;
  const commit = commitToMark(run);
  if (commit === null) return;
  const text = renderCheck(redactRecord({record: record.current(), redact: context.redact}));
  if (text === null) return;
  const url = context.runner.runUrl;
  // Another trigger may verify the same commit. It gets its own check, and the newest counts.
  const id = `${event.trigger.kind}-${event.trigger.id}-${context.runner.runAttempt}`;
  const checkCreation = await context.github.createCheck({commit, name: CHECK_NAME, id, url, text});
  if (checkCreation.ok) return;
  const state = text.conclusion === "failure" ? "failure" : "success";
  const statusUpdate = await context.github.setCommitStatus({
    commit,
    state,
    context: CHECK_NAME,
    description: text.title,
    url,
  });
  if (statusUpdate.ok) return;
  const {status, message} = checkCreation.failure;
  const next =
    status === 403 ? "Add `checks: write` to the workflow's `permissions`." : "The next `/verify` tries again.";
  record.addNotes([{about: CHECK_NAME, text: `could not be set on the commit (${message}). ${next}`}]);
}

/** A commit that exists on the server. Parked work that was moved onto a newer base exists only on this machine. */
function commitToMark(run: AdmittedRun): string | null {
  const {publication, resumes, attempts} = run.record.current();
  if (publication.kind !== "none" && publication.kind !== "parked-locally") return publication.commit;
  if (requestRules(run).task !== null) return null;
  const commit = attempts.at(-1)?.candidate?.commit ?? null;
  return resumes === undefined || resumes === commit ? commit : null;
}

/** Both steps, for a run that crashed after its push. */
export async function completePublication(run: AdmittedRun): Promise<void> {
  const {publication, rules} = run.record.current();
  if (publication.kind !== "published" || rules === null) return;
  const {thread} = run.event;
  const isOwnBranch = !thread.isPullRequest && branchNames(run).includes(publication.ref);
  const ownRepository = publication.pullRequest === null && isOwnBranch ? await openOwnRepository(run) : null;
  if (ownRepository?.ok) {
    const repository = ownRepository.value;
    const config = await readConfig(
      (path) => repository.readText(rules.commit, path, {maxBytes: MAX_CONFIG_BYTES}),
      extendedOf(run),
    );
    const {isSetup} = requestRules(run);
    if (config.ok && (isSetup || (config.value.publish ?? "pull-request") === "pull-request"))
      await openPullRequest(run, {publication, settings: config.value.pullRequest, repository});
  }
  await markCommit(run);
}
