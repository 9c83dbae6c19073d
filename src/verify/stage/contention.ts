/** Tells a failure of the code from one that a busy machine, or a neighbour on it, can bring about. */
import type {StageResult} from "../../record/evidence.ts";

const MAY_BE_THE_MACHINE = /time[d-]?[ -]?out|deadline|EADDRINUSE|ECONN|address already in use|\bKilled\b/i;

/** True for a pass, and for a failure that would be the same on a machine of its own. */
export function isDeterministic({outcome, failureKind, output, diagnostics}: StageResult): boolean {
  if (outcome === "passed") return true;
  if (outcome !== "failed" || failureKind !== "code") return false;
  const said = [output?.head ?? "", output?.tail ?? "", ...diagnostics.map(({message}) => message)];
  return !said.some((text) => MAY_BE_THE_MACHINE.test(text));
}
