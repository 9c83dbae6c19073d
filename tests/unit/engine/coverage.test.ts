/** Which changed paths keep a change from being verified, and which are only listed. */
import {expect, test} from "vitest";
import {findUnread} from "../../../src/engine/coverage.ts";
import type {StageResult} from "../../../src/record/evidence.ts";
import type {Coverage} from "../../../src/record/verification.ts";
import {decideVerdict} from "../../../src/verify/verdict.ts";
import {stage} from "../report/records.ts";

const path = (name: string, over: Partial<Coverage["paths"][number]> = {}) => ({
  path: name,
  stages: ["test"],
  takenIn: ["test"],
  project: "app",
  ...over,
});
const asOnBase: StageResult["baseline"] = {outcome: "pre-existing", new: [], preexisting: [], fixed: 0, why: ""};

test.each<[string, Partial<StageResult>, boolean]>([
  ["passed", {outcome: "passed"}, true],
  ["passed, optional", {outcome: "passed", optional: true}, true],
  ["passed in part", {outcome: "passed", narrowed: "vitest related a.ts"}, false],
  ["skipped", {outcome: "skipped"}, false],
  ["flaky", {outcome: "flaky"}, false],
  ["unavailable", {outcome: "unavailable", failureKind: "environment"}, false],
  ["failed", {outcome: "failed", failureKind: "code"}, false],
  ["failed as on the base", {outcome: "failed", failureKind: "code", baseline: asOnBase}, true],
  [
    "failed as on the base, optional",
    {outcome: "failed", failureKind: "code", baseline: asOnBase, optional: true},
    false,
  ],
])("a stage that %s", (_name, over, hasRead) => {
  const results = [stage({name: "test", ...over})];
  const unread = findUnread({strict: false, paths: [path("app/a.ts")]}, results);
  expect(unread).toEqual({blocking: hasRead ? [] : ["app/a.ts"], listed: []});
});

test("only source code of a project that nothing takes in is blocking, with strict coverage every path", () => {
  const paths = [
    path("app/run.py", {stages: []}),
    path("data.json", {stages: [], takenIn: [], project: null}),
    path("other/a.ts", {stages: [], takenIn: [], project: "other"}),
    path("app/b.ts"),
  ];
  const results = [stage({name: "test"})];
  expect(findUnread({strict: false, paths}, results)).toEqual({
    blocking: ["other/a.ts"],
    listed: ["app/run.py", "data.json"],
  });
  expect(findUnread({strict: true, paths}, results).blocking).toEqual(["app/run.py", "data.json", "other/a.ts"]);
  expect(findUnread(undefined, results)).toEqual({blocking: [], listed: []});
});

test("a path of a stage that ran is not listed as read by no stage", () => {
  const paths = [path("Makefile", {project: null}), path("run.py", {project: null, stages: []})];
  const listed = (over: Partial<StageResult>) =>
    findUnread({strict: false, paths}, [stage({name: "test", failureKind: "code", ...over})]).listed;
  expect(listed({outcome: "failed"})).toEqual(["run.py"]);
  expect(listed({outcome: "failed", optional: true})).toEqual(["run.py"]);
  expect(listed({outcome: "failed", narrowed: "vitest related a.ts"})).toEqual(["Makefile", "run.py"]);
  expect(listed({outcome: "unavailable", exit: {kind: "exited", code: 5}})).toEqual(["run.py"]);
  expect(listed({outcome: "unavailable", exit: null})).toEqual(["Makefile", "run.py"]);
  expect(listed({outcome: "skipped", exit: null})).toEqual(["Makefile", "run.py"]);
});

test("a path that the output of a failing stage names is not listed as read by no stage", () => {
  const paths = [path("shared/rate.js", {project: null, stages: []}), path("run.py", {project: null, stages: []})];
  const listed = (over: Partial<StageResult>) =>
    findUnread({strict: false, paths}, [stage({name: "test", ...over})]).listed;
  const diagnostics = [{tool: "node", file: "/w/app/shared/rate.js", message: "x", severity: "error" as const}];
  expect(listed({outcome: "failed", diagnostics})).toEqual(["run.py"]);
  expect(listed({outcome: "flaky", excerpt: "    at rate (/w/app/shared/rate.js:3:9)"})).toEqual(["run.py"]);
  expect(listed({outcome: "failed", excerpt: "at /w/unshared/rate.js"})).toEqual(["shared/rate.js", "run.py"]);
  expect(listed({outcome: "passed", excerpt: "shared/rate.js"})).toEqual(["shared/rate.js", "run.py"]);
});

test("what is not covered is no verified change, and neither a failed nor a partial one", () => {
  const given = {
    setup: [],
    setupFailedOnBase: false,
    skipped: new Set<string>(),
    cancelled: false,
    outOfTime: "",
    isBase: false,
  };
  const uncovered = Array.from({length: 21}, (_, at) => `${at}.ts`);
  const stages = [stage({name: "test"})];
  const verdict = decideVerdict({...given, stages, leftOut: [], uncovered});
  expect(verdict).toMatchObject({kind: "unverified", why: "not-covered"});
  expect(verdict).toHaveProperty(
    "detail",
    expect.stringMatching(/^read by no known check: 0\.ts, .*19\.ts and 1 more$/),
  );
  const failed = [stage({name: "test", outcome: "failed", failureKind: "code"})];
  expect(decideVerdict({...given, stages: failed, leftOut: [], uncovered}).kind).toBe("failed");
  expect(decideVerdict({...given, stages, leftOut: ["lint"], uncovered}).kind).toBe("partial");
});
