/** The run's one comment while the run goes on: edits are spaced out, and the last one always gets through, if need be in a new one. */
import {setTimeout as pause} from "node:timers/promises";
import type {GitHub} from "../github/client.ts";
import type {CommentFilter} from "../github/comments.ts";
import type {Failure} from "../record/failure.ts";
import {ok, type Result} from "../record/words.ts";

/** GitHub asks for at most one content write per second; a person reads a status line far more slowly than that. */
const SPACING_MS = 10_000;
/** A cancelled run has 7.5 s in all: an edit that hangs must not take them. */
const PATIENCE_MS = 1_000;

export interface LiveComment {
  /** shows `body` soon; a newer one replaces what has not been shown yet */
  show(body: string): void;
  /** shows `body` now, after whatever is under way, and gives the comment's id: another one where the first was deleted */
  finish(body: string): Promise<Result<number, Failure>>;
}

/** `id` null: there is no comment to edit yet, and `finish` looks for it by its mark before it makes one. */
export function openLiveComment(o: {
  github: Pick<GitHub, "updateComment" | "findComment" | "createComment">;
  /** of the thread */
  number: number;
  isIt: CommentFilter;
  id: number | null;
}): LiveComment {
  const {github, number, isIt, id} = o;
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
  /** A create is never sent blindly: what an earlier answer has lost may be there. */
  const anew = async (body: string, gone?: Result<number, Failure>): Promise<Result<number, Failure>> => {
    const found = await github.findComment(number, isIt);
    if (!found.ok) return found;
    const known = found.value;
    // GitHub also says 404 of what it only does not let one change: what is still listed is there, and a second is one too many.
    if (gone !== undefined && known?.id === id) return gone;
    const made =
      known === null ? await github.createComment({number, body, isIt}) : await github.updateComment(known.id, body);
    return made.ok ? ok(made.value.id) : made;
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
      if (id === null) return anew(body);
      const shown = await github.updateComment(id, body);
      if (shown.ok) return ok(id);
      return [404, 410].includes(shown.failure.status) ? anew(body, shown) : shown;
    },
  };
}
