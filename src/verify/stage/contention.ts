/** Distinguishes failures of the code from failures that a busy machine or a parallel stage can cause. */
import type {StageResult} from "../../record/evidence.ts";

const CONTENTION = /time[d-]?[ -]?out|deadline|EADDRINUSE|ECONN|address already in use|\bKilled\b/i;

/** True for a pass, and for a failure that would also occur on an idle machine. */
export function isDeterministic({outcome, failureKind, output, diagnostics}: StageResult): boolean {
  if (outcome === "passed") return true;
  if (outcome !== "failed" || failureKind !== "code") return false;
  const texts = [output?.head ?? "", output?.tail ?? "", ...diagnostics.map(({message}) => message)];
  return !texts.some((text) => CONTENTION.test(text));
}
