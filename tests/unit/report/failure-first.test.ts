/** The beginning of a report names the first failing test or error, with its message and its place: for real outputs of many tools. */
import {readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {describe, expect, it} from "vitest";
import {distill} from "../../../src/diagnostics/distill.ts";
import {renderReport} from "../../../src/report/markdown.ts";
import {attempt, record, stage} from "./records.ts";

/** What a person sees of a report before looking at the table. */
const VISIBLE_CHARS = 400;
const samples = join(import.meta.dirname, "../diagnostics");
// `go test -json` is read as events, not as text
const tests = readdirSync(join(samples, "failing"))
  .filter((name) => name !== "go-json.txt")
  .map((name) => `failing/${name}`);
const compilers = ["tsc", "eslint", "mypy", "ruff", "javac", "make-gcc", "pylint", "go-vet"].map(
  (name) => `samples/${name}.txt`,
);

/** The report of a run whose only stage printed this. */
function reportOf(log: string) {
  const {items, excerpt, kind} = distill({log, maxChars: 4000});
  const failed = stage({outcome: "failed", failureKind: kind, reason: "exit code 1", diagnostics: items, excerpt});
  const scene = record({attempts: [attempt({stages: [failed]})], verdict: {kind: "failed", stages: ["test"]}});
  const visible = renderReport(scene)
    .replace(/<!--.*?-->/g, "")
    .replace(/\]\([^)]*\)/g, "]")
    .replace(/[\\`]/g, "")
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
  return {first: items[0], start: visible.slice(0, VISIBLE_CHARS)};
}

const withoutMarks = (text: string) => text.replace(/[\\`]/g, "");

describe(`within the first ${VISIBLE_CHARS} characters`, () => {
  it.each([...tests, ...compilers])("%s", (sample) => {
    const {first, start} = reportOf(readFileSync(join(samples, sample), "utf8"));
    const {testId = "", message = "", file = "", line} = first ?? {};
    expect(start).toContain(withoutMarks(testId));
    expect(start).toContain(withoutMarks(message).slice(0, 60));
    expect(start).toContain(
      [file.replace(/^\.\//, ""), line].filter((part) => part !== undefined && part !== "").join(":"),
    );
    expect(`${testId}${message}`).not.toBe("");
  });
});
