/** Selects the failures that decide a verdict, so that the errors in CI systems agree with the exit code (P14). */
import type {Diagnostic, StageResult} from "../../record/evidence.ts";
import {causedFailures, isPreExisting} from "../../record/failure-cause.ts";
import type {RunRecord} from "../../record/record.ts";
import {headlineOf} from "../../report/headline.ts";
import {isFailing} from "../../report/stages.ts";

/** The title of the error for a verdict that is not good. Passed checks are no error. */
export const errorTitle = (record: RunRecord): string =>
  record.verdict.kind === "partial" ? "Other required checks were not run" : headlineOf(record).headline;

/** The setup and the stages of the last attempt. */
export function stagesOf({attempts}: RunRecord): StageResult[] {
  const verification = attempts.at(-1)?.verification;
  return [...(verification?.setup ?? []), ...(verification?.stages ?? [])];
}

/**
 * True if the stage alone keeps the verdict from being good: it is required, and the base does not fail in the same
 * way.
 */
export function isDecisive(stage: StageResult): boolean {
  return isFailing(stage) && !stage.optional && !isPreExisting(stage);
}

/** The failures of a stage to show: those that the change causes, if they are known. */
export function failuresOf(stage: StageResult): readonly Diagnostic[] {
  const ownFailures = causedFailures(stage);
  return ownFailures.length === 0 ? stage.diagnostics : ownFailures;
}

/** P14: the table in `docs/outcomes.md`. */
export function verdictExitCode({kind}: RunRecord["verdict"]): 0 | 1 | 2 {
  if (kind === "failed" || kind === "tampered") return 1;
  return kind === "unverified" || kind === "partial" ? 2 : 0;
}
