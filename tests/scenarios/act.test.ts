/** Both templates and the called workflow under `act`, a runner that others wrote, with the real actions that they name. */
import {readFileSync} from "node:fs";
import {join} from "node:path";
import {describe, expect, onTestFailed, test} from "vitest";
import {ASSAY} from "../../src/onboarding/init/action-pins.ts";
import {separatedWorkflow} from "../../src/onboarding/init/separated-workflow.ts";
import {ACT_IS_MISSING, startAct} from "../rig/act.ts";
import {assay} from "../rig/command-line.ts";
import {git} from "../rig/git.ts";
import {BOT} from "../rig/github/people.ts";
import {bash, writeFileAt} from "../rig/model.ts";
import {PRODUCT_FILES, plain, WRITES} from "../rig/projects.ts";
import {createRig} from "../rig/rig.ts";
import {PRODUCT} from "../rig/runner.ts";
import {asOwner, CALLING, callingOn, oneJob, SEPARATED, SHARED} from "../rig/separated.ts";
import type {Rig} from "../rig/world.ts";
import {isSweep} from "../sweep.ts";

const ONE_JOB = oneJob("/assay @assay");
const CI = ['ci:["CI"]'];
const LONGEST_MS = 400_000;
const WORKFLOW = ".github/workflows/assay.yml";

/** The repository's own tools, which the called workflow installs. */
const SETUP = `name: Set-up
runs:
  using: composite
  steps:
    - shell: bash
      run: echo "tools for $GITHUB_JOB"
`;

async function world(): Promise<Rig> {
  const files = plain({files: {".github/actions/assay-setup/action.yml": SETUP}});
  const rig = await createRig({files, onFailed: onTestFailed, watches: false});
  rig.model.script([{when: "multiply", do: WRITES.right, say: "Products are there."}]);
  return rig;
}

/** Runs the event to its end and gives the bot's comments. */
async function play(options: Parameters<typeof startAct>[0]) {
  const {exitCode, log} = await (await startAct(options)).ended;
  onTestFailed(() => console.error(log));
  expect(options.rig.github.invalid).toEqual([]);
  return {exitCode, log, answers: await answersOf(options.rig, options.event.thread)};
}

/** The reports, without the short replies that tell the requester. */
async function answersOf(rig: Rig, thread: number): Promise<string[]> {
  const all = await rig.github.as("ada", "GET", `/repos/${rig.origin.name}/issues/${thread}/comments`);
  if (!Array.isArray(all)) throw new Error("no comments");
  const bodies = all.filter((one) => one.user.login === BOT).map((one) => String(one.body));
  return bodies.filter((body) => !body.startsWith("<!-- assay:notice="));
}

/** docs/workflows/require.yml. The built product is copied: its own repository is not on this world's server. */
function requiring(): string {
  const text = readFileSync(join(PRODUCT, "docs/workflows/require.yml"), "utf8");
  const copied = text.replace(
    /- uses: actions\/checkout@[^\n]+\n +with:\n +repository: assay-run\/assay\n[\s\S]*?(?=\n +- name: Check)/,
    `- run: mkdir .assay-check && cp -R ${join(PRODUCT, "dist")} ${join(PRODUCT, "package.json")} .assay-check/ # ${ASSAY}`,
  );
  if (copied === text) throw new Error("require.yml fetches the product in another way now");
  return copied;
}

const pullsOf = (rig: Rig) => rig.github.as("ada", "GET", `/repos/${rig.origin.name}/pulls`);

describe.skipIf(ACT_IS_MISSING !== "")(`act${ACT_IS_MISSING === "" ? "" : ` (${ACT_IS_MISSING})`}`, () => {
  test.each(
    [
      {name: "one job", text: ONE_JOB, isShort: true},
      {name: "separate jobs", text: SEPARATED, isShort: false},
      {name: "the called workflow", text: CALLING, isShort: false},
    ].filter(({isShort}) => isShort || isSweep),
  )(
    "a request: $name",
    async ({text}) => {
      await using rig = await world();
      const event = await rig.commentEvent("/assay multiply, please");
      const {exitCode, log, answers} = await play({rig, event, text});
      expect(log.match(/tools for \w+$/gm) ?? []).toEqual(
        text === CALLING ? ["tools for work", "tools for verify"] : [],
      );
      expect(answers).toHaveLength(1);
      expect(answers[0]).toContain("Verified");
      expect(await pullsOf(rig)).toMatchObject([{head: {ref: "assay/issue-1"}}]);
      expect(rig.github.checks.map(({conclusion}) => conclusion)).toEqual(["success"]);
      expect(exitCode).toBe(0);
    },
    LONGEST_MS,
  );

  if (isSweep) {
    test.each([
      {name: "one job", text: oneJob("/assay @assay", CI)},
      {name: "separate jobs", text: asOwner(separatedWorkflow([], {on: CI}))},
      {name: "the called workflow", text: callingOn(CI)},
    ])(
      "failed CI of its own pull request: $name",
      async ({text}) => {
        const ci = "on: push\njobs: {test: {runs-on: x, steps: [{run: node --test}]}}\n";
        const files = plain({files: {".github/workflows/ci.yml": ci}});
        await using rig = await createRig({files, onFailed: onTestFailed, watches: false});
        const fix = {when: /The workflow "CI" fails/, do: [writeFileAt("src/fixed.js", "export {};\n")], say: "Fixed."};
        rig.model.script([{when: "multiply", do: WRITES.right, say: "Products are there."}, fix]);
        await play({rig, event: await rig.commentEvent("/assay multiply, please"), text});
        const branch = "assay/issue-1";
        const commit = (await rig.origin.resolve(branch)) ?? "";
        const job = {name: "test", conclusion: "failure", steps: {"Run node --test": "failure"}, log: "not ok 1 - x\n"};
        const event = await rig.ciEnded({commit, branch, jobs: [job]});
        const {exitCode, answers} = await play({rig, event, text});
        expect(answers).toEqual([expect.stringContaining("**✅ Verified")]);
        expect(await rig.origin.read(branch, "src/fixed.js")).toBe("export {};\n");
        expect(exitCode).toBe(0);
      },
      LONGEST_MS,
    );

    test.each([
      {name: "one job", text: oneJob("/assay @assay", ["update:main"])},
      {name: "separate jobs", text: asOwner(separatedWorkflow([], {on: ["update:main"]}))},
      {name: "the called workflow", text: callingOn(["update:main"])},
    ])(
      "a push to the default branch: $name",
      async ({text}) => {
        await using rig = await world();
        await play({rig, event: await rig.commentEvent("/assay multiply, please", {by: "will"}), text});
        const other = "export const product = (one, other) => other * one;\n";
        const tip = await rig.origin.commit({files: {"src/product.js": other}});
        const solved = [writeFileAt("src/product.js", PRODUCT_FILES.right)];
        rig.model.script([{when: "src/product.js", do: solved, say: "Solved."}]);
        const {exitCode, answers} = await play({rig, event: await rig.pushed({on: 2}), text});
        expect(answers).toEqual([expect.stringContaining("**✅ Verified")]);
        expect((await rig.origin.facts("assay/issue-1")).parents).toContain(tip);
        expect(exitCode).toBe(0);
        const again = await play({rig, event: await rig.pushed({on: 2, branch: "notes"}), text});
        expect(again.answers).toHaveLength(1);
      },
      LONGEST_MS,
    );

    test(
      "a statement that nobody can sign here: the required job and another machine refuse it, and say why",
      async () => {
        await using rig = await world();
        const text = asOwner(separatedWorkflow([], {attest: true}));
        const {answers} = await play({rig, event: await rig.commentEvent("/assay multiply, please"), text});
        expect(answers).toEqual([expect.stringContaining("The job had no identity from GitHub")]);
        const commit = (await rig.origin.resolve("assay/issue-1")) ?? "";
        const pull = {number: 2, head: {sha: commit, ref: "assay/issue-1"}, base: {ref: "main"}};
        const payload = {action: "synchronize", number: 2, pull_request: pull};
        const event = {thread: 2, event: {name: "pull_request", payload}, actor: "ada"};
        const required = await play({rig, event, text: requiring()});
        expect(required.log).toContain("The job had no identity from GitHub");
        expect(required.exitCode).toBe(1);

        const clone = join(rig.folder, "elsewhere");
        await git(rig.folder, ["clone", "-q", rig.origin.folder, clone]);
        await git(clone, ["fetch", "-q", "origin", "refs/notes/assay:refs/notes/assay", commit]);
        const check = (...more: string[]) =>
          assay(clone, ["check", commit, "--repository", rig.origin.name, "--base", "main", ...more]);
        expect(check()).toMatchObject({status: 1, stdout: expect.stringContaining("no identity from GitHub")});
        expect(check("--allow-unsigned")).toMatchObject({status: 0, stdout: expect.stringContaining("NOT SIGNED")});
      },
      LONGEST_MS,
    );

    test.each([
      {name: "one job", text: ONE_JOB},
      {name: "separate jobs", text: SEPARATED},
      {name: "the called workflow", text: CALLING},
    ])(
      "/verify: $name",
      async ({text}) => {
        await using rig = await world();
        const {exitCode, answers} = await play({rig, event: await rig.commentEvent("/verify"), text});
        expect(answers).toHaveLength(1);
        expect(answers[0]).toContain("Verified");
        expect(exitCode).toBe(0);
      },
      LONGEST_MS,
    );

    test.each([
      {name: "one job", text: ONE_JOB},
      {name: "separate jobs", text: SEPARATED},
      {name: "the called workflow", text: CALLING},
    ])(
      "an opened issue: $name",
      async ({text}) => {
        await using rig = await world();
        const event = await rig.issueEvent({title: "Products", body: "@assay multiply, please", by: "will"});
        const {exitCode, answers} = await play({rig, event, text});
        expect(answers).toHaveLength(1);
        expect(await pullsOf(rig)).toMatchObject([{title: "Products"}]);
        expect(exitCode).toBe(0);
      },
      LONGEST_MS,
    );

    test(
      "chat starts nothing",
      async () => {
        await using rig = await world();
        const {answers, log} = await play({rig, event: await rig.commentEvent("thanks, see a/b"), text: ONE_JOB});
        expect(answers).toEqual([]);
        expect(log).not.toContain("⭐ Run");
      },
      LONGEST_MS,
    );

    // act fills in a job's outputs for its first machine only, so that the other one's verdict never arrives.
    test(
      "machines that share the stages: each verifies, and a verdict that is lost publishes nothing",
      async () => {
        await using rig = await world();
        const {log, answers} = await play({
          rig,
          event: await rig.commentEvent("/assay multiply, please"),
          text: SHARED,
        });
        for (const machine of ["Verify-1", "Verify-2"]) expect(log).toMatch(new RegExp(`${machine}.*verdict=verified`));
        expect(answers).toHaveLength(1);
        expect(answers[0]).toContain("the verifying job reported no verdict");
        expect(await pullsOf(rig)).toEqual([]);
        expect(await rig.origin.read("refs/heads/assay/parked/issue-1", "src/product.js")).not.toBeNull();
      },
      LONGEST_MS,
    );

    test(
      "what `assay init` writes for a repository without configuration: its first request is published",
      async () => {
        const scripts = {
          name: "sums",
          version: "1.0.0",
          type: "module",
          engines: {node: ">=24"},
          scripts: {test: "node --test"},
        };
        const files = plain({files: {"package.json": JSON.stringify(scripts), "verify.json": null}});
        await using rig = await createRig({files, onFailed: onTestFailed, watches: false});
        rig.model.script([{when: "multiply", do: WRITES.right, say: "Products are there."}]);
        const clone = join(rig.folder, "clone");
        await git(rig.folder, ["clone", "-q", rig.git.remote(rig.origin.name), clone]);
        const {status, stdout} = assay(clone, ["init", "--no-prove"]);
        expect({status, stdout}).toMatchObject({status: 0, stdout: expect.stringContaining(WORKFLOW)});
        const written = ["verify.json", WORKFLOW, ".github/actions/assay-setup/action.yml"];
        const texts = Object.fromEntries(written.map((path) => [path, readFileSync(join(clone, path), "utf8")]));
        await rig.origin.commit({files: texts, message: "Add Assay"});
        const event = await rig.commentEvent("/assay multiply, please");
        const text = asOwner(texts[WORKFLOW] ?? "");
        const {exitCode, answers} = await play({rig, event, text, setsUpNode: true});
        expect(answers).toHaveLength(1);
        expect(answers[0]).toMatch(/Verified[\s\S]*npm run test/);
        expect(await pullsOf(rig)).toMatchObject([{head: {ref: "assay/issue-1"}}]);
        expect(exitCode).toBe(0);
      },
      LONGEST_MS,
    );

    const half = [writeFileAt("src/half.js", "export const half = 1;\n"), bash("sleep 400")];
    async function cancelled(text: string) {
      const rig = await createRig({files: plain(), onFailed: onTestFailed, watches: false});
      rig.model.script([{when: "multiply", do: half, say: "never"}]);
      const event = await rig.commentEvent("/assay multiply");
      const run = await startAct({rig, event, text});
      await run.saw(/bash .*sleep/);
      run.cancel();
      const {exitCode, log} = await run.ended;
      onTestFailed(() => console.error(log));
      expect(exitCode).not.toBe(0);
      return {rig, log, answers: await answersOf(rig, event.thread)};
    }

    test.each([
      {name: "one job", text: ONE_JOB},
      {name: "separate jobs", text: SEPARATED},
      {name: "the called workflow", text: CALLING},
    ])(
      "cancelled in the middle: $name",
      async ({text}) => {
        const {rig, answers} = await cancelled(text);
        await using _ = rig;
        expect(answers).toHaveLength(1);
        expect(answers[0]).not.toContain("⏳");
        expect(await rig.origin.read("refs/heads/assay/parked/issue-1", "src/half.js")).toContain("half");
      },
      LONGEST_MS,
    );
  }
});
