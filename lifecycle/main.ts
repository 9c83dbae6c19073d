/** The action's `main`: one whole run for the event that started the workflow. */
import {quiet} from "../src/process/quiet.ts";
import {failureLines, tell} from "./tell.ts";
import {openWorld} from "./world.ts";

const controller = new AbortController();
// GitHub cancels with SIGINT, sends SIGTERM 7.5 s later and kills 2.5 s after that: the first one must do.
for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => controller.abort());

const print = (line: string) => console.log(line);
const world = await openWorld({signal: controller.signal, print});
if (world.ok) {
  // Loaded only now: wrong inputs are said without waiting for all that a run needs.
  const {runAll} = await import("./run.ts");
  const {isGreen, why} = await runAll({world: world.value, listen: tell(world.value.log)});
  if (why !== "") world.value.log(why);
  process.exitCode = isGreen ? 0 : 1;
} else {
  print(quiet(failureLines(world.failure).join("\n")));
  process.exitCode = 1;
}
