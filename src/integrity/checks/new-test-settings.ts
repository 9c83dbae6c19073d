/** Finds new configuration of a test runner that leaves out tests which ran without it. A part of the check `settings`. */
import type {IntegrityFinding} from "../../record/finding.ts";
import {INTEGRITY} from "../../tools/all-integrity.ts";
import type {DefaultTests} from "../../tools/tool-integrity.ts";
import type {CheckCommand} from "../gate/check-command.ts";
import {checksOf} from "../gate/script-weakness.ts";
import {selects} from "../gate/selected-tests.ts";
import {SETTING_RULES} from "../gate/setting-rules.ts";
import {readSettings, type Settings} from "../gate/settings.ts";
import type {InspectedChange, InspectedFile} from "../source/inspected-change.ts";
import {isGenerated, isTestData} from "../source/kinds.ts";

type Patterns = readonly string[];

const RUNNERS = INTEGRITY.flatMap(({defaultTests}) => defaultTests ?? []);

const runnerOf = ({path, status}: InspectedFile): DefaultTests | undefined =>
  status === "added" ? RUNNERS.find(({files}) => files.test(path)) : undefined;

/** The scripts of the base then show whether its runner ran before. */
export const isNewTestSettings = (file: InspectedFile): boolean => runnerOf(file) !== undefined;

/** The settings of a file that the change adds, next to no other configuration of its runner. */
export function newTestSettings(file: InspectedFile, change: InspectedChange): IntegrityFinding[] {
  const runner = runnerOf(file);
  const folder = file.path.slice(0, file.path.lastIndexOf("/") + 1);
  const isRead = folder === "" || change.plan?.stages.some(({cwd}) => `${cwd}/` === folder) === true;
  if (runner === undefined || !isRead || replacesSettings(runner, change)) return [];
  const commands = (change.scripts ?? []).flatMap((body) => checksOf(body)).filter(({tool}) => runner.tools.test(tool));
  if (commands.length === 0 || commands.some(({words}) => words.some((word) => OTHER_SETTINGS.test(word)))) return [];
  const settings = readSettings(file.path, file.after);
  const tests = testsBefore({runner, folder, commands}, change);
  return [...settings].flatMap(([key, values]) => {
    const what = weakness({runner, key, values, tests}) ?? switchedOn(key, {file, values, commands});
    return what === null || isMovedHere(key, values, change) ? [] : [findingFor(file, key, what)];
  });
}

const OTHER_SETTINGS = /^(?:-c|--config|--root|--dir|--projects?)(?:=|$)/;

/** The change moves or deletes the earlier configuration: other checks compare the two. */
const replacesSettings = ({files}: DefaultTests, change: InspectedChange): boolean =>
  change.files.some(({basePath, status}) => status !== "added" && files.test(basePath));

interface RunBefore {
  readonly runner: DefaultTests;
  readonly folder: string;
  readonly commands: readonly CheckCommand[];
}

/** The tests in the folder of the configuration that ran without it, by their paths from there. */
function testsBefore({runner, folder, commands}: RunBefore, {files, testPaths = []}: InspectedChange): string[] {
  const added = new Set(files.flatMap(({path, status}) => (status === "added" ? [path] : [])));
  const tests = testPaths
    .filter((path) => path.startsWith(folder) && !added.has(path) && !isGenerated(path) && !isTestData(path))
    .map((path) => path.slice(folder.length))
    .filter((path) => runner.tests.test(path));
  // Arguments of a command select tests by a part of their path.
  const filtersOf = ({tool, words}: CheckCommand) =>
    words.filter(
      (word) =>
        !tool.includes(word) &&
        tests.some((path) => (/[./]/.test(word) ? path.includes(word) : path.startsWith(`${word}/`))),
    );
  return tests.filter((path) =>
    commands.some((command) => {
      const filters = filtersOf(command);
      return filters.length === 0 || filters.some((word) => path.includes(word));
    }),
  );
}

/** The test that a list of patterns leaves out, in words; null if there is none. */
function weakness(options: {runner: DefaultTests; key: string; values: Patterns; tests: Patterns}): string | null {
  const {runner, key, values, tests} = options;
  const isExpression = runner.expressions.test(key);
  const isMatch = (patterns: Patterns, path: string) =>
    isExpression ? patterns.some((pattern) => matches(pattern, path)) : selects(patterns, path);
  const known = values.filter((value) => !SPREAD.test(value));
  const [negated, plain] = [known.filter(isNegated), known.filter((value) => !isNegated(value))];
  const isLeftOut = (path: string): boolean => {
    if (runner.leavesOut.test(key)) return isMatch(plain, path);
    const excluded = negated.map((value) => value.slice(1));
    const isOpen = known.length < values.length || plain.length === 0;
    return runner.selects.test(key) && (isMatch(excluded, path) || !(isOpen || isMatch(plain, path)));
  };
  const lost = tests.find(isLeftOut);
  return lost === undefined ? null : `leaves out \`${lost}\`, which ran before`;
}

const SPREAD = /^\.\.\.[\w$([]/;
const isNegated = (pattern: string): boolean => pattern.startsWith("!");

/** An expression of JavaScript in a text, where a backslash is written as two. */
function matches(pattern: string, path: string): boolean {
  try {
    const source = pattern.replaceAll("\\\\", "\\").replace(/^<rootDir>\/?/, "^/");
    return new RegExp(source).test(`/${path}`);
  } catch {
    return false;
  }
}

/** A switch with which a run passes that fails without it. */
function switchedOn(
  key: string,
  {file, values, commands}: {file: InspectedFile; values: Patterns; commands: readonly CheckCommand[]},
): string | null {
  const isSwitch = SETTING_RULES.some(
    (rule) => rule.weaker === "on" && rule.level !== "note" && rule.files.test(file.path) && rule.key.test(key),
  );
  const option = `--${key.split(" ").at(-1)}`;
  const isGiven = commands.every(({words}) => words.includes(option));
  return isSwitch && values.join() === "true" && !isGiven ? "is `true`, and was not set before" : null;
}

/** Another file of the change had the same values under the same key. */
function isMovedHere(key: string, values: Patterns, {files}: InspectedChange): boolean {
  const hasThem = (settings: Settings) =>
    [...settings].some(
      ([other, earlier]) =>
        (other === key || other.endsWith(` ${key}`)) && values.every((value) => earlier.includes(value)),
    );
  return files.some(({basePath, before}) => before !== null && hasThem(readSettings(basePath, before)));
}

function findingFor({path, after}: InspectedFile, key: string, what: string): IntegrityFinding {
  const name = key.split(" ").at(-1) ?? "";
  const index = (after ?? "").split("\n").findIndex((line) => line.includes(name));
  const message = `\`${key.replaceAll(" ", ".")}\` of the new configuration ${what}`;
  const fix = "Leave the setting out, and correct the code that the tests complain about.";
  return {check: "settings", level: "flag", path, line: index < 0 ? null : index + 1, message, fix};
}
