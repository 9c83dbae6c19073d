/** When each stage may start: one after the other within a project, side by side where two cannot disturb each other. */
import type {Stage} from "../record/plan.ts";

/** A test run of a large project takes about this much; two that swap are slower than one after the other. */
const BYTES_A_STAGE = 1.5 * 1024 ** 3;

/** How many stages a machine can run at once; at least one. */
export function slotsOf(machine: {cores: number; freeBytes: number}): number {
  return Math.max(1, Math.min(machine.cores, Math.floor(machine.freeBytes / BYTES_A_STAGE)));
}

/**
 * Runs every stage once and ends when all have ended; at most `slots` at a time. What may not run side by side keeps the
 * given order.
 */
export async function runScheduled(o: {
  stages: readonly Stage[];
  slots: number;
  run: (stage: Stage) => Promise<void>;
}): Promise<void> {
  const waiting = [...o.stages];
  const running = new Map<Stage, Promise<void>>();
  while (waiting.length + running.size > 0) {
    const ready = waiting.find((stage, at) => {
      const earlier = [...running.keys(), ...waiting.slice(0, at)];
      return earlier.every((other) => mayRunBeside(stage, other) && !stage.needs.includes(other.name));
    });
    if (ready === undefined || running.size >= o.slots) {
      await Promise.race(running.values());
      continue;
    }
    waiting.splice(waiting.indexOf(ready), 1);
    running.set(
      ready,
      o.run(ready).finally(() => running.delete(ready)),
    );
  }
}

/**
 * In one project, stages write the same outputs, and what one of them rewrites could not be told from its neighbour's doing
 * (P3). A build is read by other projects, and two tests may want the same port: both would fail only here.
 */
function mayRunBeside(one: Stage, other: Stage): boolean {
  const kinds = [one.kind, other.kind];
  if (kinds.includes("build") || kinds.includes("check") || kinds.every((kind) => kind === "test")) return false;
  return !isIn(one.cwd, other.cwd) && !isIn(other.cwd, one.cwd);
}

/** Whether a path of the checkout lies in a folder of it, `.` for the root. */
export function isIn(path: string, folder: string): boolean {
  const [clean, root] = [path, folder].map((text) => text.replace(/^(?:\.\/)+/, "").replace(/\/+$/, ""));
  return root === "." || root === "" || clean === root || (clean ?? "").startsWith(`${root}/`);
}
