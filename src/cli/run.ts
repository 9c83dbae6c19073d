/** `assay run --event FILE`: one whole run for a payload, as the action does it; GitHub's address from `GITHUB_API_URL`. */
import {readFileSync} from "node:fs";
import {runAll} from "../../lifecycle/run.ts";
import {failureLines, logEvents} from "../run/event-log.ts";
import {recover} from "../run/recover.ts";
import {openRunContext} from "../run/run-context.ts";

/** Exit 0 exactly when the run is green (P14). */
export async function runCommand(o: {event: string; eventName?: string; json?: boolean}): Promise<number> {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => controller.abort());
  // stdout belongs to the document.
  const print = (line: string) => void process.stderr.write(`${line}\n`);
  const world = await openRunContext({
    signal: controller.signal,
    print,
    event: {name: o.eventName ?? process.env["GITHUB_EVENT_NAME"] ?? "issue_comment", path: o.event},
  });
  if (!world.ok) {
    print(failureLines(world.failure).join("\n"));
    return 3;
  }
  const {isGreen, why, recordFile} = await runAll({world: world.value, listen: logEvents(world.value.log)});
  if (why !== "") print(why);
  await recover(world.value);
  if (o.json && recordFile !== null) process.stdout.write(readFileSync(recordFile, "utf8"));
  return isGreen ? 0 : 1;
}
