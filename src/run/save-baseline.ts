/** Saves the results of the base's stages for later runs, after the run's own work is published. */

import type {KeptBaseline} from "../verify/baseline/kept-baseline.ts";
import type {AdmittedRun} from "./admitted-run.ts";

/** `kept` is null if the base did not run. An error only costs the next run time, so it is only logged. */
export async function saveBaseline(o: {run: AdmittedRun; kept: KeptBaseline | null}): Promise<void> {
  const saved = await o.kept?.save();
  if (saved?.ok === false) {
    o.run.context.log("what the base's stages gave could not be kept; the next run starts without");
  }
}
