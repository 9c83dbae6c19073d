/** Detects a fix without progress: two attempts that left the same failures. */
import type {Attempt} from "../record/attempt.ts";
import type {StageResult} from "../record/evidence.ts";
import {signature} from "./signature.ts";

/** True when both verifications failed in the same stages with the same failures; lines and times do not count. */
export function hasSameFailures(one: Attempt, other: Attempt): boolean {
  const [before, after] = [failuresOf(one), failuresOf(other)];
  return before.length > 0 && before.join("\n") === after.join("\n");
}

function failuresOf({verdict, verification}: Attempt): string[] {
  if (verdict.kind !== "failed" || verification === null) return [];
  const charged = [...verification.setup, ...verification.stages].filter(({name}) => verdict.stages.includes(name));
  return [...new Set(charged.flatMap(namesOf))].sort();
}

/** Output that no parser knows is compared as a whole. */
function namesOf({name, reason, baseline, diagnostics, excerpt}: StageResult): string[] {
  const fresh = baseline?.outcome === "new" && baseline.new.length > 0 ? baseline.new : diagnostics;
  const errors = fresh.filter(({severity}) => severity === "error");
  if (errors.length > 0) return errors.map((item) => `${name}: ${signature(item)}`);
  return [`${name}: ${signature({tool: reason, message: excerpt, severity: "error"})}`];
}
