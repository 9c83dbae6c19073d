/** Finds programs that checks run, and that are changed. A part of the check `scripts`. */
import type {IntegrityFinding} from "../../record/finding.ts";
import {readTests} from "../../test-code/read-source.ts";
import {STARTS_RUNNER} from "../../tools/integrity-names.ts";
import {touchesRun} from "../gate/added-runner-lines.ts";
import {withoutStricterLines} from "../gate/stricter-program.ts";
import type {InspectedChange, InspectedFile} from "../source/inspected-change.ts";
import {isCodePath, isTestPath, isToolPath} from "../source/kinds.ts";
import {type ChangedLine, compareLines} from "../source/line-changes.ts";
import {findingAt} from "./script-finding.ts";

export const isCheckProgram = (file: InspectedFile, change: InspectedChange): boolean =>
  isProgramOfPlan(file, change) || startsRunner(file, change);

/** A program of the repository that a check runs, such as `node tools/lint.js`; not the code that it checks. */
function isProgramOfPlan({basePath, before}: InspectedFile, change: InspectedChange): boolean {
  if (!/\.(?:[cm]?[jt]s|py|rb|pl)$/.test(basePath) || !isToolPath(basePath)) return false;
  // Tests that a runner finds are compared one by one.
  if (isTestPath(basePath) && readTests(basePath, before).length > 0) return false;
  return isNamedByCommands(basePath, change);
}

/** A command has the path of the file, or the name of its module; from the folder of the command, or from one of sources. */
function isNamedByCommands(path: string, {plan, scripts: bodies = []}: InspectedChange): boolean {
  const stages = (plan?.stages ?? []).filter(({kind}) => kind !== "build");
  const commands = stages.map(({command, cwd, env}) => `cd ${cwd}; PYTHONPATH=${env["PYTHONPATH"] ?? ""} ${command}`);
  return isNamedBy(path, [...commands, ...bodies]);
}

/** The program of one of the repository's own install scripts: what it writes is there for each check. */
export function isInstallProgram({basePath}: InspectedFile, {plan}: InspectedChange): boolean {
  const scripts = (plan?.setup ?? []).filter(({ownScript}) => ownScript !== undefined);
  return isNamedBy(
    basePath,
    scripts.map(({command, cwd}) => `cd ${cwd}; ${command}`),
  );
}

function isNamedBy(path: string, lines: readonly string[]): boolean {
  return lines.some((text) => {
    const folders = [...text.matchAll(/(?:\bcd\s+|\bPYTHONPATH=)["']?([^\s;&"':]+)/g)].map(([, one = ""]) => one);
    const words = text.split(/[\s'"=;&|()]+/).map((word) => word.replace(/^\.\//, ""));
    const paths = [path, ...["src", ...folders].flatMap((folder) => pathIn(folder, path))];
    return paths.some((one) => {
      const module = one.replace(/(?:\/__main__)?\.py$/, "").replaceAll("/", ".");
      return words.some((word, index) => word === one || (word === module && isModule(word, words[index - 1])));
    });
  });
}

function pathIn(folder: string, path: string): string[] {
  const start = `${folder.replace(/^\.\/|\/$/g, "")}/`;
  return path.startsWith(start) ? [path.slice(start.length)] : [];
}

/** A name without dots is one only as the value of `-m`. */
const isModule = (word: string, before = ""): boolean => word.includes(".") || before === "-m";

const RUNNER = new RegExp(STARTS_RUNNER.map(({source}) => source).join("|"));
export const mayStartRunner = (text: string | null): boolean => RUNNER.test(text ?? "");

/** A program that runs the tests and decides how the run ends. Files of tests often end with such a call, too. */
function startsRunner({basePath, before, after}: InspectedFile, change: InspectedChange): boolean {
  if (after === null || !isCodePath(basePath) || !RUNNER.test(before ?? "")) return false;
  return mayBeRun(basePath, change) && !definesRunner(before ?? "") && readTests(basePath, before).length === 0;
}

/** Code of the product can start a runner for its users. */
const mayBeRun = (path: string, change: InspectedChange): boolean =>
  isToolPath(path) ||
  isTestPath(path) ||
  /^[^/]+$|(?:test|check|spec|suite)[^/]*$/i.test(path) ||
  isNamedByCommands(path, change);

/** The product's own function has the name of a runner's. */
function definesRunner(text: string): boolean {
  const calls = [...text.matchAll(new RegExp(RUNNER, "g"))];
  const names = calls.map(([call]) => /^(?:\.|new\s+)?(\w+)\($/.exec(call)?.[1]);
  const isOwn = (name: string | undefined) =>
    name !== undefined &&
    (new RegExp(String.raw`\b(?:def|function|class)\s+${name}\b`).test(text) ||
      new RegExp(String.raw`\b${name}\b[^;\n]*(?:\bfrom\s*|require\()["']\.`).test(text));
  return names.every(isOwn);
}

/** Leaves out a value, answers, or ends. */
const LEAVES_OUT =
  /\b(?:continue|break|return|\w*exit\w*|SystemExit|abort|kill|pass|catch|except|rescue|next|skip\w*|ignore\w*|filter|slice)\b/i;
/** Ends with a failure; an expression behind the number could be 0. */
const FAILS =
  /\b(?:SystemExit|exit)\(\s*(?:[1-9]\d*|f?"[^"]*"|f?'[^']*')\s*\)|\bprocess\.exitCode\s*=\s*[1-9]\d*\s*(?:;|$)/gi;
/** The new value is a part of the old one, or none. */
const SHRINKS =
  /^\s*(\w+)\s*=(?![=>])(?:\s*(?:0|""|\x27\x27|\[\]|\{\}|null|None|false|False|\w+\(\))\s*;?\s*$|(?!\s*(?:\1\s*[+|]|\[\s*(?:\*|\.\.\.)\1\b)).*\b\1\b)/;

/** Only a program that grew, and leaves nothing out, can be known to check no less. */
export function changedProgram(file: InspectedFile): IntegrityFinding[] {
  // What ran a deleted program fails, or is changed itself.
  if (file.after === null) return [];
  const {added, removed} = withoutStricterLines(compareLines(file.before, file.after), file.after ?? "");
  const changesRun = RUNNER.test(file.before ?? "") && touchesRun(added, file.before ?? "", RUNNER);
  if (removed.length === 0 && !changesRun && !added.some((line) => losesResults(line, file))) return [];
  return [findingAt({file, level: "flag", message: "A program that a check runs is changed", text: null})];
}

function losesResults(line: ChangedLine, {before, after}: InspectedFile): boolean {
  const text = line.text.replace(FAILS, "");
  const isFailingMain = FAILING_ANSWER.test(text) && EXITS_WITH_MAIN.test(after ?? "") && isInMain(line, after ?? "");
  if (LEAVES_OUT.test(text) && !isFailingMain) return true;
  const name = SHRINKS.exec(text)?.[1];
  return name !== undefined && new RegExp(String.raw`\b${name}\b`).test(before ?? "");
}

/** The answer of `main` is the exit code. */
const EXITS_WITH_MAIN = /\b(?:exit|SystemExit)\(\s*(?:await\s+)?main\(|\bexitCode\s*=\s*(?:await\s+)?main\(/;
const FAILING_ANSWER = /^\s*return\s+[1-9]\d*\s*;?\s*$/;

function isInMain({number}: ChangedLine, text: string): boolean {
  const before = text.split("\n").slice(0, number);
  const heads = before.flatMap((line) => /^\s*(?:async\s+)?(?:def|function)\s+(\w+)/.exec(line)?.[1] ?? []);
  return heads.at(-1) === "main";
}
