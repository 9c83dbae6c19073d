/** Chooses the sandbox of a run's stages, and checks the free disk space. */
import {statfs} from "node:fs/promises";
import {probeIsolation} from "../../process/isolation.ts";
import {probeOverlays, probeSandbox, probeView} from "../../process/probes.ts";
import type {Isolation} from "../../record/verification.ts";

export interface StageIsolation {
  readonly level: Isolation;
  /** true if a command sees and writes only the listed files, with or without bubblewrap */
  readonly confines: boolean;
  /** true if the machine can mount overlays over caches */
  readonly overlays: boolean;
  /** when commands of the repository may reach the network */
  readonly network: "all" | "setup" | "none";
  /** why nothing may run here, with the next step; null if it may */
  readonly refusal: string | null;
  /** shown in every report; null if the sandbox confines */
  readonly warning: {readonly about: string; readonly text: string} | null;
}

/**
 * Chooses the best isolation that the machine supports and verify.json allows with `sandbox` and `network`. A required
 * isolation that the machine does not support is refused, never silently dropped. A fork's code always runs in the
 * sandbox, because otherwise it could reach the files and secrets of later steps. With `mayBeOpen`, on a developer's
 * own machine, missing namespaces are not a reason to refuse. `folders` are searched for bubblewrap; `folder` is one of
 * Assay's.
 */
export async function chooseSandbox(options: {
  readonly sandbox: "auto" | "required" | "off";
  readonly network: StageIsolation["network"];
  readonly folder: string;
  readonly isOfFork?: boolean;
  readonly mayBeOpen?: boolean;
  readonly folders?: string;
}): Promise<StageIsolation> {
  const {network, folder, isOfFork = false, mayBeOpen = false} = options;
  const isOpen = network === "all";
  const isOff = options.sandbox === "off" && !isOfFork;
  const probe = isOff ? null : await probeSandbox({...options, network: isOpen});
  if (probe?.ok) {
    const overlays = await probeOverlays({isolation: "sandbox", folder});
    return {level: "sandbox", confines: true, overlays, network, refusal: null, warning: null};
  }
  const base = await withoutBubblewrap({isOff, folder});
  const obstacle = probe === null ? 'the sandbox is `"off"`' : `${probe.failure}; ${INSTALL}`;
  const refuse = (need: string): StageIsolation => ({...base, network, refusal: `${need}, but ${obstacle}`});
  if (isOfFork) return refuse("code of a fork may only run in a sandbox");
  if (options.sandbox === "required") return refuse('verify.json asks for `"sandbox": "required"`');
  if (!isOpen) return refuse(`verify.json asks for \`"network": "${network}"\``);
  const isUnconfined = !base.confines && !isOff;
  if (!isUnconfined || mayBeOpen) return {...base, network, refusal: null};
  return refuse('the agent and the checks run confined to their own files unless verify.json says `"sandbox": "off"`');
}

async function withoutBubblewrap(options: {
  isOff: boolean;
  folder: string;
}): Promise<Pick<StageIsolation, "level" | "confines" | "overlays" | "warning">> {
  const confines = !options.isOff && (await probeView()) === null;
  if (confines) {
    const overlays = await probeOverlays({isolation: "pid-namespace", folder: options.folder});
    return {level: "pid-namespace", confines, overlays, warning: null};
  }
  const about = options.isOff ? "Sandbox is off" : "No sandbox";
  const why = options.isOff ? "`verify.json` says so" : "neither bubblewrap nor user namespaces work on this machine";
  return {
    level: await probeIsolation(),
    confines,
    overlays: false,
    warning: {about, text: `${why}. ${NO_SANDBOX_TEXT}${options.isOff ? "" : " Install bubblewrap to isolate them."}`},
  };
}

/** The sentence of reports about runs without a sandbox. */
const NO_SANDBOX_TEXT =
  "The commands that ran here could change programs, settings and caches of this machine, and with them later steps and this result.";

const INSTALL =
  "install it in a step before Assay (`sudo apt-get install -y bubblewrap`, and on Ubuntu 24.04 the AppArmor profile in docs/security.md)";

/** With less, a build fails halfway with an error that looks like an error of the code. */
const MIN_FREE_BYTES = 512 * 1024 * 1024;

/** A sentence if the disk of `folder`, which must exist, is nearly full; else null. */
export async function missingSpace(folder: string, minimum = MIN_FREE_BYTES): Promise<string | null> {
  const {bavail, bsize} = await statfs(folder);
  const freeBytes = bavail * bsize;
  if (freeBytes >= minimum) return null;
  const megabytes = (bytes: number): string => `${Math.floor(bytes / 1024 / 1024)} MB`;
  return `only ${megabytes(freeBytes)} are free on the disk that holds ${folder}, and a verification needs ${megabytes(minimum)}; free some, or use a larger runner`;
}
