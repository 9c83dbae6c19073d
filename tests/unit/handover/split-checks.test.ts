/** A slow check on several machines: no file is lost, and parts that are lost, repeated or contradict one another are no pass. */
import {expect, test} from "vitest";
import {joinShards, shareOf} from "../../../src/handover/shards.ts";
import {divideChecks, type FileTimes, fileTimesOf, readFileTimes} from "../../../src/handover/split-checks.ts";
import type {Plan} from "../../../src/record/plan.ts";
import type {RunRecord} from "../../../src/record/record.ts";
import type {Verdict} from "../../../src/record/verification.ts";
import {planWith} from "../../rig/plans.ts";
import {attempt, record, stage as result} from "../report/records.ts";

const filesOf = (times: readonly number[]) =>
  Object.fromEntries(times.map((ms, at) => [`tests/${at}.test.ts`, ms] as const));
const EVEN = filesOf(Array.from({length: 40}, () => 15_000));
const divide = (
  command: string,
  files: Record<string, number>,
  plan = planWith({name: "test", command}, {name: "lint"}),
) =>
  divideChecks({
    ...{plan, machines: 4, scriptsOf: () => ({test: "vitest run"})},
    times: {test: {command: plan.stages[0]?.command ?? "", files}},
  });
const partsOf = (plan: Plan) => plan.stages.filter(({name}) => name.startsWith("test ("));
const leftOut = (command: string) =>
  command.match(/--exclude=\S+/g)?.map((word) => word.slice("--exclude=".length)) ?? [];

test.each([
  ["npx vitest run", "npx vitest run --exclude=tests/"],
  ["npm test", "npm test -- --exclude=tests/"],
  ["pytest -q", "pytest -q --ignore=tests/"],
])("%s is divided by leaving out files", (command, start) => {
  const parts = partsOf(divide(command, EVEN).plan);
  expect(parts.map(({name}) => name)).toEqual(["test (1/4)", "test (2/4)", "test (3/4)", "test (4/4)"]);
  for (const part of parts) expect(part.command.startsWith(start)).toBe(true);
});

test("each known file is in exactly one part, and any other file in all of them", () => {
  const files = {...EVEN, "tests/[id].test.ts": 15_000, "--help": 15_000};
  const parts = partsOf(divide("npx vitest run", files).plan);
  const counts = Object.keys(files).map((file) => parts.filter(({command}) => !leftOut(command).includes(file)).length);
  expect(counts).toEqual([...Array.from({length: 40}, () => 1), 4, 4]);
});

test("a report of an earlier change that names folders lets no part leave out the files below them", () => {
  const names = ["tests", "tests/", "./tests", "tests/.", "other/../tests", "tests//0.test.ts", "other", "other/new"];
  const files = {...EVEN, ...Object.fromEntries(names.map((name) => [name, 15_000]))};
  const parts = partsOf(divide("pytest -q", files).plan);
  const ignored = new Set(parts.flatMap(({command}) => command.match(/(?<=--ignore=)\S+/g) ?? []));
  expect([...ignored].filter((path) => !(path in EVEN))).toEqual(["other/new"]);
});

test.each([
  [
    "one of many lengths",
    Array.from({length: 40}, (_, at) => 1_000 + ((at * 7_919) % 30_000) + (at === 0 ? 60_000 : 0)),
  ],
  ["one long file beside short ones", Array.from({length: 40}, (_, at) => (at === 0 ? 40_000 : 3_000))],
])("on a skewed suite, %s, the longest part takes at most 1.3 times the mean", (_, times) => {
  const files = filesOf(times);
  const sums = partsOf(divide("npx vitest run", files).plan).map(({command}) =>
    Object.entries(files).reduce((sum, [file, ms]) => sum + (leftOut(command).includes(file) ? 0 : ms), 0),
  );
  const mean = sums.reduce((sum, one) => sum + one, 0) / sums.length;
  expect(Math.max(...sums)).toBeLessThanOrEqual(1.3 * mean);
});

test.each([
  ["a quick suite", "npx vitest run", filesOf([1_000, 1_000, 1_000, 1_000])],
  ["fewer files than machines", "npx vitest run", filesOf([90_000, 90_000, 90_000])],
  ["a runner without that option", "go test ./...", EVEN],
  ["another configuration", "npx vitest run --config other.ts", EVEN],
  ["a limit of the whole suite's coverage", "npx vitest run --coverage.enabled --coverage.thresholds.lines=90", EVEN],
  ["the same of pytest", "python -m pytest --cov=app --cov-fail-under=90", EVEN],
  ["a part already", "npx vitest run --shard=1/2", EVEN],
  ["more after the runner", "npx vitest run; echo done", EVEN],
  ["its output in a pipe", "npx vitest run | tee log", EVEN],
])("%s stays whole", (_, command, files) => {
  const {plan, partOf} = divide(command, files);
  expect([plan.stages.map(({name}) => name), partOf.size]).toEqual([["test", "lint"], 0]);
});

test("a check stays whole if others need it, if it needs others, and if the times are of another command", () => {
  const needed = planWith({name: "test", command: "vitest run"}, {name: "e2e", needs: ["test"]});
  const needing = planWith({name: "test", command: "vitest run", needs: ["build"]}, {name: "build"});
  for (const plan of [needed, needing]) expect(divide("", EVEN, plan).partOf.size).toBe(0);
  const plan = planWith({name: "test", command: "vitest run"});
  const times: FileTimes = {test: {command: "vitest run --bail=1", files: EVEN}};
  expect(divideChecks({plan, machines: 4, times, scriptsOf: () => ({})}).partOf.size).toBe(0);
});

const DIVIDED = divide("npx vitest run", EVEN);
const WHOLE = planWith({name: "test", command: "npx vitest run"}, {name: "lint"});
const VERIFIED: Verdict = {kind: "verified"};
const machines = Array.from({length: 4}, (_, at) => shareOf(DIVIDED.plan, {number: at + 1, of: 4}).stages);
type Change = (part: ReturnType<typeof result>) => Partial<ReturnType<typeof result>>;

/** What each machine reports; the first test of a part has the name of its part. */
const legsWith = (change: Change = () => ({}), verdictOf: (at: number) => Verdict = () => VERIFIED): RunRecord[] =>
  machines.map((stages, at) => {
    const results = stages.map(({name, command}) => {
      const part = result({
        ...{name, command, durationMs: 1_000 * (at + 1), tests: {passed: 2, failed: 0, skipped: 0}},
        reported: {
          ...{tool: "vitest", counts: {passed: 2, failed: 0, skipped: 0}, failed: [], fileMs: {[`${name}.ts`]: 5}},
          others: [
            {file: "new.test.ts", title: "new", outcome: "passed"},
            {file: `${name}.ts`, title: name, outcome: "passed"},
          ],
        },
      });
      return {...part, ...change(part)};
    });
    return record({attempts: [attempt({verdict: verdictOf(at), stages: results})], verdict: verdictOf(at)});
  });
const join = (legs: readonly RunRecord[]) => joinShards({legs, plan: WHOLE, divided: DIVIDED});

test("the parts become one result with all tests, and the longest time", () => {
  const joined = join(legsWith());
  expect(joined).toMatchObject({ok: true, value: {verdict: VERIFIED}});
  const stages = joined.ok ? (joined.value.attempts[0]?.verification?.stages ?? []) : [];
  expect(stages.map(({name}) => name)).toEqual(["test", "lint"]);
  expect(stages[0]).toMatchObject({
    ...{command: "npx vitest run", durationMs: 4_000, outcome: "passed", tests: {passed: 8}},
    reported: {counts: {passed: 8}},
  });
  expect(joined.ok && Object.keys(fileTimesOf(joined.value.attempts)["test"]?.files ?? {})).toHaveLength(4);
});

test("a failed part fails the whole check, under its name", () => {
  const fail: Change = ({name}) => (name === "test (3/4)" ? {outcome: "failed", failureKind: "code"} : {});
  const at = machines.findIndex((stages) => stages.some(({name}) => name === "test (3/4)"));
  const legs = legsWith(fail, (one) => (one === at ? {kind: "failed", stages: ["test (3/4)"]} : VERIFIED));
  const joined = join(legs);
  expect(joined).toMatchObject({ok: true, value: {verdict: {kind: "failed", stages: ["test"]}}});
  expect(joined.ok && joined.value.attempts[0]?.verification?.stages[0]).toMatchObject({
    name: "test",
    outcome: "failed",
  });
});

const [first, second, third, fourth] = legsWith();
if (!first || !second || !third || !fourth) throw new Error("four machines");
const renamed: Change = ({name}) => (name === "test (2/4)" ? {name: "test (1/4)"} : {});
const otherwise: Change = ({name, command}) =>
  name === "test (2/4)" ? {command: `${command} --exclude=more.test.ts`} : {};
const contradicting: Change = ({name, reported}) =>
  name === "test (2/4)" && reported
    ? {reported: {...reported, others: [{file: "new.test.ts", title: "new", outcome: "skipped"}]}}
    : {};

test.each([
  ["a lost part", [first, second, third], /exactly once/],
  ["a part twice, and another one lost", [first, second, third, third], /exactly once/],
  ["a part under the name of another one", legsWith(renamed), /exactly once/],
  ["a part with fewer files", legsWith(otherwise), /in different ways/],
  ["parts that report one test differently", legsWith(contradicting), /report one test differently/],
])("%s is never a pass", (_, legs, says) => {
  expect(join(legs)).toMatchObject({ok: false, failure: expect.stringMatching(says)});
});

test("what is no list of times divides nothing", () => {
  for (const text of ["", "[]", '{"test": 1}', '{"test": {"command": "x", "files": {"a": "b"}}}'])
    expect(readFileTimes(text)).toEqual({});
});
