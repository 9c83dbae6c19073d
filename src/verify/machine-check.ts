/** Checks whether this machine is still trustworthy: device files, Assay's own programs, and the plan's tools. */
import {deviceProblem, ownPrograms} from "../process/own-programs.ts";
import type {Verdict} from "../record/verification.ts";
import type {Toolchain} from "./toolchain.ts";

/** The report names at most this many. */
const MAX_SHOWN = 5;

/**
 * The verdict if the machine is not trustworthy, else null. Must be called before the stages, and again after them, because a
 * stage can reach the same files as the agent.
 */
export function machineVerdict(toolchain: Toolchain | null): Verdict | null {
  const device = deviceProblem();
  if (device !== null) return {kind: "unverified", why: "gate-error", detail: `${device.what}; ${device.fix}`};
  const changed = [...ownPrograms().changed(), ...(toolchain?.changed() ?? [])];
  if (changed.length === 0) return null;
  const shown = changed.slice(0, MAX_SHOWN).join("; ");
  const more = changed.length > MAX_SHOWN ? `; and ${changed.length - MAX_SHOWN} more` : "";
  const advice =
    "Programs and settings of the machine must stay as they were when the run started; install them in a step before Assay";
  return {kind: "unverified", why: "gate-error", detail: `${shown}${more}. ${advice}`};
}
