/** Finds settings of makefiles that make their checks pass or check less. A part of the check `scripts`. */
import type {IntegrityFinding} from "../../record/finding.ts";
import {kindOfName} from "../../tools/stage-kind.ts";
import {targetsOf, variablesOf} from "../gate/make-targets.ts";
import type {InspectedFile} from "../source/inspected-change.ts";
import {addedLines, findingAt} from "./script-finding.ts";

const IGNORES =
  /^\s*(?:\.IGNORE\s*:|SHELL\s*[:?]?=\s*\S*\/?(?:true|echo)\b|MAKEFLAGS\s*[+:]?=.*(?:-i\b|--ignore-errors|-k\b|-n\b)|\.SHELLFLAGS\s*[:?]?=\s*(?!.*e))/;
const HOLLOW = /^@?(?:\S*\/)?(?:true|:|echo|printf|exit 0)(?:\s|$)/;
const NARROWS = /\$\(\s*(?:filter(?:-out)?|firstword|lastword|word|wordlist)\b/g;
/** Variables that list what is checked. */
const LISTS = /test|spec|check|lint|src|source|files?|dirs?|pkg|package|module/i;

export function makefileFindings(file: InspectedFile): IntegrityFinding[] {
  const ignored = addedLines(file, IGNORES).map(({text}) =>
    findingAt({file, level: "block", message: `\`${text.trim()}\` makes \`make\` ignore failures`, text}),
  );
  return [...ignored, ...changedVariables(file), ...filesAsTargets(file)];
}

function changedVariables(file: InspectedFile): IntegrityFinding[] {
  const [before, after] = [variablesOf(file.before ?? ""), variablesOf(file.after ?? "")];
  return [...after].flatMap(([name, value]) => {
    const previous = before.get(name);
    if (previous === value) return [];
    const isUsed = new RegExp(String.raw`^\t.*\$[({]${name.replaceAll(".", "\\.")}[)}]`, "m").test(file.after ?? "");
    const flag = (what: string) => [findingAt({file, level: "flag", message: `\`${name}\` ${what}`, text: value})];
    if (HOLLOW.test(value) && !HOLLOW.test(previous ?? "") && (isUsed || previous !== undefined))
      return flag("makes its commands always pass");
    if (previous === undefined) return [];
    if (count(value) > count(previous)) return flag("selects fewer values");
    const words = (text: string) => text.split(/\s+/).filter(Boolean);
    const lost = words(previous).filter((word) => !words(value).includes(word));
    const isOnlyShorter = lost.length > 0 && words(value).every((word) => words(previous).includes(word));
    return isOnlyShorter && LISTS.test(name) ? flag(`does not have \`${lost[0]}\` any more`) : [];
  });
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
