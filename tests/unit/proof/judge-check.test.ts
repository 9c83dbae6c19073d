/** A linter or a type check that fails as on the base: a flag, unless the failure says nothing about the sources. */
import {expect, it} from "vitest";
import {notRun} from "../../../src/engine/stage/stage.ts";
import type {InspectedFile} from "../../../src/integrity/source/inspected-change.ts";
import {judgeCheck} from "../../../src/proof/gate-runs/judge-check.ts";
import type {Diagnostic, StageResult} from "../../../src/record/evidence.ts";
import {plannedStage} from "../../rig/plans.ts";

const stage = plannedStage({name: "lint", kind: "lint", command: "make lint"});
const result = (outcome: "passed" | "failed", excerpt = "", diagnostics: Diagnostic[] = []): StageResult => ({
  ...notRun(stage, {outcome: "unavailable", reason: "exit code 1"}),
  ...{outcome, failureKind: outcome === "failed" ? "code" : null, excerpt, diagnostics},
});
const error = (path: string, message: string, tool = "tsc"): Diagnostic => ({
  tool,
  path,
  line: 3,
  message,
  severity: "error",
});
const file = (path: string, before: string | null, after: string | null): InspectedFile => ({
  ...{path, basePath: path, before, after, isExecutable: false},
  status: before === null ? "added" : after === null ? "deleted" : "modified",
});
const settings = file("lint.toml", "a", "b");

function judge(failed: StageResult, base: StageResult | null, ...files: InspectedFile[]): string[] {
  const change = {files: [settings, ...files], relatedTests: [], plan: null};
  const touched = {tests: [], gate: [], data: [], checks: [settings], dependencies: []};
  return judgeCheck({result: failed, base, change, touched}).map(({level, message}) => `${level}: ${message}`);
}

it("is a flag if the base passes the check, and names the places", () => {
  const failed = result("failed", "", [
    error("src/a.ts", "is possibly undefined"),
    error("Makefile", "Error 1", "make"),
  ]);
  expect(judge(failed, result("passed"))).toEqual([
    "flag: `lint` passes only with the changed `lint.toml`; with the default branch's it fails: src/a.ts:3 is possibly undefined",
  ]);
  expect(judge(failed, result("failed"))).toEqual([]);
  expect(judge(failed, null)).toEqual([expect.stringMatching(/^note: .*whether it passes there is not known/)]);
});

it("shows how an output of no known form begins", () => {
  const output = "\n> a@1.0.0 lint\n> sh lint.sh\n\nsrc/a.js:1\nexport const a = ;\n";
  expect(judge(result("failed", output), result("passed"))).toEqual([
    expect.stringMatching(/^flag: .*it fails: src\/a\.js:1 export const a = ;$/),
  ]);
});

it("is a note if only what the change adds, or moves, is missing", () => {
  const missing = error("tests/b.test.ts", "Cannot find module 'kit'");
  const ofTest = error("tests/b.test.ts", "'one' is of type 'unknown'");
  const added = file("tests/b.test.ts", null, "x");
  expect(judge(result("failed", "", [missing, ofTest]), result("passed"), added)).toEqual([
    expect.stringMatching(/^note: .*it uses what the change adds/),
  ]);
  const ofSource = error("src/a.ts", "is possibly undefined");
  expect(judge(result("failed", "", [missing, ofSource]), result("passed"), added)).toEqual([
    expect.stringMatching(/^flag/),
  ]);
  const gone = result("failed", "Error: Cannot find module 'src/a.js'\n");
  expect(judge(gone, result("passed"), file("src/a.js", "x", null))).toEqual([
    expect.stringMatching(/^note: .*name `src\/a\.js`, which is not there any more/),
  ]);
});
