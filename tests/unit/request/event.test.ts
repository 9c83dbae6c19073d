/** Payloads as GitHub sends them, and what is made of others. */
import examples from "@octokit/webhooks-examples/api.github.com/index.json" with {type: "json"};
import {describe, expect, test} from "vitest";
import {z} from "zod";
import {keptPayload, readEvent} from "../../../src/request/event.ts";

const definitions = z.array(z.object({name: z.string(), examples: z.array(z.looseObject({}))})).parse(examples);
const payloads = definitions.flatMap(({name, examples: found}) => found.map((payload) => ({name, payload})));
/** An old example of an assignment lacks the account. */
const isNamed = (payload: Record<string, unknown>) => Boolean(payload["label"] ?? payload["assignee"]);
const actionOf = (payload: Record<string, unknown>) => String(payload["action"] ?? "none");

const user = {login: "ada", id: 7, type: "User"};
const issue = {
  number: 12,
  title: "T",
  body: "B",
  state: "open",
  locked: false,
  user,
  created_at: "2026-01-01T00:00:00Z",
};
const comment = {
  id: 99,
  body: "/assay go",
  user,
  created_at: "2026-01-02T00:00:00Z",
  updated_at: "2026-01-02T00:00:00Z",
};
const repository = {full_name: "o/r", default_branch: "main", clone_url: "https://example.test/o/r.git"};
const created = {action: "created", issue, comment, repository};
const read = (payload: unknown, name = "issue_comment") => readEvent(name, JSON.stringify(payload));
const event = (payload: unknown, name?: string) => {
  const reading = read(payload, name);
  if (reading.kind !== "event") throw new Error(`${reading.kind}: ${reading.why}`);
  return reading.event;
};

describe("GitHub's own examples", () => {
  const answered = payloads.filter(
    ({name, payload}) =>
      (name === "issue_comment" && actionOf(payload) === "created") ||
      (name === "issues" && actionOf(payload) === "opened"),
  );
  const reviews = payloads.filter(
    ({name, payload}) =>
      (name === "pull_request_review" && actionOf(payload) === "submitted") ||
      (name === "pull_request_review_comment" && actionOf(payload) === "created"),
  );

  test("there are some of both kinds", () => {
    expect(answered.filter(({name}) => name === "issues").length).toBeGreaterThanOrEqual(3);
    expect(answered.filter(({name}) => name === "issue_comment").length).toBeGreaterThanOrEqual(3);
  });

  test.each(answered)("$name is read", ({name, payload}) => {
    const found = event(payload, name);
    const source = z
      .object({
        issue: z.object({
          number: z.number(),
          title: z.string(),
          body: z.string().nullable(),
          user: z.object({id: z.number()}),
        }),
        comment: z.object({id: z.number(), body: z.string(), user: z.object({id: z.number()})}).optional(),
        repository: z.object({full_name: z.string()}),
      })
      .parse(payload);
    expect(found.thread.number).toBe(source.issue.number);
    expect(found.thread.title).toBe(source.issue.title);
    expect(found.text).toBe(source.comment ? source.comment.body : (source.issue.body ?? ""));
    expect(found.trigger.id).toBe(source.comment?.id ?? source.issue.number);
    expect(found.author?.id).toBe((source.comment ?? source.issue).user.id);
    expect(found.repository.fullName).toBe(source.repository.full_name);
  });

  test.each(reviews)("$name is read", ({name, payload}) => {
    const source = z.object({id: z.number(), user: z.object({login: z.string()}), body: z.string().nullable()});
    const {pull_request, comment, review} = z
      .object({
        pull_request: z.object({number: z.number(), title: z.string()}),
        comment: source.extend({path: z.string(), diff_hunk: z.string(), created_at: z.string()}).optional(),
        review: source.extend({submitted_at: z.string()}).optional(),
      })
      .parse(payload);
    const {id, user, body} = comment ?? review ?? {};
    expect(event(payload, name)).toMatchObject({
      trigger: {kind: comment ? "review-comment" : "review", id},
      thread: {number: pull_request.number, title: pull_request.title, isPullRequest: true},
      text: body ?? "",
      author: {login: user?.login},
      createdAt: comment?.created_at ?? review?.submitted_at,
      code: comment ? {path: comment.path, hunk: comment.diff_hunk} : null,
    });
  });

  const given = payloads.filter(
    ({name, payload}) => name === "issues" && ["labeled", "assigned"].includes(actionOf(payload)) && isNamed(payload),
  );

  test.each(given)("$payload.action is read: its sender counts, and the text of the issue", ({name, payload}) => {
    const {issue, sender, label, assignee} = z
      .object({
        issue: z.object({number: z.number(), title: z.string(), body: z.string().nullable(), updated_at: z.string()}),
        sender: z.object({login: z.string()}),
        label: z.object({name: z.string()}).optional(),
        assignee: z.object({login: z.string()}).nullish(),
      })
      .parse(payload);
    expect(event(payload, name)).toMatchObject({
      trigger: {kind: label ? "label" : "assignment", id: issue.number},
      text: `${issue.title}\n\n${issue.body ?? ""}`,
      author: {login: sender.login},
      createdAt: issue.updated_at,
      subject: label?.name ?? assignee?.login,
    });
  });

  test("a later process reads the same event from the kept payload, without its texts", () => {
    for (const {name, payload} of [...answered, ...reviews, ...given]) {
      const found = event(payload, name);
      const text = found.subject === null ? "" : `${found.thread.title}\n\n`;
      const texts = {text, code: null, thread: {...found.thread, body: ""}};
      expect(event(JSON.parse(keptPayload(found)), name)).toEqual({...found, ...texts});
    }
    expect([...answered, ...reviews, ...given].length).toBeGreaterThan(10);
  });

  test("every other one is ignored, with a reason", () => {
    for (const {name, payload} of payloads) {
      if ([...answered, ...reviews, ...given].some((one) => one.payload === payload)) continue;
      if (name === "issues" && !isNamed(payload)) continue;
      // start-payload.test.ts
      if (name === "workflow_dispatch" || name === "workflow_run" || name === "push") continue;
      expect([name, read(payload, name).kind]).toEqual([name, "ignored"]);
    }
    expect(read({...created, action: "edited"})).toMatchObject({why: expect.stringContaining("edited")});
    expect(read(created, "watch")).toMatchObject({why: expect.stringContaining("watch")});
  });
});

test("the review of a bot has a kind of its own, also in a later process, and an approving one asks for nothing", () => {
  const review = {id: 5, body: "One issue found.", user: {...user, type: "Bot"}, submitted_at: "2026-01-02T00:00:00Z"};
  const payload = {action: "submitted", review, pull_request: issue, repository};
  const found = event(payload, "pull_request_review");
  expect(found).toMatchObject({trigger: {kind: "bot-review", id: 5}, review: 5, author: {type: "Bot"}});
  // Once it is completed, its author is the person who asked for the commit.
  const kept = keptPayload({...found, author: user});
  expect(event(JSON.parse(kept), "pull_request_review").trigger).toEqual(found.trigger);
  const approving = {...payload, review: {...review, state: "approved"}};
  expect(read(approving, "pull_request_review")).toMatchObject({
    kind: "ignored",
    why: "The review of the bot approves.",
  });
  const byPerson = {...payload, review: {...review, user, state: "approved"}};
  expect(event(byPerson, "pull_request_review").trigger.kind).toBe("review");
});

test("a comment on a pull request is told from one on an issue", () => {
  expect(event(created).thread.isPullRequest).toBe(false);
  expect(event({...created, issue: {...issue, pull_request: {url: "x"}}}).thread.isPullRequest).toBe(true);
  expect(event({...created, issue: {...issue, pull_request: null}}).thread.isPullRequest).toBe(false);
});

test("missing people and texts are data", () => {
  const found = event({
    ...created,
    comment: {...comment, user: null, body: null},
    issue: {...issue, body: null, user: null},
  });
  expect(found.author).toBeNull();
  expect(found.text).toBe("");
  expect(found.thread.body).toBe("");
});

test("emoji, CRLF and markup arrive as they were written", () => {
  const body = "/assay 🧪\r\n`$(id)` <b>${{ github.token }}</b>";
  expect(event({...created, comment: {...comment, body}}).text).toBe(body);
});

test("what should be readable and is not makes the run red, and is never quoted", () => {
  const secret = "GITHUB_TOKEN_abc";
  const broken = [
    secret,
    "",
    "[]",
    "null",
    JSON.stringify({}),
    JSON.stringify({...created, comment: undefined}),
    JSON.stringify({...created, comment: {...comment, body: {secret}}}),
    JSON.stringify({...created, comment: {...comment, body: "x".repeat(300_000)}}),
    JSON.stringify({...created, comment: {...comment, user: {...user, id: "7"}}}),
    JSON.stringify({...created, issue: {...issue, number: -1}}),
    JSON.stringify({...created, issue: {...issue, state: secret}}),
    JSON.stringify({...created, repository: {...repository, full_name: "../../etc"}}),
    JSON.stringify({...created, repository: {...repository, full_name: "--upload-pack=x o/r"}}),
    " ".repeat(26 * 1024 * 1024),
  ];
  for (const raw of broken) {
    const reading = readEvent("issue_comment", raw);
    expect([raw.slice(0, 60), reading.kind]).toEqual([raw.slice(0, 60), "unreadable"]);
    expect(JSON.stringify(reading)).not.toContain(secret);
  }
});
