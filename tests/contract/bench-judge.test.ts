/** `npm run bench -- judge`: mistakes get one clear message, and a measurement without an answer keeps no bound. */
import {spawnSync} from "node:child_process";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterAll, expect, test} from "vitest";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
afterAll(() => rmSync(folder, {recursive: true}));
const CASES = join(folder, "cases.jsonl");
const diff = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\n";
writeFileSync(CASES, JSON.stringify({request: "Write 2 into a", diff, isGood: true}));
const OFFLINE = {OPENAI_API_KEY: "x", OPENAI_BASE_URL: "http://127.0.0.1:9/v1"};

test.each([
  [["--help"], 0, /^npm run bench -- judge /],
  [["--nope"], 2, /^Unknown option/],
  [["--model", "openai/x", "--cases", "/nope"], 2, /^--cases \/nope cannot be read: /],
  // independent of the commits that a shallow clone has
  [["--model", "openai/x", "--cases", CASES], 1, /^no usable answer/],
])("judge %j", (argv, code, message) => {
  const env = {...process.env, ...OFFLINE};
  const args = ["bench/run.mjs", "judge", ...argv];
  const {status, stdout, stderr} = spawnSync(process.execPath, args, {cwd: root, env, encoding: "utf8"});
  expect(stderr).toMatch(message);
  expect(`${stdout}${stderr}`).not.toMatch(/✅|^ {4}at /m);
  expect(status).toBe(code);
});
