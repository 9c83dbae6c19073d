/** Decides how the stages of a run are fenced in, and whether the machine has what a verification needs. */
import {statfs} from "node:fs/promises";
import {probeIsolation} from "../../process/isolation.ts";
import {probeSandbox} from "../../process/sandbox.ts";
import type {Isolation} from "../../record/verification.ts";

export interface Fence {
  readonly isolation: Isolation;
  /** when commands of the repository may reach the network */
  readonly network: "all" | "setup" | "none";
  /** why nothing may run here, with the next action; null when it may */
  readonly refusal: string | null;
}

/**
 * The best fence that the machine has and the owner wants: `sandbox` and `network` are those of verify.json. What the
 * owner asks for and the machine cannot do is refused, never quietly left out. A fork's code runs in the sandbox whatever the owner
 * says: without it, it could reach the files of the steps that follow, and what they hold. `folders` says where to look for
 * bubblewrap.
 */
export async function chooseFence(o: {
  readonly sandbox: "auto" | "required" | "off";
  readonly network: Fence["network"];
  readonly isOfFork?: boolean;
  readonly folders?: string;
}): Promise<Fence> {
  const {network, isOfFork = false} = o;
  const isOpen = network === "all";
  const probe = o.sandbox === "off" && !isOfFork ? null : await probeSandbox({...o, network: isOpen});
  if (probe?.kind === "available") return {isolation: "sandbox", network, refusal: null};
  const isolation = await probeIsolation();
  if (o.sandbox !== "required" && isOpen && !isOfFork) return {isolation, network, refusal: null};
  const wish = o.sandbox === "required" ? '`"sandbox": "required"`' : `\`"network": "${network}"\``;
  const lack = probe === null ? 'the sandbox is `"off"`' : `${probe.why}; ${INSTALL}`;
  const need = isOfFork ? "code of a fork runs in a sandbox only" : `verify.json asks for ${wish}`;
  return {isolation, network, refusal: `${need}, but ${lack}`};
}

const INSTALL =
  "install it in a step before Assay (`sudo apt-get install -y bubblewrap`, and on Ubuntu 24.04 the AppArmor profile in docs/security.md)";

/** Below this a build fails in the middle with an error that looks like the code's own. */
const LEAST_FREE_BYTES = 512 * 1024 * 1024;

/** A sentence when the disk below `folder`, which exists, is nearly full; else null. */
export async function lackOfRoom(folder: string, least = LEAST_FREE_BYTES): Promise<string | null> {
  const {bavail, bsize} = await statfs(folder);
  const free = bavail * bsize;
  if (free >= least) return null;
  const megabytes = (bytes: number): string => `${Math.floor(bytes / 1024 / 1024)} MB`;
  return `only ${megabytes(free)} are free on the disk that holds ${folder}, and a verification needs ${megabytes(least)}; free some, or use a larger runner`;
}
