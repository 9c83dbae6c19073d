/** What `assay plan` writes for people. */
import picocolors from "picocolors";
import {planTable} from "../../src/plan/table.ts";
import type {Failure} from "../../src/record/failure.ts";
import type {Plan} from "../../src/record/plan.ts";
import {failureLines} from "../tell.ts";

/** The plan as a table on stdout. */
export function sayPlan(made: Plan): void {
  process.stdout.write(planTable(made, picocolors));
}

/** The mistakes of verify.json on stderr; the exit code for them. */
export function sayMistakes(failure: Failure): number {
  process.stderr.write(`${failureLines(failure).join("\n")}\n`);
  return 3;
}
