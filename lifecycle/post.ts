/** The action's `post`: runs after `main` however that ended, and closes what it left open. */
import {readState} from "../src/github/runner.ts";
import {escapeLog} from "../src/process/escape-log.ts";
import {choosePrograms} from "../src/process/own-programs.ts";
import {failureLines} from "../src/run/event-log.ts";
import {openRunContext} from "../src/run/run-context.ts";

choosePrograms({otherwise: process.env["PATH"] ?? ""});
const print = (line: string) => console.log(line);
// `post` itself is not cancelled: it has little to do, and it is the last chance to do it.
const context = await openRunContext({signal: new AbortController().signal, print, keptEvent: readState("event")});
if (!context.ok) print(escapeLog(failureLines(context.failure).join("\n")));
// In the separated mode the jobs that may not write leave the recovering to the one that may: it runs in any case.
if (context.ok && ["all", "admit", "publish"].includes(context.value.inputs.job)) {
  const {recover} = await import("./4-settle.ts");
  await recover(context.value);
}
