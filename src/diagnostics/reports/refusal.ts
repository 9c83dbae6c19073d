/** Whether a run that failed without a failed test may have failed because its runner was asked for a report. */
import type {StageResult} from "../../record/evidence.ts";

/** How programs refuse words, variables and files that they are given. */
const REFUSALS =
  /\b(?:unknown|unrecogni[sz]ed|invalid|unexpected|illegal|unsupported|bad|no such|ambiguous) (?:\w+ )?(?:option|argument|flag|switch|parameter|reporter|formatter)|\b(?:option|flag|argument)s? .{0,80}\b(?:not (?:allowed|recogni[sz]ed|supported|defined|valid)|does not exist)|flag provided but not defined|^usage:|\breporters?\b|\bjunit|\bE(?:ACCES|ROFS|PERM|NOSPC|ISDIR)\b|\bNODE_OPTIONS\b/im;

/**
 * True where the output refuses something, or says nothing: no test ran, and no complaint has a place in a file, as a compiler's
 * has. A run that such a complaint ended would end the same way without the question.
 */
export function mayBeRefusal(o: Pick<StageResult, "tests" | "diagnostics"> & {output: string}): boolean {
  const hasRun = (o.tests?.passed ?? 0) > 0;
  const isPlaced = o.diagnostics.some(
    ({severity, file, line}) => severity === "error" && file !== undefined && line !== undefined,
  );
  return REFUSALS.test(o.output) || (!hasRun && !isPlaced);
}
