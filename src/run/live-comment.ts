/** Updates the run's one comment. Edits are spaced out; the last one is always posted. */
import {setTimeout as pause} from "node:timers/promises";
import type {GitHub} from "../github/client.ts";
import type {CommentFilter} from "../github/comments.ts";
import type {Failure} from "../record/failure.ts";
import {ok, type Result} from "../record/words.ts";

/** GitHub allows about one content write per second, and people read a status line far less often. */
const SPACING_MS = 10_000;
/** A cancelled run has 7.5 s in total: an edit that hangs must not use them up. */
const PATIENCE_MS = 1_000;

export interface LiveComment {
  /** shows `body` soon; a newer one replaces a body that is not shown yet */
  show(body: string): void;
  /** shows `body` now, after a pending edit, and returns the comment's id: a new one if the first was deleted */
  finish(body: string): Promise<Result<number, Failure>>;
}

/** With `id` null there is no comment yet; `finish` looks for one with the run's marker before it creates one. */
export function openLiveComment(options: {
  github: Pick<GitHub, "updateComment" | "findComment" | "createComment">;
  /** of the thread */
  number: number;
  isIt: CommentFilter;
  id: number | null;
}): LiveComment {
  const {github, number, isIt, id} = options;
  let waitingBody: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  let lastSent = Number.NEGATIVE_INFINITY;
  let underWay: Promise<unknown> = Promise.resolve();
  let isOver = false;

  const send = () => {
    timer = undefined;
    if (waitingBody === null || id === null || isOver) return;
    lastSent = performance.now();
    underWay = github.updateComment(id, waitingBody);
    waitingBody = null;
  };
  /** Looks before it creates: an earlier request may have succeeded although its answer was lost. */
  const replaceComment = async (body: string, gone?: Result<number, Failure>): Promise<Result<number, Failure>> => {
    const search = await github.findComment(number, isIt);
    if (!search.ok) return search;
    const existingComment = search.value;
    // GitHub answers 404 also without permission to edit. A comment that is still listed exists, and there must not be
    // a second one.
    if (gone !== undefined && existingComment?.id === id) return gone;
    const replacement =
      existingComment === null
        ? await github.createComment({number, body, isIt})
        : await github.updateComment(existingComment.id, body);
    return replacement.ok ? ok(replacement.value.id) : replacement;
  };
  return {
    show(body) {
      waitingBody = body;
      if (timer !== undefined || isOver) return;
      timer = setTimeout(send, Math.max(0, lastSent + SPACING_MS - performance.now()));
      timer.unref();
    },
    async finish(body) {
      isOver = true;
      clearTimeout(timer);
      await Promise.race([underWay, pause(PATIENCE_MS, null, {ref: false})]);
      if (id === null) return replaceComment(body);
      const update = await github.updateComment(id, body);
      if (update.ok) return ok(id);
      return [404, 410].includes(update.failure.status) ? replaceComment(body, update) : update;
    },
  };
}
