/** The JSON of `assay init` and `assay doctor`: what the page says, what the schemas say, and what the command line prints. */
import {execFile} from "node:child_process";
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterAll, beforeAll, expect, test} from "vitest";
import {doctorSchema, exitCode, FINDING_STATES} from "../../src/onboarding/finding.ts";
import {initSchema} from "../../src/onboarding/init/init-result.ts";
import {COMPILE_CACHE} from "../rig/compile-cache.ts";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/json.md"), "utf8");

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-documents-"));
  writeFileSync(join(folder, "go.mod"), "module a\n\ngo 1.22\n");
  writeFileSync(join(folder, "a.go"), "package a\n");
});
afterAll(() => rmSync(folder, {recursive: true, force: true}));

/** The exit code and the document of `assay … --json`, as it is shipped, without anything of GitHub's in its environment. */
function printed(...args: string[]): Promise<{code: number; document: unknown}> {
  const env = {PATH: process.env["PATH"] ?? "", HOME: folder, NODE_COMPILE_CACHE: COMPILE_CACHE};
  return new Promise((resolve) => {
    execFile(process.execPath, [join(root, "dist/cli.js"), ...args, "--json"], {cwd: folder, env}, (error, stdout) =>
      resolve({code: typeof error?.code === "number" ? error.code : 0, document: JSON.parse(stdout)}),
    );
  });
}

test("init prints what its schema says", async () => {
  const {code, document} = await printed("init", "--yes");
  expect(initSchema.parse(document).files.map(({done}) => done)).toEqual(["written", "written", "written"]);
  expect(code).toBe(0);
  const again = initSchema.parse((await printed("init", "--yes")).document);
  expect(again.files.map(({done}) => done)).toEqual(["left-alone", "left-alone", "left-alone"]);
  const [, fields = ""] = /^\| `assay\.init\/1` \|[^|]+\| (.+) \|$/m.exec(page) ?? [];
  const {schema: _, folder: __, ...shape} = initSchema.shape;
  expect(fields.match(/\w+/g)?.sort()).toEqual(Object.keys(shape).sort());
});

test("doctor prints what its schema says, with the exit code of its worst finding", async () => {
  const {code, document} = await printed("doctor");
  const {findings} = doctorSchema.parse(document);
  expect(code).toBe(exitCode(findings));
  expect(findings.length).toBeGreaterThan(5);
  for (const {state, next} of findings) expect(next === null).toBe(state === "ok");
});

test("doctor names an override of no stage next to the other mistakes of verify.json", async () => {
  writeFileSync(join(folder, "verify.json"), '{"maxFixAttempts": -1, "overrides": {"tset": false}}');
  const {code, document} = await printed("doctor");
  const mistakes = doctorSchema.parse(document).findings.filter(({state}) => state === "mistake");
  expect(mistakes.map(({text}) => text)).toEqual([expect.stringMatching(/maxFixAttempts[\s\S]*overrides\.tset/)]);
  expect(code).toBe(3);
});

test("the page has each state of a finding, with its exit code, and no other", () => {
  const table = page.slice(page.indexOf("| `state` |"));
  const rows = [...table.matchAll(/^\| `([\w-]+)` \|[^|]+\| (\d) \|$/gm)].map(([, state, code]) => [
    state,
    Number(code),
  ]);
  const finding = {about: "", text: "", next: null};
  expect(rows).toEqual(FINDING_STATES.map((state) => [state, exitCode([{...finding, state}])]));
});
