/** Whether this machine may still be believed: its device files, Assay's own programs, and the tools of the plan. */
import {deviceProblem, ownPrograms} from "../process/own-programs.ts";
import type {Verdict} from "../record/verification.ts";
import type {Toolchain} from "./toolchain.ts";

/** At most this many are named in the report. */
const MOST_NAMED = 5;

/**
 * The verdict where it may not, null where it may. To be asked before the stages, and once more after them: a stage, or what it
 * left behind, can reach the same files as the agent.
 */
export function machineVerdict(toolchain: Toolchain | null): Verdict | null {
  const device = deviceProblem();
  if (device !== null) return {kind: "unverified", why: "gate-error", detail: `${device.what}; ${device.fix}`};
  const changed = [...ownPrograms().changed(), ...(toolchain?.changed() ?? [])];
  if (changed.length === 0) return null;
  const named = changed.slice(0, MOST_NAMED).join("; ");
  const more = changed.length > MOST_NAMED ? `; and ${changed.length - MOST_NAMED} more` : "";
  const advice =
    "Programs and settings of the machine must stay as they were when the run started; install them in a step before Assay";
  return {kind: "unverified", why: "gate-error", detail: `${named}${more}. ${advice}`};
}
