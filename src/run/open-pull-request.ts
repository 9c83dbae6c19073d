/** The pull request of a published change. */
import {branchOf} from "../publish/target.ts";
import type {Publication} from "../record/record.ts";
import {renderPullRequest} from "../report/pull-request.ts";
import {redactRecord} from "../secrets/redact-record.ts";
import type {AdmittedRun} from "./admitted-run.ts";

export type Published = Extract<Publication, {kind: "published"}>;

/** Opens the pull request of what was published, or brings the open one up to date, and puts it into the record. */
export async function propose(o: {run: AdmittedRun; publication: Published}): Promise<void> {
  const {run, publication} = o;
  const {context, event, record} = run;
  const closed = redactRecord({record: record.current(), redact: context.redact});
  const opened = await context.github.openOrUpdatePullRequest({
    head: branchOf(publication.ref),
    base: event.repository.defaultBranch,
    ...renderPullRequest(closed, {issueTitle: event.thread.title}),
    draft: publication.withWarning,
  });
  if (!opened.ok) return run.record.addFailure(opened.failure);
  const {number, url} = opened.value;
  record.update({publication: {...publication, pullRequest: {number, url}}});
}
