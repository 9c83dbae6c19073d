/** Names the entries of the repository's memory that this run has seen to be wrong. A person deletes them. */
import type {StageResult} from "../record/evidence.ts";
import {readMemory, whyStale} from "../specs/memory.ts";
import type {PreparedRun} from "./prepare-run.ts";

export function noteStaleMemory({record, rulesProject}: PreparedRun): void {
  const tests = reportedTests(record.current().attempts.at(-1)?.verification?.stages ?? []);
  record.addNotes(
    readMemory(rulesProject).flatMap((kept) => {
      const why = whyStale(kept, rulesProject, tests);
      return why === null ? [] : [{about: kept.path, text: `does not hold any more: ${why}. Delete the file`}];
    }),
  );
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
