/** The line to paste for checks that ran out of time, against the parser of verify.json. */
import {expect, it} from "vitest";
import {parseConfig} from "../../../src/detect/config/parse-config.ts";
import {renderReport} from "../../../src/report/markdown.ts";
import {raiseTimeoutsLines} from "../../../src/report/raise-timeouts.ts";
import {planWith} from "../../rig/plans.ts";
import {attempt, record, stage} from "./records.ts";

const late = (name: string, seconds: number) =>
  stage({name, outcome: "timed-out", failureKind: "timeout", exit: {kind: "timed-out", afterMs: seconds * 1000}});
const origin = {file: "package.json", key: "scripts", why: "the script `test`"};
const plan = planWith({name: "test", origin}, {name: "api:test", origin}, {name: "own"}, {name: "lint", origin});

it("names each detected check that ran out of time in one valid entry, and no other one", () => {
  const stages = [late("test", 300), late("api:test", 60), late("own", 10), stage({name: "lint"})];
  const run = record({plan, attempts: [attempt({stages})], verdict: {kind: "failed", stages: ["test"]}});
  const line = (raiseTimeoutsLines(run)[1] ?? "").trim();
  expect(parseConfig({file: "verify.json", text: `{${line}}`})).toMatchObject({
    ok: true,
    value: {overrides: {test: {timeout: 900}, "api:test": {timeout: 180}}},
  });
  expect(line).not.toMatch(/own|lint/);
  expect(renderReport(run)).toContain(line);
});

it("is absent if no check ran out of time", () => {
  expect(raiseTimeoutsLines(record({plan}))).toEqual([]);
});
