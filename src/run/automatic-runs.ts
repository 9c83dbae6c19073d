/** Counts the runs that no person called, so that each day has only a few of them. */
import {isOwnAccount} from "../github/comments.ts";
import {readMarker} from "../github/marker.ts";
import {ok, type Result} from "../record/words.ts";
import type {GitHubFailure} from "../request/admission.ts";
import type {Event} from "../request/event.ts";
import {TRIGGERS} from "../request/triggers.ts";
import {runId} from "./admitted-run.ts";
import type {RunContext} from "./run-context.ts";

const DAY_MS = 24 * 3_600_000;

/**
 * The number of automatic runs in the repository in the 24 hours before this event: Assay's own comments with the mark of
 * such a run. Refused ones count too.
 */
export async function countAutomaticRuns(context: RunContext, event: Event): Promise<Result<number, GitHubFailure>> {
  const {github} = context;
  const since = new Date(Date.parse(event.createdAt) - DAY_MS).toISOString().replace(/\.\d+/, "");
  const [self, comments] = [await github.whoami(), await github.recentComments(since)];
  if (!self.ok) return self;
  if (!comments.ok) return comments;
  const kinds = TRIGGERS.flatMap(({kind, isAutomatic}) => (isAutomatic ? `${kind}-` : []));
  const runs = comments.value.filter(({author, body}) => {
    const run = isOwnAccount(self.value, author) ? readMarker(body)?.run : undefined;
    return run !== runId(event) && kinds.some((kind) => run?.startsWith(kind));
  });
  return ok(runs.length);
}
