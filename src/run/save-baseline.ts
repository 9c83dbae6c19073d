/** Keeps what a run saw of the base's stages for the runs that follow, once its own work is published. */

import type {KeptBaseline} from "../verify/baseline/kept-baseline.ts";
import type {AdmittedRun} from "./admitted-run.ts";

/** Null where no base was looked at. Failing to costs the next run time and nothing else, so that it is only logged. */
export async function saveBaseline(o: {run: AdmittedRun; kept: KeptBaseline | null}): Promise<void> {
  const saved = await o.kept?.save();
  if (saved?.ok === false) {
    o.run.context.log("what the base's stages gave could not be kept; the next run starts without");
  }
}
