/** Check: code that ends a test run early, changes how a runner reports, or replaces what assertions compare. */
import type {IntegrityFinding} from "../../record/finding.ts";
import {languageOf} from "../../test-code/text/languages.ts";
import {maskSource} from "../../test-code/text/mask.ts";
import type {InspectedFile, IntegrityCheck} from "../source/inspected-change.ts";
import {isCodePath, isGenerated, isProgram, isTestData, isTestPath, SETUP} from "../source/kinds.ts";
import {compareLines} from "../source/line-changes.ts";
import {TRICKS, type Trick} from "./trick-patterns.ts";

export const runnerTricks: IntegrityCheck = {
  name: "runner-tricks",
  find(change) {
    return change.files
      .filter(({path, after}) => isCodePath(path) && after !== null && !isGenerated(path) && !isTestData(path))
      .flatMap((file) => [...findTricks(file), ...findWrapper(file)]);
  },
};

function findTricks(file: InspectedFile): IntegrityFinding[] {
  const tricks = TRICKS.filter((trick) => trick.files.test(file.path) && isPlace(trick, file.path));
  const language = languageOf(file.path);
  if (tricks.length === 0 || language === null) return [];
  const text = compareLines(file.before, file.after);
  const masked = (source: string | null) =>
    source === null ? null : joinShortBodies(maskSource(source, language).code);
  const head = masked(file.after);
  const code = compareLines(masked(file.before), head);
  return tricks.flatMap((trick) => {
    if (trick.context?.test(head ?? "") === false) return [];
    const {added, removed} = trick.isText ? text : code;
    const matches = added.filter((line) => trick.pattern.test(line.text));
    const net = matches.length - removed.filter((line) => trick.pattern.test(line.text)).length;
    const lastMatch = matches.at(-1);
    if (net <= 0 || lastMatch === undefined) return [];
    const fix = "Remove this code. Tests have to run to their end and report what they find.";
    return [
      {
        check: "runner-tricks",
        level: trick.level,
        path: file.path,
        line: lastMatch.number,
        message: `\`${firstWords(lastMatch.text)}\` ${trick.what}`,
        fix,
      },
    ];
  });
}

const EMBEDS = /\bstruct\s*\{\s*(?:\*?testing\.(?:T|TB)|\w+\s+\*?testing\.(?:T|TB)\b[^}]*)\s*\}/;
const FAILS = /^func\s*\(\w*\s*\*?\w+\)\s*(?:Errorf?|Fatalf?|Fail(?:Now)?)\(/;

/** A type in Go's tests that has the methods of `*testing.T`, and other ones for failures. */
function findWrapper(file: InspectedFile): IntegrityFinding[] {
  const {path, before, after} = file;
  if (!path.endsWith("_test.go") || !EMBEDS.test(after ?? "")) return [];
  const place = compareLines(before, after).added.find(({text}) => FAILS.test(text));
  if (place === undefined) return [];
  const message = `\`${firstWords(place.text)}\` replaces how a test fails`;
  const fix = "Let tests report their failures themselves.";
  return [{check: "runner-tricks", level: "flag", path, line: place.number, message, fix}];
}

function isPlace({where}: Trick, path: string): boolean {
  const isTest = isTestPath(path) || SETUP.test(path);
  if (where === "everywhere") return true;
  return where === "tests" ? isTest : !isTest && !isProgram(path);
}

/**
 * Puts `def __eq__(…):` and its only statement on one line, so that one pattern sees both. The number of lines stays
 * the same.
 */
function joinShortBodies(code: string): string {
  return code
    .replace(/(\bdef\s+__\w+__\s*\([^)]*\)[^:\n]*:)\s*\n\s*(return[^\n]*)/g, "$1 $2\n")
    .replace(/(\bexpect\.extend\(\{)\s*\n\s*(\w[^\n]*)/g, "$1 $2\n")
    .replace(/(\{)\s*\n\s*((?:return\s+)?true;?)\s*\n\s*\}/g, "$1 $2 }\n\n");
}

function firstWords(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}
