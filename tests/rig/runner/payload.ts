/** Webhook payloads: GitHub's own examples, with this world's repository, thread and people in them. */
import {readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {type CiRun, shownRun} from "../github/ci-runs.ts";
import {at, isObject, type Json, parseObject} from "../json.ts";
import type {WorldEvent} from "../world.ts";

let read: readonly unknown[] | undefined;

/** Megabytes of text, so that they are parsed once. */
function readExamples(): readonly unknown[] {
  if (read !== undefined) return read;
  const file = createRequire(import.meta.url).resolve("@octokit/webhooks-examples");
  const all: unknown = JSON.parse(readFileSync(file, "utf8"));
  read = Array.isArray(all) ? all : [];
  return read;
}

/** Gives the payload of `event` whose parts are replaced by `parts`, key by key, over the example's own fields. */
export function payloadOf(event: {name: string; action: string}, parts: Readonly<Record<string, Json>>): Json {
  const examples: unknown = at(
    readExamples().find((one) => at(one, "name") === event.name),
    "examples",
  );
  const example: unknown = (Array.isArray(examples) ? examples : []).find(
    (one) => at(one, "action") === event.action && at(one, "issue", "pull_request") === undefined,
  );
  if (!isObject(example)) throw new Error(`there is no example of ${event.name} ${event.action}`);
  // a copy: what one world puts in must not be seen by the next
  const payload = parseObject(JSON.stringify(example));
  for (const [key, part] of Object.entries(parts)) {
    const before = payload[key];
    payload[key] = {...(isObject(before) ? before : {}), ...part};
  }
  return payload;
}

/** A label that is added to an issue, or an account that it is assigned to. */
export function labelEvent(
  around: Readonly<Record<string, Json>>,
  issue: {label: string} | {assignee: string},
): {name: string; payload: Json} {
  const [action, more]: [string, Record<string, Json>] =
    "label" in issue
      ? ["labeled", {label: {name: issue.label}}]
      : ["assigned", {assignee: {login: issue.assignee, id: 77, type: "User"}}];
  return {name: "issues", payload: payloadOf({name: "issues", action}, {...around, ...more})};
}

/** A run by hand, or by schedule: what GitHub gives then is less than with every other event. */
export function startEvent(options: {
  around: Readonly<Record<string, Json>>;
  start: {issue?: number | string; text?: string} | {cron: string};
  by: string;
}): WorldEvent {
  const {around, start, by} = options;
  const workflow = ".github/workflows/assay.yml";
  // a person has read the issue before, for a second at least
  const common = {actor: by, at: new Date(Date.now() + 1_000).toISOString().replace(/\.\d+/, "")};
  if ("cron" in start)
    return {...common, thread: 0, event: {name: "schedule", payload: {schedule: start.cron, workflow}}};
  const {issue = "", text = ""} = start;
  const payload = {...around, inputs: {issue: String(issue), text}, ref: "refs/heads/main", workflow};
  return {...common, thread: typeof issue === "number" ? issue : 0, event: {name: "workflow_dispatch", payload}};
}

/** A review of a pull request with this text, or a comment on a line of it. `around` has the repository and the sender. */
export function reviewEvent(options: {
  around: Readonly<Record<string, Json>>;
  pull: Json;
  id: number;
  text: string;
  line: {path: string; line: number; hunk: string} | undefined;
  review: number;
  more: Readonly<Record<string, Json>>;
}): {name: string; payload: Json} {
  const {around, pull, id, text, line, review: pull_request_review_id, more} = options;
  // GitHub's times are whole seconds
  const now = new Date().toISOString().replace(/\.\d+/, "");
  const written = {id, body: text, user: around["sender"] ?? {}};
  const parts = {...around, pull_request: pull};
  if (line === undefined) {
    const name = "pull_request_review";
    const review = {...written, submitted_at: now, ...more["review"]};
    return {name, payload: payloadOf({name, action: "submitted"}, {...parts, review})};
  }
  const name = "pull_request_review_comment";
  const comment = {
    ...written,
    path: line.path,
    line: line.line,
    diff_hunk: line.hunk,
    created_at: now,
    pull_request_review_id,
  };
  return {name, payload: payloadOf({name, action: "created"}, {...parts, comment})};
}

/** A workflow of CI that ended. GitHub lists no pull request of a fork. */
export function redEvent(options: {
  around: Readonly<Record<string, Json>>;
  run: CiRun;
  pulls: readonly number[];
  by: string;
}): WorldEvent {
  const {around, run, pulls, by} = options;
  const workflow_run = {...shownRun(run), pull_requests: pulls.map((number) => ({number}))};
  const payload = payloadOf({name: "workflow_run", action: "completed"}, {...around, workflow_run});
  return {thread: pulls[0] ?? 0, actor: by, at: run.endedAt, event: {name: "workflow_run", payload}};
}
