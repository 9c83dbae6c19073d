/** Finds shell tests that check less. They have no names, so their lines are compared. A part of the check `scripts`. */
import type {IntegrityFinding} from "../../record/finding.ts";
import {lostFailure} from "../gate/shell-status.ts";
import type {InspectedFile} from "../source/inspected-change.ts";
import {type ChangedLine, compareLines} from "../source/line-changes.ts";
import {findingAt} from "./script-finding.ts";

/** Lines that decide whether a test fails. */
const DECIDES =
  /\b(?:exit|return)\b|(?:^|[\s!;&|])(?:\[{1,2}|test|diff|cmp|grep)\s|\b\w*(?:fail|error|status|rc)\w*=|\$\?|\bset\s+[-+]\w*e|\bassert|\brun\s/;
const PASSES =
  /(?:\|\||&&|\bthen)\s*(?:exit|return)\s+0\b|^\s*skip\b|\bset\s+\+\w*e|\|\|\s*(?:true|:)|-ge\s+0\s*\]|&\s*$/;
const HELPER = /(?:lib|helpers?|common|utils?|setup|functions?|assert\w*)[^/]*\.\w+$|\.inc$/;
const SILENT = /^\s*(?:#|echo\b|printf\b|$)/;

export function shellTestFindings(file: InspectedFile): IntegrityFinding[] {
  if (file.before === null || file.after === null) return [];
  const changes = compareLines(file.before, file.after);
  const own = (lines: readonly ChangedLine[]) => lines.filter(({text}) => !SILENT.test(text));
  const [added, removed] = [own(changes.added), own(changes.removed)];
  const flag = (message: string) => [findingAt({file, level: "flag", message, text: added[0]?.text ?? null})];
  const failure = lostFailure(file.before, file.after);
  if (failure !== null) return flag(`The shell test fails in fewer cases: ${failure}`);
  const countOf = (lines: typeof added, pattern: RegExp) => lines.filter(({text}) => pattern.test(text)).length;
  const place = added.find(({text}) => PASSES.test(text));
  if (place !== undefined && countOf(added, PASSES) > countOf(removed, PASSES))
    return flag(`\`${place.text.trim()}\` lets the shell test pass`);
  if (HELPER.test(file.path) && countOf(removed, DECIDES) > 0)
    return flag("What decides whether shell tests fail is changed");
  const isLess = removed.length > added.length || countOf(removed, DECIDES) > countOf(added, DECIDES);
  return isLess ? flag("The shell test has fewer lines that can fail") : [];
}
