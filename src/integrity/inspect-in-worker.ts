/** Runs the integrity checks in a separate thread, with a limit of time and memory. */
import {Worker} from "node:worker_threads";
import type {IntegrityRules} from "../detect/config/config.ts";
import type {IntegrityFinding} from "../record/finding.ts";
import {ok, type Result, refused} from "../record/words.ts";
import type {InspectionData} from "./inspect-worker.ts";
import type {InspectedChange} from "./source/inspected-change.ts";

/** The slowest of 2,000 real commits takes 4.3 s of CPU. */
const MAX_MS = 60_000;
/** The stages may leave the thread a fraction of a core: so much longer may it take, if its own CPU time is within the limit. */
const MAX_WAITS = 5;
const MAX_HEAP_MB = 1024;

/** The CPU time of a thread; null for a Node.js that does not measure it (before 24.6). */
async function cpuMs(worker: Worker): Promise<number | null> {
  try {
    const {user, system} = await worker.cpuUsage();
    return (user + system) / 1000;
  } catch (error) {
    // A thread that has not started refuses, and has used no time.
    return error instanceof TypeError ? null : 0;
  }
}

/** The findings, or the reason why there are none. Ends early if `signal` is aborted. */
export async function inspectInWorker(options: {
  change: InspectedChange;
  rules: IntegrityRules;
  signal: AbortSignal;
  maxMs?: number;
  workerFile?: URL;
}): Promise<Result<IntegrityFinding[], string>> {
  const {change, rules, signal, maxMs = MAX_MS} = options;
  const workerFile = options.workerFile ?? (await import("./inspect-worker.ts")).WORKER_FILE;
  if (signal.aborted) return refused("the run was cancelled");
  const workerData: InspectionData = {inspection: {change, rules}};
  const worker = new Worker(workerFile, {
    workerData,
    env: {},
    execArgv: [],
    resourceLimits: {maxOldGenerationSizeMb: MAX_HEAP_MB},
  });
  const over = new AbortController();
  try {
    return await new Promise<Result<IntegrityFinding[], string>>((resolve) => {
      let waits = 0;
      const timer = setInterval(() => {
        waits += 1;
        const end = () => resolve(refused(`it took longer than ${(waits * maxMs) / 1000} s`));
        // A thread that is blocked does not answer.
        if (waits >= MAX_WAITS) end();
        else void cpuMs(worker).then((used) => (used === null || used >= maxMs) && end());
      }, maxMs);
      over.signal.addEventListener("abort", () => clearInterval(timer));
      signal.addEventListener("abort", () => resolve(refused("the run was cancelled")), {signal: over.signal});
      worker.once("message", (findings: IntegrityFinding[]) => resolve(ok(findings)));
      worker.once("error", (error) => resolve(refused(error instanceof Error ? error.message : String(error))));
      worker.once("exit", (code) => resolve(refused(`its thread ended with code ${code}`)));
    });
  } finally {
    over.abort();
    await worker.terminate();
  }
}
