/** The run's one comment. Edits are spaced out; the last one always gets through, in a new comment if necessary. */
import {setTimeout as pause} from "node:timers/promises";
import type {GitHub} from "../github/client.ts";
import type {CommentFilter} from "../github/comments.ts";
import type {Failure} from "../record/failure.ts";
import {ok, type Result} from "../record/words.ts";

/** GitHub asks for at most one content write per second; a person reads a status line far more slowly than that. */
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
  let waiting: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  let lastSent = Number.NEGATIVE_INFINITY;
  let underWay: Promise<unknown> = Promise.resolve();
  let isOver = false;

  const send = () => {
    timer = undefined;
    if (waiting === null || id === null || isOver) return;
    lastSent = performance.now();
    underWay = github.updateComment(id, waiting);
    waiting = null;
  };
  /** Looks before it creates: an earlier request may have succeeded although its answer was lost. */
  const replace = async (body: string, gone?: Result<number, Failure>): Promise<Result<number, Failure>> => {
    const search = await github.findComment(number, isIt);
    if (!search.ok) return search;
    const existing = search.value;
    // GitHub answers 404 also without permission to edit. A comment that is still listed exists, and there must not be a second one.
    if (gone !== undefined && existing?.id === id) return gone;
    const replacement =
      existing === null
        ? await github.createComment({number, body, isIt})
        : await github.updateComment(existing.id, body);
    return replacement.ok ? ok(replacement.value.id) : replacement;
  };
  return {
    show(body) {
      waiting = body;
      if (timer !== undefined || isOver) return;
      timer = setTimeout(send, Math.max(0, lastSent + SPACING_MS - performance.now()));
      timer.unref();
    },
    async finish(body) {
      isOver = true;
      clearTimeout(timer);
      await Promise.race([underWay, pause(PATIENCE_MS, null, {ref: false})]);
      if (id === null) return replace(body);
      const update = await github.updateComment(id, body);
      if (update.ok) return ok(id);
      return [404, 410].includes(update.failure.status) ? replace(body, update) : update;
    },
  };
}
