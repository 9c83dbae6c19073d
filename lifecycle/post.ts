/** The action's `post`: runs after every end of `main`, and recovers a run that `main` left open. */
import {readState} from "../src/github/runner.ts";
import {escapeLog} from "../src/process/escape-log.ts";
import {choosePrograms} from "../src/process/own-programs.ts";
import {failureLines} from "../src/run/failure-lines.ts";
import {openRunContext} from "../src/run/run-context.ts";

choosePrograms({otherwise: process.env["PATH"] ?? ""});
const print = (line: string) => console.log(line);
// `post` is not cancelled: it is short, and the last chance to save and report.
const context = await openRunContext({signal: new AbortController().signal, print, keptEvent: readState("event")});
if (!context.ok) print(escapeLog(failureLines(context.failure).join("\n")));
// In the separated mode, only jobs that may write recover; the publishing job always runs.
if (context.ok && ["all", "admit", "publish"].includes(context.value.inputs.job)) {
  const {recover} = await import("./4-settle.ts");
  await recover(context.value, {hasMainEnded: readState("ended") === "true"});
}
