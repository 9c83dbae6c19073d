/** Says why a test stage that passes shows less than the same stage on the base: its tests may not have run (P6). */
import type {StageResult} from "../record/evidence.ts";

/** True for a pass that its own output does not prove, and that is worth a run on the base. */
export function isDoubtful({kind, outcome, optional, narrowed, tests, reported, isUnanswered}: StageResult): boolean {
  const decides = kind === "test" && outcome === "passed" && !optional && narrowed === undefined;
  return decides && (tests === null || isUnanswered === true || (reported?.endedEarly ?? []).length > 0);
}

/**
 * Takes a doubtful pass, the base's result, and the paths that differ. Empty where the base shows no more: then its exit code
 * is all the evidence that there ever was. A file that the change adds or edits may do without tests.
 */
export function whyLessThanBase(o: {candidate: StageResult; base: StageResult; changed: readonly string[]}): string {
  const {candidate, base, changed} = o;
  const ran = (base.tests?.passed ?? 0) + (base.tests?.failed ?? 0);
  if (candidate.tests === null && ran > 0) return `no test was counted; on the base, ${ran} ran`;
  if (candidate.isUnanswered === true && base.reported !== undefined) {
    return `${base.reported.tool} ended without its report, which it writes on the base`;
  }
  const before = base.reported?.endedEarly ?? [];
  const early = (candidate.reported?.endedEarly ?? []).find(
    (file) => !before.includes(file) && !changed.some((path) => file === path || file.endsWith(`/${path}`)),
  );
  if (early === undefined || base.reported === undefined) return "";
  return `${early} ended before its tests had run; on the base they run`;
}
