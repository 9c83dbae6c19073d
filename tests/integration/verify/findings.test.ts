/** The verdict of a change that weakens its own checks, and of one that could not be inspected. */
import {readFile} from "node:fs/promises";
import {expect, it} from "vitest";
import {DEFAULT_CONFIG} from "../../../src/detect/config/config.ts";
import {inspectInWorker} from "../../../src/integrity/inspect-in-worker.ts";
import type {InspectedChange} from "../../../src/integrity/source/inspected-change.ts";
import {collectFindings, type FindingSource} from "../../../src/verify/finding-sources.ts";
import {openWorkshop, stageOf} from "./workshop.ts";

const rules = DEFAULT_CONFIG.integrity;
const TEST = 'test("adds", () => {\n  expect(1 + 1).toBe(2);\n});\n';
const SKIPPED = TEST.replace("test(", "test.skip(");

it("is tampered if a finding blocks, failed if a stage fails, and verified with a finding that only flags", async () => {
  await using workshop = await openWorkshop({
    ...{"a.test.js": TEST, "a.js": "1;\n"},
  });
  const stage = (command: string) => [stageOf({name: "test", kind: "check", command})];
  const look = (files: Record<string, string>, options = {}) =>
    workshop.look({stages: stage("true"), files, integrity: rules, ...options});
  const skipped = await look({"a.test.js": SKIPPED});
  expect(skipped.verdict).toEqual({kind: "tampered", findings: ["a.test.js:1: Test `adds` is skipped"]});
  expect(skipped.findings).toMatchObject([{check: "disabled-tests", level: "block", path: "a.test.js", line: 1}]);
  const failed = await look({"a.test.js": SKIPPED}, {stages: stage("false")});
  expect([failed.verdict.kind, failed.findings?.length]).toEqual(["failed", 1]);
  const noted = await look({"a.test.js": SKIPPED}, {integrity: {...rules, level: {"disabled-tests": "flag"}}});
  expect([noted.verdict.kind, noted.findings]).toEqual(["verified", [expect.objectContaining({level: "flag"})]]);
  const off = await look({"a.test.js": SKIPPED}, {integrity: {...rules, enabled: false}});
  expect([off.verdict.kind, off.findings]).toEqual(["verified", undefined]);
});

/** A test stage that passes, and whose later runs, on the change with the base's tests, do not end by themselves. */
async function lookAtEndlessReplay(options: {timeout: number; stop?: AbortController}) {
  await using workshop = await openWorkshop({"src/a.js": "1;\n", "tests/a_test.sh": "test 1 = 1\n"});
  const command = `echo run >> ${workshop.log}; [ $(wc -l < ${workshop.log}) = 1 ] || sleep 50; sh tests/a_test.sh`;
  const countRuns = async () => (await readFile(workshop.log, "utf8").catch(() => "")).split("\n").length - 1;
  const watch = setInterval(async () => (await countRuns()) > 1 && options.stop?.abort(), 20);
  try {
    return await workshop.look({
      stages: [stageOf({name: "test", kind: "test", command, timeout: options.timeout})],
      files: {"src/a.js": "2;\n", "tests/a_test.sh": "test 2 = 2\n"},
      integrity: rules,
      ...(options.stop && {signal: options.stop.signal}),
    });
  } finally {
    clearInterval(watch);
  }
}

it("claims nothing if it is cancelled while the base's tests run", async () => {
  const {stages, verdict} = await lookAtEndlessReplay({timeout: 60, stop: new AbortController()});
  expect(stages).toMatchObject([{name: "test", outcome: "passed"}]);
  expect(verdict).toMatchObject({kind: "unverified", why: "cancelled"});
});

it("says so if the base's tests do not end", async () => {
  const {verdict, findings} = await lookAtEndlessReplay({timeout: 5});
  expect(verdict).toEqual({kind: "verified"});
  const message = expect.stringMatching(/was not replayed on this change: stopped after 5 s/);
  expect(findings).toContainEqual(expect.objectContaining({check: "base-replay", level: "note", message}));
});

it("never says nothing about what it could not inspect", async () => {
  const sources: FindingSource<{rules: typeof rules}>[] = [{find: () => Promise.reject(new Error("broken"))}];
  const findings = await collectFindings(sources, {rules});
  expect(findings).toMatchObject([{check: "not-inspected", level: "flag"}]);
});

it("ends a thread that takes too long, or when the run is cancelled", async () => {
  const [before, after] = [TEST, TEST.repeat(2000)];
  const file = {
    path: "a.test.js",
    basePath: "a.test.js",
    status: "modified",
    before,
    after,
    isExecutable: false,
  } as const;
  const change: InspectedChange = {files: [file], relatedTests: [], plan: null};
  const {signal} = new AbortController();
  expect(await inspectInWorker({change, rules, signal, maxMs: 1})).toMatchObject({ok: false});
  expect(await inspectInWorker({change, rules, signal: AbortSignal.abort()})).toMatchObject({ok: false});
  const inspected = await inspectInWorker({change, rules, signal});
  expect(inspected.ok).toBe(true);
});

it("waits for a thread that gets no processor time, at most five times as long", async () => {
  const change: InspectedChange = {files: [], relatedTests: [], plan: null};
  const inspect = (code: string) =>
    inspectInWorker({
      ...{change, rules, signal: new AbortController().signal, maxMs: 300},
      workerFile: new URL(`data:text/javascript,import {parentPort} from "node:worker_threads";${code}`),
    });
  const [late, silent, busy] = await Promise.all([
    inspect("setTimeout(() => parentPort.postMessage([]), 350)"),
    inspect("Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)"),
    inspect("for (;;);"),
  ]);
  expect(late).toEqual({ok: true, value: []});
  expect(silent).toEqual({ok: false, failure: "it took longer than 1.5 s"});
  expect(busy.ok).toBe(false);
});
