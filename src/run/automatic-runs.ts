/** Counts the automatic runs, so that only a few run each day. */

import {basename} from "node:path";
import {isOwnAccount} from "../github/comments.ts";
import {readMarker} from "../github/marker.ts";
import {workflowPath} from "../github/workflow-job.ts";
import {ok, type Result} from "../record/words.ts";
import type {GitHubFailure} from "../request/admission.ts";
import type {Event} from "../request/event.ts";
import {TRIGGERS} from "../request/triggers.ts";
import {runId} from "./admitted-run.ts";
import {findRefusal} from "./find-refusal.ts";
import type {RunContext} from "./run-context.ts";

const DAY_MS = 24 * 3_600_000;

type CountingContext = {
  readonly github: Pick<RunContext["github"], "whoami" | "recentComments" | "scheduledRuns">;
} & Pick<RunContext, "runner" | "variables">;

/**
 * The number of other scheduled runs of this workflow on this day (UTC). Its comments cannot be counted. Refused runs
 * count, too: with any 24 hours instead of a day, they would refuse all later runs of a frequent schedule.
 */
async function countScheduledRuns(
  {github, runner, variables}: CountingContext,
  {trigger, createdAt}: Pick<Event, "trigger" | "createdAt">,
): Promise<Result<number, GitHubFailure>> {
  const since = `${createdAt.slice(0, "2026-01-01".length)}T00:00:00Z`;
  const path = workflowPath({ref: variables["GITHUB_WORKFLOW_REF"] ?? "", repository: runner.repository});
  const runs = await github.scheduledRuns({workflow: basename(path ?? "unknown"), since});
  return runs.ok ? ok(runs.value.filter((id) => id !== trigger.id).length) : runs;
}

/**
 * The number of automatic runs in the repository in the 24 hours before this event: Assay's own comments with the mark
 * of such a run. Refusals do not count, because strangers can cause them.
 */
export async function countAutomaticRuns(
  context: CountingContext,
  event: Pick<Event, "trigger" | "createdAt">,
): Promise<Result<number, GitHubFailure>> {
  if (event.trigger.kind === "schedule") return countScheduledRuns(context, event);
  const since = new Date(Date.parse(event.createdAt) - DAY_MS).toISOString().replace(/\.\d+/, "");
  const {github} = context;
  const [self, comments] = [await github.whoami(), await github.recentComments(since)];
  if (!self.ok) return self;
  if (!comments.ok) return comments;
  const kinds = TRIGGERS.flatMap(({kind, isAutomatic}) => (isAutomatic ? `${kind}-` : []));
  const runs = comments.value.filter(({author, body}) => {
    const marker = isOwnAccount(self.value, author) ? readMarker(body) : null;
    if (marker === null || marker.run === runId(event)) return false;
    return kinds.some((kind) => marker.run.startsWith(kind)) && findRefusal(body) === null;
  });
  return ok(runs.length);
}
