/** Verbs of the client under every fault, at each request they make: an answer or a failure in bounds, and nothing made twice. */
import type {ServerResponse} from "node:http";
import {expect, test} from "vitest";
import type {GitHub} from "../../../src/github/client.ts";
import type {Result} from "../../../src/record/words.ts";
import {misbehave} from "../../rig/github/faults.ts";
import {someOf} from "../../sweep.ts";
import {FAULTS} from "../../sweeps/faults.ts";
import {type Answer, type Seen, serve} from "./server.ts";

const MARK = "<!-- mark -->";
const COMMIT = "0".repeat(40);
const TIME = "2026-01-02T03:04:05Z";
const bot = {login: "assay-bot", id: 70, type: "User"};
const viewer = {login: bot.login, databaseId: bot.id};
const trigger = {kind: "comment", id: 55} as const;
const isIt = (body: string) => body.startsWith(MARK);
const text = {conclusion: "success", title: "Fine", summary: "", annotations: []} as const;
const pull = {head: "assay/issue-1", base: "main", title: "Title", body: "Body", draft: false};
const writer = {login: "ada", id: 7, type: "User"};

/** What a call gives that is no `Result` is an answer in any case: whoever is not known to write does not. */
export const VERBS: Readonly<
  Record<string, (github: GitHub) => Promise<Result<unknown, {kind: string; message: string}>>>
> = {
  permission: (github) => github.permission("ada"),
  writes: async (github) => ({ok: true, value: await github.writes(writer)}),
  whoami: (github) => github.whoami(),
  comments: (github) => github.comments(3),
  findComment: (github) => github.findComment(3, isIt),
  createComment: (github) => github.createComment({number: 3, body: MARK, isIt}),
  updateComment: (github) => github.updateComment(5, MARK),
  react: (github) => github.react({trigger, content: "eyes"}),
  unreact: (github) => github.unreact({trigger, reaction: 8}),
  pullRequest: (github) => github.pullRequest(9),
  pushedAt: (github) => github.pushedAt("main"),
  pullRequestOf: (github) => github.pullRequestOf(pull.head),
  openPullRequest: (github) => github.openOrUpdatePullRequest(pull),
  setCommitStatus: (github) =>
    github.setCommitStatus({commit: COMMIT, state: "success", context: "c", description: "d", url: null}),
  createSignedCommit: (github) =>
    github.createSignedCommit({branch: "b", parent: COMMIT, message: "Title", additions: [], deletions: []}),
  createCheck: (github) => github.createCheck({commit: COMMIT, name: "c", id: "run-1", url: null, text}),
};

/** A GitHub of one thread that keeps what is made there. */
function makeKeeper() {
  const kept = {comments: [] as object[], pulls: [] as object[], checks: [] as object[]};
  const number = 9;
  function answer({method, path, body}: Seen): Answer {
    const given = typeof body === "object" && body !== null ? body : {};
    const keep = (list: object[], made: object): Answer => {
      list.push(made);
      return {status: 201, json: made};
    };
    const at = (form: RegExp) => form.test(new URL(path, "http://x").pathname);
    const dates = {created_at: TIME, updated_at: TIME, html_url: "https://example.test"};
    const signature = {isValid: true, wasSignedByGitHub: true};
    if (at(/\/graphql$/))
      return {status: 200, json: {data: {viewer, createCommitOnBranch: {commit: {oid: COMMIT, signature}}}}};
    if (at(/\/permission$/)) return {status: 200, json: {permission: "write", user: {id: 7}}};
    if (at(/\/activity$/)) return {status: 200, json: [{timestamp: TIME}]};
    if (at(/\/reactions/)) return method === "DELETE" ? {status: 204} : {status: 201, json: {id: 8}};
    if (at(/\/statuses\//)) return {status: 201, json: {state: "success"}};
    if (at(/\/check-runs$/)) {
      if (method === "GET") return {status: 200, json: {check_runs: kept.checks}};
      return keep(kept.checks, {id: kept.checks.length + 1, external_id: "run-1"});
    }
    if (at(/\/comments/)) {
      const made = {id: 5, body: MARK, user: bot, ...dates};
      if (method === "GET") return {status: 200, json: kept.comments};
      return method === "POST" ? keep(kept.comments, made) : {status: 200, json: made};
    }
    const side = {sha: COMMIT, ref: pull.head, repo: {full_name: "own/repo"}};
    const one = {number, html_url: "https://example.test", state: "open", head: side, base: {...side, ref: "main"}};
    if (method === "POST") return keep(kept.pulls, {...one, ...given, ...one});
    return {status: 200, json: at(/\/pulls$/) ? kept.pulls : one};
  }
  return {kept, answer};
}

/** Calls the verb on a GitHub of its own that fails from its n-th request on, that often. Gives what is wrong. */
async function call(options: {verb: string; fault: string | null; nth: number; times: number}) {
  const keeper = makeKeeper();
  let count = 0;
  await using server = await serve(
    (request) => {
      count += 1;
      const does =
        options.fault === null || count < options.nth || count >= options.nth + options.times
          ? undefined
          : FAULTS[options.fault];
      if (does === undefined) return keeper.answer(request);
      if (does.kind === "answer-lost") keeper.answer(request);
      return {raw: (response: ServerResponse) => void misbehave(does, response)};
    },
    {tryMs: 1_500, callMs: 15_000, backoffMs: 10},
  );
  const found: string[] = [];
  const done = await VERBS[options.verb]?.(server.github).catch((error: unknown) => {
    found.push(`it threw ${String(error)}`);
    return null;
  });
  if (done?.ok === false) {
    if (done.failure.kind !== "github-refused") found.push(`it is ${done.failure.kind}`);
    if (!/^[^<\n]{2,300}$/.test(done.failure.message)) found.push(`it says ${JSON.stringify(done.failure.message)}`);
  }
  for (const [name, list] of Object.entries(keeper.kept))
    if (list.length > 1) found.push(`it made ${list.length} ${name}`);
  if (count > 20) found.push(`it asked ${count} times`);
  return {found, count, isGood: done?.ok === true};
}

/** Faults that pass by themselves: one of them costs a wait, and no answer. */
const PASSING = [
  "status 500",
  "502 page",
  "504 page",
  "503 retry-after",
  "status 429",
  "403 secondary limit",
  "a reset",
  "no answer",
  "cut JSON",
  "a page with status 200",
  "a lost answer",
];

/** The verbs in three shares, each verb in one. */
export const READS = [
  "permission",
  "writes",
  "whoami",
  "comments",
  "findComment",
  "pullRequest",
  "pushedAt",
  "pullRequestOf",
];
export const COMMENTS = ["createComment", "updateComment", "react", "unreact"];
export const WRITES = ["openPullRequest", "setCommitStatus", "createSignedCommit", "createCheck"];

/** Declares a test for each of these verbs. They mostly wait, and one client's writes wait for another's: each file has its share. */
export function proveVerbs(verbs: readonly string[]): void {
  test.concurrent.each(someOf(verbs))(
    "%s",
    async (verb) => {
      const whole = await call({verb, fault: null, nth: 1, times: 0});
      expect(whole).toMatchObject({found: [], isGood: true});
      const nths = Array.from({length: whole.count}, (_, index) => index + 1);
      const cases = nths.flatMap((nth) =>
        Object.keys(FAULTS).flatMap((fault) => [1, 99].map((times) => ({verb, fault, nth, times}))),
      );
      const seen = await Promise.all(cases.map(async (one) => ({one, ...(await call(one))})));
      const wrong = seen.flatMap(({one, found, isGood}) => {
        const all =
          one.times === 1 && PASSING.includes(one.fault) && !isGood ? [...found, "it gave up after one"] : found;
        return all.map((sentence) => `${one.fault} at request ${one.nth}, ${one.times} times: ${sentence}`);
      });
      expect(wrong).toEqual([]);
    },
    120_000,
  );
}
