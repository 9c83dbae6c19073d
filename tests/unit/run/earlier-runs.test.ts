/** The runs of a thread are added up from the markers of Assay's own reports, and shown in the next report. */
import {expect, it} from "vitest";
import {runMarker} from "../../../src/github/marker.ts";
import {issueOfBranch} from "../../../src/publish/target.ts";
import {renderReport} from "../../../src/report/markdown.ts";
import {sumEarlierRuns} from "../../../src/run/earlier-runs.ts";
import {attempt, record} from "../report/records.ts";

const size = (lines: number) => ({lines, files: 2, tests: 1});
const bodies = [
  runMarker({run: "comment-0", session: null, spent: {usd: 0, minutes: 0}, size: size(900)}),
  runMarker({run: "comment-1", session: null, spent: {usd: 0.5, minutes: 2}, size: size(40)}),
  runMarker({run: "ci-2", session: "x", parked: "none", spent: {usd: 0.25, minutes: 1.5}, size: size(10)}),
  runMarker({run: "ci-3", session: null}),
  runMarker({run: "comment-9", session: null, spent: {usd: 9, minutes: 9}, size: size(9)}),
  "<!-- assay:notice=comment-1 -->",
];

it("adds up runs and rounds, but not the run itself, and not what had no attempt", () => {
  expect(sumEarlierRuns(bodies, "comment-9")).toEqual({
    ...{runs: 3, usd: 0.75, minutes: 3.5, rounds: {runs: 1, usd: 0.25, minutes: 1.5}},
    // What a person asked for last, and what was added to it without being asked for.
    grown: {first: size(40), all: {lines: 50, files: 4, tests: 2}},
  });
  expect(sumEarlierRuns([], "comment-9").grown).toBeUndefined();
});

it("counts an update that started by itself as a round, even if it was refused", () => {
  const refused = runMarker({run: "push-5", session: null, verdict: "unverified"});
  expect(sumEarlierRuns([...bodies, refused], "comment-9")).toMatchObject({runs: 4, rounds: {runs: 2, usd: 0.25}});
});

it("counts the tries once a run had several", () => {
  const several = runMarker({run: "comment-4", session: null, spent: {usd: 0, minutes: 0, tries: 3}});
  const earlier = sumEarlierRuns([...bodies, several], "comment-9");
  expect(earlier).toMatchObject({runs: 4, tries: 6});
  expect(renderReport({...record({attempts: [attempt()]}), earlier})).toContain("| Issue so far | 5 runs, 7 tries, 1 ");
});

it("shows this run and the earlier ones together", () => {
  const first = record({attempts: [attempt()]});
  expect(renderReport(first)).not.toContain("so far");
  const earlier = {runs: 2, usd: 0.75, minutes: 3.5, rounds: {runs: 1, usd: 0.25, minutes: 1.5}};
  expect(renderReport({...first, earlier})).toContain("| Issue so far | 3 runs, 1 automatic round, $0.83, ");
});

it("knows the issue of a branch of Assay", () => {
  const names = ["assay/issue-7", "assay/issue-7-2", "assay/run-7", "assay/parked/issue-7", "issue-7"];
  expect(names.map((name) => issueOfBranch(`refs/heads/${name}`))).toEqual([7, 7, null, null, null]);
});
