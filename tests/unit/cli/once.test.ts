/** Reports for CI systems show each failing test once. */
import {parse as parseJunit} from "junit2json";
import pc from "picocolors";
import {expect, it, vi} from "vitest";
import {githubReporter} from "../../../src/cli/reporters/github.ts";
import {toJunit} from "../../../src/cli/reporters/junit.ts";
import {attempt, record, stage} from "../report/records.ts";

const failure = {
  tool: "vitest",
  message: "boom",
  severity: "error" as const,
  file: "a.test.ts",
  path: "a.test.ts",
  line: 4,
};
const failed = stage({outcome: "failed", failureKind: "code", reason: "exit code 1", diagnostics: [failure]});
const failedRecord = record({attempts: [attempt({stages: [failed]})], verdict: {kind: "failed", stages: ["test"]}});

it("a document of JUnit has each failing test once, and the tests that passed", async () => {
  const again = {...failure, message: "again"};
  const tests = {
    ...failed,
    diagnostics: [
      {...failure, testId: "adds"},
      {...again, testId: "adds"},
      {...again, testId: "b"},
    ],
  };
  const listed = new Map([["test", [{file: "b.test.ts", title: "subtracts", outcome: "passed" as const}]]]);
  const failing = {...failedRecord, attempts: [attempt({stages: [tests]})]};
  expect(await parseJunit(toJunit(failing, listed))).toMatchObject({
    ...{tests: 4, failures: 2, errors: 0},
    testsuite: [
      {name: "setup"},
      {testcase: [{name: "subtracts", file: "b.test.ts"}, {name: "adds", line: 4}, {name: "b"}]},
    ],
  });
  expect(toJunit(failing)).toContain("a.test.ts:4\nboom\n\na.test.ts:4\nagain</failure>");
});

it("the reporter for GitHub shows each failure once, also those that GitHub would not show", async () => {
  const diagnostics = Array.from({length: 12}, (_, at) => ({...failure, line: at + 1, message: `boom ${at + 1}.`}));
  const failing = {...failedRecord, attempts: [attempt({stages: [{...failed, diagnostics}]})]};
  let text = "";
  const write = (part: string | Uint8Array) => {
    text += String(part);
    return true;
  };
  const commands = vi.spyOn(process.stdout, "write").mockImplementation(write);
  const reporter = githubReporter({
    ...{out: {write}, err: {write}, colors: pc.createColors(false), isQuiet: false},
    readText: async () => null,
  });
  await reporter.finish(failing);
  commands.mockRestore();
  for (const {message} of diagnostics) expect(text.split(message)).toHaveLength(2);
  expect(text.match(/^::error /gm)).toHaveLength(10);
  expect(text).toContain("test: failed: exit code 1: boom 12. a.test.ts:12\n");
});
