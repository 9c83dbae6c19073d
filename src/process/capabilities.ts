/** What the root of a container may still do behind a fence. */
import {ownProgram} from "./own-programs.ts";

/**
 * Own files and other users: the usual list of containers, less what opens devices, raw sockets and other processes
 * (capabilities(7)).
 */
export const ROOT_KEEPS = ["CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "SETGID", "SETUID", "SETFCAP"];

/** Through these, root reaches the kernel of the host even without a capability (proc_sys(5), proc(5)). */
export const KERNEL_FILES = ["sys", "sysrq-trigger", "irq", "bus", "acpi", "scsi"].map((name) => `/proc/${name}`);

/** A user who is not root has no capability; one in a user namespace of its own loses what it got there. */
export const isRoot = (): boolean => process.getuid?.() === 0;

/** Put in front of a command behind `unshare`. */
export function withoutCapabilities(): string[] {
  const kept = isRoot() ? ROOT_KEEPS.map((name) => `,+${name.toLowerCase()}`).join("") : "";
  return [ownProgram("setpriv"), "--inh-caps=-all", "--ambient-caps=-all", `--bounding-set=-all${kept}`, "--"];
}

/** The same as options of bubblewrap, which gives an ordinary user none anyway. */
export function bwrapCapabilities(): string[] {
  return isRoot() ? ["--cap-drop", "ALL", ...ROOT_KEEPS.flatMap((name) => ["--cap-add", `CAP_${name}`])] : [];
}
