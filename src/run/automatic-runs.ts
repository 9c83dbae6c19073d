/** Counts the runs that no person called, so that each day has only a few of them. */

import type {GitHub} from "../github/client.ts";
import {isOwnAccount} from "../github/comments.ts";
import {type Marker, readMarker} from "../github/marker.ts";
import {ok, type Result} from "../record/words.ts";
import {renderRefusal} from "../report/live.ts";
import {type GitHubFailure, REFUSAL_LINES} from "../request/admission.ts";
import type {Event} from "../request/event.ts";
import {TRIGGERS} from "../request/triggers.ts";
import {runId} from "./admitted-run.ts";

const DAY_MS = 24 * 3_600_000;

/**
 * The number of automatic runs in the repository in the 24 hours before this event: Assay's own comments with the mark of
 * such a run. Refusals do not count, because strangers can cause them.
 */
export async function countAutomaticRuns(
  {github}: {readonly github: Pick<GitHub, "whoami" | "recentComments">},
  event: Pick<Event, "trigger" | "createdAt">,
): Promise<Result<number, GitHubFailure>> {
  const since = new Date(Date.parse(event.createdAt) - DAY_MS).toISOString().replace(/\.\d+/, "");
  const [self, comments] = [await github.whoami(), await github.recentComments(since)];
  if (!self.ok) return self;
  if (!comments.ok) return comments;
  const kinds = TRIGGERS.flatMap(({kind, isAutomatic}) => (isAutomatic ? `${kind}-` : []));
  const runs = comments.value.filter(({author, body}) => {
    const marker = isOwnAccount(self.value, author) ? readMarker(body) : null;
    if (marker === null || marker.run === runId(event)) return false;
    return kinds.some((kind) => marker.run.startsWith(kind)) && !isRefusal(body, marker);
  });
  return ok(runs.length);
}

const isRefusal = (body: string, marker: Marker): boolean =>
  REFUSAL_LINES.some((line) => renderRefusal({line, marker}).trim() === body.trim());
