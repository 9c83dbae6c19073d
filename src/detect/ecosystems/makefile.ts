/** Reads the targets of a makefile, with plain variables filled in; nothing of it is run, so what make would compute stays as it is written. */

import {folderOf, inside, type Project} from "../files/project.ts";
import {expandTask, type Task} from "../proposals/task-runners.ts";

const MAX_LINES = 20_000;
const MAX_NEEDS = 200;
/** A line of a recipe that starts another target of the same makefile. */
export const STARTS = /^\$[({]MAKE[)}]\s+([\w.-]+)\s*$/;
/** Several commands, of which one starts another target. */
const CHAINED = /^[^'"()]*&&\s*\$[({]MAKE[)}]\s|^\$[({]MAKE[)}]\s[^'"()|;]*&&/;

/** How many makefiles one may include, all of them together. */
const MAX_INCLUDED = 10;

/** The text of a makefile with the files of the tree that it includes in their places; null when there is none. */
export function makefileText(project: Project, file: string, seen: Set<string> = new Set()): string | null {
  const text = project.text(file);
  if (text === null || seen.has(file) || seen.size > MAX_INCLUDED) return text === null ? null : "";
  seen.add(file);
  return text.replace(/^-?include[ \t]+([\w./-]+)[ \t]*$/gm, (line, name: string) => {
    const included = inside(folderOf(file), name.replace(/^\.\//, ""));
    return makefileText(project, included, seen) ?? line;
  });
}

export const MAKEFILES = ["GNUmakefile", "makefile", "Makefile"];

/** The makefile that `make` takes in this folder, with what it includes. */
export function makefileOf(project: Project, folder: string): {path: string; text: string} | null {
  const path = MAKEFILES.map((name) => inside(folder, name)).find((one) => project.has(one));
  const text = path === undefined ? null : makefileText(project, path);
  return path === undefined || text === null ? null : {path, text};
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
 * What make runs for a target: the lines of those it needs first, each with whether its failure is ignored, and the files
 * that have to be there. Null where there is no such target.
 */
export function recipeOf(text: string, target: string): {lines: RecipeLine[]; files: string[]} | null {
  const {rules, variables} = parse(text);
  const isOneShell = /^\.ONESHELL\s*:/m.test(text);
  const isIgnoring = /^\.IGNORE\s*:\s*(?:#.*)?$/m.test(text);
  const seen = new Set<string>();
  const files: string[] = [];
  const collect = (name: string): RecipeLine[] => {
    const rule = rules.get(name);
    if (rule === undefined) files.push(name);
    if (rule === undefined || seen.has(name) || seen.size > MAX_NEEDS) return [];
    seen.add(name);
    const needed = rule.needs.slice(0, MAX_NEEDS).flatMap(collect);
    const own = rule.lines.map((line) => ({
      text: filled(line.text, variables),
      isIgnored: isIgnoring || line.isIgnored,
    }));
    const [first] = own;
    if (!isOneShell || first === undefined) return [...needed, ...own];
    return [...needed, {text: own.map((line) => line.text).join("\n"), isIgnored: first.isIgnored}];
  };
  return rules.has(target) ? {lines: collect(target), files} : null;
}

/** The targets by name. Those of a pattern (`check/%`) have it in their name. */
export function targetsOf(text: string): Map<string, Task> {
  const {rules, variables} = parse(text);
  return new Map(
    [...rules].map(([name, rule]) => [
      name,
      {
        lines: rule.lines
          .map(({text: line}) => line)
          .flatMap((line) => (CHAINED.test(line) ? line.split(/\s*&&\s*/) : [line]))
          .map((line) => (STARTS.test(line) ? line : filled(line, variables))),
        needs: rule.needs.slice(0, MAX_NEEDS).flatMap((need) => needed(rules, need)),
      },
    ]),
  );
}

/** The lines that a target of this makefile runs, as far as its text tells; null when it has no such target. */
export function targetRuns(text: string, name: string): string[] | null {
  const targets = targetsOf(text);
  return targets.has(name) ? expandTask({starts: STARTS}, targets, name) : null;
}

/** A target that is needed, or the pattern that makes it: `$(MODULES:%=tidy/%)` and `tidy/core` both come from `tidy/%`. */
function needed(rules: ReadonlyMap<string, Rule>, need: string): string[] {
  if (rules.has(need)) return [need];
  const made = /^\$[({][\w.-]+:%=([\w./-]*%[\w./-]*)[)}]$/.exec(need)?.[1] ?? need.replace(/\/[\w.-]+$/, "/%");
  return rules.has(made) ? [made] : [];
}

function filled(line: string, variables: ReadonlyMap<string, string>): string {
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
const SAYS = /^\$\((?:info|warning|error) [^()]*(?:\([^()]*\)[^()]*)*\)$/;

/** A line without what make itself does with it: messages of `$(info …)` go, and `$(foreach …)` stands for its body, once. */
function withoutFunctions(line: string): string {
  if (SAYS.test(line)) return "";
  const from = line.indexOf(FOR_EACH);
  if (from < 0) return line;
  const ends = argumentEnds(line, from + FOR_EACH.length);
  const [, second, last] = ends;
  if (ends.length !== 3 || second === undefined || last === undefined) return line;
  return withoutFunctions(`${line.slice(0, from)}${line.slice(second + 1, last)}${line.slice(last + 1)}`);
}

/** Where the arguments of a function of make end: at two commas, and at its bracket. Empty where it is not closed. */
function argumentEnds(line: string, from: number): number[] {
  const ends: number[] = [];
  let depth = 0;
  for (let at = from; at < line.length; at++) {
    const sign = line[at];
    if (sign === "(") depth++;
    else if (sign === ")" && depth > 0) depth--;
    else if (sign === "," && depth === 0 && ends.length < 2) ends.push(at);
    else if (sign === ")") return [...ends, at];
  }
  return [];
}

function parse(text: string): {rules: Map<string, Rule>; variables: Map<string, string>} {
  const rules = new Map<string, Rule>();
  const variables = new Map<string, string>();
  let current: Rule[] = [];
  for (const line of text
    .replaceAll("\r\n", "\n")
    .replace(/\\\n[ \t]*/g, " ")
    .split("\n")
    .slice(0, MAX_LINES)) {
    if (line.startsWith("\t")) {
      const read = recipeLine(line);
      if (read.text !== "" && !read.text.startsWith("#")) for (const rule of current) rule.lines.push(read);
      continue;
    }
    const assigned = /^\s*(?:export\s+|override\s+)?([\w.-]+)\s*(\?=|:=|::=|=|\+=)\s*(.*)$/.exec(line);
    // A needed `$(MODULES:%=tidy/%)` is the one place where `=` assigns nothing.
    const rule =
      /^([^\s#=:][^#=:]*?)\s*::?(?!=)\s*((?:\$\([\w.-]+:[^()#=;|]*=[^()#=;|]*\)|[^#=;|])*)(?:[|][^;]*)?(?:;(.*))?(?:#.*)?$/.exec(
        line,
      );
    if (assigned?.[1] !== undefined) {
      if (assigned[2] !== "?=" || !variables.has(assigned[1]))
        variables.set(assigned[1], (assigned[3] ?? "").replace(/\s+#.*$/, "").trim());
    } else if (rule?.[1] !== undefined) {
      current = rule[1]
        .split(/\s+/)
        .filter((name) => /^[\w./%-]+$/.test(name) && !name.startsWith("."))
        .map((name) => {
          const known = rules.get(name) ?? {lines: [], needs: []};
          rules.set(name, known);
          known.needs.push(...(rule[2] ?? "").split(/\s+/).filter((need) => need !== ""));
          if (rule[3]?.trim()) known.lines.push(recipeLine(rule[3]));
          return known;
        });
    }
  }
  return {rules, variables};
}
