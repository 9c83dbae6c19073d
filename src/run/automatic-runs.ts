/** Counts the automatic runs, so that only a few run each day, and the dry runs, which leave no comment. */

import {basename} from "node:path";
import {isOwnAccount, type ThreadComment} from "../github/comments.ts";
import {readMarker} from "../github/marker.ts";
import {workflowPath} from "../github/workflow-job.ts";
import {ok, type Result} from "../record/words.ts";
import {type GitHubFailure, screen} from "../request/admission.ts";
import type {Event} from "../request/event.ts";
import {TRIGGERS, triggerOf} from "../request/triggers.ts";
import {runId} from "./admitted-run.ts";
import {findRefusal} from "./find-refusal.ts";
import type {RunContext} from "./run-context.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type CountingContext = {
  readonly github: Pick<RunContext["github"], "whoami" | "recentComments" | "workflowRuns">;
} & Pick<RunContext, "runner" | "variables" | "withheld">;

/**
 * The number of other scheduled runs of this workflow on this day (UTC). Its comments cannot be counted. Refused runs
 * count, too: with any 24 hours instead of a day, they would refuse all later runs of a frequent schedule.
 */
async function countScheduledRuns(
  context: CountingContext,
  {trigger, createdAt}: Pick<Event, "trigger" | "createdAt">,
): Promise<Result<number, GitHubFailure>> {
  const since = `${createdAt.slice(0, "2026-01-01".length)}T00:00:00Z`;
  const runs = await readRuns(context, {event: "schedule", since});
  return runs.ok ? ok(runs.value.filter(({id}) => id !== trigger.id).length) : runs;
}

function readRuns({github, runner, variables}: RunsContext, {event, since}: {event: string; since: string}) {
  const path = workflowPath({ref: variables["GITHUB_WORKFLOW_REF"] ?? "", repository: runner.repository});
  return github.workflowRuns({workflow: basename(path ?? "unknown"), event, since});
}

type RunsContext = Pick<CountingContext, "runner" | "variables"> & {
  readonly github: Pick<RunContext["github"], "workflowRuns">;
};

/** A dry run writes no comment, so the workflow's other runs for the same event are counted, also refused ones. */
async function timesOfOtherRuns(
  context: RunsContext,
  {trigger, createdAt}: Pick<Event, "trigger" | "createdAt">,
  sinceMs: number,
): Promise<Result<string[], GitHubFailure>> {
  const runs = await readRuns(context, {event: triggerOf(trigger.kind).event, since: secondOf(sinceMs)});
  const ownId = context.variables["GITHUB_RUN_ID"] ?? "";
  if (!runs.ok) return runs;
  return ok(runs.value.flatMap((run) => (String(run.id) === ownId || run.createdAt > createdAt ? [] : run.createdAt)));
}

/** ISO 8601 in whole seconds, as GitHub writes it. */
const secondOf = (timeMs: number) => new Date(timeMs).toISOString().replace(/\.\d+/, "");

/**
 * The times of the requests in the last hour that a dry run counts instead of Assay's answers: other comments of people
 * in the thread, or other runs for the same event. Null for other runs, and for automatic ones, which have their own
 * limit.
 */
export async function dryRunTimes(
  context: CountingContext & {
    readonly github: Pick<RunContext["github"], "comments">;
    readonly inputs: Pick<RunContext["inputs"], "trigger-phrase">;
  },
  event: Event,
): Promise<Result<string[], GitHubFailure> | null> {
  const {kind, id} = event.trigger;
  if (context.withheld === null || triggerOf(kind).isAutomatic) return null;
  const sinceMs = Date.parse(event.createdAt) - HOUR_MS;
  if (kind !== "comment") return isOnRunner(context) ? timesOfOtherRuns(context, event, sinceMs) : null;
  const comments = await context.github.comments(event.thread.number, secondOf(sinceMs));
  if (!comments.ok) return comments;
  const phrase = context.inputs["trigger-phrase"];
  const isRequest = (comment: ThreadComment) =>
    screen({...event, text: comment.body, author: comment.author}, {phrase}).kind === "asked";
  const earlier = comments.value.filter(
    (comment) => comment.id !== id && comment.createdAt <= event.createdAt && isRequest(comment),
  );
  return ok(earlier.map(({createdAt}) => createdAt));
}

/** False in a terminal, where a person starts each dry run. */
const isOnRunner = ({variables}: Pick<CountingContext, "variables">) => Boolean(variables["GITHUB_WORKFLOW_REF"]);

/**
 * The number of automatic runs in the repository in the 24 hours before this event: Assay's own comments with the mark
 * of such a run. Refusals do not count, because strangers can cause them.
 */
export async function countAutomaticRuns(
  context: CountingContext,
  event: Pick<Event, "trigger" | "createdAt">,
): Promise<Result<number, GitHubFailure>> {
  if (event.trigger.kind === "schedule") return countScheduledRuns(context, event);
  const sinceMs = Date.parse(event.createdAt) - DAY_MS;
  if (context.withheld !== null && isOnRunner(context)) {
    const times = await timesOfOtherRuns(context, event, sinceMs);
    return times.ok ? ok(times.value.length) : times;
  }
  const since = secondOf(sinceMs);
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
