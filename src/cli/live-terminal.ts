/** Shows a verification on a terminal while it runs: one line a stage, a waiting one rewritten in place where that is possible. */

import {escapeLog} from "../process/escape-log.ts";
import type {OnEvent} from "../record/events.ts";
import {eventLine} from "../run/event-log.ts";

/** In a log, where lines cannot be taken back, only finished stages get a line. */
export function liveTerminal(out: {isTTY?: boolean; write(text: string): unknown}): OnEvent {
  const isLive = out.isTTY === true;
  const clear = isLive ? "\r\u001b[2K" : "";
  return (event) => {
    if (event.kind === "stage-started" && isLive) {
      out.write(`${clear}⏳ ${escapeLog(`${event.stage.name} (${event.index}/${event.of})`, "")}`);
      return;
    }
    if (event.kind === "setup-started" && isLive) out.write(`${clear}⏳ ${escapeLog(event.command, "")}`);
    if (event.kind !== "stage-finished" && event.kind !== "setup-finished") return;
    const line = eventLine(event);
    // The table at the end says it all again for a person at a terminal; a log keeps the lines.
    if (line !== null) out.write(isLive ? clear : `${escapeLog(line, "")}\n`);
  };
}
