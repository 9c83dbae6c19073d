/** Finds settings of task runners that let a check fail, or leave it out. A part of the check `scripts`. */
import type {IntegrityFinding} from "../../record/finding.ts";
import {INTEGRITY} from "../../tools/all-integrity.ts";
import type {RunnerRule} from "../../tools/tool-integrity.ts";
import type {InspectedFile} from "../source/inspected-change.ts";
import {addedLines, findingAt} from "./script-finding.ts";

const RULES: readonly RunnerRule[] = [
  {
    files: /(?:^|\/)src\/\w*[tT]est\w*\/resources\/META-INF\/services\/org\.(?:junit|testng)\.[\w.]+$/,
    newFiles: /./,
    pattern: /^\s*\w/,
    what: "is loaded into every run of the tests",
  },
  ...INTEGRITY.flatMap(({runnerRules}) => runnerRules ?? []),
];

export function taskRunnerFindings(file: InspectedFile): IntegrityFinding[] {
  if (file.after === null) return [];
  const rules = RULES.filter(
    ({files, newFiles}) => files.test(file.path) && (file.before !== null || newFiles?.test(file.path)),
  );
  const changed = rules.flatMap(({pattern, what}) =>
    addedLines(file, pattern).map(({text}) =>
      findingAt({file, level: "flag", message: `\`${text.trim()}\` ${what}`, text}),
    ),
  );
  return changed.slice(0, 1);
}
