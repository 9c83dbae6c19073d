/** Reads from a stage's result which tests ran, for the comparison of two runs. */
import {wholeText} from "../../engine/stage/stage.ts";
import type {ListedTest, StageResult} from "../../record/evidence.ts";

export interface RanTest extends Omit<ListedTest, "outcome"> {
  readonly outcome: ListedTest["outcome"] | "failed";
}

/** Null if the run does not name all of its tests; then only the counts can be compared. */
export function ranTests(result: StageResult): RanTest[] | null {
  const {reported, output} = result;
  if (reported?.others !== undefined && reported.failed.length === reported.counts.failed) {
    return [...reported.others, ...reported.failed.map(({file, title}) => ({file, title, outcome: "failed" as const}))];
  }
  if (output === null || output.droppedBytes > 0) return null;
  const text = wholeText(output);
  return listedByCargo(text) ?? listedByUnittest(text);
}

const CARGO_PROGRAM = /^\s*(?:Running (?:unittests )?(\S+)(?: \(.*\))?|Doc-tests (\S+))$/;
const CARGO_TEST = /^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)\b/;

function listedByCargo(text: string): RanTest[] | null {
  if (!/^running \d+ tests?$/m.test(text)) return null;
  const outcomes = {ok: "passed", FAILED: "failed", ignored: "skipped"} as const;
  let file: string | null = null;
  const tests: RanTest[] = [];
  for (const line of text.split("\n")) {
    const program = CARGO_PROGRAM.exec(line);
    if (program !== null) file = program[1] ?? program[2] ?? null;
    const [, title, word] = CARGO_TEST.exec(line) ?? [];
    if (title !== undefined && (word === "ok" || word === "FAILED" || word === "ignored"))
      tests.push({file, title, outcome: outcomes[word]});
  }
  const announcedCount = [...text.matchAll(/^running (\d+) tests?$/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
  return tests.length === announcedCount ? tests : null;
}

const UNITTEST = /^(\w+) \((?:([\w.]+?)\.)?(\w+)\)(?:\n[^\n]*?)?? \.\.\. (ok|FAIL|ERROR|skipped|expected failure)/gm;

/** With `-v` only. */
function listedByUnittest(text: string): RanTest[] | null {
  const testCount = Number(/^Ran (\d+) tests? in /m.exec(text)?.[1] ?? Number.NaN);
  const tests = [...text.matchAll(UNITTEST)].map(([, name = "", module = "", owner = "", word = ""]) => ({
    file: module,
    title: owner === name ? name : `${owner}.${name}`,
    outcome: word === "ok" ? ("passed" as const) : /^[FE]/.test(word) ? ("failed" as const) : ("skipped" as const),
  }));
  const isComplete = tests.length > 0 && tests.length === testCount;
  // A module that could not be loaded is no test (Python 3.11 and later; earlier versions).
  const isModule = ({file, title}: (typeof tests)[number]) =>
    /\b_FailedTest$/.test(file) || title.startsWith("_FailedTest.");
  return isComplete ? tests.filter((test) => !isModule(test)) : null;
}
