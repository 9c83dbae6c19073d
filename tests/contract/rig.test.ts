/** Whether the rig treats an action as GitHub's runner does; the action here is a small stranger, not the product. */
import {spawn} from "node:child_process";
import {randomBytes} from "node:crypto";
import {once} from "node:events";
import {existsSync} from "node:fs";
import {mkdtemp, rm, writeFile} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {setTimeout} from "node:timers/promises";
import {expect, onTestFinished, test} from "vitest";
import {plain} from "../rig/projects.ts";
import {createRig} from "../rig/rig.ts";
import {readPairs} from "../rig/runner/files.ts";
import {killProcessesOf, processesOf, watchToken} from "../rig/runner/processes.ts";
import {isSweep} from "../sweep.ts";

/** The emulator's own second touch of a new comment is seen in about one of thirty. */
const COMMENTS = isSweep ? 300 : 60;

const ACTION = `
name: stranger
inputs:
  github-token: {default: "\${{ github.token }}"}
  two words: {default: "by default"}
  own-value: {default: ""}
runs: {using: node24, main: main.mjs, post: post.mjs}
`;

/** A world whose product is a stranger with this `main`. Its `post` says what it was handed on. */
async function world(main: string) {
  const product = await mkdtemp(join(tmpdir(), "rig-stranger-"));
  onTestFinished(() => rm(product, {recursive: true}));
  const head =
    'import {execFileSync, spawn} from "node:child_process"; import fs from "node:fs"; const e = process.env;\n';
  await writeFile(join(product, "action.yml"), ACTION);
  await writeFile(join(product, "main.mjs"), head + main);
  await writeFile(join(product, "post.mjs"), "console.log('handed on:', process.env.STATE_kept)");
  return createRig({files: plain(), product});
}

test("inputs, event, files and checkout are as on a runner", async () => {
  await using rig = await world(`
    const event = JSON.parse(fs.readFileSync(e.GITHUB_EVENT_PATH, "utf8"));
    const run = (...argv) => execFileSync(argv[0], argv.slice(1), {encoding: "utf8"}).trim();
    console.log("::add-mask::" + e["INPUT_GITHUB-TOKEN"]);
    console.log(JSON.stringify({
      input: e["INPUT_TWO_WORDS"], own: e["INPUT_OWN-VALUE"], node: process.version, event: e.GITHUB_EVENT_NAME,
      action: event.action, body: event.comment.body, by: event.comment.user.login, type: event.comment.user.type,
      issue: event.issue.number, pull: "pull_request" in event.issue, repository: event.repository.full_name,
      branch: run("git", "branch", "--show-current"), count: run("git", "rev-list", "--count", "HEAD"),
      sha: run("git", "rev-parse", "HEAD") === e.GITHUB_SHA, pi: run("sh", "-c", "command -v pi"),
      tsc: run("sh", "-c", "command -v tsc || echo none"), cwd: process.cwd() === e.GITHUB_WORKSPACE,
      same: event.comment.created_at === event.comment.updated_at, clone: event.repository.clone_url,
    }));
    run("git", "push", "-q", "origin", "HEAD:refs/heads/pushed");
    fs.appendFileSync(e.GITHUB_STATE, "kept=yes\\n");
    fs.appendFileSync(e.GITHUB_OUTPUT, "verdict<<END\\ntwo\\nlines\\nEND\\n");
    fs.appendFileSync(e.GITHUB_STEP_SUMMARY, "# Summary");
    process.exitCode = 3;
  `);
  const outcome = await rig.comment("/assay `$(x)` — ü", {
    by: "will",
    inputs: {"own-value": "mine"},
    isStepOnly: true,
    noModel: true,
  });
  const seen = JSON.parse(outcome.log.split("\n").find((line) => line.startsWith("{")) ?? "{}");
  expect(seen).toMatchObject({
    input: "by default",
    own: "mine",
    node: expect.stringMatching(/^v24/),
    event: "issue_comment",
    action: "created",
    body: "/assay `$(x)` — ü",
    by: "will",
    type: "User",
    issue: 1,
    pull: false,
    repository: "ada/demo",
    branch: "main",
    count: "1",
    sha: true,
    pi: expect.stringMatching(/\/pi$/),
    tsc: "none",
    cwd: true,
    same: true,
    clone: `${rig.git.url}/ada/demo.git`,
  });
  expect(outcome).toMatchObject({exitCode: 3, postExitCode: 0, outputs: {verdict: "two\nlines"}, summary: "# Summary"});
  expect(outcome.log).toContain("handed on: yes");
  expect(outcome.log).not.toContain(outcome.secrets[5]);
  expect(outcome.refs["refs/heads/pushed"]).toBe(rig.base);
  expect(outcome.processes).toEqual([]);
});

test("main can be killed at a moment, and post runs all the same", async () => {
  await using rig = await world(`
    fs.appendFileSync(e.GITHUB_STATE, "kept=before\\n"); console.log("now"); setInterval(() => {}, 1000);`);
  const begun = await rig.begin("/assay x", {isStepOnly: true, noModel: true});
  await begun.saw(/now/);
  begun.kill("SIGKILL");
  const outcome = await begun.ended;
  expect(outcome).toMatchObject({exitCode: null, postExitCode: 0});
  expect(outcome.log).toContain("handed on: before");
});

test("what a step leaves behind is seen, and is gone with the world", async () => {
  const rig = await world(`
    spawn("sleep", ["600"], {detached: true, stdio: "ignore", env: {}, cwd: "/" , argv0: e.GITHUB_WORKSPACE}).unref();
    spawn("sleep", ["601"], {detached: true, stdio: "ignore"}).unref();
    fs.writeFileSync(e.TMPDIR + "/left", "");`);
  const outcome = await rig.comment("/assay x", {isStepOnly: true, noModel: true});
  expect(outcome.processes).toHaveLength(2);
  expect(outcome.leftInTmp).toEqual(["left"]);
  await rig[Symbol.asyncDispose]();
  // A killed process is gone when the kernel has ended it.
  for (const line of outcome.processes)
    await expect.poll(() => existsSync(`/proc/${Number.parseInt(line, 10)}/cwd`), {timeout: 60_000}).toBe(false);
  expect(existsSync(rig.folder)).toBe(false);
});

test("who holds the token is seen, also when its parent has ended, and nobody whom the run did not start", async () => {
  const token = `ghs_watched${randomBytes(6).toString("hex")}`;
  const env = {...process.env, HELD: token};
  const folder = await mkdtemp(join(tmpdir(), "rig-watch-"));
  onTestFinished(async () => {
    killProcessesOf(folder);
    await rm(folder, {recursive: true});
  });
  const there = spawn("sh", ["-c", `read go; sh -c 'sleep 611 & wait'`], {
    cwd: folder,
    env,
    stdio: ["pipe", "ignore", "ignore"],
  });
  await once(there, "spawn");
  const watched = watchToken(token);
  spawn("sh", ["-c", "sleep 612 & wait"], {cwd: folder, env, stdio: "ignore"});
  spawn("sh", ["-c", "sleep 613 & exit"], {cwd: folder, env, stdio: "ignore"});
  there.stdin.write("go\n");
  await expect
    .poll(() => processesOf(folder).filter((line) => /: sleep 61[123]$/.test(line)).length, {timeout: 60_000})
    .toBe(3);
  // longer than between two looks
  await setTimeout(500);
  const holders = watched.stop();
  expect(holders).toEqual(expect.arrayContaining(["sh -c sleep 612 & wait", "sleep 612", "sleep 613"]));
  expect(holders.filter((command) => command.includes("611"))).toEqual([]);
});

test("the same event can be delivered twice, and threads of pull requests are marked", async () => {
  await using rig = await world(`
    const {issue, comment} = JSON.parse(fs.readFileSync(e.GITHUB_EVENT_PATH, "utf8"));
    console.log("seen:" + JSON.stringify({issue: issue.number, comment: comment?.id, pull: Boolean(issue.pull_request)}));`);
  const on = await rig.openPullRequest({title: "Mine", branch: "feature", files: {"b.txt": "b\n"}, by: "will"});
  const first = await rig.comment("/verify", {on, isStepOnly: true, noModel: true});
  const second = await rig.again({isStepOnly: true, noModel: true});
  const line = (log: string) => log.split("\n").find((text) => text.startsWith("seen:"));
  expect(line(first.log)).toContain('"pull":true');
  expect(line(second.log)).toBe(line(first.log));
  expect(second.comments).toHaveLength(1);
  const opened = await rig.issueOpened({title: "New", body: "/assay do"}, {isStepOnly: true, noModel: true});
  expect(line(opened.log)).toBe('seen:{"issue":2,"pull":false}');
});

test("a comment counts as edited once somebody edits it, and not before", async () => {
  await using rig = await world("");
  const on = await rig.openIssue({title: "Sums"});
  const path = `/repos/${rig.origin.name}/issues`;
  for (let n = 0; n < COMMENTS; n++) await rig.github.as("ada", "POST", `${path}/${on}/comments`, {body: `${n}`});
  const comments = async () => {
    const pages = [1, 2, 3].map((page) =>
      rig.github.as("ada", "GET", `${path}/${on}/comments?per_page=100&page=${page}`),
    );
    return (await Promise.all(pages)).flat() as {id: number; created_at: string; updated_at: string}[];
  };
  const isEdited = (one: {created_at: string; updated_at: string}) => one.created_at !== one.updated_at;
  const made = await comments();
  expect(made).toHaveLength(COMMENTS);
  expect(made.filter(isEdited)).toEqual([]);
  await rig.github.as("ada", "PATCH", `${path}/comments/${made[0]?.id}`, {body: "otherwise"});
  expect((await comments()).filter(isEdited).map(({id}) => id)).toEqual([made[0]?.id]);
});

test("an input that action.yml does not have is a mistake", async () => {
  await using rig = await world("");
  await expect(rig.comment("/assay x", {isStepOnly: true, noModel: true, inputs: {modle: "x"}})).rejects.toThrow(
    "no input modle",
  );
});

test("lines that the runner would refuse are refused", () => {
  expect(readPairs("a=1=2\nb<<E\nx\n\nE\n")).toEqual({a: "1=2", b: "x\n"});
  expect(() => readPairs("nothing")).toThrow("cannot read");
  expect(() => readPairs("a<<E\nx\n")).toThrow("no end");
});
