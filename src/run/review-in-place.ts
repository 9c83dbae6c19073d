/** Puts the findings and failures of `/review` on the lines of the pull request, and resolves them after a green run. */
import {createHash} from "node:crypto";
import {groupBy} from "../diagnostics/group-by.ts";
import type {LineComment} from "../github/line-comments.ts";
import {placeMarker} from "../github/marker.ts";
import {isGreen, type RunRecord} from "../record/record.ts";
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
  const {github, redact, withheld, signal} = context;
  const closed = redactRecord({record: record.current(), redact});
  const isPassed = isGreen(closed) && isVerified(closed.verdict);
  const {isReview} = requestRules(run);
  if (!closed.thread?.isPullRequest || withheld !== null || signal.aborted || !(isReview || isPassed)) return;
  const {number} = closed.thread;
  const places = placesOf(closed);
  const known = await github.knownPlaces(number);
  const open = known.ok ? [...known.value].flatMap(([place, id]) => (id === null ? [] : [{place, id}])) : [];
  const gone = isPassed ? open.flatMap(({place, id}) => (places.has(place) ? [] : [id])) : [];
  const resolving = gone.length === 0 ? known : await github.resolveThreads(gone);
  const added = known.ok ? [...places].flatMap(([id, place]) => (known.value.has(id) ? [] : [place])) : [];
  const left = MAX_COMMENTS - open.length + gone.length;
  const adding = isReview && added.length > 0 ? await addComments(run, {closed, number, added, left}) : ok(null);
  for (const result of [resolving, adding])
    if (!result.ok)
      record.addNotes([{about: "comments on lines", text: `could not be written (${result.failure.message})`}]);
}

/** One comment for each line, by an id without the line: a push may move the same failure. */
function placesOf(record: RunRecord): Map<string, LineComment> {
  const places = new Map<string, LineComment>();
  for (const group of groupBy(failurePlaces(record), ({path, line}) => `${path}:${line}`).values()) {
    const [{path, line} = {path: "", line: 0}] = group;
    const text = group.map(renderLineComment).join("\n\n");
    const id = createHash("sha256").update(`${path}\0${text}`).digest("hex").slice(0, 16);
    places.set(id, {path, line, body: `${placeMarker(id)}\n${text}`});
  }
  return places;
}

async function addComments(
  {context, event}: AdmittedRun,
  {closed, number, added, left}: {closed: RunRecord; number: number; added: readonly LineComment[]; left: number},
) {
  const {github, runner} = context;
  const commit = closed.attempts.at(-1)?.candidate?.commit;
  const shown = await github.shownLines(number);
  if (!shown.ok || commit === undefined) return shown;
  const comments = added.filter(({path, line}) => shown.value.get(path)?.(line)).slice(0, Math.max(0, left));
  const report = `${runner.serverUrl}/${event.repository.fullName}/pull/${number}#issuecomment-${closed.thread?.commentId}`;
  return comments.length === 0
    ? ok(null)
    : github.commentOnLines({number, commit, comments, body: renderReviewBody(report)});
}
