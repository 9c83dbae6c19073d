/** The release workflow: code of dependencies runs without rights, and the steps that publish can be repeated. */
import {spawnSync} from "node:child_process";
import {chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {delimiter, join} from "node:path";
import {expect, onTestFinished, test} from "vitest";
import {parse} from "yaml";
import {gitIn, repositoryOf} from "../rig/command-line.ts";
import {bareGitEnvironment} from "../rig/git.ts";
import {at, isObject} from "../rig/json.ts";

const workflow: unknown = parse(readFileSync(new URL("../../.github/workflows/release.yml", import.meta.url), "utf8"));
const stepsOf = (job: string): unknown[] => {
  const steps = at(workflow, "jobs", job, "steps");
  return Array.isArray(steps) ? steps : [];
};
const scriptOf = (job: string, name: RegExp): string =>
  String(
    at(
      stepsOf(job).find((step) => name.test(String(at(step, "name")))),
      "run",
    ),
  );

/** Runs a step's script as GitHub does, with `npm` and `gh` that record their arguments. */
function runScript(script: string, {folder, answers = {}}: {folder: string; answers?: Record<string, string>}) {
  const bin = join(folder, ".git", "bin");
  mkdirSync(bin, {recursive: true});
  for (const name of ["npm", "gh"]) {
    const path = join(bin, name);
    writeFileSync(path, `#!/bin/sh\necho "${name} $*" >> "$CALLS"\n${answers[name] ?? ""}\n`);
    chmodSync(path, 0o755);
  }
  const calls = join(bin, "calls");
  writeFileSync(calls, "");
  const variables = {CALLS: calls, GITHUB_REF_NAME: "v1.2.3", GITHUB_REPOSITORY: "own/repo", RUNNER_TEMP: folder};
  const env = {...process.env, ...bareGitEnvironment(), ...variables, PATH: `${bin}${delimiter}${process.env["PATH"]}`};
  const {status} = spawnSync("bash", ["-eo", "pipefail", "-c", script], {cwd: folder, env});
  return {status, calls: readFileSync(calls, "utf8").trim().split("\n")};
}

function project() {
  const folder = repositoryOf({"package.json": '{"version": "1.2.3"}', "package.tgz": "the package\n"});
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  const git = gitIn(folder);
  git("update-ref", "refs/remotes/origin/main", "HEAD");
  return {folder, git};
}

test("a job with a permission to write runs nothing of npm except its own commands", () => {
  const jobs = at(workflow, "jobs");
  const writers = Object.entries(isObject(jobs) ? jobs : {}).filter(([, job]) =>
    Object.values(at(job, "permissions") ?? {}).includes("write"),
  );
  expect(writers.map(([name]) => name)).toEqual(["publish"]);
  const scripts = stepsOf("publish").map((step) => String(at(step, "run") ?? ""));
  const npm = scripts.flatMap((script) => [...script.matchAll(/\b(?:npm|npx|node|bun) .*/g)].map(([line]) => line));
  expect(npm).toEqual([expect.stringMatching(/^npm view /), "npm publish --ignore-scripts ./package.tgz"]);
  expect(at(workflow, "permissions")).toEqual({});
  expect(at(workflow, "jobs", "package", "permissions")).toEqual({contents: "read"});
});

test("a tag must name the version, and its commit must be on main", () => {
  const {folder, git} = project();
  const script = scriptOf("package", /tag names/);
  expect(runScript(script, {folder}).status).toBe(0);
  expect(runScript(script.replace("$GITHUB_REF_NAME", "v1.2.4"), {folder}).status).not.toBe(0);
  git("commit", "-q", "--allow-empty", "-m", "On no branch");
  expect(runScript(script, {folder}).status).not.toBe(0);
});

test("a package is published once, and another one with its version is an error", () => {
  const {folder} = project();
  const script = scriptOf("publish", /npm package/);
  const hash = spawnSync("bash", ["-c", "openssl dgst -sha512 -binary package.tgz | base64 -w 0"], {cwd: folder});
  const view = "npm view @assay-run/assay@1.2.3 dist.integrity";
  const publish = "npm publish --ignore-scripts ./package.tgz";
  const answer = (text: string) => ({npm: `test "$1" != view || echo "${text}"`});
  expect(runScript(script, {folder, answers: {npm: 'test "$1" != view'}})).toEqual({status: 0, calls: [view, publish]});
  expect(runScript(script, {folder, answers: answer(`sha512-${hash.stdout}`)})).toEqual({status: 0, calls: [view]});
  expect(runScript(script, {folder, answers: answer("sha512-other")})).toEqual({status: 1, calls: [view]});
});

test("the release is made once, and the major tag moves only forward", () => {
  const {folder, git} = project();
  const release = scriptOf("publish", /^Make the release/);
  expect(runScript(release, {folder}).calls).toEqual(["gh release view v1.2.3"]);
  expect(runScript(release, {folder, answers: {gh: 'test "$2" != view'}}).calls).toHaveLength(2);
  const move = scriptOf("publish", /major tag/);
  const first = git("rev-parse", "HEAD");
  const moved = () => runScript(move, {folder}).calls.map((call) => call.replace(/ repos.*=/, " "));
  expect(moved()).toEqual([`gh api ${first}`]);
  git("tag", "v1");
  expect(moved()).toEqual([""]);
  git("commit", "-q", "--allow-empty", "-m", "Next");
  const next = git("rev-parse", "HEAD");
  expect(runScript(move, {folder}).calls).toEqual([
    expect.stringContaining(`--method PATCH repos/own/repo/git/refs/tags/v1 -f sha=${next}`),
  ]);
  git("tag", "-f", "v1");
  git("switch", "-q", "--detach", first);
  expect(moved()).toEqual([""]);
});
