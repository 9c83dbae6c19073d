/** Limits what the root user of a container may do in a sandbox. */
import {ownProgram} from "./own-programs.ts";

/**
 * The default capabilities of containers, without access to devices, raw sockets and other processes (capabilities(7)).
 */
const ROOT_KEEPS = ["CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "SETGID", "SETUID", "SETFCAP"];

/** With these files, root reaches the host's kernel even without a capability (proc_sys(5), proc(5)). */
export const KERNEL_FILES = ["sys", "sysrq-trigger", "irq", "bus", "acpi", "scsi"].map((name) => `/proc/${name}`);

/** Other users have no capabilities; those that a user namespace grants them are dropped. */
export const isRoot = (): boolean => process.getuid?.() === 0;

/** `unshare` with these arguments. Without `--keep-caps`, a user who is not root could not mount in its namespace. */
export const keepCapabilities = (args: readonly string[]): string[] =>
  args.flatMap((arg) => (arg === "--user" ? [arg, "--keep-caps"] : [arg]));

/** The words before a command that runs in `unshare`. */
export function withoutCapabilities(): string[] {
  const keptCapabilities = isRoot() ? ROOT_KEEPS.map((name) => `,+${name.toLowerCase()}`).join("") : "";
  return [
    ownProgram("setpriv"),
    "--inh-caps=-all",
    "--ambient-caps=-all",
    `--bounding-set=-all${keptCapabilities}`,
    "--",
  ];
}

/** The same as bubblewrap options; bubblewrap gives other users no capabilities. */
export function bwrapCapabilities(): string[] {
  return isRoot() ? ["--cap-drop", "ALL", ...ROOT_KEEPS.flatMap((name) => ["--cap-add", `CAP_${name}`])] : [];
}
