/** Reads the recipes of a makefile as lines of shells, with what its variables and special targets do to them. */
import {kindOfName} from "../../tools/stage-kind.ts";
import type {ShellLine} from "./command-fates.ts";

type Targets = Map<string, readonly ShellLine[]>;

const RULE = /^([\w./%$(){} -]+?)\s*::?(?![:=])\s*([^=]*)$/;
const VARIABLE = /^ *(?:export +|override +)*([\w.-]+)\s*([:?+]{0,3})=(.*)$/;
/** A shell for some targets only. */
const OWN_SHELL = /^([\w.% -]+):\s*(?:override\s+|export\s+)?SHELL\s*[:?]?=\s*(\S+)/gm;
const MAX_DEPTH = 4;
const MAX_CHARS = 4000;

/** The values of the variables, without their order of evaluation. */
function variablesOf(text: string): Map<string, string> {
  const variables = new Map<string, string>();
  for (const line of joined(text)) {
    const [, name = "", operator = "", value = ""] = line.startsWith("\t") ? [] : (VARIABLE.exec(line) ?? []);
    const own = value.replace(/\s#.*/, "").trim();
    if (name === "") continue;
    const earlier = variables.get(name);
    variables.set(name, operator === "+" && earlier !== undefined ? `${earlier} ${own}` : own);
  }
  return variables;
}

const joined = (text: string): string[] => text.replace(/\\\n[ \t]*/g, " ").split("\n");

/** The prerequisites and the recipe of each target. The last recipe of a target replaces the others. */
function targetsIn(text: string): Targets {
  const variables = variablesOf(text);
  const settings = settingsOf(text, variables);
  const targets: Targets = new Map();
  let names: readonly string[] = [];
  let depth = 0;
  let isFirstLine = false;
  for (const line of joined(text)) {
    if (/^\s*(?:if(?:n?eq|n?def)|endif)\b/.test(line)) {
      depth += line.trim().startsWith("endif") ? -1 : 1;
      continue;
    }
    const [, rule = "", needs = ""] = line.startsWith("\t") ? [] : (RULE.exec(line) ?? []);
    if (line.startsWith("\t")) {
      for (const name of names) {
        const isPhony = settings.phony.size === 0 || settings.phony.has(name);
        const recipe = {
          ...recipeLine(line, {variables, settings}),
          ...((depth > 0 || !isPhony) && {isConditional: true}),
        };
        const earlier = targets.get(name) ?? [];
        const kept = isFirstLine && depth === 0 ? earlier.filter((one) => one.isPrerequisite) : earlier;
        targets.set(name, recipe.text === "" ? kept : [...kept, recipe]);
      }
      isFirstLine = false;
    } else if (rule !== "") {
      isFirstLine = true;
      names = rule.split(/\s+/).filter((name) => !name.startsWith("."));
      const required = needs
        .replace(/[;#|].*/, "")
        .trim()
        .split(/\s+/)
        .filter(Boolean);
      const lines = required.map((need) => ({text: `make ${need}`, isPrerequisite: true}));
      for (const name of names) targets.set(name, [...(targets.get(name) ?? []), ...lines]);
    }
  }
  for (const [, list = "", shell = ""] of text.matchAll(OWN_SHELL))
    for (const name of SHELL.test(shell) ? [] : list.trim().split(/\s+/))
      targets.set(name, targets.get(name)?.map((line) => ({...line, isIgnored: true})) ?? []);
  return settings.isOneShell
    ? new Map([...targets].map(([name, lines]) => [name, inOneShell(lines, settings)]))
    : targets;
}

interface MakeSettings {
  readonly isIgnored: boolean;
  readonly stops: boolean;
  readonly hasPipefail: boolean;
  readonly isOneShell: boolean;
  readonly phony: ReadonlySet<string>;
}

const SHELL = /^(?:\/\S*\/)?(?:env\s+)?(?:ba|da|z|k|a|pw)?sh(?:\.exe)?(?:\s|$)|^\$/;
/** `-i`, `-k`, `-n` or `-t` among the flags of `make`, which need no dash in front (gnu.org, "Options/Recursion"). */
const LENIENT_FLAGS =
  /^[a-zA-Z]*[iknt][a-zA-Z]*(?:$|\s)|(?:^|\s)(?:-[abdeipqrsvwBLRS]*[iknt]\w*|--ignore-errors|--touch|--dry-run)/;

function settingsOf(text: string, variables: ReadonlyMap<string, string>): MakeSettings {
  const special = (name: string) => new RegExp(String.raw`^\s*\.${name}\s*:(?![:=])(.*)$`, "gm");
  const flags = variables.get(".SHELLFLAGS");
  const names = [...text.matchAll(special("PHONY"))].flatMap(([, list = ""]) => list.trim().split(/\s+/));
  return {
    isIgnored:
      special("IGNORE").test(text) ||
      !SHELL.test(variables.get("SHELL") ?? "sh") ||
      [variables.get("MAKEFLAGS"), variables.get("GNUMAKEFLAGS")].some((value) => LENIENT_FLAGS.test(value ?? "")) ||
      (flags !== undefined && !flags.includes("c")),
    stops: /-\w*e/.test(flags ?? "") || /\s-\w*e/.test(variables.get("SHELL") ?? ""),
    hasPipefail: /\bpipefail\b/.test(flags ?? ""),
    isOneShell: special("ONESHELL").test(text),
    phony: new Set(names),
  };
}

interface MakeContext {
  readonly variables: ReadonlyMap<string, string>;
  readonly settings: MakeSettings;
}

/** `-` in front ignores the failure. */
function recipeLine(line: string, {variables, settings}: MakeContext): ShellLine {
  const [, prefix = "", written = ""] = /^\t\s*([@+-]*)\s*(.*)$/.exec(line) ?? [];
  const isComment = written.startsWith("#");
  return {
    text: isComment ? "" : forShell(expand(written, variables)),
    isIgnored: settings.isIgnored || prefix.includes("-"),
    stops: settings.stops,
    hasPipefail: settings.hasPipefail,
  };
}

/** `$(MAKE) x` is `make x`; what only `make` knows, such as `$<`, becomes a variable of the shell. */
function expand(text: string, variables: ReadonlyMap<string, string>, depth = 0): string {
  if (depth === MAX_DEPTH || text.length > MAX_CHARS) return text;
  return text.replace(/(?<!\$)\$[({]([\w.-]+)[)}]/g, (whole, name: string) => {
    const value = name === "MAKE" ? "make" : variables.get(name);
    return value === undefined || value.length > MAX_CHARS ? whole : expand(value, variables, depth + 1);
  });
}

const forShell = (text: string): string =>
  text
    .replace(/(?<!\$)\$[<^?*+%|]/g, "$IN")
    .replace(/(?<!\$)\$@/g, "$OUT")
    .replaceAll("$$", "$");

const inOneShell = (lines: readonly ShellLine[], {isIgnored, stops, hasPipefail}: MakeSettings): ShellLine[] => {
  const recipe = lines.filter((line) => !line.isPrerequisite);
  const whole = {text: recipe.map(({text}) => text).join("\n"), isIgnored, stops, hasPipefail};
  return [...lines.filter((line) => line.isPrerequisite), ...(recipe.length > 0 ? [whole] : [])];
};

/** The targets, and what concerns other makefiles of a run: the flags of `make`, and variables with the name of a check. */
export function makePlaces(text: string): Targets {
  const [variables, targets] = [variablesOf(text), targetsIn(text)];
  for (const [name, value] of variables)
    if (kindOfName(name) !== null && !targets.has(name) && !/\*|\$\(\w+ /.test(value))
      targets.set(name, [{text: forShell(expand(value, variables))}]);
  return targets.set("MAKEFLAGS", [{text: "make check", isIgnored: settingsOf(text, variables).isIgnored}]);
}

/** The targets with their prerequisites and recipes as one text. */
export const targetsOf = (text: string): Map<string, string> =>
  new Map([...targetsIn(text)].map(([name, lines]) => [name, lines.map((line) => `${line.text}\n`).join("")]));
