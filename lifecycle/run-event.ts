/** `assay run --event FILE`: handles one payload as the action does. GitHub's address is in `GITHUB_API_URL`. */
import {readFileSync} from "node:fs";
import {gitTop} from "../src/cli/git-top.ts";
import {escapeLog} from "../src/process/escape-log.ts";
import {finishedFacts} from "../src/record/event-line.ts";
import {parseJson} from "../src/record/parse-json.ts";
import {recordSchema} from "../src/record/record.ts";
import {renderWithheld} from "../src/report/withheld.ts";
import {openEventFile} from "../src/run/event-file.ts";
import {failureLines} from "../src/run/failure-lines.ts";
import {openRunContext} from "../src/run/run-context.ts";
import {recover} from "./4-settle.ts";
import {runJob} from "./run.ts";

/** Exit 0 exactly when the run is green (P14). */
export async function runCommand({
  event,
  eventName = process.env["GITHUB_EVENT_NAME"] ?? "issue_comment",
  eventLog,
  json = false,
  dryRun = false,
}: {
  event: string;
  eventName?: string;
  eventLog?: string;
  json?: boolean;
  dryRun?: boolean;
}): Promise<number> {
  const problem = payloadProblem(event);
  if (problem !== null) {
    process.stderr.write(`${escapeLog(`error: ${event} ${problem}`, "")}\n`);
    return 3;
  }
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => controller.abort());
  // stdout is reserved for the JSON document.
  const print = (line: string) => void process.stderr.write(`${escapeLog(line, "")}\n`);
  const {signal} = controller;
  const context = await openRunContext({signal, print, event: {name: eventName, path: event}, isDryRun: dryRun});
  if (!context.ok) {
    print(failureLines(context.failure).join("\n"));
    return 3;
  }
  const {redact, now} = context.value;
  const events =
    eventLog === undefined ? null : openEventFile({path: eventLog, top: gitTop(process.cwd()), redact, now});
  if (events?.ok === false) {
    print(events.failure);
    return 3;
  }
  const {onEvent} = events?.value ?? {};
  const {isGreen, why, recordFile} = await runJob({...context.value, ...(onEvent && {onEvent})});
  if (why !== "") print(why);
  await recover(context.value, {hasMainEnded: true});
  // A refused request has no record and no events.
  if (recordFile !== undefined)
    events?.value.write(finishedFacts(recordSchema.parse(JSON.parse(readFileSync(recordFile, "utf8"))), isGreen));
  events?.value.close();
  const {withheld} = context.value;
  if (withheld !== null && !json) process.stdout.write(`${escapeLog(renderWithheld(withheld), "")}\n`);
  if (json && recordFile !== undefined) process.stdout.write(readFileSync(recordFile, "utf8"));
  return isGreen ? 0 : 1;
}

/** The end of a sentence about the file with the payload; null if it can be one. The text is never shown. */
function payloadProblem(file: string): string | null {
  try {
    const payload = parseJson(readFileSync(file, "utf8"));
    if (payload === undefined) return "is not JSON; give the payload of a webhook, as GitHub sends it";
    return typeof payload === "object" && payload !== null ? null : "is not the payload of a webhook";
  } catch {
    return "cannot be read; give the path of a file with the payload of a webhook";
  }
}
