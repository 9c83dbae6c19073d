/** A run whose publishing job signs a statement about the verification, and `assay check` on another machine. */
import {execFile} from "node:child_process";
import {writeFileSync} from "node:fs";
import {join} from "node:path";
import {afterAll, beforeAll, expect, onTestFailed, test} from "vitest";
import {separatedWorkflow} from "../../src/onboarding/init/separated-workflow.ts";
import {readStatements} from "../../src/record/statement.ts";
import {assay, CLI, gitIn} from "../rig/command-line.ts";
import {git} from "../rig/git.ts";
import {talkative} from "../rig/plain-text.ts";
import {PRODUCT_FILES, plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {asOwner} from "../rig/separated.ts";
import {type LocalSigstore, startSigstore} from "../rig/sigstore.ts";
import type {Outcome, Rig} from "../rig/world.ts";
import {isSweep} from "../sweep.ts";

const REPOSITORY = "ada/demo";
const CLAIMS = {repository: REPOSITORY, workflow: `${REPOSITORY}/.github/workflows/assay.yml@refs/heads/main`};
const NOTES = "refs/notes/assay";

let sigstore: LocalSigstore;
beforeAll(async () => {
  sigstore = await startSigstore();
});
afterAll(() => sigstore[Symbol.asyncDispose]());

const workflow = () =>
  asOwner(separatedWorkflow([], {attest: true})).replace("attest: true", `attest: ${sigstore.url}`);
const write = talkative("src/product.js", PRODUCT_FILES.right);

/** A clone of the repository, as a deploy job has one, with the statements. */
async function checkElsewhere(rig: Rig, commit: string, ...options: string[]) {
  const clone = join(rig.folder, `clone-${options.length}-${commit.slice(0, 8)}`);
  await git(rig.folder, ["clone", "-q", rig.origin.folder, clone]);
  gitIn(clone)("fetch", "-q", "origin", `${NOTES}:${NOTES}`, commit);
  writeFileSync(join(rig.folder, "roots.json"), sigstore.trustedRoot);
  const place = ["--repository", REPOSITORY, "--base", "main", "--trusted-root", join(rig.folder, "roots.json")];
  return assay(clone, ["check", commit, ...place, ...options]);
}

/** What a clone without notes says, which searches GitHub. GitHub runs in this process. */
function searchGitHub(rig: Rig, clone: string, commit: string): Promise<string> {
  const variables = {...process.env, GITHUB_TOKEN: rig.github.tokenOf("ada"), GITHUB_API_URL: rig.github.url};
  const place = ["--repository", REPOSITORY, "--base", "main", "--trusted-root", join(rig.folder, "roots.json")];
  return new Promise((resolve) => {
    const options = {cwd: clone, env: {...variables, NO_COLOR: "1"}};
    execFile(process.execPath, [CLI, "check", commit, ...place], options, (_, stdout) => resolve(stdout));
  });
}

const noteOf = async (rig: Rig, commit: string) =>
  readStatements(await git(rig.origin.folder, ["notes", "--ref=assay", "show", commit]));
const commitOf = ({outputs}: Outcome) => outputs["commit"] ?? "";

/** Prints the environment of every process that it may see, and asks for an identity as a signer would. */
const HUNT = `import {execSync} from "node:child_process";
import {test} from "node:test";
test("hunts", async () => {
  console.log(execSync("env; cat /proc/[0-9]*/environ 2>/dev/null | tr '\\\\0' '\\\\n'; true", {maxBuffer: 1e9}).toString().match(/ACTIONS_ID_TOKEN\\\\S*/g)?.join(" "));
  const {ACTIONS_ID_TOKEN_REQUEST_URL: url} = process.env;
  console.log("identity: " + (url === undefined ? "none" : await (await fetch(url)).text()));
});
`;

test("the publishing job signs, not the job that runs the change, and the statement holds in a clone on another machine until main moves", async () => {
  // Without a sandbox the change sees all that its job has.
  const files = {...plain({verify: {sandbox: "off"}}), "tests/hunt.test.js": HUNT};
  await using rig = await createRig({files, onFailed: onTestFailed});
  rig.model.script([{when: "multiply", ...write, say: "Done."}]);
  const identity = sigstore.identityOf(CLAIMS);
  const before = sigstore.requests.length;
  const outcome = await rig.comment("/assay multiply, please", {separated: {text: workflow(), identity}});
  await assertPromises(rig, outcome);
  const commit = commitOf(outcome);
  expect(outcome.record?.attestation).toEqual({kind: "signed", ref: NOTES, commit});
  expect(sigstore.requests.slice(before).filter((path) => path.startsWith("/token"))).not.toEqual([]);
  const token = identity["ACTIONS_ID_TOKEN_REQUEST_TOKEN"] ?? "";
  expect(outcome.log).not.toContain(token);
  const {stages = [], isolation} = outcome.record?.attempts.at(-1)?.verification ?? {};
  const seen = stages.map(({output}) => `${output?.head}${output?.tail}`).join("");
  expect(seen).toContain("identity: none");
  expect(seen).not.toContain(token);
  expect(isolation).not.toBe("sandbox");

  const carried = await noteOf(rig, commit);
  const predicate = carried.ok ? carried.value[0]?.statement.predicate : undefined;
  expect(predicate).toMatchObject({
    verdict: {kind: "verified"},
    ownJob: true,
    checks: [
      {name: "syntax", exitCode: 0},
      {name: "test", exitCode: 0, tests: {passed: expect.any(Number)}},
    ],
    record: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  const held = await checkElsewhere(rig, commit);
  expect([held.status, held.stderr]).toEqual([0, ""]);
  expect(held.stdout).toContain("is verified: 2 of 2 checks passed, signed by this repository's workflow");

  const clone = join(rig.folder, "without-notes");
  await git(rig.folder, ["clone", "-q", "-b", outcome.outputs["branch"] ?? "", rig.origin.folder, clone]);
  expect(rig.github.attestations).toHaveLength(2);
  expect(await searchGitHub(rig, clone, commit)).toContain("is verified: 2 of 2 checks passed, signed");
  expect(await searchGitHub(rig, clone, "origin/main")).toContain("GitHub has none either.");

  await rig.origin.commit({files: {"README.md": "# Other\n"}});
  expect(await checkElsewhere(rig, commit, "--json")).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('"kind": "base-moved"'),
  });
});

if (isSweep)
  test("without an identity, and in one job, the statement is not signed, says why, and is refused", async () => {
    await using rig = await createRig({files: plain(), onFailed: onTestFailed});
    rig.model.script([
      {when: "multiply", ...write, say: "Done."},
      {when: "again", ...write, say: "Done."},
    ]);
    const attest = sigstore.url;
    const separate = await rig.comment("/assay multiply, please", {separated: {text: workflow()}});
    await assertPromises(rig, separate);
    const commit = commitOf(separate);
    expect(separate.record?.attestation).toEqual({kind: "unsigned", ref: NOTES, commit, why: "no-identity"});
    expect(separate.comments.at(-1)?.body).toContain("The job had no identity from GitHub");
    const refused = await checkElsewhere(rig, commit);
    expect([refused.status, refused.stdout]).toEqual([
      1,
      expect.stringContaining("The job had no identity from GitHub"),
    ]);
    expect(await checkElsewhere(rig, commit, "--allow-unsigned")).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("NOT SIGNED"),
    });

    // The identity would be there, but the agent has shared the machine.
    const second = await rig.openIssue({title: "Another"});
    const env = sigstore.identityOf(CLAIMS);
    const single = await rig.comment("/assay again, please", {on: second, inputs: {attest}, env});
    await assertPromises(rig, single);
    expect(single.record?.attestation).toMatchObject({kind: "unsigned", why: "one-job", commit: commitOf(single)});
    // Both commits have their note.
    expect((await noteOf(rig, commit)).ok).toBe(true);
    expect((await noteOf(rig, commitOf(single))).ok).toBe(true);
  });

if (isSweep)
  test("a job that may not store attestations, as workflows of before, signs and publishes all the same, and says it", async () => {
    await using rig = await createRig({files: plain(), onFailed: onTestFailed});
    rig.model.script([{when: "multiply", ...write, say: "Done."}]);
    const text = workflow().replace(/\n *attestations: write.*/, "");
    const outcome = await rig.comment("/assay multiply, please", {
      separated: {text, identity: sigstore.identityOf(CLAIMS)},
    });
    await assertPromises(rig, outcome);
    expect(outcome.outputs["pull-request"]).not.toBe("");
    expect(outcome.record?.attestation?.kind).toBe("signed");
    expect(rig.github.attestations).toEqual([]);
    expect(outcome.comments.at(-1)?.body).toContain("needs `attestations: write`");
    expect(await checkElsewhere(rig, commitOf(outcome))).toMatchObject({status: 0});
  });
