/** Finds settings of makefiles that make their checks pass or check less. A part of the check `scripts`. */
import type {IntegrityFinding} from "../../record/finding.ts";
import {isHarmlessVariable} from "../../tools/harmless-options.ts";
import {kindOfName} from "../../tools/stage-kind.ts";
import {targetsOf, variablesOf} from "../gate/make-targets.ts";
import {selects} from "../settings/selected-tests.ts";
import type {InspectedChange, InspectedFile} from "../source/inspected-change.ts";
import {isShellTest} from "../source/kinds.ts";
import {weakerRecipes} from "./recipes.ts";
import {addedLines, findingAt} from "./script-finding.ts";

const IGNORES =
  /^\s*(?:\.IGNORE\s*:|(?:[\w .%-]+:\s*|override\s+|export\s+)?SHELL\s*[:?]?=\s*(?:\S*\/)?(?:true|echo)\b|(?:export\s+)?(?:GNU)?MAKEFLAGS\s*[+:]?=(?:(?<!^\t.*)\s*[a-zA-Z]*[iknt][a-zA-Z]*\s*(?:$|#|-)|.*(?:(?<![\w-])-[abdeipqrsvwBLRS]*[iknt]\w*|--ignore-errors|--touch|--dry-run))|\.SHELLFLAGS\s*[:?]?=\s*(?!.*e))/;
/** `LINT = lint ||:` passes whatever it finds. */
const SWALLOWS = /\|\|\s*(?::|true)\s*$/;
const OPTIONAL = /^\s*(?:-include|sinclude)\s+\S/;
/** A folder of the repository before all others. Those of installed tools are common. */
const OWN_PROGRAMS =
  /^\s*(?:export\s+|override\s+)*PATH\s*[:?]?=\s*"?(?:\$[({](?:CURDIR|PWD)[)}]|\.)?\/?(?!node_modules|vendor|bin\b|\.?venv|tools\b|\.|build|\$|\/)\w/;
const HOLLOW = /^@?(?:\S*\/)?(?:true|:|echo|printf|exit 0)(?:\s|$)/;
const NARROWS = /\$\(\s*(?:filter(?:-out)?|firstword|lastword|word|wordlist)\b/g;
/** Options of compilers and tools that make them report more. */
const STRICT_FLAG = /^(?:-W(?![lap],|no-)|-fsanitize|-pedantic|--strict|--check|-race|--fail)/;
/** Options of compilers that make them report less. */
const LOOSE_FLAG = /^(?:-w$|-Wno-|-fno-sanitize|-fpermissive|-D'?(?:NDEBUG|assert)\b)/;
/** Variables that list what is checked. */
const LISTS =
  /test|spec|check|lint|src|source|files?|dirs?|pkg|package|module|cases?\b|suites?\b|fixtures?|goldens?|examples?\b/i;

export function makefileFindings(file: InspectedFile, change: InspectedChange): IntegrityFinding[] {
  const ignored = addedLines(file, IGNORES).map(({text}) =>
    findingAt({file, level: "block", message: `\`${text.trim()}\` makes \`make\` ignore failures`, text}),
  );
  if (file.before === null) return ignored;
  const changes = (pattern: RegExp, what: string) =>
    addedLines(file, pattern).map(({text}) =>
      findingAt({file, level: "flag", message: `\`${text.trim()}\` ${what}`, text}),
    );
  const wasRequired = /^include\s/m.test(file.before) && !/^include\s/m.test(file.after ?? "");
  return [
    ...ignored,
    ...(wasRequired ? changes(OPTIONAL, "accepts that the file is missing") : []),
    ...changes(OWN_PROGRAMS, "starts programs of the repository in place of tools"),
    ...changedVariables(file, change),
    ...filesAsTargets(file),
    ...conditionalChecks(file),
    ...replacedRecipes(file),
    ...lostPrerequisites(file),
    ...newExpectedFiles(file),
    ...weakerRecipes(file, prerequisitesOf(file.before), change.files),
    ...lostShellSettings(file),
  ];
}

function changedVariables(file: InspectedFile, change: InspectedChange): IntegrityFinding[] {
  const [before, after] = [variablesOf(file.before ?? ""), variablesOf(file.after ?? "")];
  return [...after].flatMap(([name, value]) => {
    const previous = before.get(name);
    if (previous === value) return [];
    const isUsed = new RegExp(String.raw`^\t.*\$[({]${name.replaceAll(".", "\\.")}[)}]`, "m").test(file.after ?? "");
    const flag = (what: string) => [findingAt({file, level: "flag", message: `\`${name}\` ${what}`, text: value})];
    const passes = (text: string) => HOLLOW.test(text) || SWALLOWS.test(text);
    if (passes(value) && !passes(previous ?? "") && (isUsed || previous !== undefined))
      return flag("makes its commands always pass");
    if (previous === undefined) return [];
    if (count(value) > count(previous)) return flag("selects fewer values");
    const words = (text: string) => text.split(/\s+/).filter(Boolean);
    const lost = words(previous).filter((word) => !words(value).includes(word));
    const strict = lost.find((word) => STRICT_FLAG.test(word));
    if (strict !== undefined && !words(value).some((word) => word.startsWith(strict)))
      return flag(`loses \`${strict}\``);
    const loose = words(value).find((word) => LOOSE_FLAG.test(word) && !words(previous).includes(word));
    if (loose !== undefined) return flag(`gets \`${loose}\`, so it reports less`);
    const isTests = /test|spec|check|lint|pkgs?|packages?/i.test(name) && lost.length > 0 && words(value).length > 0;
    if (isTests && !words(value).some((word) => lost.every((one) => selects([word], one)))) {
      const isOther = /\$\(\s*shell\b/.test(value) || /[*/]/.test(previous);
      if (isOther && !followsMoves(previous, value, change)) return flag("selects other values");
    }
    const isOnlyShorter = lost.length > 0 && words(value).every((word) => words(previous).includes(word));
    return isOnlyShorter && LISTS.test(name) ? flag(`does not have \`${lost[0]}\` any more`) : [];
  });
}

/** The change moves all files that the earlier patterns select, and the new ones select each of them. */
function followsMoves(previous: string, value: string, {files, dataPaths = []}: InspectedChange): boolean {
  const [before, after] = [previous, value].map((text) =>
    text
      .replace(/\$\(\s*(?:sort|wildcard)\b|\)/g, " ")
      .split(/\s+/)
      .filter(Boolean),
  );
  const moved = files.filter(({basePath, status}) => status === "renamed" && selects(before ?? [], basePath));
  return (
    moved.length > 0 &&
    // The folders of these are listed, so that a file that stays is known.
    moved.every(({basePath}) => isShellTest(basePath)) &&
    before?.every((pattern) => moved.some(({basePath}) => selects([pattern], basePath))) === true &&
    moved.every(({path}) => selects(after ?? [], path)) &&
    !dataPaths.some((path) => selects(before ?? [], path))
  );
}

const count = (text: string): number => text.match(NARROWS)?.length ?? 0;

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

/** A check that runs only if a variable has a value, such as one that CI does not set. */
function conditionalChecks(file: InspectedFile): IntegrityFinding[] {
  const earlierConditions = conditionalTargets(file.before ?? "");
  const earlierTargets = targetsOf(file.before ?? "");
  return [...conditionalTargets(file.after ?? "")].flatMap((name) => {
    if (earlierConditions.has(name) || !earlierTargets.has(name) || kindOfName(name) === null) return [];
    const message = `\`${name}\` depends on a condition now`;
    return [findingAt({file, level: "flag", message, text: `${name}:`})];
  });
}

function conditionalTargets(text: string): Set<string> {
  const conditional = new Set<string>();
  let depth = 0;
  let names: string[] = [];
  for (const line of text.split("\n")) {
    if (/^\s*if(?:n?eq|n?def)\b/.test(line)) depth += 1;
    else if (/^\s*endif\b/.test(line)) depth -= 1;
    else {
      const rule = /^([\w./%-][^:=#]*?)\s*::?(?!=)/.exec(line);
      if (rule !== null) names = (rule[1] ?? "").split(/\s+/);
      const isPart = rule !== null || line.startsWith("\t");
      if (depth > 0 && isPart) for (const name of names) conditional.add(name);
    }
  }
  return conditional;
}

/** A check that another check required before, and that nothing requires now. */
function lostPrerequisites(file: InspectedFile): IntegrityFinding[] {
  const [before, after] = [prerequisitesOf(file.before ?? ""), prerequisitesOf(file.after ?? "")];
  const required = new Set([...after.values()].flat());
  for (const [name, needs] of before) {
    const isCheck = kindOfName(name) !== null && kindOfName(name) !== "build";
    if (!isCheck || !after.has(name)) continue;
    const lost = needs.find((need) => after.has(need) && !required.has(need) && !PREPARES.test(need));
    if (lost === undefined) continue;
    // The search through the whole file comes last.
    const isCalled = new RegExp(
      String.raw`^\t.*\b(?:make|MAKE\)?\}?)\s.*\b${lost.replace(/[^\w]/g, "\\$&")}\b`,
      "m",
    ).test(file.after ?? "");
    if (isCalled) continue;
    const message = `\`${name}\` does not run \`${lost}\` any more`;
    return [findingAt({file, level: "flag", message, text: `${name}:`})];
  }
  return [];
}

const REDIRECTS = /(?<![\d&>=-])>>?(?!&)\s*"?(?!\/dev\/|\$@|\$\(@)\S/;
const TEST_FILES = /\b(?:tests?|specs?|testdata|fixtures?|expected|goldens?|snapshots?|cases)\b/;

/** A check's new prerequisite that writes files of the tests: what the program prints is then what they expect. */
function newExpectedFiles(file: InspectedFile): IntegrityFinding[] {
  const [before, after] = [prerequisitesOf(file.before ?? ""), prerequisitesOf(file.after ?? "")];
  const recipes = targetsOf(file.after ?? "");
  const writes = (need: string) =>
    (recipes.get(need) ?? "").split("\n").some((line) => REDIRECTS.test(line) && TEST_FILES.test(line));
  return [...after].flatMap(([name, needs]) => {
    const earlierNeeds = before.get(name);
    if (earlierNeeds === undefined || kindOfName(name) === null) return [];
    const need = needs.find((one) => !earlierNeeds.includes(one) && writes(one));
    const message = `\`${name}\` first runs \`${need}\`, which writes files of the tests`;
    return need === undefined ? [] : [findingAt({file, level: "flag", message, text: `${name}:`})];
  });
}

/** Targets without a check. */
const PREPARES =
  /build|compile|dep|install|setup|clean|gen|fmt|format|proto|vendor|bin|tools|download|[./$]|^(?:all|help)$/;

function prerequisitesOf(text: string): Map<string, string[]> {
  const rules = text.replace(/\\\n[ \t]*/g, " ").matchAll(/^([\w-]+)\s*::?(?!=)([^=\n;#|]*)/gm);
  const targets = new Map<string, string[]>();
  for (const [, name = "", needs = ""] of rules)
    targets.set(name, [...(targets.get(name) ?? []), ...needs.split(/\s+/).filter((need) => need !== "")]);
  return targets;
}

const SHELLS = /^(?:\/\S*\/)?(?:env\s+)?(?:ba|da|z|k|a|pw)?sh(?:\.exe)?(?:\s+-[eu]+)?$|^\$/;

/** Finds lost settings: what stops a recipe at a failure, the shell that runs it, and the variables of all recipes. */
function lostShellSettings(file: InspectedFile): IntegrityFinding[] {
  const [before, after] = [file.before ?? "", file.after ?? ""].map(variablesOf);
  const flag = (name: string, what: string) => [
    findingAt({file, level: "flag", message: `\`${name}\` ${what}`, text: after?.get(name) ?? null}),
  ];
  const flags = [before?.get(".SHELLFLAGS") ?? "", after?.get(".SHELLFLAGS") ?? ""];
  const lost = ["pipefail", "e"].find(
    (word) => [/pipefail/, /-\w*e/][word === "e" ? 1 : 0]?.test(flags[0] ?? "") && !flags[1]?.includes(word),
  );
  if (lost !== undefined) return flag(".SHELLFLAGS", "does not stop at each failure any more");
  const isOneShell = (text: string | null) => /^\.ONESHELL\s*:/m.test(text ?? "");
  if (isOneShell(file.after) && !isOneShell(file.before) && !/-\w*e/.test(flags[1] ?? ""))
    return [findingAt({file, level: "flag", message: "Only the last command of a recipe decides", text: ".ONESHELL"})];
  const shell = after?.get("SHELL");
  if (shell !== undefined && shell !== before?.get("SHELL") && !SHELLS.test(shell))
    return flag("SHELL", "runs all recipes with another program");
  const goal = after?.get(".DEFAULT_GOAL");
  if (goal !== undefined && goal !== before?.get(".DEFAULT_GOAL") && kindOfName(goal) === "build")
    return flag(".DEFAULT_GOAL", "only builds");
  const exported = addedLines(file, /^\s*export\s+[A-Z_]+\s*[:?]?=/).find(({text}) => {
    const [, name = "", value = ""] = /^\s*export\s+(\w+)\s*[:?]?=\s*(.*)$/.exec(text) ?? [];
    return name !== "PATH" && !isHarmlessVariable(name, value);
  });
  return exported === undefined ? [] : flag(exported.text.trim(), "is set for all checks");
}

/** The last recipe of a target replaces the others. */
function replacedRecipes(file: InspectedFile): IntegrityFinding[] {
  const recipes = (text: string | null) => {
    const names = [...(text ?? "").matchAll(/^([\w.-]+)\s*:(?![:=])[^=\n]*\n(?=\t)/gm)].map(([, name = ""]) => name);
    return names.filter((name, index) => names.indexOf(name) < index);
  };
  const earlier = recipes(file.before);
  const name = recipes(file.after).find((one) => !earlier.includes(one) && kindOfName(one) !== null);
  if (name === undefined || /^\s*if(?:n?eq|n?def)\b/m.test(file.after ?? "")) return [];
  return [findingAt({file, level: "flag", message: `A second recipe replaces that of \`${name}\``, text: `${name}:`})];
}
