/** How much longer than on a runner everything may take on the machine of the tests. */
import {availableParallelism, loadavg} from "node:os";
import {isSweep} from "../sweep.ts";

/** Limits of time are promised for up to two other processes on each core. */
const PROCESSES_PER_CORE = 3;

/** 1 where the promised limits hold. Sweeps measure these limits, so that their pace is always 1. */
export function paceNow(): number {
  const [load = 0] = loadavg();
  return isSweep ? 1 : Math.max(1, load / (PROCESSES_PER_CORE * availableParallelism()));
}
