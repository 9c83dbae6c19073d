/** Reads the targets of a makefile and fills in plain variables. Make itself never runs. */

import {plainPath} from "../../git/paths.ts";
import {folderOf, inside, type Project} from "../files/project.ts";
import {findFirst} from "../proposals/candidate-stages.ts";
import {expandTask, type Task} from "../proposals/task-runners.ts";

const MAX_LINES = 20_000;
const MAX_NEEDS = 200;
/** A line of a recipe that starts another target of the same makefile. */
export const STARTS = /^\$[({]MAKE[)}]\s+([\w.-]+)\s*$/;
/** Matches several commands, of which one starts another target. */
const CHAINED = /^[^'"()]*&&\s*\$[({]MAKE[)}]\s|^\$[({]MAKE[)}]\s[^'"()|;]*&&/;

/** A makefile may include at most this many others in total. */
const MAX_INCLUDED = 10;

/** The text of a makefile with its tracked include files inserted; null if it does not exist. */
function makefileText(project: Project, file: string, visited: Set<string> = new Set()): string | null {
  const text = project.text(file);
  if (text === null || visited.has(file) || visited.size > MAX_INCLUDED) return text === null ? null : "";
  visited.add(file);
  return text.replace(/^-?include[ \t]+([\w./-]+)[ \t]*$/gm, (line, name: string) => {
    const includedPath = inside(folderOf(file), plainPath(name));
    return makefileText(project, includedPath, visited) ?? line;
  });
}

/** The file names that make searches for, in order. */
export const MAKEFILES = ["GNUmakefile", "makefile", "Makefile"];

/** The makefile that `make` reads in this folder, with its include files. */
export function makefileOf(project: Project, folder: string): {path: string; text: string} | null {
  const path = findFirst(project, folder, MAKEFILES);
  const text = path === null ? null : makefileText(project, path);
  return path === null || text === null ? null : {path, text};
}

interface Rule {
  readonly lines: RecipeLine[];
  readonly needs: string[];
}

/** A line of a recipe; make ignores the exit code of one that begins with `-`. */
interface RecipeLine {
  readonly text: string;
  readonly isIgnored: boolean;
}

/**
 * The lines that make runs for a target, its prerequisites first, each with whether its failure is ignored; and the
 * files that must exist. Null if there is no such target.
 */
export function recipeOf(text: string, target: string): {lines: RecipeLine[]; files: string[]} | null {
  const {rules, variables} = parse(text);
  const isOneShell = /^\.ONESHELL\s*:/m.test(text);
  const isIgnoring = /^\.IGNORE\s*:\s*(?:#.*)?$/m.test(text);
  const visitedTargets = new Set<string>();
  const files: string[] = [];
  const collect = (name: string): RecipeLine[] => {
    const rule = rules.get(name);
    if (rule === undefined) files.push(name);
    if (rule === undefined || visitedTargets.has(name) || visitedTargets.size > MAX_NEEDS) return [];
    visitedTargets.add(name);
    const neededLines = rule.needs.slice(0, MAX_NEEDS).flatMap(collect);
    const ownLines = rule.lines.map((line) => ({
      text: fillLine(line.text, variables),
      isIgnored: isIgnoring || line.isIgnored,
    }));
    const [firstLine] = ownLines;
    if (!isOneShell || firstLine === undefined) return [...neededLines, ...ownLines];
    return [...neededLines, {text: ownLines.map((line) => line.text).join("\n"), isIgnored: firstLine.isIgnored}];
  };
  return rules.has(target) ? {lines: collect(target), files} : null;
}

/** The targets by name. A pattern rule (`check/%`) has the pattern as its name. */
export function targetsOf(text: string): Map<string, Task> {
  const {rules, variables} = parse(text);
  return new Map(
    [...rules].map(([name, rule]) => [
      name,
      {
        lines: rule.lines
          .map(({text: line}) => line)
          .flatMap((line) => (CHAINED.test(line) ? line.split(/\s*&&\s*/) : [line]))
          .map((line) => (STARTS.test(line) ? line : fillLine(line, variables))),
        needs: rule.needs.slice(0, MAX_NEEDS).flatMap((need) => neededTargets(rules, need)),
      },
    ]),
  );
}

/** The lines that a target of this makefile runs, if the text shows them; null if it has no such target. */
export function targetRuns(text: string, name: string): string[] | null {
  const targets = targetsOf(text);
  if (targets.has(name)) return expandTask({starts: STARTS}, targets, name);
  const pattern = [...targets.keys()].find((key) => stemOf(key, name) !== null);
  if (pattern === undefined) return null;
  const stem = stemOf(pattern, name) ?? "";
  const {rules, variables} = parse(text);
  // `%: common-% ;` forwards a name to another target (Makefile.common of Prometheus).
  const forwarded = rules.get(pattern)?.needs.map((need) => need.replace("%", stem));
  const other = forwarded?.find((need) => targets.has(need));
  if (other !== undefined) return expandTask({starts: STARTS}, targets, other);
  // `$(@:test-%=%)` is the part of the target's name that the `%` stands for.
  const fillName = (line: string): string =>
    line
      .replaceAll("$*", stem)
      .replaceAll("$@", name)
      .replace(/\$[({]@:([\w.-]*%[\w.-]*)=%[)}]/g, (whole, before: string) => stemOf(before, name) ?? whole);
  return expandTask({starts: STARTS}, targets, pattern).map((line) => fillLine(fillName(line), variables));
}

/** The part of the name that the `%` of a pattern rule stands for; null if the rule does not make it. */
function stemOf(pattern: string, name: string): string | null {
  const [before = "", after] = pattern.split("%");
  const fits = after !== undefined && name.length > before.length + after.length;
  return fits && name.startsWith(before) && name.endsWith(after)
    ? name.slice(before.length, -after.length || undefined)
    : null;
}

/**
 * A required target, or the pattern rule that builds it: `$(MODULES:%=tidy/%)` and `tidy/core` both come from `tidy/%`.
 */
function neededTargets(rules: ReadonlyMap<string, Rule>, need: string): string[] {
  if (rules.has(need)) return [need];
  const patternRule = /^\$[({][\w.-]+:%=([\w./-]*%[\w./-]*)[)}]$/.exec(need)?.[1] ?? need.replace(/\/[\w.-]+$/, "/%");
  return rules.has(patternRule) ? [patternRule] : [];
}

function fillLine(line: string, variables: ReadonlyMap<string, string>): string {
  let text = line;
  for (let round = 0; round < 5 && text.length < 5000; round++) {
    const next = text.replace(/\$[({]([\w.-]+)[)}]/g, (whole, name: string) => variables.get(name) ?? whole);
    if (next === text) break;
    text = next;
  }
  return text.replaceAll("$$", "$");
}

function recipeLine(line: string): RecipeLine {
  const [prefix = ""] = /^[@+\s-]*/.exec(line) ?? [];
  return {text: withoutFunctions(line.slice(prefix.length).trim()), isIgnored: prefix.includes("-")};
}

const FOR_EACH = "$(foreach ";
const MESSAGE_FUNCTION = /^\$\((?:info|warning|error) [^()]*(?:\([^()]*\)[^()]*)*\)$/;

/**
 * A line without make's own functions: messages of `$(info …)` are removed, `$(foreach …)` is replaced by its body,
 * once.
 */
function withoutFunctions(line: string): string {
  if (MESSAGE_FUNCTION.test(line)) return "";
  const from = line.indexOf(FOR_EACH);
  if (from < 0) return line;
  const ends = argumentEnds(line, from + FOR_EACH.length);
  const [, second, last] = ends;
  if (ends.length !== 3 || second === undefined || last === undefined) return line;
  return withoutFunctions(`${line.slice(0, from)}${line.slice(second + 1, last)}${line.slice(last + 1)}`);
}

/** The end positions of a make function's arguments: two commas and the bracket. Empty if the bracket is not closed. */
function argumentEnds(line: string, from: number): number[] {
  const ends: number[] = [];
  let depth = 0;
  for (let index = from; index < line.length; index++) {
    const sign = line[index];
    if (sign === "(") depth++;
    else if (sign === ")" && depth > 0) depth--;
    else if (sign === "," && depth === 0 && ends.length < 2) ends.push(index);
    else if (sign === ")") return [...ends, index];
  }
  return [];
}

/**
 * True for a line of a conditional. `conditions` has an entry for each open conditional; null if its value is unknown.
 */
function readCondition(line: string, variables: ReadonlyMap<string, string>, conditions: (boolean | null)[]): boolean {
  const [, isElse, word = "", not, left = "", right = ""] =
    /^ *(else *)?(?:(if(n?)eq *\((.*),(.*)\) *$)|ifn?(?:eq|def) .*|endif *)?(?:#.*)?$/.exec(line) ?? [];
  const isClosing = /^ *endif\b/.test(line);
  if (isElse === undefined && word === "" && !isClosing && !/^ *ifn?(eq|def)\b/.test(line)) return false;
  const before = isElse !== undefined || isClosing ? conditions.pop() : undefined;
  if (isClosing) return true;
  const sides = [left, right].map((side) => fillLine(side.trim(), variables));
  const isKnown = word !== "" && !sides.some((side) => side.includes("$"));
  const value = word === "" && isElse !== undefined ? true : isKnown ? (sides[0] === sides[1]) === (not === "") : null;
  conditions.push(before === true ? false : before === null && value === true ? null : value);
  return true;
}

function parse(text: string): {rules: Map<string, Rule>; variables: Map<string, string>} {
  const rules = new Map<string, Rule>();
  const variables = new Map<string, string>();
  let current: Rule[] = [];
  const conditions: (boolean | null)[] = [];
  const joinedText = text.replaceAll("\r\n", "\n").replace(/\\\n[ \t]*/g, " ");
  for (const line of joinedText.split("\n").slice(0, MAX_LINES)) {
    if (readCondition(line, variables, conditions) || conditions.includes(false)) continue;
    if (line.startsWith("\t")) {
      const command = recipeLine(line);
      if (command.text !== "" && !command.text.startsWith("#")) for (const rule of current) rule.lines.push(command);
      continue;
    }
    const [, variable, sign, value = ""] =
      /^\s*(?:export\s+|override\s+)?([\w.-]+)\s*(\?=|:=|::=|=|\+=)\s*(.*)$/.exec(line) ?? [];
    if (variable !== undefined) {
      const plainValue = value.replace(/\s+#.*$/, "").trim();
      const before = sign === "+=" ? (variables.get(variable) ?? "") : "";
      if (sign !== "?=" || !variables.has(variable)) variables.set(variable, `${before} ${plainValue}`.trim());
      continue;
    }
    // Only in a prerequisite such as `$(MODULES:%=tidy/%)` is `=` not an assignment.
    const [, names, needs = "", command = ""] =
      /^([^\s#=:][^#=:]*?)\s*::?(?!=)\s*((?:\$\([\w.-]+:[^()#=;|]*=[^()#=;|]*\)|[^#=;|])*)(?:[|][^;]*)?(?:;(.*))?(?:#.*)?$/.exec(
        line,
      ) ?? [];
    if (names === undefined) continue;
    const targets = names.split(/\s+/).filter((name) => /^[\w./%-]+$/.test(name) && !name.startsWith("."));
    current = targets.map((name) => {
      const target = rules.get(name) ?? {lines: [], needs: []};
      rules.set(name, target);
      target.needs.push(...needs.split(/\s+/).filter((need) => need !== ""));
      if (command.trim() !== "") target.lines.push(recipeLine(command));
      return target;
    });
  }
  return {rules, variables};
}
