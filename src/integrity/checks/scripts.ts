/** Check: scripts, targets and CI steps that check less than before. */

import {parse as parseJson} from "jsonc-parser";
import {mapOf, textEntries, valueAt} from "../../detect/files/manifest-values.ts";
import type {IntegrityFinding} from "../../record/finding.ts";
import {splitShell} from "../../shell/split.ts";
import {partsOf} from "../../tools/all-integrity.ts";
import {kindOfName} from "../../tools/stage-kind.ts";
import {configuredWords} from "../gate/configured-words.ts";
import {expandedTargets} from "../gate/make-targets.ts";
import {checksOf, compareScripts} from "../gate/script-weakness.ts";
import {stopsAtFailure} from "../gate/shell-settings.ts";
import {lostFailure} from "../gate/shell-status.ts";
import {taskReader} from "../gate/task-commands.ts";
import {withEarlierPaths} from "../settings/selected-tests.ts";
import type {InspectedChange, InspectedFile, IntegrityCheck} from "../source/inspected-change.ts";
import {isShellTest, isTestData} from "../source/kinds.ts";
import {compareLines} from "../source/line-changes.ts";
import {parseYaml} from "../source/yaml.ts";
import {changedProgram, isCheckProgram, isInstallProgram} from "./check-programs.ts";
import {makefileFindings} from "./makefiles.ts";
import {addedLines, findingAt, ownScriptFindings} from "./script-finding.ts";
import {shellTestFindings} from "./shell-tests.ts";
import {taskRunnerFindings} from "./task-runners.ts";
import {workflowFindings} from "./workflows.ts";

const WORKFLOW =
  /^\.github\/(?:workflows|actions)\/.+\.ya?ml$|^\.gitlab-ci\.yml$|^azure-pipelines\.ya?ml$|^\.circleci\/config\.yml$|^\.travis\.yml$|^\.buildkite\/.+\.ya?ml$|^buildkite\.ya?ml$/;
const SCRIPT_FILE =
  /(?:^|\/)(?:[^/]+\.(?:sh|bash)|[jJ]ustfile|Taskfile\.ya?ml|melos\.yaml|tox\.(?:ini|toml)|noxfile\.py|lefthook\.ya?ml|\.pre-commit-config\.yaml|pre-commit|Rakefile|build\.gradle(?:\.kts)?|\.husky\/[^/]+|magefile\.go|tasks\.py)$/;
const MAKEFILE = /(?:^|\/)(?:GNUmakefile|[Mm]akefile(?:\.\w+)?|[^/]+\.mk)$/;

export const scripts: IntegrityCheck = {
  name: "scripts",
  find(change) {
    const allFiles = change.files.filter(({path}) => !isTestData(path));
    return allFiles.flatMap((file) => [...taskRunnerFindings(file), ...scriptFindings(file, change)]);
  },
};

function scriptFindings(file: InspectedFile, change: InspectedChange): IntegrityFinding[] {
  if (file.status === "added") return MAKEFILE.test(file.path) ? makefileFindings(file, change) : [];
  if (/(?:^|\/)(?:package|composer)\.json$/.test(file.basePath)) return comparePackage(file, change);
  if (MAKEFILE.test(file.basePath))
    return [...compareNamed(file, expandedTargets, change), ...makefileFindings(file, change)];
  if (WORKFLOW.test(file.basePath))
    return [...compareNamed(file, stepsOf, change), ...workflowOptions(file), ...workflowFindings(file)];
  if (isInstallProgram(file, change))
    return [findingAt({file, level: "flag", message: "A program that the install runs is changed", text: null})];
  if (isCheckProgram(file, change)) return isUnwrapped(file, change) ? [] : changedProgram(file);
  if (isShellTest(file.basePath)) return shellTestFindings(file);
  const reader = taskReader(file.basePath);
  if (reader !== null) return compareNamed(file, reader, change);
  if (SCRIPT_FILE.test(file.basePath) || isNamedByPlan(file, change)) {
    const findings = compareNamed(file, wholeFile, change);
    return findings.length > 0 ? findings : lostEnd(file);
  }
  return [];
}

/** A script of checks that ends with 0 whatever its checks say. */
function lostEnd(file: InspectedFile): IntegrityFinding[] {
  const {basePath, before, after} = file;
  const isCheck = CHECK_SCRIPT.test(basePath) || checksOf(before ?? "").length > 0;
  if (!/\.(?:sh|bash)$/.test(basePath) || !isCheck || before === null || after === null) return [];
  const loss = lostFailure(before, after);
  return loss === null ? [] : [findingAt({file, level: "flag", message: `The script: ${loss}`, text: null})];
}

const CHECK_SCRIPT = /(?:test|check|lint|verif|cover|\bci\b)[^/]*$/;

type BodiesByName = ReadonlyMap<string, string>;

function comparePackage(file: InspectedFile, change: InspectedChange): IntegrityFinding[] {
  const read = (text: string): BodiesByName => textEntries(valueAt(parseJson(text), "scripts"));
  const hooks = [...newHooks(file, read), ...lostHooks(file, read)];
  return [...compareNamed(file, read, change), ...hooks, ...ownScriptFindings(file, read, change)];
}

/** npm runs `pretest` before `test`: a new one that removes or rewrites files can remove the checked files. */
function newHooks(file: InspectedFile, read: (text: string) => BodiesByName): IntegrityFinding[] {
  const before = readBodies(read, file.before);
  const after = readBodies(read, file.after);
  return [...(after ?? [])].flatMap(([name, body]) => {
    const hook = /^(?:pre|post)(.+)$/.exec(name)?.[1] ?? "";
    const rewrites = (splitShell(body) ?? []).some(({words}) => REWRITES.test(words[0] ?? ""));
    if (before?.has(name) !== false || !after?.has(hook) || kindOfName(hook) === null || !rewrites) return [];
    const message = `\`${name}\` is new and changes files before or after \`${hook}\``;
    return [findingAt({file, level: "flag", message, text: body})];
  });
}

/** A hook of a check runs a program of the repository that no other script runs. */
function lostHooks(file: InspectedFile, read: (text: string) => BodiesByName): IntegrityFinding[] {
  const after = readBodies(read, file.after);
  return [...(readBodies(read, file.before) ?? [])].flatMap(([name, body]) => {
    const hook = /^(?:pre|post)(.+)$/.exec(name)?.[1] ?? "";
    const program = /(?:^|\s)(?:\.\/)?(?:[\w.-]+\/)*[\w.-]*(?:check|lint|verif|valid|test)[\w.-]*\.\w+/
      .exec(body)?.[0]
      .trim();
    if (after === null || after.has(name) || !after.has(hook) || kindOfName(hook) === null || program === undefined)
      return [];
    if ([...after.values()].some((text) => text.includes(program)) || checksOf(body).length > 0) return [];
    const message = `\`${name}\` is gone, and with it \`${program}\``;
    return [findingAt({file, level: "flag", message, text: null})];
  });
}

const REWRITES = /^(?:rm|mv|cp|sed|rimraf|unlink|truncate|shx|git)$/;

/**
 * Compares scripts by name. A removed script is a finding only if no other script of the change contains its checks.
 */
function compareNamed(
  file: InspectedFile,
  read: (text: string) => BodiesByName,
  change: InspectedChange,
): IntegrityFinding[] {
  const bodiesBefore = readBodies(read, file.before);
  const bodiesAfter = readBodies(read, file.after);
  if (bodiesBefore === null || bodiesAfter === null) return [];
  const toolsByBody = new Map<string, string[]>();
  for (const body of [...bodiesBefore.values(), ...bodiesAfter.values()])
    if (!toolsByBody.has(body))
      toolsByBody.set(
        body,
        checksOf(body).map(({tool}) => tool),
      );
  const toolsOf = (body: string) => toolsByBody.get(body) ?? [];
  const toolsIn = (bodies: BodiesByName) => [...bodies.values()].flatMap(toolsOf);
  const [toolsBefore, toolsAfter] = [toolsIn(bodiesBefore), toolsIn(bodiesAfter)];
  const count = (list: readonly string[], tool: string) => list.filter((one) => one === tool).length;
  const isKept = (tool: string) => count(toolsAfter, tool) > 0 && count(toolsAfter, tool) >= count(toolsBefore, tool);
  const otherAdded = addedText(change, file);
  const configured = configuredWords(file, change);
  return [...bodiesBefore].flatMap(([name, body]) => {
    const head = bodiesAfter.get(name);
    if (head === body) return [];
    const tools = [...new Set(toolsOf(body))];
    const isStillRun = (tool: string) =>
      startsAction(file, tool) || (head === undefined ? toolsAfter.includes(tool) : isKept(tool));
    const isElsewhere = tools.length > 0 && tools.every((tool) => isStillRun(tool) || otherAdded.includes(tool));
    const label = name === "" ? "The script" : `\`${name}\``;
    if (head === undefined) {
      if (tools.length === 0 || isElsewhere || isReplaced(tools, body, [...bodiesAfter.values()])) return [];
      return [findingAt({file, level: "flag", message: `${label} is gone, and with it \`${tools[0]}\``, text: null})];
    }
    if (runsWrapped(body, head, change)) return [];
    const weakness = compareScripts(body, withEarlierPaths(body, head, change), {
      name,
      configured,
      stopsAtFailure: stopsAtFailure(file),
    });
    const program = weakness?.level === "note" ? newProgram(body, head, change) : null;
    if (program !== null) {
      const insideWeakness = /\.(?:sh|bash)$/.test(program.path)
        ? compareScripts(body, program.after ?? "", {name})
        : weakness;
      const message = `${label} runs \`${program.path}\` of this change in place of \`${tools[0]}\``;
      return insideWeakness === null ? [] : [findingAt({file, level: "flag", message, text: head})];
    }
    if (weakness === null || (isElsewhere && / not run any more$/.test(weakness.what))) return [];
    return [findingAt({file, level: weakness.level, message: `${label}: ${weakness.what}`, text: head})];
  });
}

/** A new step of CI runs the action that a tool has for itself: `uses: owner/TOOL-action@v1`. */
const startsAction = (file: InspectedFile, tool: string): boolean =>
  compareLines(file.before, file.after).added.some(
    ({text}) => /^\s*(?:-\s+)?uses:/.test(text) && text.includes(`/${tool.replaceAll(" ", "-")}-action@`),
  );

/** True if the script runs only the commands of a wrapper that the change deletes, with all of their options. */
function runsWrapped(body: string, head: string, {files}: InspectedChange): boolean {
  const names = body.split(/[\s'"=]+/).map((word) => word.replace(/^\.\//, ""));
  const wrapper = files.find(({status, basePath}) => status === "deleted" && names.includes(basePath));
  const text = wrapper?.before?.replace(/^\s*(?:#|\/\/).*$/gm, "") ?? "";
  const commands = splitShell(head) ?? [];
  const words = commands.flatMap((command) => command.words);
  const parts = new Set(text.split(/[\s"'`,;()[\]]+/));
  const [check, ...others] = checksOf(head);
  // A program that starts the runner for a folder, and the runner's command for the same folder.
  if (RUNNER.test(text) && check?.kind === "test" && others.length === 0 && commands.length === 1) {
    const plain = words.filter((word) => !check.tool.split(" ").includes(word));
    return plain.every((word) => parts.has(word.replace(/^\.\/|\/$/g, "")));
  }
  const isKept = (tool: string) => head.includes(tool);
  const isLenient = commands.some(({joint}) => joint !== "start" && joint !== "&&");
  return (
    words.length > 0 &&
    !isLenient &&
    words.every((word) => parts.has(word)) &&
    [...parts].every((part) => !/^--?[a-z]/i.test(part) || SHELL_OPTION.test(part) || words.includes(part)) &&
    checksOf(/\.(?:sh|bash)$/.test(wrapper?.path ?? "") ? text : "").every(
      ({words: [tool = ""]}) => isKept(tool) || tool === "npx",
    )
  );
}

/** All scripts of packages that ran a deleted program run its commands now. */
function isUnwrapped({basePath, status}: InspectedFile, change: InspectedChange): boolean {
  const read = (text: string): BodiesByName => textEntries(valueAt(parseJson(text), "scripts"));
  const users = change.files.flatMap(({path, before, after}) => {
    const heads = path.endsWith("package.json") ? readBodies(read, after) : null;
    const bodies = heads === null ? null : readBodies(read, before);
    return [...(bodies ?? [])].flatMap(([name, body]) =>
      body.includes(basePath) ? [{body, head: heads?.get(name) ?? ""}] : [],
    );
  });
  return status === "deleted" && users.length > 0 && users.every(({body, head}) => runsWrapped(body, head, change));
}

const RUNNER = new RegExp(partsOf("startsRunner"));
const SHELL_OPTION = /^-[euxo]+$/;

/** A program that the change adds, and that a script runs now. */
function newProgram(body: string, head: string, {files}: InspectedChange): InspectedFile | null {
  const words = head.split(/[\s'"=]+/).map((word) => word.replace(/^\.\//, ""));
  return files.find(({path, status}) => status === "added" && words.includes(path) && !body.includes(path)) ?? null;
}

/** Another tool of the same kind replaces it, such as vitest instead of jest. */
function isReplaced(tools: readonly string[], body: string, after: readonly string[]): boolean {
  const kinds = new Set(checksOf(body).map(({kind}) => kind));
  return after.flatMap((text) => checksOf(text)).some(({kind, tool}) => kinds.has(kind) && !tools.includes(tool));
}

function readBodies(read: (text: string) => BodiesByName, text: string | null): BodiesByName | null {
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
        path !== own &&
        (WORKFLOW.test(path) || SCRIPT_FILE.test(path) || MAKEFILE.test(path) || /package\.json$/.test(path)),
    )
    .flatMap(({before, after}) => compareLines(before, after).added.map(({text}) => text))
    .join("\n");
}

/** The commands of all steps by job. A step without a name is still compared, as a part of its job. */
function stepsOf(text: string): BodiesByName {
  const document = parseYaml(text);
  const jobs = mapOf(
    valueAt(document, "jobs") ??
      (valueAt(document, "runs") === undefined ? document : {runs: valueAt(document, "runs")}),
  );
  const bodies = [...jobs].map(([name, job]): [string, string] => [name, commandsOf(job).join("\n")]);
  return new Map(bodies.filter(([, body]) => body !== ""));
}

function commandsOf(job: unknown): string[] {
  const lists = ["steps", "script", "before_script"].map((key) => valueAt(job, key));
  return lists.flatMap((list) =>
    (Array.isArray(list) ? list : typeof list === "string" ? [list] : []).flatMap((step) => {
      const run = typeof step === "string" ? step : (valueAt(step, "run") ?? valueAt(step, "script"));
      return typeof run === "string" ? [run] : [];
    }),
  );
}

function workflowOptions(file: InspectedFile): IntegrityFinding[] {
  const pattern =
    /^\s*(?:-\s*)?(?:continue-on-error|continueOnError|allow_failure)\s*:\s*["']?true\b|^\s*(?:-\s*)?if\s*:\s*(?:\$\{\{\s*)?["']?(?:false|0|'')\b/;
  return addedLines(file, pattern).map(({text}) =>
    findingAt({
      file,
      level: "flag",
      message: `\`${text.trim()}\` lets a failure of CI pass, or leaves a step out`,
      text,
    }),
  );
}

const wholeFile = (text: string): BodiesByName => new Map([["", withNumbers(text.replace(/^#!.*/, ""))]]);

/** With the numbers that variables have, so that these are compared in their command. */
function withNumbers(text: string): string {
  const numbers = new Map(
    [...text.matchAll(/^\s*(?:readonly\s+|export\s+)?([A-Z_]+)=(\d[\d.]*)\s*$/gm)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]),
  );
  return text.replace(/"?\$\{?([A-Z_]+)(?::-[^}]*)?\}?"?/g, (whole, name: string) => numbers.get(name) ?? whole);
}

function isNamedByPlan({basePath}: InspectedFile, {plan}: InspectedChange): boolean {
  const name = basePath.slice(basePath.lastIndexOf("/") + 1);
  const isScript = /\.(?:sh|bash|ps1)$|^[^.]+$/.test(name);
  return (
    isScript &&
    (plan?.stages.some(({command}) => command.split(/[\s'"]+/).some((word) => word.endsWith(name))) ?? false)
  );
}
