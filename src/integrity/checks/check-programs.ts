/** Finds programs that checks run, and that are changed. A part of the check `scripts`. */
import type {IntegrityFinding} from "../../record/finding.ts";
import {partsOf} from "../../tools/all-integrity.ts";
import {withoutStricterLines} from "../gate/stricter-program.ts";
import type {InspectedChange, InspectedFile} from "../source/inspected-change.ts";
import {isCodePath, isTestPath, isToolPath} from "../source/kinds.ts";
import {compareLines} from "../source/line-changes.ts";
import {readTests} from "../tests/read-tests.ts";
import {findingAt} from "./script-finding.ts";

export const isCheckProgram = (file: InspectedFile, change: InspectedChange): boolean =>
  isProgramOfPlan(file, change) || startsRunner(file);

/** A program of the repository that a check runs, such as `node tools/lint.js`; not the code that it checks. */
function isProgramOfPlan({basePath, before}: InspectedFile, {plan, scripts: bodies = []}: InspectedChange): boolean {
  if (!/\.(?:[cm]?[jt]s|py|rb|pl)$/.test(basePath) || !isToolPath(basePath)) return false;
  // Tests that a runner finds are compared one by one.
  if (isTestPath(basePath) && readTests(basePath, before).length > 0) return false;
  const commands = (plan?.stages ?? []).filter(({kind}) => kind !== "build").map((stage) => stage.command);
  const words = [...commands, ...bodies].flatMap((text) => text.split(/[\s'"=]+/));
  return words.some((word) => word.replace(/^\.\//, "") === basePath);
}

const RUNNER = new RegExp(partsOf("startsRunner"));

/** A program that runs the tests and decides how the run ends. Files of tests often end with such a call, too. */
const startsRunner = ({basePath, before, after}: InspectedFile): boolean =>
  after !== null && isCodePath(basePath) && RUNNER.test(before ?? "") && readTests(basePath, before).length === 0;

/** Leaves out a value, or ends; not with a failure. */
const LEAVES_OUT =
  /\b(?:continue|break|return(?!\s+[1-9])|exit(?!\(\s*[1-9])|pass|catch|except|rescue|next|skip\w*|ignore\w*|filter|slice)\b/;

/** Only a program that grew, and leaves nothing out, can be known to check no less. */
export function changedProgram(file: InspectedFile): IntegrityFinding[] {
  const {added, removed} = withoutStricterLines(compareLines(file.before, file.after), file.after ?? "");
  if (removed.length === 0 && !added.some(({text}) => LEAVES_OUT.test(text))) return [];
  return [findingAt({file, level: "flag", message: "A program that a check runs is changed", text: null})];
}
