/** The runs of a thread are added up from the markers of Assay's own reports, and shown in the next report. */
import {expect, it} from "vitest";
import {runMarker} from "../../../src/github/marker.ts";
import {issueOfBranch} from "../../../src/publish/target.ts";
import {renderReport} from "../../../src/report/markdown.ts";
import {sumEarlierRuns} from "../../../src/run/earlier-runs.ts";
import {attempt, record} from "../report/records.ts";

it("adds up runs and rounds, but not the run itself, and not what had no attempt", () => {
  const sum = sumEarlierRuns("comment-9");
  const bodies = [
    runMarker({run: "comment-1", session: null, spent: {usd: 0.5, minutes: 2}}),
    runMarker({run: "ci-2", session: "x", parked: "none", spent: {usd: 0.25, minutes: 1.5}}),
    runMarker({run: "ci-3", session: null}),
    runMarker({run: "comment-9", session: null, spent: {usd: 9, minutes: 9}}),
    "<!-- assay:notice=comment-1 -->",
  ];
  expect(bodies.map(sum.add)).toEqual(bodies.map(() => false));
  expect(sum.total()).toEqual({runs: 2, usd: 0.75, minutes: 3.5, rounds: {runs: 1, usd: 0.25, minutes: 1.5}});
});

it("shows this run and the earlier ones together", () => {
  const first = record({attempts: [attempt()]});
  expect(renderReport(first)).not.toContain("so far");
  const earlier = {runs: 2, usd: 0.75, minutes: 3.5, rounds: {runs: 1, usd: 0.25, minutes: 1.5}};
  expect(renderReport({...first, earlier})).toContain("| Issue so far | 3 runs, 1 round for red checks, $0.83, ");
});

it("knows the issue of a branch of Assay", () => {
  expect(
    ["assay/issue-7", "assay/issue-7-2", "assay/run-7", "assay/parked/issue-7", "issue-7"].map((name) =>
      issueOfBranch(`refs/heads/${name}`),
    ),
  ).toEqual([7, 7, null, null, null]);
});
