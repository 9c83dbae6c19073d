/** The door of evidence: from a tool's whole output to the failures in it, their kind, and an excerpt that fits a prompt. */
import type {Diagnostic, TestCounts} from "../record.ts";
import type {FailureKind} from "../words.ts";
import {shorten} from "./excerpt.ts";
import {kindOf} from "./kind.ts";
import {readLines} from "./lines.ts";
import {findProblems} from "./problems.ts";
import {countTests} from "./tests.ts";
import {worthOf} from "./worth.ts";

export interface Distilled {
  /** the lines of the log worth reading, in order, with marked gaps */
  readonly excerpt: string;
  /** what tools complained about, in order of appearance, equal ones once */
  readonly items: Diagnostic[];
  /** what kind of failure it is, given that it is one */
  readonly kind: FailureKind;
  /** null where the output is of no known form: not the same as zero */
  readonly tests: TestCounts | null;
  /** the tool that the first item is from */
  readonly tool: string | null;
}

/** Takes any output, at most `maxChars` UTF-16 units of excerpt, and the tool's name where it is known. Pure, linear, never throws. */
export function distill(o: {log: string; tool?: string; maxChars: number}): Distilled {
  const lines = readLines(o.log);
  const problems = findProblems(lines, o.tool);
  const tests = countTests(lines.map((line) => line.body).join("\n"));
  const worth = worthOf(lines, problems);
  return {
    excerpt: shorten({lines, problems, worth, maxChars: o.maxChars}),
    items: [...new Map(problems.map(({diagnostic}) => [JSON.stringify(diagnostic), diagnostic])).values()],
    kind: kindOf({lines, problems, tests}),
    tests,
    tool: problems[0]?.diagnostic.tool ?? o.tool ?? null,
  };
}
