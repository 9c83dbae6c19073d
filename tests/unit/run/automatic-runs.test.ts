/** Which comments of the last day count as runs that started by themselves. */
import {describe, expect, test} from "vitest";
import {runMarker} from "../../../src/github/marker.ts";
import {readContext} from "../../../src/github/runner.ts";
import {ok, refused} from "../../../src/record/words.ts";
import {renderRefusal} from "../../../src/report/live.ts";
import {REFUSAL_LINES} from "../../../src/request/admission.ts";
import type {Account} from "../../../src/request/event.ts";
import {countAutomaticRuns, dryRunTimes} from "../../../src/run/automatic-runs.ts";
import {ada, eventWith} from "../request/decided.ts";

const self = {login: "github-actions[bot]", id: 41};
const event = {trigger: {kind: "label" as const, id: 3}, createdAt: "2026-01-02T00:00:00Z"};
const runner = {...readContext({}), repository: "assay-run/demo"};
const ref = "assay-run/demo/.github/workflows/bot.yml@refs/heads/main";
const place = {runner, variables: {GITHUB_WORKFLOW_REF: ref}, withheld: null};
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
  const github = {whoami: async () => ok(self), recentComments, workflowRuns: async () => failure, ...more};
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

const runAt = (id: number, createdAt: string) => ({id, createdAt, conclusion: "success"});
const readsRuns = (...runs: ReturnType<typeof runAt>[]) => {
  const asked: unknown[] = [];
  const workflowRuns = async (wanted: unknown) => {
    asked.push(wanted);
    return ok(runs);
  };
  const comments = async () => failure;
  return {asked, github: {whoami: comments, recentComments: comments, comments, workflowRuns}};
};

test("scheduled runs are those of the same workflow and day, without this one", async () => {
  const {asked, github} = readsRuns(...[3, 4, 5].map((id) => runAt(id, "2026-01-02T01:00:00Z")));
  const scheduled = {trigger: {kind: "schedule" as const, id: 4}, createdAt: "2026-01-02T23:59:59Z"};
  expect(await countAutomaticRuns({github, ...place}, scheduled)).toEqual(ok(2));
  expect(asked).toEqual([{workflow: "bot.yml", event: "schedule", since: "2026-01-02T00:00:00Z"}]);
});

describe("a dry run", () => {
  const dry = {...place, variables: {...place.variables, GITHUB_RUN_ID: "4"}, withheld: []};

  test("counts the other runs for the same event, because it leaves no comment", async () => {
    const runs = [runAt(3, "2026-01-01T23:00:00Z"), runAt(4, event.createdAt), runAt(5, "2026-01-02T00:00:01Z")];
    const {asked, github} = readsRuns(...runs);
    expect(await countAutomaticRuns({github, ...dry}, event)).toEqual(ok(1));
    expect(asked).toEqual([{workflow: "bot.yml", event: "issues", since: "2026-01-01T00:00:00Z"}]);
    const unknown = {...github, workflowRuns: async () => failure};
    expect(await countAutomaticRuns({github: unknown, ...dry}, event)).toEqual(failure);
  });

  test("counts the requests of the last hour in the thread, or the runs for other events", async () => {
    const inputs = {"trigger-phrase": "/assay"};
    const comment = {...eventWith({}), trigger: {kind: "comment" as const, id: 9}, createdAt: "2026-01-01T12:00:00Z"};
    const posted = (id: number, body: string, createdAt = "2026-01-01T11:30:00Z", author: Account = ada) => ({
      ...{id, body, author, createdAt},
      updatedAt: createdAt,
    });
    const list = [
      posted(1, "/assay first"),
      posted(2, "/verify", "2026-01-01T11:45:00Z"),
      posted(3, "just talk"),
      posted(4, "/assay later", "2026-01-01T12:00:01Z"),
      posted(5, "/assay by a bot", "2026-01-01T11:30:00Z", {...ada, type: "Bot"}),
      posted(9, "/assay this one", comment.createdAt),
    ];
    const {github} = readsRuns(runAt(3, "2026-01-01T11:30:00Z"));
    const comments = async () => ok(list);
    const times = (more = {}, on = comment) =>
      dryRunTimes({github: {...github, comments}, ...dry, inputs, ...more}, on);
    expect(await times()).toEqual(ok(["2026-01-01T11:30:00Z", "2026-01-01T11:45:00Z"]));
    expect(await times({github})).toEqual(failure);
    expect(await times({withheld: null})).toBeNull();
    const review = {...comment, trigger: {kind: "review" as const, id: 9}};
    expect(await dryRunTimes({github, ...dry, inputs}, review)).toEqual(ok(["2026-01-01T11:30:00Z"]));
  });
});

test("an unknown number is a failure", async () => {
  for (const more of [{whoami: async () => failure}, {recentComments: async () => failure}])
    expect((await count([], self, more)).runs).toEqual(failure);
});
