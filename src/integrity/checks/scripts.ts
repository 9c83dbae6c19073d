/** Check: scripts, targets and CI steps that check less than before. */
import {parse as parseJson} from "jsonc-parser";
import {mapOf, textEntries, valueAt} from "../../detect/files/manifest-values.ts";
import {parseYaml} from "../../detect/files/parse-yaml.ts";
import type {IntegrityFinding} from "../../record/finding.ts";
import {splitShell} from "../../shell/split.ts";
import {kindOfName} from "../../tools/stage-kind.ts";
import {checksOf, compareScripts} from "../gate/script-weakness.ts";
import type {InspectedChange, InspectedFile, IntegrityCheck} from "../source/inspected-change.ts";
import {isTestData, isTestPath} from "../source/kinds.ts";
import {compareLines} from "../source/line-changes.ts";

const WORKFLOW =
  /^\.github\/(?:workflows|actions)\/.+\.ya?ml$|^\.gitlab-ci\.yml$|^azure-pipelines\.ya?ml$|^\.circleci\/config\.yml$|^\.travis\.yml$/;
const SCRIPT_FILE =
  /(?:^|\/)(?:[^/]+\.(?:sh|bash|mk)|[jJ]ustfile|Taskfile\.ya?ml|tox\.ini|noxfile\.py|lefthook\.ya?ml|\.pre-commit-config\.yaml|pre-commit|Rakefile|build\.gradle(?:\.kts)?|\.husky\/[^/]+|magefile\.go|tasks\.py)$/;
const MAKEFILE = /(?:^|\/)(?:GNUmakefile|[Mm]akefile(?:\.\w+)?)$/;
const FIX = "Restore the command, and correct the code that it complains about.";

export const scripts: IntegrityCheck = {
  name: "scripts",
  find(change) {
    const all = change.files.filter(({path, status}) => status !== "added" && !isTestData(path));
    return all.flatMap((file) => {
      if (/(?:^|\/)(?:package|composer)\.json$/.test(file.basePath)) return comparePackage(file, change);
      if (MAKEFILE.test(file.basePath)) return [...compareNamed(file, targetsOf, change), ...makeOptions(file)];
      if (WORKFLOW.test(file.basePath)) return [...compareNamed(file, stepsOf, change), ...workflowOptions(file)];
      if (isProgramOfPlan(file, change)) return changedProgram(file);
      if (SCRIPT_FILE.test(file.basePath) || isNamedByPlan(file, change)) return compareNamed(file, wholeFile, change);
      return [];
    });
  },
};

type BodiesByName = ReadonlyMap<string, string>;

function comparePackage(file: InspectedFile, change: InspectedChange): IntegrityFinding[] {
  const read = (text: string): BodiesByName => textEntries(valueAt(parseJson(text), "scripts"));
  return [...compareNamed(file, read, change), ...newHooks(file, read)];
}

/** npm runs `pretest` before `test`: a new one that removes or rewrites files can remove what is checked. */
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

const REWRITES = /^(?:rm|mv|cp|sed|rimraf|unlink|truncate|shx|git)$/;

/**
 * Compares scripts by name. A removed script is a finding only if no other script of the change contains its checks.
 */
function compareNamed(
  file: InspectedFile,
  read: (text: string) => BodiesByName,
  change: InspectedChange,
): IntegrityFinding[] {
  const before = readBodies(read, file.before);
  const after = readBodies(read, file.after);
  if (before === null || after === null) return [];
  const remaining = new Set([...after.values()].flatMap((body) => checksOf(body).map(({tool}) => tool)));
  const added = addedText(change);
  return [...before].flatMap(([name, body]) => {
    const head = after.get(name);
    if (head === body) return [];
    const tools = checksOf(body).map(({tool}) => tool);
    const isElsewhere = tools.length > 0 && tools.every((tool) => remaining.has(tool) || added.includes(tool));
    const label = name === "" ? "The script" : `\`${name}\``;
    if (head === undefined) {
      if (tools.length === 0 || isElsewhere || isReplaced(tools, body, [...after.values()])) return [];
      return [findingAt({file, level: "flag", message: `${label} is gone, and with it \`${tools[0]}\``, text: null})];
    }
    const weakness = compareScripts(body, head, name);
    if (weakness === null || (isElsewhere && / not run any more$/.test(weakness.what))) return [];
    return [findingAt({file, level: weakness.level, message: `${label}: ${weakness.what}`, text: head})];
  });
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
function addedText(change: InspectedChange): string {
  return change.files
    .filter(
      ({path}) => WORKFLOW.test(path) || SCRIPT_FILE.test(path) || MAKEFILE.test(path) || /package\.json$/.test(path),
    )
    .flatMap(({before, after}) => compareLines(before, after).added.map(({text}) => text))
    .join("\n");
}

/** The recipe of each target, with the `-` that makes `make` ignore a failure written as `|| true`. */
function targetsOf(text: string): BodiesByName {
  const targets = new Map<string, string>();
  let names: string[] = [];
  for (const line of text.replace(/\\\n[ \t]*/g, " ").split("\n")) {
    const rule = /^([\w./%-][^:=#]*?)\s*::?(?!=)\s*([^=]*)$/.exec(line);
    if (line.startsWith("\t")) {
      const [, prefix = "", command = ""] = /^\t\s*([@+-]*)\s*(.*)$/.exec(line) ?? [];
      const recipe = prefix.includes("-") ? `${command} || true` : command;
      for (const name of names) targets.set(name, `${targets.get(name) ?? ""}${recipe}\n`);
    } else if (rule !== null) {
      names = (rule[1] ?? "").split(/\s+/).filter((name) => !name.startsWith("."));
      const needs =
        (rule[2] ?? "").split(/[\s;#]/)[0] === undefined
          ? []
          : (rule[2] ?? "")
              .replace(/[;#|].*/, "")
              .trim()
              .split(/\s+/);
      for (const name of names)
        if (!targets.has(name))
          targets.set(
            name,
            needs
              .filter(Boolean)
              .map((need) => `make ${need}\n`)
              .join(""),
          );
    }
  }
  return targets;
}

function makeOptions(file: InspectedFile): IntegrityFinding[] {
  const pattern =
    /^\s*(?:\.IGNORE\s*:|SHELL\s*[:?]?=\s*\S*\/?(?:true|echo)\b|MAKEFLAGS\s*[+:]?=.*(?:-i\b|--ignore-errors|-k\b|-n\b)|\.SHELLFLAGS\s*[:?]?=\s*(?!.*e))/;
  const ignored = addedLines(file, pattern).map(({text}) =>
    findingAt({file, level: "block", message: `\`${text.trim()}\` makes \`make\` ignore failures`, text}),
  );
  const hollow = addedLines(
    file,
    /^\s*(?:export\s+|override\s+)*\w+\s*[:?+]*=\s*@?(?:\S*\/)?(?:true|:|echo|printf|exit 0)(?:\s|$)/,
  ).filter(({text}) =>
    new RegExp(String.raw`^\t.*\$[({]${/\w+(?=\s*[:?+]*=)/.exec(text)?.[0]}[)}]`, "m").test(file.after ?? ""),
  );
  const programs = hollow.map(({text}) =>
    findingAt({file, level: "flag", message: `\`${text.trim()}\` makes commands pass always`, text}),
  );
  return [...ignored, ...programs, ...filesAsTargets(file)];
}

/** `make` does nothing for a target that is a file, unless it is phony. */
function filesAsTargets(file: InspectedFile): IntegrityFinding[] {
  const phony = (text: string | null) =>
    new Set([...(text ?? "").matchAll(/^\.PHONY\s*:(.*)$/gm)].flatMap(([, names = ""]) => names.trim().split(/\s+/)));
  const after = phony(file.after);
  const lost = [...phony(file.before)].find(
    (name) => !after.has(name) && kindOfName(name) !== null && targetsOf(file.after ?? "").has(name),
  );
  if (lost === undefined) return [];
  return [
    findingAt({
      file,
      level: "flag",
      message: `\`${lost}\` is not phony any more: it does not run if a file has its name`,
      text: null,
    }),
  ];
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

const wholeFile = (text: string): BodiesByName => new Map([["", text.replace(/^#!.*/, "")]]);

function isNamedByPlan({basePath}: InspectedFile, {plan}: InspectedChange): boolean {
  const name = basePath.slice(basePath.lastIndexOf("/") + 1);
  const isScript = /\.(?:sh|bash|ps1)$|^[^.]+$/.test(name);
  return (
    isScript &&
    (plan?.stages.some(({command}) => command.split(/[\s'"]+/).some((word) => word.endsWith(name))) ?? false)
  );
}

const TOOL_FOLDER =
  /(?:^|\/)(?:bin|ci|\.ci|scripts?|tools?|hack|tasks?|lint|checks?)\/|^(?:check|lint|test)[\w-]*\.\w+$/;

/** A program of the repository that a check runs, such as `node tools/lint.js`; not the code that it checks. */
function isProgramOfPlan({basePath}: InspectedFile, {plan, scripts: bodies = []}: InspectedChange): boolean {
  if (!/\.(?:[cm]?[jt]s|py|rb|pl)$/.test(basePath) || isTestPath(basePath) || !TOOL_FOLDER.test(basePath)) return false;
  const commands = (plan?.stages ?? []).filter(({kind}) => kind !== "build").map((stage) => stage.command);
  const words = [...commands, ...bodies].flatMap((text) => text.split(/[\s'"=]+/));
  return words.some((word) => word.replace(/^\.\//, "") === basePath);
}

/** Only a program that grew can be known to check no less. */
function changedProgram(file: InspectedFile): IntegrityFinding[] {
  const {removed} = compareLines(file.before, file.after);
  if (removed.length === 0) return [];
  return [findingAt({file, level: "flag", message: "A program that a check runs is changed", text: null})];
}

function addedLines({before, after}: InspectedFile, pattern: RegExp) {
  const {added, removed} = compareLines(before, after);
  const matching = added.filter(({text}) => pattern.test(text));
  return matching.slice(removed.filter(({text}) => pattern.test(text)).length);
}

function findingAt({
  file,
  level,
  message,
  text,
}: {
  file: InspectedFile;
  level: IntegrityFinding["level"];
  message: string;
  text: string | null;
}): IntegrityFinding {
  const wanted = (text ?? "")
    .split("\n")
    .map((line) => line.trim())
    .find((line) => line.length > 3);
  const json = wanted === undefined ? "" : JSON.stringify(wanted).slice(1, -1);
  const index =
    wanted === undefined
      ? -1
      : (file.after ?? "").split("\n").findIndex((line) => line.includes(wanted) || line.includes(json));
  return {check: "scripts", level, path: file.path, line: index < 0 ? null : index + 1, message, fix: FIX};
}
