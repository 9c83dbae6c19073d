/** Finds settings of task runners that let a check fail, or leave it out. A part of the check `scripts`. */
import type {IntegrityFinding} from "../../record/finding.ts";
import {INTEGRITY} from "../../tools/all-integrity.ts";
import type {RunnerRule} from "../../tools/tool-integrity.ts";
import {readSettings} from "../gate/settings.ts";
import type {InspectedFile} from "../source/inspected-change.ts";
import {addedLines, findingAt} from "./script-finding.ts";

const RULES: readonly RunnerRule[] = [
  {
    files: /(?:^|\/)tox\.ini$/,
    // A leading dash ignores the exit code (tox.wiki, "commands").
    pattern: /^\s*(?:commands\w*\s*=)?\s*-\s+(?!(?:rm|mkdir|coverage erase|pip|docker)\b)\w/,
    what: "ignores the exit code of a command",
  },
  {
    files: /(?:^|\/)[Tt]askfile(?:\.dist)?\.ya?ml$/,
    pattern: /^\s*-?\s*ignore_error\s*:\s*true\b|^\s*status\s*:/,
    what: "ignores a failure, or skips the task",
  },
  {
    files: /(?:^|\/)build\.gradle(?:\.kts)?$/,
    pattern: /\b(?:include|exclude)(?:Tags?|Tests?\w*|Engines?|Categories)\b|^\s*exclude\b.*Test/,
    what: "runs some tests only",
  },
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
  return [...changed.slice(0, 1), ...lostEnvironments(file)];
}

/** Environments that `tox` does not run any more; a dropped version of Python is not one. */
function lostEnvironments(file: InspectedFile): IntegrityFinding[] {
  if (!/(?:^|\/)tox\.ini$/.test(file.path) || file.before === null) return [];
  const [before, after] = [readSettings(file.basePath, file.before), readSettings(file.path, file.after)].map(
    (settings) => settings.get("tox envlist") ?? settings.get("tox env_list") ?? [],
  );
  const lost = (before ?? []).find((name) => !/[{}]|^py(?:py)?\d/.test(name) && !(after ?? []).includes(name));
  const isRenamed = (after ?? []).some((name) => !(before ?? []).includes(name));
  if (lost === undefined || isRenamed || !file.after?.includes(`[testenv:${lost}]`)) return [];
  return [findingAt({file, level: "flag", message: `\`${lost}\` is not run by default any more`, text: "envlist"})];
}
