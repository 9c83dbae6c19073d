/** What GitHub gives a run by hand or by schedule, in the form of the other events. */
import {expect, test} from "vitest";
import {keptPayload, readEvent} from "../../../src/request/event.ts";
import {startPayload} from "../../../src/request/start-payload.ts";

const variables = {GITHUB_RUN_ID: "17171717171", GITHUB_REPOSITORY: "Own/Repo", GITHUB_REF_NAME: "trunk"};
const ada = {login: "ada", id: 7, type: "User"};
const repository = {full_name: "Own/Repo", default_branch: "main"};
const now = "2026-01-01T00:00:00Z";
const thread = {number: 0, isPullRequest: false, title: "", body: "", state: "open"};

const read = (name: string, payload: unknown) =>
  readEvent(name, startPayload({name, raw: JSON.stringify(payload), variables, now}));

test("a run by hand has its sender, its text and its number", () => {
  const inputs = {issue: "12", text: " fix\r\nit \n"};
  const reading = read("workflow_dispatch", {inputs, sender: ada, repository, ref: "refs/heads/other"});
  expect(reading).toEqual({
    kind: "event",
    event: {
      trigger: {kind: "dispatch", id: 17171717171},
      text: "fix\r\nit",
      code: null,
      subject: null,
      author: ada,
      createdAt: now,
      thread: {...thread, number: 12},
      repository: {fullName: "Own/Repo", defaultBranch: "main"},
    },
  });
  if (reading.kind === "event")
    expect(readEvent("workflow_dispatch", keptPayload(reading.event))).toMatchObject({
      event: {...reading.event, text: ""},
    });
});

test.each([{issue: "", text: "fix it"}, {text: "fix it"}])("without a number it has no thread: %j", (inputs) => {
  expect(read("workflow_dispatch", {inputs, sender: ada, repository})).toMatchObject({event: {thread}});
});

test("a schedule has no author and no text, and may lack the repository", () => {
  for (const more of [{}, {repository: {...repository, default_branch: "trunk"}}])
    expect(
      read("schedule", {schedule: "0 5 * * 1", sender: ada, inputs: {issue: "3", text: "x"}, ...more}),
    ).toMatchObject({
      event: {trigger: {kind: "schedule"}, text: "", author: null, thread, repository: {defaultBranch: "trunk"}},
    });
});

test("a push has its sender, and neither a thread nor a text", () => {
  const payload = {ref: "refs/heads/main", sender: ada, repository, commits: [{message: "/assay fix it"}]};
  expect(read("push", payload)).toMatchObject({
    event: {trigger: {kind: "push", id: 17171717171}, text: "", author: ada, createdAt: now, thread},
  });
});

test.each(["012", "12 ", "#12", "-1", "1e3", "12345678901", 12])("a wrong number is named as such: %j", (issue) => {
  const reading = read("workflow_dispatch", {inputs: {issue, text: "x"}, sender: ada, repository});
  expect(reading).toMatchObject({
    kind: "unreadable",
    why: expect.stringMatching(/^The input `issue` must be the number/),
  });
});

test.each([
  {inputs: {issue: "12", text: 7}, sender: ada, repository},
  {inputs: {text: "x"}, sender: ada},
  {inputs: {text: "x"}, sender: ada, repository: {...repository, full_name: "x"}},
  "no object",
])("is unreadable: %j", (payload) => {
  const reading = read("workflow_dispatch", payload);
  expect(reading).toMatchObject({kind: "unreadable", why: expect.stringContaining("payload cannot be used")});
});

test("other events, and what is no JSON, stay as they are", () => {
  expect(startPayload({name: "issue_comment", raw: '{"inputs":{}}', variables, now})).toBe('{"inputs":{}}');
  expect(startPayload({name: "schedule", raw: "{", variables, now})).toBe("{");
  expect(readEvent("issue_comment", startPayload({name: "schedule", raw: "{}", variables, now})).kind).toBe("ignored");
});
