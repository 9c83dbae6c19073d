/** The action's `main`: one whole run for the event that started the workflow. */
import {annotateError, writeOutputs} from "../src/github/runner.ts";
import {choosePrograms} from "../src/process/own-programs.ts";
import {failureLines, logEvents} from "../src/run/event-log.ts";
import {openRunContext, type RunContext} from "../src/run/run-context.ts";
import type {Done} from "./4-settle.ts";

const controller = new AbortController();
// GitHub cancels with SIGINT, sends SIGTERM 7.5 s later and kills 2.5 s after that: the first one must do.
for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => controller.abort());

// Earlier steps put folders in front of the PATH in which the agent and the stages may write.
choosePrograms({otherwise: process.env["PATH"] ?? ""});
const print = (line: string) => console.log(line);
const world = await openRunContext({signal: controller.signal, print});
if (world.ok) {
  // Outputs count from `main` only: GitHub discards those of `post` (actions/runner, ExecutionContext.SetOutput).
  writeOutputs({verified: "false"});
  const {isGreen, why} = await act(world.value);
  if (!isGreen) annotateError(world.value.redact(why));
  else if (why !== "") world.value.log(why);
  process.exitCode = isGreen ? 0 : 1;
} else {
  annotateError(failureLines(world.failure).join("\n"));
  process.exitCode = 1;
}

/** Each part is loaded only when its turn comes: wrong inputs are said without waiting for all that a run needs. */
async function act(world: RunContext): Promise<Done> {
  const listen = logEvents(world.log);
  switch (world.inputs.job) {
    case "all":
      return (await import("./run.ts")).runAll({world, listen});
    case "admit":
      return (await import("./jobs/admit.ts")).admitJob(world);
    case "work":
      return (await import("./jobs/work.ts")).workJob(world, listen);
    case "hand-over":
      return (await import("./jobs/work.ts")).handOverJob(world);
    case "verify":
      return (await import("./jobs/verify.ts")).verifyJob(world, listen);
    case "publish":
      return (await import("./jobs/publish.ts")).publishJob(world, listen);
  }
}
