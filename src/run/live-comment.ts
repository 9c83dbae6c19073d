/** Updates the run's one comment. Edits are spaced out; the last one is always posted. */
import {setTimeout as pause} from "node:timers/promises";
import type {GitHub} from "../github/client.ts";
import type {CommentFilter} from "../github/comments.ts";
import type {Failure} from "../record/failure.ts";
import {ok, type Result} from "../record/words.ts";
import {editSpacing} from "./edit-spacing.ts";

/** A cancelled run has 7.5 s in total: an edit that hangs must not use them up. */
const PATIENCE_MS = 1_000;

export interface LiveComment {
  /** shows what `render` returns, from time to time, until `finish`; a later `show` replaces `render` */
  show(render: () => string): void;
  /** no more edits from time to time: GitHub takes one write a second, and the report is next */
  hold(): void;
  /** shows `body` at once, if the comment exists; a failure is ignored */
  note(body: string): Promise<void>;
  /** shows `body` now, after a pending edit, and returns the comment's id: a new one if the first was deleted */
  finish(body: string): Promise<Result<number, Failure>>;
}

type CommentMethods = Pick<GitHub, "updateComment" | "findComment" | "createComment" | "rateLimit" | "contentLimit">;

/** With `id` null there is no comment yet; `finish` looks for one with the run's marker before it creates one. */
export function openLiveComment(options: {
  github: CommentMethods;
  /** of the thread */
  number: number;
  isIt: CommentFilter;
  id: number | null;
}): LiveComment {
  const {github, number, isIt, id} = options;
  const edits = id === null ? null : openEdits(github, id);
  /** Looks before it creates: an earlier request may have succeeded although its answer was lost. */
  const replaceComment = async (body: string, gone?: Result<number, Failure>): Promise<Result<number, Failure>> => {
    const search = await github.findComment(number, isIt);
    if (!search.ok) return search;
    const existingComment = search.value;
    // GitHub also answers 404 without permission to edit. A comment that is still listed exists, and there must not be
    // a second one.
    if (gone !== undefined && existingComment?.id === id) return gone;
    const replacement =
      existingComment === null
        ? await github.createComment({number, body, isIt})
        : await github.updateComment(existingComment.id, body);
    return replacement.ok ? ok(replacement.value.id) : replacement;
  };
  return {
    show: (render) => edits?.show(render),
    hold: () => edits?.hold(),
    async note(body) {
      if (id !== null) await github.updateComment(id, body, {mayWait: false});
    },
    async finish(body) {
      await edits?.stop();
      if (id === null) return replaceComment(body);
      const update = await github.updateComment(id, body);
      if (update.ok) return ok(id);
      return [404, 410].includes(update.failure.status) ? replaceComment(body, update) : update;
    },
  };
}

/** Edits an existing comment from time to time, one edit after the other, until it is stopped. */
function openEdits(github: CommentMethods, id: number) {
  const startedMs = performance.now();
  let render: (() => string) | null = null;
  let timer: NodeJS.Timeout | undefined;
  let lastBody = "";
  let runningEdit: Promise<unknown> = Promise.resolve();
  let isOver = false;

  const schedule = (delayMs: number) => {
    if (isOver) return;
    // A bug in the progress text must not end the run.
    timer = setTimeout(() => void send().catch(() => undefined), delayMs);
    timer.unref();
  };
  const send = async () => {
    if (render === null) return;
    const sentMs = performance.now();
    const body = render();
    if (body !== lastBody) {
      lastBody = body;
      runningEdit = github.updateComment(id, body, {mayWait: false});
      await runningEdit;
    }
    const now = performance.now();
    const spacing = editSpacing({elapsedMs: now - startedMs, rate: github.rateLimit(), content: github.contentLimit()});
    schedule(Math.max(0, sentMs + spacing - now));
  };
  const hold = () => {
    isOver = true;
    clearTimeout(timer);
  };
  return {
    show(nextRender: () => string) {
      const isFirst = render === null;
      render = nextRender;
      // The comment was created just before.
      if (isFirst) schedule(editSpacing({elapsedMs: 0, rate: null}));
    },
    hold,
    async stop() {
      hold();
      await Promise.race([runningEdit, pause(PATIENCE_MS, null, {ref: false})]);
    },
  };
}
