/** The findings of a run: those of the work that is published or parked. */
import {type Attempt, keptAttempt} from "./attempt.ts";
import type {IntegrityFinding} from "./finding.ts";

/** The record's keys for findings: `integrity` has what a person must see, `integrityNotes` the rest. */
export interface RecordedFindings {
  readonly integrity: IntegrityFinding[];
  readonly integrityNotes: IntegrityFinding[];
}

export function recordedFindings(attempts: readonly Attempt[]): RecordedFindings {
  const findings = keptAttempt(attempts)?.verification?.findings ?? [];
  return {
    integrity: findings.filter(({level}) => level !== "note"),
    integrityNotes: findings.filter(({level}) => level === "note"),
  };
}
