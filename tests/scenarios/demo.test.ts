/** `assay demo` tells the whole main job in order, leaves the report and nothing else, and is red when the product is wrong. */
import {spawn} from "node:child_process";
import {once} from "node:events";
import {existsSync} from "node:fs";
import {cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, onTestFinished, test} from "vitest";
import {killProcessesOf, processesOf} from "../rig/runner/processes.ts";
import {PRODUCT} from "../rig/runner.ts";
import {isSweep} from "../sweep.ts";

/** Each must be found after the one before it. */
const STORY = [
  /💬 will: \/assay /,
  /👀 on the comment, and 1 comment by the bot/,
  /The agent works/,
  /→ write src\/discount\.ts/,
  /The bot verifies/,
  // They run side by side, so that either may end first.
  /(?=[\s\S]*❌ typecheck \([\s\S]*Attempt 1: failed)(?=[\s\S]*❌ test \([\s\S]*Attempt 1: failed)/,
  /Attempt 1: failed/,
  /error TS2353/,
  /AssertionError/,
  /go back into the same session/,
  /Your changes were verified .* not everything passed/,
  /→ edit src\/discount\.ts/,
  /The bot verifies/,
  /(?=[\s\S]*✅ typecheck \([\s\S]*Attempt 2: verified)(?=[\s\S]*✅ test \([\s\S]*Attempt 2: verified)/,
  /Attempt 2: verified/,
  /commit [0-9a-f]{12} on assay\/issue-1/,
  /Assay-Verified-Tree: [0-9a-f]{40}/,
  /pull request 2: Add discount\(price, percent\), with two tests/,
  /\*\*✅ Verified\*\*/,
  /one new reply.*: @will \*\*✅ Verified\*\*/,
  ...Array.from({length: 15}, (_, at) => new RegExp(`✓ P${at + 1} `)),
];

/** Gives the first part of the story that is not told in its place; null when all is well. */
function missing(text: string): string | null {
  let rest = text;
  for (const part of STORY) {
    const found = part.exec(rest);
    if (found === null) return part.source;
    rest = rest.slice(found.index + found[0].length);
  }
  return null;
}

/** Runs the demo on this machine's own Node, or on another, in a temporary folder of its own. */
async function tell(argv: readonly string[], node = process.execPath) {
  const folder = await mkdtemp(join(tmpdir(), "demo-test-"));
  onTestFinished(async () => {
    killProcessesOf(folder);
    await rm(folder, {recursive: true, force: true});
  });
  const [temp, report] = [join(folder, "tmp"), join(folder, "report.md")];
  await mkdir(temp);
  const env = {...process.env, TMPDIR: temp, NO_COLOR: "1"};
  const child = spawn(node, [...argv, "--report", report], {env, stdio: ["ignore", "pipe", "pipe"]});
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (part) => (text += part));
  const [code] = await once(child, "close");
  const processes = processesOf(folder);
  return {code, text, processes, left: await readdir(temp), report};
}

test("the demo tells the story, and leaves the report and nothing else", async () => {
  const {code, text, processes, left, report} = await tell([join(PRODUCT, "dist/cli.js"), "demo"]);
  expect([code, missing(text)], text).toEqual([0, null]);
  expect([processes, left]).toEqual([[], []]);
  expect(text).not.toContain("\u001b");
  expect(await readFile(report, "utf8")).toMatch(
    /^<!-- assay:run=[\s\S]*\*\*✅ Verified\*\*[\s\S]*\| ✅ \| typecheck \|/,
  );
  expect(await readFile(report.replace(/md$/, "html"), "utf8")).toContain("<td>typecheck</td>");
});

if (isSweep)
  test("the demo of a product that does nothing is red, and says what is missing", async () => {
    const product = await mkdtemp(join(tmpdir(), "demo-product-"));
    onTestFinished(() => rm(product, {recursive: true, force: true}));
    await cp(join(PRODUCT, "action.yml"), join(product, "action.yml"));
    await mkdir(join(product, "dist"));
    for (const entry of ["main", "post"]) await writeFile(join(product, `dist/${entry}.js`), "");
    const node = join(PRODUCT, "node_modules/node/bin/node");
    const {code, text} = await tell([join(PRODUCT, "tests/demo/demo.ts"), "--product", product], node);
    expect([code, missing(text)], text).toEqual([1, "👀 on the comment, and 1 comment by the bot"]);
    expect(text).toMatch(/✗ .*P9: there is no record/s);
  });

test("without its world the demo says where it can be run", async () => {
  const folder = await mkdtemp(join(tmpdir(), "demo-bundle-"));
  onTestFinished(() => rm(folder, {recursive: true, force: true}));
  await cp(join(PRODUCT, "dist"), join(folder, "dist"), {recursive: true});
  await writeFile(join(folder, "package.json"), '{"type": "module"}');
  const {code, text, report} = await tell([join(folder, "dist/cli.js"), "demo"]);
  expect([code, text]).toEqual([3, expect.stringContaining("npm ci --omit=dev && npm run demo")]);
  expect(existsSync(report)).toBe(false);
});
