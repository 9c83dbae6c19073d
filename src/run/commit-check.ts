/** Puts the verdict on the commit as the check `assay/verified`, which a branch rule can require. */

import {CHECK_NAME, renderCheck} from "../report/check.ts";
import {redactRecord} from "../secrets/redact-record.ts";
import type {AdmittedRun} from "./admitted-run.ts";
import {requestRules} from "./request-rules.ts";

/**
 * Marks the published or parked commit, or the head that `/verify` verified. If the token may not create a check, a commit
 * status replaces it; if it may do neither, the record gets a note.
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
  const made = await context.github.createCheck({commit, name: CHECK_NAME, id, url, text});
  if (made.ok) return;
  const state = text.conclusion === "failure" ? "failure" : "success";
  const set = await context.github.setCommitStatus({commit, state, context: CHECK_NAME, description: text.title, url});
  if (set.ok) return;
  const {status, message} = made.failure;
  const next =
    status === 403 ? "Add `checks: write` to the workflow's `permissions`." : "The next `/verify` of it tries again.";
  record.addNotes([{about: CHECK_NAME, text: `could not be put on the commit (${message}). ${next}`}]);
}

/** A commit that exists on the server. Parked work that was moved onto a newer base exists only on this machine. */
function commitToMark(run: AdmittedRun): string | null {
  const {publication, resumes, attempts} = run.record.current();
  if (publication.kind === "published" || publication.kind === "parked") return publication.commit;
  if (requestRules(run).task !== null) return null;
  const commit = attempts.at(-1)?.candidate?.commit ?? null;
  return resumes === undefined || resumes === commit ? commit : null;
}
