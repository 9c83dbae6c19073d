/** The action's `main`: runs this job's part of the run for the event that started the workflow. */
import {annotateError, saveState, writeOutputs} from "../src/github/runner.ts";
import {choosePrograms} from "../src/process/own-programs.ts";
import {failureLines} from "../src/run/failure-lines.ts";
import {openRunContext} from "../src/run/run-context.ts";

const controller = new AbortController();
// GitHub cancels with SIGINT, sends SIGTERM 7.5 s later and kills 2.5 s after that, so the run reacts to SIGINT.
for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => controller.abort());

// Earlier steps put folders that the agent and the stages may write at the front of the PATH.
choosePrograms({otherwise: process.env["PATH"] ?? ""});
const print = (line: string) => console.log(line);
const context = await openRunContext({signal: controller.signal, print});
if (context.ok) {
  // Outputs count from `main` only: GitHub discards those of `post` (actions/runner, ExecutionContext.SetOutput).
  writeOutputs({verified: "false"});
  // Loaded only now, so that wrong inputs are reported at once.
  const {runJob} = await import("./run.ts");
  const {isGreen, why} = await runJob(context.value);
  saveState("ended", "true");
  if (!isGreen) annotateError(context.value.redact(why));
  else if (why !== "") context.value.log(why);
  process.exitCode = isGreen ? 0 : 1;
} else {
  annotateError(failureLines(context.failure).join("\n"));
  process.exitCode = 1;
}
