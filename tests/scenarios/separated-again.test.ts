/** What only the clean machine sees to fail goes back into the same session, once, in a second set of jobs. */
import {readFileSync, rmSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../rig/model.ts";
import {PRODUCT_FILES, plain, WRITES} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {SEPARATED, type Separated} from "../rig/separated.ts";
import {isSweep} from "../sweep.ts";

/** The first agent's job does not see the failure, as if its tests took too long. */
const stages = [
  {
    name: "test",
    kind: "test",
    command: 'case "$PWD" in */work/*) echo "# pass 1"; echo "# tests 1"; exit;; esac; node --test',
  },
];

async function runWith(options: {second: string; maxFixAttempts?: number; onUpload?: Separated["onUpload"]}) {
  const {second, maxFixAttempts = 1, onUpload} = options;
  const rig = await createRig({files: plain({verify: {stages, maxFixAttempts}}), onFailed: onTestFailed});
  rig.model.script([
    {when: "multiply", do: WRITES.wrong, say: "Title: Multiply\n\nProducts are there."},
    {when: /products multiply/, do: [writeFileAt("src/product.js", second)], say: "Title: Multiply\n\nCorrected."},
  ]);
  const separated = {text: SEPARATED, ...(onUpload && {onUpload})};
  const outcome = await rig.comment("/assay multiply, please", {separated});
  await assertPromises(rig, outcome);
  return {rig, outcome};
}

const resultsOf = (jobs: Readonly<Record<string, {result: string}>>) =>
  ["verify", "work-again", "verify-again", "publish"].map((name) => jobs[name]?.result);

test("the second set corrects the work in the same session, and its verdict counts", async () => {
  const {rig, outcome} = await runWith({second: PRODUCT_FILES.right});
  await using _ = rig;
  expect(outcome.outputs).toMatchObject({verdict: "verified", attempts: "2", branch: "assay/issue-1"});
  expect(resultsOf(outcome.jobs)).toEqual(["success", "success", "success", "success"]);
  expect(outcome.exitCode).toBe(0);
  expect(rig.model.history).toEqual([0, 1]);
  expect(outcome.record?.attempts.map(({verdict}) => verdict.kind)).toEqual(["failed", "verified"]);
  expect(outcome.record?.session).toMatchObject({ref: "refs/assay/session/issue-1"});
  expect(await rig.origin.read("refs/heads/assay/issue-1", "src/product.js")).toBe(PRODUCT_FILES.right);
});

if (isSweep)
  test("without a turn left, no second set starts", async () => {
    const {rig, outcome} = await runWith({second: PRODUCT_FILES.right, maxFixAttempts: 0});
    await using _ = rig;
    expect(outcome.outputs).toMatchObject({verdict: "failed", branch: "assay/parked/issue-1"});
    expect(resultsOf(outcome.jobs)).toEqual(["failure", "skipped", "skipped", "failure"]);
  });

if (isSweep)
  test("a second set that fails is the last one", async () => {
    const {rig, outcome} = await runWith({second: "export const product = () => 7;\n"});
    await using _ = rig;
    expect(outcome.outputs).toMatchObject({verdict: "failed", attempts: "2", branch: "assay/parked/issue-1"});
    expect(resultsOf(outcome.jobs)).toEqual(["success", "success", "skipped", "failure"]);
    expect(await rig.origin.read("refs/heads/assay/parked/issue-1", "src/product.js")).toContain("7");
  });

if (isSweep)
  test("if the second set is lost, the work before it is saved, and the report says so", async () => {
    const {rig, outcome} = await runWith({
      second: PRODUCT_FILES.right,
      onUpload: async ({job, folder}) => {
        if (job === "work-again") rmSync(folder, {recursive: true});
      },
    });
    await using _ = rig;
    expect(outcome.outputs).toMatchObject({verdict: "failed", attempts: "1", branch: "assay/parked/issue-1"});
    expect(await rig.origin.read("refs/heads/assay/parked/issue-1", "src/product.js")).toBe(PRODUCT_FILES.wrong);
    expect(outcome.comments.at(-1)?.body).toContain("left no result. This is the work before it.");
    expect(outcome.exitCode).toBe(1);
  });

if (isSweep)
  test("a second set that ended before its first turn does not replace the work before it", async () => {
    const {rig, outcome} = await runWith({
      second: PRODUCT_FILES.right,
      onUpload: async ({job, folder}) => {
        if (job !== "work-again") return;
        // What `hand-over` leaves if git could not read the repository.
        const file = join(folder, "record.json");
        const failures = [{kind: "git-refused", message: "the server does not answer"}];
        writeFileSync(file, JSON.stringify({...JSON.parse(readFileSync(file, "utf8")), attempts: [], failures}));
        rmSync(join(folder, "work.bundle"));
      },
    });
    await using _ = rig;
    expect(outcome.outputs).toMatchObject({attempts: "1", branch: "assay/parked/issue-1", "cost-usd": ""});
    expect(await rig.origin.read("refs/heads/assay/parked/issue-1", "src/product.js")).toBe(PRODUCT_FILES.wrong);
  });

if (isSweep)
  test("failures that are not those of the verifying job's own record do not reach the agent", async () => {
    const {rig, outcome} = await runWith({
      second: PRODUCT_FILES.right,
      onUpload: async ({job, folder}) => {
        const file = join(folder, "record.json");
        if (job === "verify") writeFileSync(file, readFileSync(file, "utf8").replace("products multiply", "obey me"));
      },
    });
    await using _ = rig;
    expect(rig.model.used()).toBe(1);
    expect(outcome.outputs).toMatchObject({verdict: "unverified", branch: "assay/parked/issue-1"});
    expect(outcome.comments.at(-1)?.body).toMatch(/not the one that the job announced/);
  });
