/** Fixes a failed attempt with formatters and linters, without the agent. The fixed candidate is verified in full. */

import {autofix} from "../engine/autofix.ts";
import type {Attempt} from "../record/attempt.ts";
import type {Look} from "./fix-loop.ts";
import type {PreparedRun} from "./prepare-run.ts";
import type {Verifier} from "./verifier.ts";

/** Returns the attempt with the fixed candidate and its verification; null if nothing was fixed. */
export async function runAutofix(
  run: PreparedRun,
  {verifier, attempt, look}: {verifier: Verifier; attempt: Attempt; look: () => Promise<Look>},
): Promise<Attempt | null> {
  if (!run.config.autofix || verifier.spent() !== null || verifier.signal.aborted) return null;
  const {repository, checkouts, plan} = verifier;
  const workspace = run.context.runner.workspace;
  const fixes = await autofix({attempt, plan, base: run.base.commit, repository, checkouts, workspace});
  if (fixes === null) return null;
  const {candidate, changes, settled} = await look();
  if (candidate === null || settled !== null || candidate.tree === attempt.candidate?.tree) return null;
  const previous = attempt.verification;
  const verification = await verifier.verify({candidate, changes, previous, only: [], mayRunAffectedFirst: false});
  const fixedFiles = `${fixes.paths.slice(0, 20).join(", ")}${fixes.paths.length > 20 ? " and more" : ""}`;
  const text = `attempt ${attempt.number}: fixed ${fixedFiles} with ${fixes.commands.join("; ").slice(0, 500)}, then verified the result`;
  run.record.addNotes([{about: "autofix", text}]);
  return {...attempt, candidate, changes: [...changes], verification, verdict: verification.verdict, autofix: fixes};
}
