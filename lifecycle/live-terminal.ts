/** Shows a verification on a terminal while it runs: one line a stage, a waiting one rewritten in place where that is possible. */
import type {OnEvent} from "../src/events.ts";
import {quiet} from "../src/process/quiet.ts";
import {lineFor} from "./tell.ts";

/** In a log, where lines cannot be taken back, only finished stages get a line. */
export function liveTerminal(out: {isTTY?: boolean; write(text: string): unknown}): OnEvent {
  const isLive = out.isTTY === true;
  const clear = isLive ? "\r\u001b[2K" : "";
  return (event) => {
    if (event.kind === "stage-started" && isLive) {
      out.write(`${clear}⏳ ${quiet(`${event.stage.name} (${event.index}/${event.of})`, "")}`);
      return;
    }
    if (event.kind === "setup-started" && isLive) out.write(`${clear}⏳ ${quiet(event.command, "")}`);
    if (event.kind !== "stage-finished" && event.kind !== "setup-finished") return;
    const line = lineFor(event);
    // The table at the end says it all again for a person at a terminal; a log keeps the lines.
    if (line !== null) out.write(isLive ? clear : `${quiet(line, "")}\n`);
  };
}
