/** The spans of a run: OTLP/JSON as its specification has it, with times and names and nothing of the code. */
import {expect, test} from "vitest";
import {telemetryOf} from "../../../src/report/telemetry.ts";
import {at} from "../../rig/json.ts";
import {attempt, lint, record, stage, turn} from "./records.ts";

const failed = stage({name: "test", outcome: "failed", failureKind: "code", startedMs: 1_500, durationMs: 2_000});
const run = record({
  run: {
    id: "comment-1",
    url: null,
    startedAt: "2026-03-01T00:00:00.250Z",
    finishedAt: "2026-03-01T00:01:00Z",
    assay: "1.2.3",
  },
  verdict: {kind: "failed", stages: ["test"]},
  attempts: [
    attempt({turn: turn({durationMs: 10_000}), stages: [{...lint, startedMs: 100, durationMs: 1_000}, failed]}),
  ],
});
const spansOf = (body: object): unknown[] => JSON.parse(JSON.stringify(body)).resourceSpans[0].scopeSpans[0].spans;

test("the run is the root, and each check that ran is a span in it", () => {
  const spans = spansOf(telemetryOf(run));
  expect(spans).toHaveLength(3);
  const [root, first, second] = spans;
  expect(root).toMatchObject({
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
    ...{kind: 1, status: {code: 2}},
    startTimeUnixNano: `${Date.parse("2026-03-01T00:00:00.250Z")}000000`,
    endTimeUnixNano: `${Date.parse("2026-03-01T00:01:00Z")}000000`,
  });
  expect(root).not.toHaveProperty("parentSpanId");
  const start = Date.parse("2026-03-01T00:00:00.250Z");
  for (const [span, name, code, fromMs, ms] of [
    [first, "lint", 1, 10_100, 1_000],
    [second, "test", 2, 11_500, 2_000],
  ])
    expect(span).toMatchObject({
      ...{name, traceId: at(root, "traceId"), parentSpanId: at(root, "spanId"), status: {code}},
      startTimeUnixNano: `${start + Number(fromMs)}000000`,
      endTimeUnixNano: `${start + Number(fromMs) + Number(ms)}000000`,
    });
  expect(new Set(spans.map((span) => at(span, "spanId"))).size).toBe(3);
});

test("attributes are typed as the protocol wants them, and the same run has the same ids", () => {
  const [root] = spansOf(telemetryOf(run));
  const attributes = at(root, "attributes");
  expect(attributes).toContainEqual({key: "assay.verdict", value: {stringValue: "failed"}});
  expect(attributes).toContainEqual({key: "assay.attempts", value: {intValue: "1"}});
  expect(attributes).toContainEqual({key: "assay.cost_usd", value: {doubleValue: expect.any(Number)}});
  expect(telemetryOf(run)).toEqual(telemetryOf(run));
  const other = telemetryOf({...run, run: {...run.run, id: "comment-2"}});
  expect(at(spansOf(other)[0], "traceId")).not.toBe(at(root, "traceId"));
});

test("commands, outputs, answers and requests are not sent", () => {
  const text = JSON.stringify(telemetryOf(run));
  for (const attempt of run.attempts) {
    expect(text).not.toContain(attempt.turn?.answer);
    for (const {command, excerpt} of attempt.verification?.stages ?? []) {
      expect(text).not.toContain(command);
      if (excerpt !== "") expect(text).not.toContain(excerpt);
    }
  }
  expect(text.length).toBeLessThan(4_000);
});
