/** The check on a commit: its colour is the run's, and its annotations are the change's own failures, in the right files. */
import {expect, test} from "vitest";
import type {StageResult} from "../../../src/record/evidence.ts";
import {renderCheck} from "../../../src/report/check.ts";
import {attempt, record, stage} from "./records.ts";
import {SCENES} from "./scenes.ts";

const problem = (path: string | null, line: number, message = "bad") =>
  ({tool: "lint", file: path ?? "sub.ts", ...(path !== null && {path}), line, message, severity: "error"}) as const;
const failing = (over: Partial<StageResult>) => stage({outcome: "failed", failureKind: "code", ...over});
const withStages = (...stages: StageResult[]) => {
  const made = attempt({changes: [{path: "web/src/a.ts", status: "modified"}]});
  const verification = made.verification === null ? null : {...made.verification, stages};
  return renderCheck(record({attempts: [{...made, verification}]}))?.annotations ?? [];
};

test("has the text of the report", () => {
  const scene = SCENES["parked-failed"] ?? record();
  expect(renderCheck(scene)).toMatchObject({
    conclusion: "failure",
    title: "❌ Tests failed",
    summary: expect.stringMatching(/^\*\*❌ Tests failed\*\* · [^\n]*\n\n`parse > keeps an empty value`: expected/),
  });
});

test("a place that is not in the tree is not annotated, and the values of the failure follow its message", () => {
  const values = {...problem("web/src/a.ts", 3, "to be equal:"), detail: "1 !== 2\nmore"};
  const found = withStages(failing({diagnostics: [problem(null, 3), values]}));
  expect(found).toMatchObject([{path: "web/src/a.ts", message: "to be equal: 1 !== 2 more"}]);
});

test("names what is new, not what the base has too, and no more than GitHub takes", () => {
  const [old, fresh] = [problem("src/old.ts", 1), problem("src/new.ts", 2)];
  const baseline = {outcome: "new", new: [fresh], preexisting: [old], fixed: 0, why: ""} as const;
  const compared = failing({diagnostics: [old, fresh], baseline: {...baseline, new: [fresh], preexisting: [old]}});
  expect(withStages(compared).map(({path}) => path)).toEqual(["src/new.ts"]);
  const many = Array.from({length: 80}, (_, i) => problem("src/a.ts", i + 1));
  expect(withStages(failing({diagnostics: many}))).toHaveLength(50);
  expect(withStages(stage({diagnostics: [fresh]}), failing({diagnostics: [problem("src/a.ts", 0)]}))).toEqual([]);
});
