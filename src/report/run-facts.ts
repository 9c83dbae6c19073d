/** The few numbers of a run that its comment keeps in a hidden place. */
import {groupBy} from "../diagnostics/group-by.ts";
import {type Attempt, keptAttempt} from "../record/attempt.ts";
import type {StageResult} from "../record/evidence.ts";
import type {RunRecord} from "../record/record.ts";
import type {RunFacts} from "../record/run-facts.ts";

const MAX_CHECKS = 20;
const MAX_FLAKY = 5;
const MAX_NAME = 60;

/** Null for a run without an attempt. */
export function factsOf(record: RunRecord): RunFacts | null {
  const {attempts, verdict, publication, failures, approval, integrity = [], integrityNotes = []} = record;
  const kept = keptAttempt(attempts);
  if (kept === undefined) return null;
  const levels = groupBy([...integrity, ...integrityNotes], ({check, level}) => `${check} ${level}`);
  const pull = publication.kind === "published" ? publication.pullRequest?.number : undefined;
  const stages = stagesOf(kept);
  return {
    attempts: attempts.length,
    checks: stages
      .slice(0, MAX_CHECKS)
      .map(({name, outcome, failureKind, durationMs}) => [
        ...([clipName(name), outcome, failureKind ?? ""] as const),
        Math.round(durationMs / 1000),
      ]),
    flaky: [...new Set(stages.flatMap(flakyTests))].slice(0, MAX_FLAKY).map(clipName),
    findings: [...levels.values()].flatMap(([first, ...others]) =>
      first === undefined ? [] : [[first.check, first.level, 1 + others.length] as const],
    ),
    failures: [...new Set(failures.map(({kind}) => kind))],
    ...("why" in verdict && {why: verdict.why}),
    ...(pull !== undefined && {pull}),
    ...(approval && {approved: true as const}),
  };
}

const stagesOf = ({verification}: Attempt) =>
  [...(verification?.setup ?? []), ...(verification?.stages ?? [])].filter(({outcome}) => outcome !== "skipped");

function flakyTests({outcome, reported, diagnostics}: StageResult): string[] {
  const failed = reported?.failed.map(({title}) => title) ?? diagnostics.flatMap(({testId}) => testId ?? []);
  return [...(reported?.retried ?? []), ...(outcome === "flaky" ? failed : [])];
}

const clipName = (name: string): string => name.slice(0, MAX_NAME);
