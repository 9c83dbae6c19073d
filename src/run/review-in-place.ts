/** Puts the findings and failures of `/review` on the lines of the pull request, and resolves them after a green run. */
import {createHash} from "node:crypto";
import type {LineComment} from "../github/line-comments.ts";
import {placeMarker} from "../github/marker.ts";
import {isGreen} from "../record/record.ts";
import {isVerified, ok} from "../record/words.ts";
import {failurePlaces} from "../report/check.ts";
import {renderLineComment, renderReviewBody} from "../report/live.ts";
import {redactRecord} from "../secrets/redact-record.ts";
import type {AdmittedRun} from "./admitted-run.ts";
import {requestRules} from "./request-rules.ts";

/** Open ones included. */
const MAX_COMMENTS = 20;

/** The report has everything too, also what is not on a line that the pull request shows. */
export async function reviewInPlace(run: AdmittedRun): Promise<void> {
  const {context, record} = run;
  const {thread, verdict} = record.current();
  if (thread === null || !thread.isPullRequest || context.withheld !== null || context.signal.aborted) return;
  const isPassed = isGreen(record.current()) && isVerified(verdict);
  const result = isPassed
    ? await resolvePlaces(run, thread.number)
    : requestRules(run).isReview
      ? await commentOnPlaces(run, thread.number)
      : ok(null);
  if (!result.ok)
    record.addNotes([{about: "comments on lines", text: `could not be written (${result.failure.message})`}]);
}

async function resolvePlaces({context: {github}}: AdmittedRun, number: number) {
  const open = await github.openPlaces(number);
  if (!open.ok || open.value.size === 0) return open;
  return github.resolveThreads([...open.value.values()]);
}

async function commentOnPlaces({context, record, event}: AdmittedRun, number: number) {
  const {github, redact, runner} = context;
  const closed = redactRecord({record: record.current(), redact});
  const commit = closed.attempts.at(-1)?.candidate?.commit;
  const byPlace = Map.groupBy(failurePlaces(closed), ({path, line}) => `${path}:${line}`);
  if (commit === undefined || byPlace.size === 0) return ok(null);
  const [shown, open] = [await github.shownLines(number), await github.openPlaces(number)];
  if (!shown.ok) return shown;
  if (!open.ok) return open;
  const comments: LineComment[] = [];
  for (const places of byPlace.values()) {
    const [{path, line} = {path: "", line: 0}] = places;
    const text = places.map(renderLineComment).join("\n\n");
    // Without the line, so that the same failure is found again after a push that moves it.
    const place = createHash("sha256").update(`${path}\0${text}`).digest("hex").slice(0, 16);
    if (shown.value.get(path)?.(line) && !open.value.has(place))
      comments.push({path, line, body: `${placeMarker(place)}\n${text}`});
  }
  const added = comments.slice(0, Math.max(0, MAX_COMMENTS - open.value.size));
  if (added.length === 0) return ok(null);
  const report = `${runner.serverUrl}/${event.repository.fullName}/pull/${number}#issuecomment-${closed.thread?.commentId}`;
  return github.commentOnLines({number, commit, comments: added, body: renderReviewBody(report)});
}
