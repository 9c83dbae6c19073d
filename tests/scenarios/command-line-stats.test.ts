/** `assay stats` counts what the bot's comments on GitHub and the history of the clone say, and nothing that others wrote. */
import {execFile, execFileSync} from "node:child_process";
import {mkdtempSync, readFileSync, rmSync} from "node:fs";
import {createServer} from "node:http";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, onTestFailed, onTestFinished, test} from "vitest";
import {runMarker} from "../../src/github/marker.ts";
import {repositoryOf} from "../rig/command-line.ts";
import {BOT} from "../rig/github/people.ts";
import {plain} from "../rig/projects.ts";
import {createRig} from "../rig/rig.ts";
import {PRODUCT} from "../rig/runner.ts";

/** The emulated GitHub answers in this process, so the command runs beside it. */
const stats = (cwd: string, args: readonly string[], env: Readonly<Record<string, string>>) =>
  new Promise<{status: number; stdout: string; stderr: string}>((resolve) => {
    const command = [join(PRODUCT, "dist/cli.js"), "stats", ...args];
    const variables = {...process.env, NO_COLOR: "1", ...env};
    execFile(process.execPath, command, {cwd, env: variables}, (error, stdout, stderr) =>
      resolve({status: typeof error?.code === "number" ? error.code : 0, stdout, stderr}),
    );
  });

test("an owner's repositories with the workflow are added up, and the page has them", async () => {
  await using rig = await createRig({
    files: {...plain(), ".github/workflows/assay.yml": "on: push\n"},
    onFailed: onTestFailed,
  });
  const folder = mkdtempSync(join(tmpdir(), "assay-stats-"));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  const repository = rig.origin.name;
  await rig.github.as("ada", "POST", `/repos/${repository}/issues`, {title: "Add it"});
  const marker = {run: "comment-1", session: null, spent: {usd: 0.5, minutes: 3}, verdict: "verified"};
  const body = `${runMarker(marker)}\nText`;
  await rig.github.as(BOT, "POST", `/repos/${repository}/issues/1/comments`, {body});
  const env = {GITHUB_TOKEN: rig.github.tokenOf("ada"), GITHUB_API_URL: rig.github.url};
  const owner = repository.split("/")[0] ?? "";
  const page = join(folder, "page.html");
  const {status, stdout, stderr} = await stats(folder, ["--org", owner, "--page", page, "--json"], env);
  expect([status, stderr]).toEqual([0, ""]);
  expect(JSON.parse(stdout)).toMatchObject({
    owner,
    runs: 1,
    usd: 0.5,
    unread: [],
    repositories: [{repository, runs: 1}],
  });
  expect(readFileSync(page, "utf8")).toContain(`<td>${repository}</td><td>1</td><td>1</td>`);
  expect(rig.github.invalid).toEqual([]);
  const nowhere = await stats(folder, ["--org", owner, "--page", join(folder, "no", "page.html")], env);
  expect(nowhere).toMatchObject({status: 3, stderr: expect.stringContaining("page.html")});
});

test("finished runs count, with their cost; a stranger's marker, a refusal and an open run do not", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const folder = repositoryOf({"a.txt": "a\n"});
  onTestFinished(() => rmSync(folder, {recursive: true}));
  const repository = rig.origin.name;
  await rig.github.as("ada", "POST", `/repos/${repository}/issues`, {title: "Add it"});
  const say = (login: string, marker: Parameters<typeof runMarker>[0]) =>
    rig.github.as(login, "POST", `/repos/${repository}/issues/1/comments`, {body: `${runMarker(marker)}\nText`});
  await say(BOT, {run: "comment-1", session: null, spent: {usd: 0.5, minutes: 3}, verdict: "verified"});
  await say(BOT, {run: "comment-2", session: null, spent: {usd: 0.25, minutes: 1}, verdict: "failed"});
  await say(BOT, {run: "comment-3", session: null});
  await say("otto", {run: "comment-4", session: null, spent: {usd: 900, minutes: 1}, verdict: "verified"});
  await say("ada", {run: "comment-5", session: null, verdict: "verified"});
  const env = {GITHUB_TOKEN: rig.github.tokenOf("ada"), GITHUB_API_URL: rig.github.url};
  const {status, stdout, stderr} = await stats(folder, ["--repository", repository, "--json"], env);
  expect([status, stderr]).toEqual([0, ""]);
  expect(JSON.parse(stdout)).toMatchObject({
    ...{schema: "assay.stats/1", repository, runs: 2, usd: 0.75, minutes: 4},
    verdicts: {verified: 1, failed: 1},
    held: null,
    red: {of: 0, count: 0},
  });
  const {stdout: text} = await stats(folder, ["--repository", repository], env);
  expect(text).toContain("requests       2: 1 failed, 1 verified\n  cost           $0.75, 4 minutes, ");
  expect(rig.github.invalid).toEqual([]);
  expect(await stats(folder, [], env)).toMatchObject({status: 3, stderr: expect.stringContaining("--repository")});
  expect(await stats(folder, ["--repository", repository], {...env, GITHUB_TOKEN: "", GH_TOKEN: ""})).toMatchObject({
    status: 3,
    stderr: expect.stringContaining("GITHUB_TOKEN"),
  });
  expect(await stats(folder, ["--repository", repository], {...env, GITHUB_TOKEN: "ghp_wrong"})).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^error: GitHub refused the token \(status 401\).*\nCheck GITHUB_TOKEN/),
  });
  const elsewhere = repositoryOf({"a.txt": "a\n"});
  onTestFinished(() => rmSync(elsewhere, {recursive: true}));
  execFileSync("git", ["-C", elsewhere, "remote", "add", "origin", "git@gitlab.com:ada/shop.git"]);
  expect(await stats(elsewhere, [], {...env, GITHUB_API_URL: ""})).toMatchObject({
    status: 3,
    stderr: expect.stringContaining("`origin` is on gitlab.com"),
  });
  const away = {...env, GITHUB_API_URL: "http://127.0.0.1:9"};
  expect(await stats(folder, ["--repository", repository], away)).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^error: GitHub could not be reached: .*\nCheck the network/),
  });
});

test.each([
  [
    404,
    '{"message": "Not Found"}',
    /^error: GitHub refused \(status 404\): Not Found\nCheck the name, and GITHUB_TOKEN/,
  ],
  [403, '{"message": "Resource not accessible"}', /^error: GitHub refused the token \(status 403\)/],
])("status %i: the next step concerns its cause", async (status, body, expected) => {
  const server = createServer((_, answer) => answer.writeHead(status, {"content-type": "application/json"}).end(body));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const env = {GITHUB_TOKEN: "ghp_x", GITHUB_API_URL: `http://127.0.0.1:${port}`};
  expect(await stats(tmpdir(), ["--repository", "ada/nothing"], env)).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(expected),
  });
});
