/** The job `cache`: installs the default branch's dependencies, for the step that saves the downloads. No change is on its machine. */
import {rm} from "node:fs/promises";
import {readEvent} from "../../request/event.ts";
import {createRecord, openRun} from "../admitted-run.ts";
import {prepareRun} from "../prepare-run.ts";
import {downloadsFolder, type RunContext} from "../run-context.ts";
import {openVerifier} from "../verifier.ts";
import {failedJob, type JobResult} from "./job-result.ts";

export async function cacheJob(context: RunContext): Promise<JobResult> {
  const {runner, variables} = context;
  const reading = readEvent(runner.eventName, context.event);
  const event = reading.kind === "event" ? reading.event : null;
  // Comments and schedules have the default branch as their ref, too.
  const isPush = runner.eventName === "push" && event !== null;
  if (!isPush || variables["GITHUB_REF"] !== `refs/heads/${event.repository.defaultBranch}`)
    return {isGreen: false, why: "Downloads are saved only after a push to the default branch."};
  const request = {kind: "verify" as const, only: []};
  const start = {request, startedAt: context.now(), showsPlan: false, commentId: null};
  const run = openRun({context, event, record: createRecord({context, event}, start), commentId: null, eyes: null});
  const prepared = await prepareRun(run);
  if (!prepared.ok) return failedJob(prepared.failure);
  if (prepared.value.configFailure !== null) return failedJob(prepared.value.configFailure);
  const verifier = await openVerifier(prepared.value, null);
  const isSaved = await verifier.checkouts.saveDownloads(downloadsFolder(context));
  await verifier.dispose();
  // `post` would treat a record without an end as a crash.
  await rm(run.folder, {recursive: true, force: true});
  return isSaved ? {isGreen: true, why: ""} : {isGreen: false, why: "The install of the default branch failed."};
}
