/** Check: scripts, targets and CI steps that check less than before. */

import {posix} from "node:path";
import {parse as parseJson} from "jsonc-parser";
import {textEntries, valueAt} from "../../detect/files/manifest-values.ts";
import {isNamed, plainPath} from "../../git/paths.ts";
import type {IntegrityFinding} from "../../record/finding.ts";
import {splitShell} from "../../shell/split.ts";
import {namesTest} from "../../tools/names.ts";
import {kindOfName} from "../../tools/stage-kind.ts";
import {type CheckCommand, checksIn} from "../commands/check-commands.ts";
import type {CommandPlaces, ShellLine} from "../commands/command-fates.ts";
import {compareCommands} from "../commands/compare-commands.ts";
import {makePlaces} from "../commands/makefile.ts";
import {taskReader} from "../commands/task-runners.ts";
import {workflowPlaces} from "../commands/workflows.ts";
import {configuredWords} from "../gate/configured-words.ts";
import {withEarlierPaths} from "../settings/selected-tests.ts";
import type {InspectedChange, InspectedFile, IntegrityCheck} from "../source/inspected-change.ts";
import {isShellTest, isTestData} from "../source/kinds.ts";
import {compareLines} from "../source/line-changes.ts";
import {findingAt, ownScriptFindings} from "./script-finding.ts";
import {workflowFindings} from "./workflows.ts";

const WORKFLOW =
  /^\.github\/(?:workflows|actions)\/.+\.ya?ml$|^\.gitlab-ci\.yml$|^azure-pipelines\.ya?ml$|^\.circleci\/config\.yml$|^\.travis\.yml$|^\.buildkite\/.+\.ya?ml$|^buildkite\.ya?ml$/;
const isScriptName = namesTest(
  "*.sh *.bash justfile Justfile Taskfile.yml Taskfile.yaml melos.yaml tox.ini tox.toml noxfile.py lefthook.yml",
  "lefthook.yaml .pre-commit-config.yaml pre-commit Rakefile build.gradle build.gradle.kts magefile.go tasks.py",
);
const isScript = (path: string): boolean =>
  isScriptName(posix.basename(path)) || posix.basename(posix.dirname(path)) === ".husky";
const MAKEFILE = /(?:^|\/)(?:GNUmakefile|[Mm]akefile(?:\.\w+)?|[^/]+\.mk)$/;

export const scripts: IntegrityCheck = {
  name: "scripts",
  find(change) {
    const allFiles = change.files.filter(({path}) => !isTestData(path));
    return allFiles.flatMap((file) => scriptFindings(file, change));
  },
};

function scriptFindings(file: InspectedFile, change: InspectedChange): IntegrityFinding[] {
  if (file.status === "added") return MAKEFILE.test(file.path) ? compareNamed(file, makePlaces, change) : [];
  if (isNamed(file.basePath, "package.json", "composer.json")) return comparePackage(file, change);
  if (MAKEFILE.test(file.basePath)) return compareNamed(file, makePlaces, change);
  if (WORKFLOW.test(file.basePath)) return [...compareNamed(file, workflowPlaces, change), ...workflowFindings(file)];
  if (isInstallProgram(file, change))
    return [findingAt({file, level: "flag", message: "A program that the install runs is changed", text: null})];
  if (isShellTest(file.basePath)) return [];
  const reader = taskReader(file.basePath);
  if (reader !== null) return compareNamed(file, reader, change);
  if (isScript(file.basePath) || isNamedByPlan(file, change)) {
    return compareNamed(file, (text) => whole(wholeFile(text)), change);
  }
  return [];
}

type BodiesByName = ReadonlyMap<string, string>;

const whole = (bodies: BodiesByName): CommandPlaces => new Map([...bodies].map(([name, text]) => [name, [{text}]]));

function comparePackage(file: InspectedFile, change: InspectedChange): IntegrityFinding[] {
  const read = (text: string): BodiesByName => textEntries(valueAt(parseJson(text), "scripts"));
  return [
    ...compareNamed(file, (text) => whole(read(text)), change),
    ...newHooks(file, read),
    ...ownScriptFindings(file, read, change),
  ];
}

/** npm runs `pretest` before `test`: a new one that removes or rewrites files can remove the checked files. */
function newHooks(file: InspectedFile, read: (text: string) => BodiesByName): IntegrityFinding[] {
  const before = readBodies(read, file.before);
  const after = readBodies(read, file.after);
  return [...(after ?? [])].flatMap(([name, body]) => {
    const hook = /^(?:pre|post)(.+)$/.exec(name)?.[1] ?? "";
    const rewrites = (splitShell(body) ?? []).some(({words}) => REWRITES.has(words[0] ?? ""));
    if (before?.has(name) !== false || !after?.has(hook) || kindOfName(hook) === null || !rewrites) return [];
    const message = `\`${name}\` is new and changes files before or after \`${hook}\``;
    return [findingAt({file, level: "flag", message, text: body})];
  });
}

const REWRITES = new Set(["rm", "mv", "cp", "sed", "rimraf", "unlink", "truncate", "shx", "git"]);

/** Compares the commands of each place, such as a script, a target or a job. A place that is gone has none. */
function compareNamed(
  file: InspectedFile,
  read: (text: string) => CommandPlaces,
  change: InspectedChange,
): IntegrityFinding[] {
  const [before, after] = [readBodies(read, file.before ?? ""), readBodies(read, file.after)];
  if (before === null || after === null) return [];
  const required = requiredBy(before);
  const [toolsBefore, toolsAfter] = [before, after].map((places) =>
    [...places.values()].flatMap((lines) => checksIn(lines).map(({tool}) => tool)),
  );
  const count = (list: readonly string[] | undefined, tool: string) => list?.filter((one) => one === tool).length ?? 0;
  const otherAdded = addedText(change, file);
  const configured = configuredWords(file, change);
  return [...before].flatMap(([name, body]) => {
    const head = after.get(name) ?? [];
    if (isEqual(body, head)) return [];
    const isElsewhere = ({tool}: CheckCommand) =>
      startsAction(file, tool) ||
      (after.has(name) ? count(toolsAfter, tool) >= count(toolsBefore, tool) : count(toolsAfter, tool) > 0) ||
      otherAdded.includes(tool);
    const paths = head.map((line, index) => ({
      ...line,
      text: withEarlierPaths(body[index]?.text ?? "", line.text, change),
    }));
    const changes = compareCommands(body, paths, {
      name: name || nameOf(file.basePath),
      isRequired: required.has(name),
      isElsewhere,
      ...(configured !== null && {configured}),
    });
    const label = name === "" ? "The script" : `\`${name}\``;
    const text = head.map((line) => line.text).join("\n");
    return changes.slice(0, 1).flatMap(({level, what}) => {
      if (!after.has(name)) {
        const [tool] = /(?<=`)[^`]+(?=` (?:is not run|any more))/.exec(what) ?? [];
        return tool === undefined || level === "note"
          ? []
          : [findingAt({file, level: "flag", message: `${label} is gone, and with it \`${tool}\``, text: null})];
      }
      const finding = findingAt({file, level, message: `${label}: ${what}`, text});
      return [level === "note" ? {...finding, fix: "Check that the tool examines as much as before."} : finding];
    });
  });
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1).replace(/\.(?:sh|bash)$/, "");

/** The names that checks start: `make NAME`, `npm run NAME`, and the hooks around a script. */
function requiredBy(places: CommandPlaces): Set<string> {
  const isCheck = (name: string) => !["build", null].includes(kindOfName(name.replace(/^(?:pre|post)/, "")));
  const required = new Set([...places.keys()].filter(isCheck));
  for (const name of required)
    for (const {tool} of checksIn(places.get(name) ?? [])) {
      const [, other = ""] = /^(?:make|script|just|task) (\S+)$/.exec(tool) ?? [];
      if (places.has(other) && kindOfName(other) !== "build") required.add(other);
    }
  return required;
}

const isEqual = (one: readonly ShellLine[], other: readonly ShellLine[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** A new step of CI runs the action that a tool has for itself: `uses: owner/TOOL-action@v1`. */
const startsAction = (file: InspectedFile, tool: string): boolean =>
  compareLines(file.before, file.after).added.some(
    ({text}) => /^\s*(?:-\s+)?uses:/.test(text) && text.includes(`/${tool.replaceAll(" ", "-")}-action@`),
  );

function readBodies<T>(read: (text: string) => T, text: string | null): T | null {
  try {
    return text === null ? null : read(text);
  } catch {
    return null;
  }
}

/** Lines that the change adds to other gate files: a check may have moved there. */
function addedText(change: InspectedChange, {path: own}: InspectedFile): string {
  return change.files
    .filter(
      ({path}) =>
        path !== own && (WORKFLOW.test(path) || isScript(path) || MAKEFILE.test(path) || path.endsWith("package.json")),
    )
    .flatMap(({before, after}) => compareLines(before, after).added.map(({text}) => text))
    .join("\n");
}

const wholeFile = (text: string): BodiesByName => new Map([["", text]]);

function isNamedByPlan({basePath}: InspectedFile, {plan}: InspectedChange): boolean {
  const name = basePath.slice(basePath.lastIndexOf("/") + 1);
  const isScript = /\.(?:sh|bash|ps1)$|^[^.]+$/.test(name);
  return (
    isScript &&
    (plan?.stages.some(({command}) => command.split(/[\s'"]+/).some((word) => word.endsWith(name))) ?? false)
  );
}

/** A program of the repository's own install scripts: what it writes is there for each check. */
function isInstallProgram({basePath}: InspectedFile, {plan}: InspectedChange): boolean {
  const scripts = (plan?.setup ?? []).filter(({ownScript}) => ownScript !== undefined);
  return scripts.some(({command, cwd}) => {
    const words = command.split(/[\s'"=;&|()]+/).map(plainPath);
    return words.some((word) => word !== "" && (word === basePath || `${cwd}/${word}` === basePath));
  });
}
