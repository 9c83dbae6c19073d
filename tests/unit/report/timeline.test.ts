/** The timeline of the job summary: what follows what, and that no name can write Mermaid or Markdown. */
import {expect, test} from "vitest";
import {renderReport, renderSummary} from "../../../src/report/markdown.ts";
import {timelinePart} from "../../../src/report/timeline.ts";
import {HOSTILE_NAMES} from "./hostile-names.ts";
import {attempt, record, stage, turn} from "./records.ts";

const timed = (name: string, startedMs: number, durationMs: number) => stage({name, startedMs, durationMs});

const TWO_ATTEMPTS = record({
  attempts: [
    attempt({
      number: 1,
      turn: turn({durationMs: 60_000}),
      setup: [timed("npm ci", 5, 900)],
      stages: [timed("lint", 1_000, 500), {...timed("test", 1_000.4, 2_000), outcome: "failed", reason: "1 failed"}],
    }),
    attempt({number: 2, turn: turn({durationMs: 8_000}), stages: [timed("test", 10, 0), stage({name: "build"})]}),
  ],
});

/** Each line of a chart is one of these; a name has no character that Mermaid reads. */
const NAME = String.raw`[\p{Emoji}\u{FE0F}]+ (?:[\p{L}\p{N} ./_-]|#\d+;)*`;
const LINE = new RegExp(
  String.raw`^(?:gantt|dateFormat x|axisFormat %s|section Attempt \d+|${NAME} :(?:done, |crit, |active, )?\d+, \d+ms)$`,
  "u",
);

const chartOf = (text: string) => /```mermaid\n([^`]*)\n```/.exec(text)?.[1]?.split("\n") ?? [];

test("turns and stages follow each other, stages of one verification next to each other", () => {
  const first = TWO_ATTEMPTS.attempts[0]?.verification?.durationMs ?? 0;
  expect(chartOf(timelinePart(TWO_ATTEMPTS))).toEqual([
    ...["gantt", "dateFormat x", "axisFormat %s"],
    ...["section Attempt 1", "🤖 Agent :0, 60000ms", "✅ npm ci :done, 60005, 900ms", "✅ lint :done, 61000, 500ms"],
    "❌ test :crit, 61000, 2000ms",
    ...["section Attempt 2", `🤖 Agent :${60_000 + first}, 8000ms`, `✅ test :done, ${68_010 + first}, 1ms`],
  ]);
});

test("it is in the summary, with a link to the log, and not in the comment", () => {
  const url = "https://github.com/o/r/actions/runs/7/attempts/1";
  const run = {...TWO_ATTEMPTS.run, url};
  expect(renderSummary({...TWO_ATTEMPTS, run})).toContain(`\`\`\`\n\n[Log of this run](${url})\n`);
  expect(renderReport(TWO_ATTEMPTS)).not.toContain("mermaid");
  expect(renderSummary(record({attempts: []}))).not.toContain("mermaid");
});

test.each(HOSTILE_NAMES)("the name %j stays a name", (name) => {
  const lines = chartOf(timelinePart(record({attempts: [attempt({turn: null, stages: [timed(name, 0, 1)]})]})));
  expect(lines.filter((line) => !LINE.test(line))).toEqual([]);
  expect(lines).toHaveLength(5);
});

test("a run with very many stages has a chart that GitHub draws", () => {
  const stages = Array.from({length: 400}, (_, index) => timed(`${"%".repeat(200)}${index}`, index, 1));
  const text = timelinePart(record({attempts: [attempt({stages})]}));
  expect(text.length).toBeLessThan(50_000);
  expect(text).toContain("…and 251 more.");
});
