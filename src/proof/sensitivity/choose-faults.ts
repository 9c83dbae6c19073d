/** Chooses the faults to inject into the changed lines of a change, spread over files and lines. */

import {inlineTestLines, isTestFile} from "../../integrity/changed-tests/new-tests.ts";
import type {InspectedChange, InspectedFile} from "../../integrity/source/inspected-change.ts";
import {isProductCode} from "../../integrity/source/kinds.ts";
import {compareLines} from "../../integrity/source/line-changes.ts";
import type {InjectedFault} from "../../record/sensitivity.ts";
import {type Language, languageOf} from "../../test-code/text/languages.ts";
import {maskSource} from "../../test-code/text/mask.ts";
import {type FaultKind, faultsIn, type LineFault} from "./mutations.ts";

export interface Fault extends InjectedFault {
  readonly kind: FaultKind;
  /** the whole line with the fault */
  readonly newLine: string;
}

const MAX_FAULTS = 12;
/** A report shows at most this many characters of a line. */
const MAX_SHOWN = 60;
const NO_PRODUCT_FOLDERS = new Set(
  "example examples demo demos sample samples bench benches benchmark benchmarks doc docs".split(" "),
);
const NO_PRODUCT_FILE = /^(?:.*\.config\.[cm]?[jt]s|\.[\w-]+rc\.[cm]?js|(?:.*_)?tests?\.rs)$/;

/**
 * No test runs this code: examples, configuration, and tests of Rust in their own module. In Maven's and Gradle's layout the folders
 * below `src/main/java` are the name of the package (spring-petclinic: `org/springframework/samples`).
 */
export function isNoProduct(path: string): boolean {
  const folders = path.replace(/(^|\/)src\/main\/\w+\/.*\//, "$1").split("/");
  const name = folders.pop() ?? "";
  return NO_PRODUCT_FILE.test(name) || folders.some((folder) => NO_PRODUCT_FOLDERS.has(folder.replace(/^_/, "")));
}

/** Limits the time for a change that is designed to take long. */
const MAX_LINES = 2000;
const MAX_LINE_LENGTH = 1000;

/** At most `most` faults; the first ones are spread as far as possible, in case there is no time for all. */
export function chooseFaults(change: InspectedChange, most = MAX_FAULTS): Fault[] {
  const byLine = change.files.flatMap((file) => faultsOfFile(file));
  const chosenFaults: Fault[] = [];
  // First one fault of each line, then a second one.
  for (let round = 0; chosenFaults.length < most && byLine.some((faults) => faults[round] !== undefined); round++) {
    const faults = byLine.flatMap((line) => line[round] ?? []);
    chosenFaults.push(...spread(faults, most - chosenFaults.length));
  }
  return chosenFaults;
}

/** The faults of each changed line. */
function faultsOfFile(file: InspectedFile): Fault[][] {
  const {path, before, after} = file;
  const language = languageOf(path);
  if (language === null || after === null || !isProductCode(path) || isTestFile(file) || isNoProduct(path)) return [];
  return faultsInText({path, before, after, language});
}

/** The faults of each line that `before` lacks. */
export function faultsInText(options: {
  path: string;
  before: string | null;
  after: string;
  language: Language;
}): Fault[][] {
  const {path, before, after, language} = options;
  const [lines, masked] = [after.split("\n"), maskSource(after, language).code.split("\n")];
  const tests = inlineTestLines(path, after);
  return compareLines(before, after)
    .added.slice(0, MAX_LINES)
    .filter(({number}) => !tests.some(({from, to}) => from <= number && number <= to))
    .map(({number, text}) => {
      const line = lines[number - 1] ?? "";
      if (text.length > MAX_LINE_LENGTH || text !== line.replace(/\r$/, "") || isInsideLonger(masked, number))
        return [];
      return (
        faultsIn(masked[number - 1] ?? "", language.name)
          // A text with blanks is for people.
          .filter(({kind, from, to}) => kind !== "text" || !/\s/.test(line.slice(from, to)))
          .map((fault) => toFault({path, number, line, fault}))
      );
    })
    .filter((faults) => faults.length > 0);
}

/** True for a line within a multi-line string or comment, which is blank in the masked source. */
const isInsideLonger = (masked: readonly string[], number: number): boolean => (masked[number - 1] ?? "").trim() === "";

function toFault(options: {path: string; number: number; line: string; fault: LineFault}): Fault {
  const {path, number, line, fault} = options;
  const old = line.slice(fault.from, fault.to);
  const replacement = fault.replacement.replace("$", () => old);
  const newLine = `${line.slice(0, fault.from)}${replacement}${line.slice(fault.to)}`;
  const shorten = (text: string) => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
  return {path, line: number, from: shorten(old.trim()), to: shorten(replacement.trim()), newLine, kind: fault.kind};
}

/** Up to `count` items: the middle one, then the middles of the halves, and so on. */
function spread<T>(items: readonly T[], count: number): T[] {
  const order: T[] = [];
  const ranges: (readonly [number, number])[] = [[0, items.length]];
  for (let range = ranges.shift(); range !== undefined && order.length < count; range = ranges.shift()) {
    const [low, high] = range;
    if (low >= high) continue;
    const middle = (low + high) >> 1;
    order.push(...items.slice(middle, middle + 1));
    ranges.push([low, middle], [middle + 1, high]);
  }
  return order;
}
