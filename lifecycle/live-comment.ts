/** The run's one comment while the run goes on: edits are spaced out, and the last one always gets through. */
import type {GitHub} from "../src/github/client.ts";

/** GitHub asks for at most one content write per second; a person reads a status line far more slowly than that. */
const SPACING_MS = 10_000;

export interface LiveComment {
  /** shows `body` soon; a newer one replaces what has not been shown yet */
  show(body: string): void;
  /** shows `body` now, after whatever is under way; false when GitHub refused it */
  finish(body: string): Promise<boolean>;
}

/** `id` null: there is no comment to edit, and `finish` says so. */
export function openLiveComment(o: {
  github: Pick<GitHub, "updateComment">;
  id: number | null;
  log: (line: string) => void;
}): LiveComment {
  const {github, id, log} = o;
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
      await underWay;
      if (id === null) return false;
      const shown = await github.updateComment(id, body);
      if (!shown.ok) log(`the report could not be shown in the comment: ${shown.failure.message}`);
      return shown.ok;
    },
  };
}
