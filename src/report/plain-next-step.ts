/** The next step after a failure that no report shows, as text. The action loads this at its start. */
import type {Failure} from "../record/failure.ts";
import {FAILURES, TURN_END} from "./failure-words.ts";
import {RETRY} from "./wording.ts";

export const ISSUES = "https://github.com/assay-run/assay/issues";

/** For a terminal or a log. */
export function plainNextStep(failure: Failure, place: "terminal" | "workflow"): string {
  const {next} = failure.kind === "agent-broke" ? TURN_END[failure.end.kind] : FAILURES[failure.kind];
  const sentence = fillIn(next, {retry: RETRY[place], publish: RETRY[place], log: "the log", issues: ISSUES});
  return [sentence, ...linesOf(failure).split("\n").filter(Boolean)].join("\n");
}

/** Replaces the names in braces of a sentence in `FAILURES`. */
export const fillIn = (sentence: string, values: Readonly<Record<string, string>>): string =>
  sentence.replaceAll(/\{(retry|publish|log|issues)\}/g, (whole, name: string) => values[name] ?? whole);

/** The lines to paste, or empty. */
export function linesOf(failure: Failure): string {
  if (failure.kind === "missing-key" && isVariable(failure.variable))
    return `${failure.variable}: \${{ secrets.${failure.variable} }}`;
  if (failure.kind !== "missing-permission") return "";
  return ["permissions:", ...failure.permissions.map((name) => `  ${name}: write`)].join("\n");
}

export const isVariable = (name: string) => /^[A-Z][A-Z0-9_]*$/.test(name);
