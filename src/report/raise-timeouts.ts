/** The entry of `verify.json` that gives more time to the checks that ran out of it. */
import {CONFIG_FILES} from "../detect/config/config.ts";
import {fence} from "../markdown/escape.ts";
import type {RunRecord} from "../record/record.ts";

/** How many times the time that was not enough. */
const FACTOR = 3;

const RAISE = "If a check that ran out of time is only slow, add this to `verify.json`:";

/** For a report: the line to paste with its introduction; empty if no detected check ran out of time. */
export function raiseTimeoutsPart(record: Pick<RunRecord, "attempts" | "plan">): string {
  const line = raisedTimeouts(record);
  return line === "" ? "" : `${RAISE}\n\n${fence(line, "json")}`;
}

/** The same for a terminal. */
export function raiseTimeoutsLines(record: Pick<RunRecord, "attempts" | "plan">): string[] {
  const line = raisedTimeouts(record);
  return line === "" ? [] : [RAISE, `  ${line}`];
}

/** Checks that `verify.json` lists under `stages` have their own `timeout`, and cannot be overridden. */
function raisedTimeouts({attempts, plan}: Pick<RunRecord, "attempts" | "plan">): string {
  const isConfigured = (name: string) =>
    plan?.stages.some((stage) => stage.name === name && CONFIG_FILES.some((file) => file === stage.origin.file));
  const entries = (attempts.at(-1)?.verification?.stages ?? []).flatMap(({name, exit}) =>
    exit?.kind === "timed-out" && !isConfigured(name)
      ? [`${JSON.stringify(name)}: {"timeout": ${Math.round((exit.afterMs * FACTOR) / 1000)}}`]
      : [],
  );
  return entries.length === 0 ? "" : `"overrides": {${entries.join(", ")}}`;
}
