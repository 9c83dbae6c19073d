/** The text output of `assay plan`. */
import picocolors from "picocolors";
import {planTable} from "../detect/plan-table.ts";
import type {Failure} from "../record/failure.ts";
import type {Plan} from "../record/plan.ts";
import {failureLines} from "../run/event-log.ts";
import {gitTop} from "./git-top.ts";
import {rankingText} from "./ranking-text.ts";

/** The plan of this folder as a table on stdout. */
export function printPlan(made: Plan, folder: string): void {
  process.stdout.write(planTable(made, picocolors));
  if (made.specs !== undefined) process.stdout.write(rankingText(made.specs));
  const top = gitTop(folder);
  if (top === null || top === folder) return;
  process.stdout.write(
    `\nThis is the plan of this folder only. \`assay verify\` uses the plan of the repository in ${top}.\n`,
  );
}

/** Prints the mistakes of verify.json to stderr and returns the exit code. */
export function printMistakes(failure: Failure): number {
  process.stderr.write(`${failureLines(failure).join("\n")}\n`);
  return 3;
}
