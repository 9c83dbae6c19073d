/** Names the entries of the repository's memory that this run has seen to be wrong or missing. A person changes them. */
import type {StageResult} from "../record/evidence.ts";
import {entryOf, readMemory, whyStale} from "../specs/memory.ts";
import type {PreparedRun} from "./prepare-run.ts";

const MAX_PROPOSED = 3;

export function noteMemory({record, rulesProject}: PreparedRun): void {
  const {attempts} = record.current();
  const entries = readMemory(rulesProject);
  const stages = attempts.flatMap(({verification}) => verification?.stages ?? []);
  const tests = reportedTests(attempts.at(-1)?.verification?.stages ?? []);
  record.addNotes([
    ...entries.flatMap((kept) => {
      const why = whyStale(kept, rulesProject, tests);
      return why === null ? [] : [{about: kept.path, text: `does not hold any more: ${why}. Delete the file`}];
    }),
    ...flakyTests(stages)
      .filter((name) => entries.every(({entry}) => entry.text !== name))
      .slice(0, MAX_PROPOSED)
      .map((name) => ({about: "memory", text: `for later runs, you can comment \`/remember flaky test: ${name}\``})),
  ]);
}

/** The tests that failed and passed on the same files, if their names can be entries. */
function flakyTests(stages: readonly StageResult[]): string[] {
  const failed = stages
    .filter(({outcome}) => outcome === "flaky")
    .flatMap(
      ({reported, diagnostics}) => reported?.failed.map(({title}) => title) ?? diagnostics.map((one) => one.testId),
    );
  const isName = (name: string | null | undefined): name is string =>
    typeof name === "string" &&
    !name.includes("`") &&
    entryOf({text: `flaky test: ${name}`, by: "a", comment: 1}) !== null;
  return [...new Set(failed.filter(isName))];
}

/** The names of all tests, with and without their groups; null unless every test check has listed all of them. */
function reportedTests(stages: readonly StageResult[]): ReadonlySet<string> | null {
  const lists = stages
    .filter(({kind}) => kind === "test")
    .map(({outcome, narrowed, reported}) => {
      const isWhole = outcome === "passed" && narrowed === undefined;
      return isWhole ? (reported?.others?.map(({title}) => title) ?? null) : null;
    });
  if (lists.length === 0 || lists.includes(null)) return null;
  return new Set(lists.flatMap((titles) => titles ?? []).flatMap((title) => [title, title.split(" > ").at(-1) ?? ""]));
}
