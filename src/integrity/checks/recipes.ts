/** Compares the recipes of a makefile's checks line by line, for programs without known options. */
import type {IntegrityFinding} from "../../record/finding.ts";
import {kindOfName, kindOfWords} from "../../tools/stage-kind.ts";
import {hasChecks} from "../commands/compare-commands.ts";
import {targetsOf} from "../gate/make-targets.ts";
import type {InspectedFile} from "../source/inspected-change.ts";
import {findingAt} from "./script-finding.ts";

const CHECKS = /^(?:all|ci|verify|unit|smoke|integration|e2e|acceptance|coverage|regress\w*)$|test|check|lint|spec/;
/** Folders whose programs check nothing of the product, unless their names say so. */
const BESIDE = /(?:^|\/)(?:bench(?:es|marks?)?|examples?|docs?|website)\//;
const PREPARES =
  /^(?:build|compile|deps?|install|setup|clean|gen\w*|fmt|format|proto|vendor|bin|tools|download|help|docs?)$/;
/** Commands that report nothing about the code. */
const NO_CHECK =
  /^@?(?:echo|printf|rm|mkdir|cp|mv|cd|touch|sleep|export|set|make|\$\(MAKE\)|\$\{MAKE\}|docker|git|curl|\$\((?:RM|MKDIR\w*|CC|CXX|AR|LD|INSTALL)\)|npm|pip|python\S*\s+-m\s+pip|exit|true|:)(?=\s|$)/;
/** The text that may precede or follow a command without hiding its failure. */
const IN_FRONT = /^(?:[@+]|\s|time\b|env\b|cd \S+ &&|[A-Z_]+=\S*)*$/;
const BEHIND =
  /^(?:\s|-{1,2}(?:v|q|verbose|quiet|color)\b|2>&1|&&[^|]*|\\$|;(?!\s*(?:(?:true|exit\s+0|echo|printf|rm|mv|cp|cat)\b|:))[^|]*)*$/;
const MAX_LINES = 400;

export function weakerRecipes(
  file: InspectedFile,
  prerequisites: ReadonlyMap<string, readonly string[]>,
  files: readonly InspectedFile[],
): IntegrityFinding[] {
  const isMeasure = BESIDE.test(file.path);
  const [before, after] = [targetsOf(file.before ?? ""), targetsOf(file.after ?? "")];
  const everything = [...after.values()].join("");
  for (const name of checksAmong(before, prerequisites)) {
    if (isMeasure && !/test|check|lint/.test(name)) continue;
    const base = before.get(name) ?? "";
    const head = after.get(name);
    if (head === base) continue;
    if ([base, head ?? ""].some((recipe) => recipe.split("\n", MAX_LINES + 1).length > MAX_LINES))
      return [flag(file, `\`${name}\` has too many lines to compare`, `${name}:`)];
    const lines = linesOf(head ?? "").map((line) => withoutDefaults(line, files));
    const headLines = new Set(lines);
    const gone = linesOf(base).filter((line) => !headLines.has(line) && !NO_CHECK.test(line) && !isKnown(line));
    const weak = gone.map((line) => weakness(line, lines, everything)).find((what) => what !== null);
    if (head === undefined && gone.length > 0 && weak !== undefined)
      return [flag(file, `\`${name}\` is gone, and with it \`${gone[0]?.slice(0, 60)}\``, null)];
    if (weak !== undefined && weak !== null) return [flag(file, `\`${name}\` ${weak}`, `${name}:`)];
  }
  const lost = [...before.keys()].find((name) => CHECKS.test(name) && !PREPARES.test(name) && !after.has(name));
  if (lost === undefined || !linesOf(before.get(lost) ?? "").every((line) => NO_CHECK.test(line))) return [];
  const needs = prerequisites.get(lost) ?? [];
  const isRenamed = [...after].some(
    ([name, body]) => !before.has(name) && needs.every((need) => body.includes(`make ${need}\n`)),
  );
  return needs.length === 0 || (isRenamed && !/^(?:all|check|test|ci|verify)$/.test(lost))
    ? []
    : [flag(file, `\`${lost}\` is gone`, null)];
}

/** True if the options of the line's commands are compared elsewhere, or if the line only builds. */
const isKnown = (line: string): boolean => hasChecks(line) || kindOfWords(line.split(/\s+/)) === "build";

const flag = (file: InspectedFile, message: string, text: string | null): IntegrityFinding =>
  findingAt({file, level: "flag", message, text});

/** The targets that check something: by their names or a comparison, or because such a target requires them. */
function checksAmong(
  targets: ReadonlyMap<string, string>,
  prerequisites: ReadonlyMap<string, readonly string[]>,
): Set<string> {
  const isCheck = (name: string) => CHECKS.test(name) || !["build", null].includes(kindOfName(name));
  const compares = (recipe: string) => /^@?(?:diff|cmp)\s/m.test(recipe);
  const checks = new Set([...targets].flatMap(([name, recipe]) => (isCheck(name) || compares(recipe) ? [name] : [])));
  for (const name of checks)
    for (const need of prerequisites.get(name) ?? [])
      if (targets.has(need) && !PREPARES.test(need) && !/[./%$]/.test(need)) checks.add(need);
  return checks;
}

const linesOf = (recipe: string): string[] =>
  recipe
    .split("\n")
    .map((line) =>
      line
        // What passes the output on does not decide then.
        .replace(/(?:\|\s*(?:tee|cat|ts)\b[\w\s./$()@-]*)? # pipefail$/, "")
        .replace(/^@/, "")
        .trim(),
    )
    .map(stoppingAtOnce)
    .filter((line) => line !== "" && !line.startsWith("#") && !/^make \S+$/.test(line));

/** A loop that remembers a failure, and a line that ends with it, as a loop that ends at the failure. */
function stoppingAtOnce(line: string): string {
  const [, name = "", loop = ""] = REMEMBERS.exec(line) ?? [];
  const stopping = loop.replace(new RegExp(String.raw`\|\|\s*${name}=(?:1|\$\$\?)(?=\s*(?:;|$))`, "g"), "|| exit 1");
  const isUsedOtherwise = new RegExp(String.raw`\b${name}\b|\b(?:unset|read|eval)\b`).test(stopping);
  return name === "" || stopping === loop || isUsedOtherwise ? line : stopping;
}

/** Only text may be printed between the loop and the end. */
const REMEMBERS = /^(\w+)=0\s*;\s*(for\s.*;\s*done)(?:\s*;\s*echo\s[^;|&`(]*)*\s*;\s*exit\s+"?\$\$\{?\1\}?"?$/;

/** `sh run.sh NAME` means `sh run.sh` if NAME is what the changed script takes without an argument. */
function withoutDefaults(line: string, files: readonly InspectedFile[]): string {
  const [, command = "", script = "", argument = ""] =
    /^((?:(?:ba|da)?sh\s+)?(?:\.\/)?(\S+\.sh))\s+(\S+)$/.exec(line) ?? [];
  const text = files.find(({path}) => path === script)?.after ?? "";
  return argument !== "" && text.includes(`\${1:-${argument}}`) ? command : line;
}

/** How a command of a recipe was weakened; null if it runs as before. */
function weakness(line: string, lines: readonly string[], everything: string): string | null {
  const same = lines.find((one) => one.includes(line));
  if (same === undefined) {
    const program = programOf(line);
    const next = lines.find((one) => programOf(one) === program && program !== "");
    if (next === undefined) return everything.includes(line) ? null : `does not run \`${line.slice(0, 60)}\` any more`;
    return isWorse(line, next) ? `runs \`${next.slice(0, 60)}\` in place of \`${line.slice(0, 60)}\`` : null;
  }
  const at = same.indexOf(line);
  if (IN_FRONT.test(same.slice(0, at)) && BEHIND.test(same.slice(at + line.length))) return null;
  return `runs \`${line.slice(0, 60)}\` so that its failure or a part of it is lost`;
}

const programOf = (line: string): string => /^(?:\w+=\S*\s+)*(?:\S*\/)?([\w.$(){}-]+)/.exec(line)?.[1] ?? "";

const SWALLOWS =
  /\|\|\s*(?:true|:|echo|continue|break|exit 0)|;\s*(?:true|:|exit 0)\s*$|&\s*$|\|\s*(?:true|head|tail|grep|tee|cat)\b/g;

/** True for the same program with an ignored failure, with fewer words, or with a new number or word. */
function isWorse(before: string, after: string): boolean {
  const count = (text: string) => text.match(SWALLOWS)?.length ?? 0;
  if (count(after) > count(before)) return true;
  const words = (text: string) => text.split(/\s+/);
  const lost = words(before).filter((word) => !words(after).includes(word));
  const fresh = words(after).filter((word) => !words(before).includes(word));
  const isOption = (word: string | undefined) => word?.startsWith("-") === true;
  if (lost.length > 0 && fresh.length === 0) return true;
  return (
    /^(?:diff|cmp|grep|for|if|while)$/.test(programOf(before)) || fresh.some(isOption) || isLower(lost[0], fresh[0])
  );
}

const isLower = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && /^\d+$/.test(one) && other !== undefined && !(Number(other) >= Number(one));
