/** The one checker: which of the product's promises a finished run has broken, from what the world shows of it. */
import {baselineChecks} from "./promises/baseline.ts";
import {claimChecks} from "./promises/claims.ts";
import {gateChecks} from "./promises/gate.ts";
import {reportChecks} from "./promises/reports.ts";
import {secretChecks} from "./promises/secrets.ts";
import type {PromiseCheck, Seen} from "./promises/seen.ts";
import {treeChecks} from "./promises/trees.ts";
import type {Outcome, Rig} from "./world.ts";

export const CHECKS: readonly PromiseCheck[] = [
  ...treeChecks,
  ...claimChecks,
  ...baselineChecks,
  ...gateChecks,
  ...reportChecks,
  ...secretChecks,
  {
    id: "rig",
    broken: ({invalidRequests}) => invalidRequests.map((one) => `${one.request}: ${one.problems.join("; ")}`),
  },
  {id: "rig", broken: ({unmatchedPrompts}) => unmatchedPrompts.map((text) => `a prompt without a script: ${text}`)},
];

/** Gives every broken promise as `P1: what is wrong`; an empty list means that all of them were kept. */
export async function brokenPromises(seen: Seen): Promise<string[]> {
  const all = await Promise.all(
    CHECKS.map(async ({id, broken}) => (await broken(seen)).map((sentence) => `${id}: ${sentence}`)),
  );
  return all.flat();
}

/**
 * Throws with every broken promise. Call it after each scenario, for each run of it; with `nothingAsked` where the trigger
 * was to be refused or passed over, and with `isHostile` where a stage attacks its machine.
 */
export async function assertPromises(
  rig: Rig,
  outcome: Outcome,
  {nothingAsked = false, mayInstall = false, isHostile = false} = {},
): Promise<void> {
  const {origin, git, github, model} = rig;
  const {updates} = git;
  const broken = await brokenPromises({
    outcome,
    origin,
    updates: updates.filter(({repository}) => repository === origin.name),
    nothingAsked,
    mayInstall,
    isHostile,
    invalidRequests: github.invalid,
    unmatchedPrompts: model.unmatched,
  });
  if (broken.length > 0) throw new Error(`broken promises:\n- ${broken.join("\n- ")}`);
}
