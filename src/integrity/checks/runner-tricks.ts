/** Check: code that ends a test run early, changes how a runner reports, or replaces what assertions compare. */
import type {IntegrityFinding} from "../../record/finding.ts";
import {languageOf} from "../../test-code/languages.ts";
import {findNodes} from "../../test-code/read-source.ts";
import type {InspectedFile, IntegrityCheck} from "../source/inspected-change.ts";
import {isProductCode, isProgram, isSetup} from "../source/kinds.ts";
import {compareLines} from "../source/line-changes.ts";
import {TRICKS, type Trick} from "./tricks.ts";

const FIX = "Remove this code. Tests have to run to their end and report what they find.";

export const runnerTricks: IntegrityCheck = {
  name: "runner-tricks",
  find: ({files}) => files.flatMap(findTricks),
};

/** True if a file has to be parsed to know. */
export const mayHaveTricks = (file: InspectedFile): boolean => possibleTricks(file).length > 0;

/** Those with a word in the new lines. */
function possibleTricks({path, before, after}: InspectedFile): Trick[] {
  // Runs decide about the code of tests.
  if (!(isProductCode(path) || isSetup(path)) || after === null || isProgram(path)) return [];
  const language = languageOf(path)?.name ?? "";
  const newText = compareLines(before, after)
    .added.map(({text}) => text)
    .join("\n");
  return TRICKS.filter(
    (trick) => trick.languages.includes(language) && trick.words.some((word) => newText.includes(word)),
  );
}

function findTricks(file: InspectedFile): IntegrityFinding[] {
  const tricks = possibleTricks(file);
  if (tricks.length === 0) return [];
  const {added} = compareLines(file.before, file.after);
  const lines = new Map(added.map(({number, text}) => [number, text]));
  return tricks.flatMap((trick) => {
    const matches = findNodes(file.path, file.after, trick.rules);
    // A definition may begin before its first new line.
    const places = matches.flatMap(({node, last}) => {
      const [from, to] = [node.startPosition.row + 1, last.endPosition.row + 1];
      const line = [...lines.keys()].find((number) => from <= number && number <= to);
      return line === undefined ? [] : [line];
    });
    const line = places.at(-1);
    if (line === undefined || matches.length <= findNodes(file.basePath, file.before, trick.rules).length) return [];
    const message = `\`${firstWords(lines.get(line) ?? "")}\` ${trick.what}`;
    return [{check: "runner-tricks", level: trick.level ?? "flag", path: file.path, line, message, fix: FIX}];
  });
}

function firstWords(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}
