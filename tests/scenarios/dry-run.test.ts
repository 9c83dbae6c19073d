/** A dry run: everything happens but the writes, and the job's summary shows what they would have been. */
import {execFile} from "node:child_process";
import {writeFileSync} from "node:fs";
import {join} from "node:path";
import {promisify} from "node:util";
import {expect, onTestFailed, test} from "vitest";
import {BOT} from "../rig/github/people.ts";
import type {GitHub} from "../rig/github.ts";
import {writeFileAt} from "../rig/model.ts";
import {PRODUCT_FILES, plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";

const isQuery = ({path, body}: {path: string; body: string}) => path === "/graphql" && body.includes('"query":"query');
const writesOf = ({requests}: GitHub) => requests.filter((one) => one.method !== "GET" && !isQuery(one));

test("a dry run writes nothing, and shows what it would have written", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  rig.model.script([{when: "multiply", do: [writeFileAt("src/product.js", PRODUCT_FILES.right)], say: "Done."}]);
  const outcome = await rig.comment("/assay multiply, please", {inputs: {"dry-run": "true"}});
  await assertPromises(rig, outcome);
  expect(writesOf(rig.github)).toEqual([]);
  expect(rig.git.updates).toEqual([]);
  expect(outcome.outputs).toMatchObject({verdict: "verified", commit: "", branch: "", "pull-request": ""});
  expect(outcome.record?.publication).toMatchObject({kind: "withheld", instead: "published"});
  expect(outcome.summary).toContain("**✅ Verified**");
  expect(outcome.summary).toMatch(/- push commit `[0-9a-f]+` to `assay\/issue-1`/);
  expect(outcome.summary).toContain("- open or update the pull request");
  expect(outcome.summary).toContain("- set `assay/verified` to `success`");
});

test("`assay run --dry-run` prints the list", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const {event} = await rig.commentEvent("/help");
  const file = join(rig.folder, "event.json");
  writeFileSync(file, JSON.stringify(event.payload));
  const env = {
    GITHUB_API_URL: rig.github.url,
    GITHUB_SERVER_URL: rig.git.url,
    GITHUB_REPOSITORY: rig.origin.name,
    GITHUB_TOKEN: rig.github.tokenOf(BOT),
    PATH: process.env["PATH"] ?? "",
  };
  // in the background, because this process answers as GitHub
  const cli = join(import.meta.dirname, "../../dist/cli.js");
  const args = [cli, "run", "--event", file, "--dry-run"];
  const {stdout} = await promisify(execFile)(process.execPath, args, {env, cwd: rig.folder});
  expect(stdout).toContain("- post one comment in the thread");
  expect(writesOf(rig.github)).toEqual([]);
});
