/** Whether the rig's GitHub answers as GitHub does where the bot relies on it, and catches requests that are wrong. */
import {Octokit} from "@octokit/rest";
import {expect, test} from "vitest";
import {startGitServer} from "../rig/git-server.ts";
import {BOT} from "../rig/github/people.ts";
import {startGitHub} from "../rig/github.ts";

async function world() {
  const git = await startGitServer({tokens: {}});
  const origin = await git.create("ada/demo");
  const first = await origin.commit({files: {"a.txt": "one\n"}});
  const github = await startGitHub({origin});
  const as = (login: string) => new Octokit({auth: github.tokenOf(login), baseUrl: github.url, log: quiet}).rest;
  return {
    ...github,
    github,
    origin,
    first,
    rest: as,
    async [Symbol.asyncDispose]() {
      await github[Symbol.asyncDispose]();
      await git[Symbol.asyncDispose]();
    },
  };
}
const nothing = () => {};
const quiet = {debug: nothing, info: nothing, warn: nothing, error: nothing};
const demo = {owner: "ada", repo: "demo"};

test("a thread: issue, comment, edit, reactions, with the words GitHub uses", async () => {
  await using it = await world();
  const bot = it.rest(BOT);
  const {data: issue} = await it.rest("otto").issues.create({...demo, title: "Broken", body: "It is."});
  expect(issue).toMatchObject({number: 1, user: {login: "otto", type: "User"}, author_association: "NONE"});
  const {data: made} = await bot.issues.createComment({...demo, issue_number: 1, body: "Working"});
  expect(made).toMatchObject({user: {login: BOT, type: "Bot"}});
  await bot.issues.updateComment({...demo, comment_id: made.id, body: "Done"});
  const {data: comments} = await bot.issues.listComments({...demo, issue_number: 1});
  expect(comments.map((comment) => comment.body)).toEqual(["Done"]);

  const on = {...demo, comment_id: made.id};
  const first = await bot.reactions.createForIssueComment({...on, content: "eyes"});
  const again = await bot.reactions.createForIssueComment({...on, content: "eyes"});
  expect([first.status, again.status, again.data.id]).toEqual([201, 200, first.data.id]);
  await bot.reactions.deleteForIssueComment({...on, reaction_id: first.data.id});
  await bot.reactions.createForIssue({...demo, issue_number: 1, content: "rocket"});
  expect(it.reactions).toMatchObject([{on: "1", login: BOT, content: "rocket"}]);
  await expect(bot.reactions.createForIssueComment({...demo, comment_id: 999, content: "eyes"})).rejects.toThrow(
    "Not Found",
  );
  expect(it.invalid).toEqual([]);
  expect(it.requests.map((request) => request.operation)).toContain("issues/update-comment");
});

test.each([
  ["ada", "admin", "admin"],
  ["mary", "write", "maintain"],
  ["will", "write", "write"],
  ["tracy", "read", "triage"],
  ["otto", "read", "read"],
])("%s has %s access as %s", async (username, permission, role_name) => {
  await using it = await world();
  const {data} = await it.rest(BOT).repos.getCollaboratorPermissionLevel({...demo, username});
  const {data: account} = await it.rest(BOT).users.getByUsername({username});
  expect(data).toMatchObject({permission, role_name, user: {login: username, id: account.id}});
});

test("a pull request needs a pushed branch with something on it, is there once, and shows git's own commits", async () => {
  await using it = await world();
  const bot = it.rest(BOT);
  const wanted = {...demo, title: "Fix", head: "assay/issue-1", base: "main", body: "Report"};
  await expect(bot.pulls.create(wanted)).rejects.toThrow("head");
  await it.origin.setRef("refs/heads/assay/issue-1", it.first);
  await expect(bot.pulls.create(wanted)).rejects.toThrow("No commits between");
  const commit = await it.origin.commit({branch: "assay/issue-1", files: {"a.txt": "two\n"}});
  const {data: made} = await bot.pulls.create(wanted);
  expect(made.head.sha).toBe(commit);
  expect(made.base.sha).toBe(it.first);
  expect(made.head.repo?.full_name).toBe("ada/demo");
  await expect(bot.pulls.create(wanted)).rejects.toThrow("already exists");
  const later = await it.origin.commit({branch: "assay/issue-1", files: {"a.txt": "three\n"}});
  const {data: listed} = await bot.pulls.list({...demo, head: "ada:assay/issue-1", state: "open"});
  expect(listed.map((pull) => pull.head.sha)).toEqual([later]);
  const {data: thread} = await bot.issues.get({...demo, issue_number: made.number});
  expect(thread.pull_request?.url).toContain(`/pulls/${made.number}`);
  expect(thread).toMatchObject({title: "Fix", user: {login: BOT}, html_url: `${it.url}/ada/demo/pull/${made.number}`});
  const {data: said} = await bot.issues.createComment({...demo, issue_number: made.number, body: "On it"});
  await bot.reactions.createForIssueComment({...demo, comment_id: said.id, content: "eyes"});
  await bot.reactions.createForIssue({...demo, issue_number: made.number, content: "eyes"});
  await bot.pulls.update({...demo, pull_number: made.number, body: "New report"});
  const {data: status} = await bot.repos.createCommitStatus({...demo, sha: later, state: "success", context: "assay"});
  expect(status.state).toBe("success");
  await expect(bot.repos.createCommitStatus({...demo, sha: "1".repeat(40), state: "success"})).rejects.toThrow("SHA");
  expect(it.invalid).toEqual([]);
});

test.each([
  ["a reaction that does not exist", "POST", "/repos/ada/demo/issues/1/reactions", {content: "thumbs"}],
  ["a comment of another type", "POST", "/repos/ada/demo/issues/1/comments", {body: 42}],
  ["a comment without a body", "POST", "/repos/ada/demo/issues/1/comments", {}],
  ["a misspelt property", "POST", "/repos/ada/demo/issues/1/comments", {body: "x", event_type: "y"}],
  ["a misspelt parameter", "GET", "/repos/ada/demo/issues/1/comments?perpage=100", undefined],
  ["a path that GitHub does not have", "GET", "/repos/ada/demo/issue/1", undefined],
])("%s is caught", async (_, method, path, body) => {
  await using it = await world();
  const headers = {authorization: `Bearer ${it.tokenOf(BOT)}`, "content-type": "application/json"};
  const answer = await fetch(`${it.url}${path}`, {method, headers, ...(body && {body: JSON.stringify(body)})});
  expect(answer.ok).toBe(false);
  expect(it.invalid).toHaveLength(1);
});

test("every token learns by GraphQL whose it is", async () => {
  await using it = await world();
  const document = {method: "POST", url: "/graphql", query: "query { viewer { login databaseId } }"} as const;
  for (const login of [BOT, "will"]) {
    const asker = new Octokit({auth: it.github.tokenOf(login), baseUrl: it.github.url, log: quiet});
    const {data} = await asker.request(document);
    expect(data).toEqual({data: {viewer: {login, databaseId: expect.any(Number)}}});
  }
  expect(it.invalid).toEqual([]);
});

test("unknown tokens get nothing, and a comment has at most 65,536 characters", async () => {
  await using it = await world();
  await it.as("ada", "POST", "/repos/ada/demo/issues", {title: "One"});
  const stranger = new Octokit({auth: "ghp_stolen", baseUrl: it.url, log: quiet}).rest;
  await expect(stranger.issues.createComment({...demo, issue_number: 1, body: "x"})).rejects.toThrow("Bad credentials");
  const write = (length: number) =>
    it.rest(BOT).issues.createComment({...demo, issue_number: 1, body: "x".repeat(length)});
  await expect(write(65_537)).rejects.toThrow("too long");
  expect((await write(65_536)).status).toBe(201);
});

test("faults meet the requests they name, and no others", async () => {
  await using it = await world();
  await it.as("ada", "POST", "/repos/ada/demo/issues", {title: "One"});
  it.fault({method: "POST", path: /\/comments$/, from: 2, does: {kind: "status", status: 503}});
  it.fault({method: "POST", path: /\/comments$/, from: 3, does: {kind: "answer-lost"}});
  const write = (body: string) => it.rest(BOT).issues.createComment({...demo, issue_number: 1, body});
  await write("first");
  await expect(write("second")).rejects.toThrow();
  await expect(write("third")).rejects.toThrow();
  await write("fourth");
  const {data} = await it.rest(BOT).issues.listComments({...demo, issue_number: 1});
  expect(data.map((comment) => comment.body)).toEqual(["first", "third", "fourth"]);
  it.fault({path: /\/issues\/1$/, does: {kind: "hang"}});
  const request = {signal: AbortSignal.timeout(300)};
  await expect(it.rest(BOT).issues.get({...demo, issue_number: 1, request})).rejects.toThrow(/abort|timeout/);
});
