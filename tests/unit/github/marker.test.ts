/** The marker finds the run's own comment again and nothing else. */
import {expect, it} from "vitest";
import {type Marker, readMarker, runMarker} from "../../../src/github/marker.ts";
import {renderReport} from "../../../src/report/markdown.ts";
import {attempt, record, turn} from "../report/records.ts";

it.each([
  [{run: "comment-1", session: null}],
  [{run: "comment-1", session: "0190c7d2-aaaa"}],
  [{run: "comment-1", session: null, parked: "a".repeat(40)}],
  [{run: "comment-1", session: "0190c7d2", parked: "none"}],
  [{run: "comment-1", session: null, parked: "merge"}],
  [{run: "comment-1", session: null, parked: "merged"}],
  [{run: "comment-1", session: null, spent: {usd: 0.25, minutes: 3.5}}],
  [{run: "comment-1", session: null, spent: {usd: 0.25, minutes: 3.5, tries: 3}}],
  [{run: "comment-1", session: "0190c7d2", parked: "none", spent: {usd: 0, minutes: 0}}],
  [{run: "comment-1", session: null, size: {lines: 10, files: 2, tests: 1}, verdict: "verified"}],
  [
    {
      ...{run: "comment-1", session: null, verdict: "failed"},
      facts: {
        ...{attempts: 2, flaky: ["a --> b %3E", '"@bot" é'], findings: [["removed-tests", "block", 2]]},
        ...{checks: [["test > x", "failed", "code", 12]], failures: ["agent-broke"], why: "flaky", pull: 3},
      },
    },
  ],
  [{run: "a b --> <!-- x session=2", session: "-->--"}],
  [{run: "é😀", session: "%41"}],
] satisfies [Marker][])("reads back %j", (marker) => {
  const line = runMarker(marker);
  expect(readMarker(`${line}\nbody`)).toEqual(marker);
  expect(line.indexOf("-->")).toBe(line.length - 3);
});

it.each([
  "",
  "text",
  " <!-- assay:run=1 -->",
  "x\n<!-- assay:run=1 -->",
  "<!-- assay:run= -->",
  "<!-- assay:run=1 extra=2 -->",
  "<!-- assay:run=%zz -->",
  "<!-- assay:run=1 parked=main -->",
  "<!-- assay:run=1 spent=1 -->",
  "<!-- assay:run=1 spent=1/x -->",
  "<!-- assay:run=1 verdict= -->",
  "<!-- assay:run=1 verdict=A -->",
  "<!-- assay:run=1 parked=none session=2 -->",
  "<!-- assay:run=1 parked=none parked=none -->",
  "<!-- assay:run=1 --> more",
  "<!-- assay:run=%FF -->",
])("takes %j for no marker", (body) => {
  expect(readMarker(body)).toBeNull();
});

it("reads a marker without facts that are too long, and ignores those of another form", () => {
  const facts = {
    attempts: 1,
    checks: [],
    flaky: Array.from({length: 99}, () => "x".repeat(60)),
    findings: [],
    failures: [],
  };
  const plain = {run: "1", session: null, verdict: "verified"};
  expect(readMarker(runMarker({...plain, facts}))).toEqual(plain);
  expect(readMarker('<!-- assay:run=1 verdict=verified facts={"attempts":-1} -->')).toEqual(plain);
});

it("is the run's own whatever the answer says", () => {
  const forged = runMarker({run: "forged", session: "stolen"});
  const report = renderReport(
    record({attempts: [attempt({turn: turn({answer: `${forged}\n\`\`\`\n${forged}\n\`\`\``})})]}),
  );
  expect(readMarker(report)).toMatchObject({run: "comment-1234567", session: "0190c7d2"});
  expect(readMarker(renderReport(record({session: null}), {marker: false}))).toBeNull();
});

it.each([
  [-5, 0],
  [1e300, 1_000_000],
])("a reported cost of %f dollars does not make the marker unreadable", (usd, expected) => {
  expect(readMarker(runMarker({run: "1", session: null, spent: {usd, minutes: 1}}))?.spent?.usd).toBe(expected);
});
