/** Reads which lines ran from the coverage reports of test runners. Every line of a report is data of the repository. */
import sax from "sax";
import type {CoverageFormat} from "../../tools/tool.ts";

/** The lines with code, as `path:line`: true for a line that ran. */
export type LineRuns = ReadonlyMap<string, boolean>;

/** The path of a file that a report names; null if it is of no interest. */
export type PathOf = (name: string) => string | null;

type AddLines = (name: string, lines: {from: number; to: number; ran: boolean}) => void;
/** False if the text is no whole report. */
type CoverageReader = (text: string, add: AddLines) => boolean;

const READERS: Readonly<Record<CoverageFormat, CoverageReader>> = {
  lcov: readLcov,
  goProfile: readGoProfile,
  jacoco: readJacoco,
};

/** Lines after this one are no code, and a report names no more lines, some of them often. */
const MAX_LINE = 100_000;
const MAX_LINES = 2_000_000;

/** Null if the text is no whole report in this format. */
export function readLineRuns(format: CoverageFormat, text: string, pathOf: PathOf): LineRuns | null {
  const runs = new Map<string, boolean>();
  let lines = 0;
  const isRead = READERS[format](text, (name, {from, to, ran}) => {
    const path = pathOf(name);
    if (path === null || lines > MAX_LINES || !(from > 0) || !(to < MAX_LINE)) return;
    lines += Math.max(1, to - from + 1);
    for (let line = from; line <= to; line++) addLine(runs, `${path}:${line}`, ran);
  });
  return isRead && lines <= MAX_LINES ? runs : null;
}

/** A line that ran in one of the runs ran. */
export function joinLineRuns(all: readonly Iterable<readonly [string, boolean]>[]): LineRuns {
  const joined = new Map<string, boolean>();
  for (const runs of all) for (const [line, ran] of runs) addLine(joined, line, ran);
  return joined;
}

function addLine(runs: Map<string, boolean>, line: string, ran: boolean): void {
  runs.set(line, ran || runs.get(line) === true);
}

/** `man geninfo`, "FILES": `SF:` names the file of the following `DA:LINE,COUNT`. */
function readLcov(text: string, add: AddLines): boolean {
  let file = "";
  let isWhole = false;
  for (const row of text.split("\n").map((one) => one.trimEnd())) {
    isWhole = row === "end_of_record" || (isWhole && row === "");
    if (row.startsWith("SF:")) file = row.slice(3);
    if (!row.startsWith("DA:")) continue;
    const [line, count] = row.slice(3).split(",").map(Number);
    add(file, {from: line ?? NaN, to: line ?? NaN, ran: (count ?? 0) > 0});
  }
  return isWhole;
}

/** golang.org/x/tools/cover, `ParseProfiles`: `FILE:LINE.COLUMN,LINE.COLUMN STATEMENTS COUNT`. */
function readGoProfile(text: string, add: AddLines): boolean {
  const [first = "", ...rows] = text.split("\n");
  for (const row of rows) {
    const [block = "", , count = ""] = row.split(" ");
    const at = block.lastIndexOf(":");
    const [from = NaN, to = NaN] = block
      .slice(at + 1)
      .split(",")
      .map((place) => Number(place.split(".")[0]));
    add(block.slice(0, at), {from, to, ran: Number(count) > 0});
  }
  return first.startsWith("mode: ") && text.endsWith("\n");
}

/** jacoco.org/jacoco/trunk/coverage/report.dtd: `ci` counts the instructions of a line that ran. */
function readJacoco(text: string, add: AddLines): boolean {
  const parser = sax.parser(true);
  let [isWhole, folder, file] = [false, "", ""];
  parser.onopentag = ({name, attributes}) => {
    const attribute = (key: string) => String(attributes[key] ?? "");
    if (name === "package") folder = attribute("name");
    if (name === "sourcefile") file = `${folder}/${attribute("name")}`;
    const line = Number(attribute("nr"));
    if (name === "line") add(file, {from: line, to: line, ran: Number(attribute("ci")) > 0});
  };
  parser.onclosetag = (name) => {
    isWhole ||= name === "report";
  };
  try {
    parser.write(text).close();
  } catch {
    return false;
  }
  return isWhole;
}
