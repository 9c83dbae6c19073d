/** Says on the commit itself what was seen of it: as the check `assay/verified`, which a branch rule can require. */

import type {AdmittedRun} from "../../lifecycle/1-admit.ts";
import {CHECK_NAME, renderCheck} from "../report/check.ts";
import {redactRecord} from "../secrets/redact-record.ts";

/**
 * Marks the published or parked commit, or the head that `/verify` verified. A
 * token that may make no check leaves a commit status instead; one that may do neither leaves a note.
 */
export async function markCommit(run: AdmittedRun): Promise<void> {
  const {record, world, event} = run;
  const commit = commitToMark(run);
  if (commit === null) return;
  const text = renderCheck(redactRecord({record: record.current(), redact: world.redact}));
  if (text === null) return;
  const url = world.context.runUrl;
  // Another trigger may look at the same commit: its check is another one, and the newest counts.
  const id = `${event.trigger.kind}-${event.trigger.id}-${world.context.runAttempt}`;
  const made = await world.github.createCheck({commit, name: CHECK_NAME, id, url, text});
  if (made.ok) return;
  const state = text.conclusion === "failure" ? "failure" : "success";
  const set = await world.github.setCommitStatus({commit, state, context: CHECK_NAME, description: text.title, url});
  if (set.ok) return;
  const {status, message} = made.failure;
  const next =
    status === 403 ? "Add `checks: write` to the workflow's `permissions`." : "The next `/verify` of it tries again.";
  record.addNotes([{about: CHECK_NAME, text: `could not be put on the commit (${message}). ${next}`}]);
}

/** A commit that is on the server. Parked work that was put onto a newer base is on this machine only. */
function commitToMark({record}: AdmittedRun): string | null {
  const {publication, request, resumes, attempts} = record.current();
  if (publication.kind === "published" || publication.kind === "parked") return publication.commit;
  if (request?.kind !== "verify") return null;
  const commit = attempts.at(-1)?.candidate?.commit ?? null;
  return resumes === undefined || resumes === commit ? commit : null;
}
