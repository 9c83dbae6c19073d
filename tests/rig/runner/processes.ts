/** Finds processes that belong to a world: whose folder, command line or environment names the world's own folder. */
import {readdirSync, readFileSync, readlinkSync} from "node:fs";

/** Gives `pid: command line` of each. Reads /proc, so it is for Linux; elsewhere it throws rather than see nothing. */
export function processesOf(folder: string): string[] {
  return allProcesses().flatMap((pid) => {
    const command = look(() => readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " "));
    const environment = look(() => readFileSync(`/proc/${pid}/environ`, "utf8"));
    const cwd = look(() => readlinkSync(`/proc/${pid}/cwd`));
    return [command, environment, cwd].some((text) => text.includes(folder)) ? [`${pid}: ${command.trim()}`] : [];
  });
}

/** The ids of the same and of all their descendants, which may have neither environment nor folder to be known by. */
export function familyOf(folder: string): string[] {
  const parents = allProcesses().map((pid) => {
    const [, parent = ""] = /^PPid:\s+(\d+)/m.exec(look(() => readFileSync(`/proc/${pid}/status`, "utf8"))) ?? [];
    return {pid, parent};
  });
  const family = new Set(processesOf(folder).map((line) => line.slice(0, line.indexOf(":"))));
  for (const pid of family) for (const one of parents) if (one.parent === pid) family.add(one.pid);
  return [...family];
}

export const allProcesses = () =>
  readdirSync("/proc").filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);

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

export const commandOf = (pid: string) =>
  look(() => readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim());

/** Programs that may hold the job's token: the product itself, and git, which the product starts with a list of arguments. */
const MAY_HOLD = [/^\S*\/node \S*\/dist\/(?:main|post)\.js\b/, /^(?:\S*\/)?git(?:-remote-https?)?(?: |$)/];

/** Empty once it has ended, and for the first process of the machine. */
const parentOf = (pid: string) => {
  const [, parent = "0"] = /^\d+ \(.*\) \S (\d+)/s.exec(look(() => readFileSync(`/proc/${pid}/stat`, "latin1"))) ?? [];
  return parent === "0" ? "" : parent;
};

/** From its parent upwards. Only these may become the parent of a process whose own has ended. */
function ancestorsOf(pid: string): Set<string> {
  const ancestors = new Set<string>();
  for (let one = parentOf(pid); one !== ""; one = parentOf(one)) ancestors.add(one);
  return ancestors;
}

/** Those that the main threads of `roots` have started, and theirs, without those in `others`. */
function descendantsOf(roots: Iterable<string>, others: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  const parents = [...roots];
  // it grows while it is read
  for (const pid of parents)
    for (const child of look(() => readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1")).split(" "))
      if (child !== "" && !others.has(child) && !found.has(child)) {
        found.add(child);
        parents.push(child);
      }
  found.delete(String(process.pid));
  return found;
}

/** To look at all processes of the machine takes long, because each other worker starts hundreds. */
const LOOKS_PER_FULL_ONE = 10;

/**
 * Looks again and again which processes have the token in their environment or command line, as it is or as git's header.
 * `stop` gives the command lines of those that must not. One that lives for less than a few looks can be missed.
 */
export function watchToken(token: string): {stop: () => string[]} {
  const forms = [token, Buffer.from(`x-access-token:${token}`).toString("base64")];
  const seen = new Set<string>();
  // what was there before is no part of the run, and on a busy machine that is most of what there is
  const others = new Set(allProcesses());
  const ancestors = ancestorsOf(String(process.pid));
  /** the command line of each process that was looked at: it is looked at again when it becomes another program */
  const judged = new Map<string, string>();
  let looks = 0;
  const timer = setInterval(() => {
    const isFull = looks++ % LOOKS_PER_FULL_ONE === 0;
    const now = isFull ? new Set(allProcesses()) : descendantsOf([String(process.pid), ...ancestors], others);
    for (const pid of others) if (isFull && !now.has(pid)) others.delete(pid);
    for (const pid of now) {
      if (others.has(pid)) continue;
      // nor is what those start: to open a process is slow, because the system waits until it has become another program
      if (isFull && !judged.has(pid)) {
        const parent = parentOf(pid);
        if (others.has(parent) && !ancestors.has(parent)) {
          others.add(pid);
          continue;
        }
      }
      const command = commandOf(pid);
      if (command !== "" && judged.get(pid) === command) continue;
      const environment = look(() => readFileSync(`/proc/${pid}/environ`, "latin1"));
      // One that is about to become another program has its parent's environment until then.
      const isItself = command !== "" && command === commandOf(pid);
      if (!isItself) continue;
      judged.set(pid, command);
      if (!forms.some((form) => environment.includes(form) || command.includes(form))) continue;
      if (!MAY_HOLD.some((program) => program.test(command))) seen.add(command);
    }
  }, 100);
  return {
    stop() {
      clearInterval(timer);
      return [...seen];
    },
  };
}
