/** Finds settings of task runners that let a check fail, or leave it out. A part of the check `scripts`. */
import type {IntegrityFinding} from "../../record/finding.ts";
import {INTEGRITY} from "../../tools/all-integrity.ts";
import type {RunnerRule} from "../../tools/tool-integrity.ts";
import {PREPARES, TOX_TABLES} from "../gate/task-commands.ts";
import {readSettings, type Settings} from "../settings/read-settings.ts";
import type {InspectedFile} from "../source/inspected-change.ts";
import {addedLines, findingAt} from "./script-finding.ts";

const RULES: readonly RunnerRule[] = [
  {
    files: /(?:^|\/)tox\.ini$/,
    // A leading dash ignores the exit code (tox.wiki, "commands").
    pattern: new RegExp(String.raw`^\s*(?:commands\w*\s*=)?\s*-\s+(?!${PREPARES.source.slice(1)})\w`),
    what: "ignores the exit code of a command",
  },
  {
    files: /(?:^|\/)[Tt]askfile(?:\.dist)?\.ya?ml$/,
    pattern: /^\s*-?\s*ignore_error\s*:\s*true\b|^\s*status\s*:/,
    what: "ignores a failure, or skips the task",
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
  const isTable = TOX_TABLES.test(file.path);
  if (!(isTable || /(?:^|\/)tox\.ini$/.test(file.path)) || file.before === null) return [];
  const [before, after] = [readSettings(file.basePath, file.before), readSettings(file.path, file.after)];
  const namesIn = (settings: Settings): readonly string[] =>
    ["tox envlist", "tox env_list", "tool tox env_list", "env_list"].flatMap((key) => settings.get(key) ?? []);
  const [old, now] = [namesIn(before), namesIn(after)];
  const isDefined = (name: string) =>
    isTable
      ? [...after.keys()].some((key) => key.replace(/^tool tox /, "").startsWith(`env ${name} `))
      : file.after?.includes(`[testenv:${name}]`) === true;
  const lost = old.find((name) => !/[{}]|^py(?:py)?\d|^3\.\d/.test(name) && !now.includes(name));
  const isRenamed = now.some((name) => !old.includes(name));
  if (lost === undefined || isRenamed || !isDefined(lost)) return [];
  const text = isTable ? "env_list" : "envlist";
  return [findingAt({file, level: "flag", message: `\`${lost}\` is not run by default any more`, text})];
}
