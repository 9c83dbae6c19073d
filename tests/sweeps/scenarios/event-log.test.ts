/** `--event-log` writes a line for each event, as the schema says, without secrets. */
import {execFile} from "node:child_process";
import {readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {promisify} from "node:util";
import {expect, onTestFailed, test} from "vitest";
import {type EventLine, eventLineSchema} from "../../../src/record/event-line.ts";
import {repositoryOf} from "../../rig/command-line.ts";
import {BOT} from "../../rig/github/people.ts";
import {PRODUCT_FILES, plain} from "../../rig/projects.ts";
import {createRig} from "../../rig/rig.ts";

const CLI = join(import.meta.dirname, "../../../dist/cli.js");

/** Each line of the file, held against the strict schema. */
function linesOf(file: string): EventLine[] {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line) => {
    const parsed = eventLineSchema.parse(JSON.parse(line));
    expect(parsed).toEqual(JSON.parse(line));
    return parsed;
  });
}

test("`assay verify`: the stages with their results, and the verdict at the end", async () => {
  const folder = repositoryOf({...plain()} as Record<string, string>);
  writeFileSync(join(folder, "src/sum.js"), "export const sum = () => 0;\n");
  const file = join(folder, "events.jsonl");
  const env = {...process.env, NO_COLOR: "1"};
  const verify = (path: string) =>
    promisify(execFile)(process.execPath, [CLI, "verify", "--event-log", path], {cwd: folder, env}).catch(
      (error: {code: number; stderr: string}) => error,
    );
  expect(await verify(file)).toMatchObject({code: 1});
  const lines = linesOf(file);
  expect(lines.map(({event}) => event).filter((event) => event !== "stage-started")).toEqual([
    "planned",
    "stage-finished",
    "stage-finished",
    "attempt-finished",
    "finished",
  ]);
  expect(lines).toContainEqual(
    expect.objectContaining({stage: "test", outcome: "failed", tests: {passed: 0, failed: 1, skipped: 0}}),
  );
  expect(lines.at(-1)).toMatchObject({event: "finished", verdict: "failed", failures: [], isGreen: false});

  const refused = await verify(join(folder, "missing", "events.jsonl"));
  expect(refused).toMatchObject({code: 3, stderr: expect.stringContaining("the event log cannot be written")});
});

test("`assay run`: the events of a whole run, also of one that has nothing to push", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const number = await rig.openPullRequest({
    title: "Products",
    branch: "products",
    files: {"src/product.js": PRODUCT_FILES.right, "tests/product.test.js": PRODUCT_FILES.test},
    by: "will",
  });
  const {event} = await rig.commentEvent("/verify", {by: "will", on: number});
  const [payload, log] = [join(rig.folder, "event.json"), join(rig.folder, "events.jsonl")];
  writeFileSync(payload, JSON.stringify(event.payload));
  const token = rig.github.tokenOf(BOT);
  const env = {
    GITHUB_API_URL: rig.github.url,
    GITHUB_SERVER_URL: rig.git.url,
    GITHUB_REPOSITORY: rig.origin.name,
    GITHUB_TOKEN: token,
    PATH: process.env["PATH"] ?? "",
    RUNNER_TEMP: rig.folder,
  };
  const args = [CLI, "run", "--event", payload, "--event-log", log];
  await promisify(execFile)(process.execPath, args, {env, cwd: rig.folder});
  const lines = linesOf(log);
  expect(lines[0]).toMatchObject({event: "admitted", by: "will"});
  expect(lines.at(-1)).toMatchObject({event: "finished", verdict: "verified", isGreen: true});
  expect(readFileSync(log, "utf8")).not.toContain(token);
});
