/** Finds processes that belong to a world: whose folder, command line or environment names the world's own folder. */
import {readdirSync, readFileSync, readlinkSync} from "node:fs";

/** Gives `pid: command line` of each. Reads /proc, so it is for Linux; elsewhere it throws rather than see nothing. */
export function processesOf(folder: string): string[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return pids.flatMap((pid) => {
    const command = look(() => readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " "));
    const environment = look(() => readFileSync(`/proc/${pid}/environ`, "utf8"));
    const cwd = look(() => readlinkSync(`/proc/${pid}/cwd`));
    return [command, environment, cwd].some((text) => text.includes(folder)) ? [`${pid}: ${command.trim()}`] : [];
  });
}

/** Ends what `processesOf` finds, so that a failing test leaves nothing behind. */
export function killProcessesOf(folder: string): void {
  for (const line of processesOf(folder)) look(() => String(process.kill(Number.parseInt(line, 10), "SIGKILL")));
}

/** A process may end while it is looked at: then there is nothing to see. */
function look(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
