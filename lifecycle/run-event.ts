/** `assay run --event FILE`: handles one payload as the action does. GitHub's address is in `GITHUB_API_URL`. */
import {readFileSync} from "node:fs";
import {renderWithheld} from "../src/report/withheld.ts";
import {failureLines} from "../src/run/event-log.ts";
import {openRunContext} from "../src/run/run-context.ts";
import {recover} from "./4-settle.ts";
import {runJob} from "./run.ts";

/** Exit 0 exactly when the run is green (P14). */
export async function runCommand({
  event,
  eventName = process.env["GITHUB_EVENT_NAME"] ?? "issue_comment",
  json = false,
  dryRun = false,
}: {
  event: string;
  eventName?: string;
  json?: boolean;
  dryRun?: boolean;
}): Promise<number> {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => controller.abort());
  // stdout is reserved for the JSON document.
  const print = (line: string) => void process.stderr.write(`${line}\n`);
  const {signal} = controller;
  const context = await openRunContext({signal, print, event: {name: eventName, path: event}, isDryRun: dryRun});
  if (!context.ok) {
    print(failureLines(context.failure).join("\n"));
    return 3;
  }
  const {isGreen, why, recordFile} = await runJob(context.value);
  if (why !== "") print(why);
  await recover(context.value);
  const {withheld} = context.value;
  if (withheld !== null && !json) process.stdout.write(renderWithheld(withheld));
  if (json && recordFile !== undefined) process.stdout.write(readFileSync(recordFile, "utf8"));
  return isGreen ? 0 : 1;
}
