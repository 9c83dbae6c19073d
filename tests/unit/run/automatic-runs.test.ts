/** Which comments of the last day count as runs that started by themselves. */
import {expect, test} from "vitest";
import {runMarker} from "../../../src/github/marker.ts";
import {readContext} from "../../../src/github/runner.ts";
import {ok, refused} from "../../../src/record/words.ts";
import {renderRefusal} from "../../../src/report/live.ts";
import {REFUSAL_LINES} from "../../../src/request/admission.ts";
import {countAutomaticRuns} from "../../../src/run/automatic-runs.ts";

const self = {login: "github-actions[bot]", id: 41};
const event = {trigger: {kind: "label" as const, id: 3}, createdAt: "2026-01-02T00:00:00Z"};
const runner = {...readContext({}), repository: "assay-run/demo"};
const ref = "assay-run/demo/.github/workflows/bot.yml@refs/heads/main";
const place = {runner, variables: {GITHUB_WORKFLOW_REF: ref}};
const failure = refused({kind: "github-refused" as const, request: "x", status: 500, message: "no"});

function count(bodies: readonly string[], author = self, more = {}) {
  const comments = bodies.map((body, id) => ({
    id,
    body,
    author: {...author, type: "Bot"},
    createdAt: "",
    updatedAt: "",
  }));
  const asked: string[] = [];
  const recentComments = async (since: string) => {
    asked.push(since);
    return ok(comments);
  };
  const github = {whoami: async () => ok(self), recentComments, scheduledRuns: async () => failure, ...more};
  return countAutomaticRuns({github, ...place}, event).then((runs) => ({runs, asked}));
}
const body = (run: string, text = "**✅ Verified**") => `${runMarker({run, session: null})}\n${text}\n`;

test("new issues, labels and assignments count, and comments do not", async () => {
  const runs = [
    "issue-1",
    "label-2-1767225600",
    "assignment-3-1767225600",
    "comment-4",
    "review-5",
    "review-comment-6",
  ];
  expect(await count(runs.map((run) => body(run)))).toEqual({runs: ok(3), asked: ["2026-01-01T00:00:00Z"]});
});

test("neither refusals, which strangers can cause, nor this run, nor the comments of others count", async () => {
  const refusals = [...REFUSAL_LINES.values()].map((line, at) =>
    renderRefusal({line, marker: {run: `issue-${at}`, session: null}}),
  );
  expect(refusals.length).toBeGreaterThan(5);
  expect((await count([...refusals, body("label-3-1767312000"), "hello"])).runs).toEqual(ok(0));
  expect((await count([body("issue-1")], {login: "mallory", id: 9})).runs).toEqual(ok(0));
});

test("scheduled runs are those of the same workflow and day, without this one", async () => {
  const asked: unknown[] = [];
  const scheduledRuns = async (wanted: unknown) => {
    asked.push(wanted);
    return ok([3, 4, 5]);
  };
  const github = {whoami: async () => failure, recentComments: async () => failure, scheduledRuns};
  const scheduled = {trigger: {kind: "schedule" as const, id: 4}, createdAt: "2026-01-02T23:59:59Z"};
  expect(await countAutomaticRuns({github, ...place}, scheduled)).toEqual(ok(2));
  expect(asked).toEqual([{workflow: "bot.yml", since: "2026-01-02T00:00:00Z"}]);
});

test("an unknown number is a failure", async () => {
  for (const more of [{whoami: async () => failure}, {recentComments: async () => failure}])
    expect((await count([], self, more)).runs).toEqual(failure);
});
