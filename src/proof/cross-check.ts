/** Runs the new tests of each of several changes on the sources of the others, as CodeT does (arxiv.org/abs/2207.10397). */
import {readChange} from "../integrity/read-change.ts";
import type {Attempt} from "../record/attempt.ts";
import type {BiteTest} from "../record/bite.ts";
import {type BiteOptions, findBite} from "./bite/bite.ts";

const MAX_MS = 5 * 60_000;

/** The verified attempt of a try. */
export interface ComparedTry {
  readonly number: number;
  readonly attempt: Attempt;
}

/** Of the other tries with tests that ran on a change: how many, and the numbers of those with a test that fails there. */
export interface ForeignTests {
  readonly all: number;
  readonly failed: number[];
}

/** In the order of the tries; null if the time was too short for all. Never rejects. */
export async function crossCheck(
  tries: readonly ComparedTry[],
  options: Pick<BiteOptions, "plan" | "checkouts" | "repository" | "signal">,
): Promise<ForeignTests[] | null> {
  const untilMs = performance.now() + MAX_MS;
  const counts: ForeignTests[] = [];
  for (const one of tries) {
    const {attempt} = one;
    const others = tries.filter((other) => other !== one);
    const tests = await foreignTests(attempt, others, {...options, untilMs});
    if (tests === null) return null;
    counts.push(tests);
  }
  return counts;
}

/** The same for one try. */
export async function foreignTests(
  attempt: Attempt,
  others: readonly ComparedTry[],
  {untilMs = performance.now() + MAX_MS, ...options}: Parameters<typeof crossCheck>[1] & {untilMs?: number},
): Promise<ForeignTests | null> {
  const failed: number[] = [];
  let all = 0;
  for (const {number, attempt: other} of others) {
    if (options.signal.aborted || performance.now() > untilMs) return null;
    const fails = await failsTestsOf(other, {...options, on: attempt}).catch(() => null);
    if (fails !== null) all += 1;
    if (fails === true) failed.push(number);
  }
  return {all, failed};
}

/** Null if no test of the other change says anything about this one. */
async function failsTestsOf(
  {candidate, verification}: Attempt,
  options: Parameters<typeof crossCheck>[1] & {on: Attempt},
): Promise<boolean | null> {
  const base = options.on.candidate?.commit;
  if (!candidate || !verification || base === undefined) return null;
  const commits = {base, commit: candidate.commit};
  const change = await readChange({...options, base, head: candidate.commit});
  if (!change.ok) return null;
  const {stages} = verification;
  const {tests = []} = (await findBite({...options, candidate: commits, change: change.value, stages})) ?? {};
  const told = tests.map(failsThere).filter((one) => one !== null);
  return told.length === 0 ? null : told.some(Boolean);
}

/** A test that cannot be loaded may only use other names than this change has. */
function failsThere({onBase}: BiteTest): boolean | null {
  if (onBase.kind === "passes") return false;
  return onBase.kind === "fails" && (onBase.why === "assertion" || onBase.why === "error") ? true : null;
}
