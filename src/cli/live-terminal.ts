/** Shows a verification in progress on a terminal: one line per stage. */

import {escapeLog} from "../process/escape-log.ts";
import type {OnEvent} from "../record/events.ts";
import {eventLine} from "../run/event-log.ts";

/** A terminal shows the current stage in a line that is rewritten. A log gets one line per finished stage. */
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
    // On a terminal the table at the end repeats these lines.
    if (line !== null) out.write(isLive ? clear : `${escapeLog(line, "")}\n`);
  };
}
