/** Finds settings of task runners that let a check fail, or leave it out. A part of the check `scripts`. */
import type {IntegrityFinding} from "../../record/finding.ts";
import {readSettings} from "../gate/settings.ts";
import type {InspectedFile} from "../source/inspected-change.ts";
import {addedLines, findingAt} from "./script-finding.ts";

interface RunnerRule {
  readonly files: RegExp;
  readonly pattern: RegExp;
  readonly what: string;
}

const RULES: readonly RunnerRule[] = [
  {
    files: /(?:^|\/)tox\.ini$/,
    // A leading dash ignores the exit code (tox.wiki, "commands").
    pattern: /^\s*(?:commands\w*\s*=)?\s*-\s+(?!(?:rm|mkdir|coverage erase|pip|docker)\b)\w/,
    what: "ignores the exit code of a command",
  },
  {
    files: /(?:^|\/)noxfile\.py$/,
    pattern: /\bsuccess_codes\s*=|\bdefault\s*=\s*False\b/,
    what: "accepts a failure, or leaves the session out",
  },
  {
    files: /(?:^|\/)[Tt]askfile(?:\.dist)?\.ya?ml$/,
    pattern: /^\s*-?\s*ignore_error\s*:\s*true\b|^\s*status\s*:/,
    what: "ignores a failure, or skips the task",
  },
  {
    files: /(?:^|\/)CMakeLists\.txt$|\.cmake$/,
    pattern:
      /\bDISABLED\s+(?:ON|TRUE|YES|1)\b|\b(?:PASS_REGULAR_EXPRESSION|SKIP_RETURN_CODE|SKIP_REGULAR_EXPRESSION|CTEST_CUSTOM_TESTS_IGNORE)\b/,
    what: "leaves a test out, or decides its result by something else than its exit code",
  },
];

export function taskRunnerFindings(file: InspectedFile): IntegrityFinding[] {
  const isCustom = /CTestCustom\.cmake$/.test(file.path);
  if ((file.before === null && !isCustom) || file.after === null) return [];
  const changed = RULES.filter(({files}) => files.test(file.path)).flatMap(({pattern, what}) =>
    addedLines(file, pattern).map(({text}) =>
      findingAt({file, level: "flag", message: `\`${text.trim()}\` ${what}`, text}),
    ),
  );
  return [...changed.slice(0, 1), ...lostEnvironments(file)];
}

/** Environments that `tox` does not run any more; a dropped version of Python is not one. */
function lostEnvironments(file: InspectedFile): IntegrityFinding[] {
  if (!/(?:^|\/)tox\.ini$/.test(file.path)) return [];
  const [before, after] = [readSettings(file.basePath, file.before), readSettings(file.path, file.after)].map(
    (settings) => settings.get("tox envlist") ?? settings.get("tox env_list") ?? [],
  );
  const lost = (before ?? []).find((name) => !/[{}]|^py(?:py)?\d/.test(name) && !(after ?? []).includes(name));
  const isRenamed = (after ?? []).some((name) => !(before ?? []).includes(name));
  if (lost === undefined || isRenamed || !new RegExp(String.raw`\[testenv:${lost}\]`).test(file.after ?? "")) return [];
  return [findingAt({file, level: "flag", message: `\`${lost}\` is not run by default any more`, text: "envlist"})];
}
