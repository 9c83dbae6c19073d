/** The text output of `assay plan`. */
import picocolors from "picocolors";
import {planTable} from "../detect/plan-table.ts";
import {escapeLog} from "../process/escape-log.ts";
import type {Failure} from "../record/failure.ts";
import type {Plan} from "../record/plan.ts";
import {printFailure} from "./error-text.ts";
import type {WrongArgument} from "./local-setup.ts";
import {rankingText} from "./ranking-text.ts";

/** The plan as a table on stdout. */
export function printPlan(made: Plan): void {
  // The text is often printed in CI, and its names come from the repository.
  process.stdout.write(`${escapeLog(planTable(made, picocolors), "")}\n`);
  if (made.specs !== undefined) process.stdout.write(`${escapeLog(rankingText(made.specs), "")}\n`);
}

/** Prints the mistakes of verify.json or of the arguments to stderr and returns the exit code. */
export function printMistakes(failure: Failure | WrongArgument): number {
  return printFailure(failure);
}
