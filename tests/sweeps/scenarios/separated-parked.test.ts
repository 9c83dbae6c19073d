/** The workflow to call, from its caller in the docs: a branch that moves means parking, and what to comment has it published. */
import {existsSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {expect, onTestFailed, test} from "vitest";
import {SETUP_ACTION} from "../../../src/onboarding/init/setup-action.ts";
import {PRODUCT_FILES, plain, WRITES} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";
import {CALLING} from "../../rig/separated.ts";

const SET_UP = `
runs:
  using: composite
  steps:
    - {shell: bash, run: "{ env; git rev-parse HEAD; find . -not -path './.git/*'; } > ../seen-by-set-up"}
`;

test("a lost race is parked, and `/verify` publishes what it finds good on the new state", async () => {
  const files = {...plain({verify: {publish: "direct"}}), [SETUP_ACTION]: SET_UP};
  await using rig = await createRig({files, onFailed: onTestFailed});
  rig.model.script([{when: "multiply", do: WRITES.right, say: "Products are there."}]);
  let moved: Promise<string> | undefined;
  const lost = await rig.comment("/assay multiply, please", {
    separated: {
      text: CALLING,
      onStep(part) {
        if (part === "verify") moved = rig.origin.commit({files: {"NOTES.md": "somebody else was here\n"}});
      },
    },
  });
  await assertPromises(rig, lost);
  for (const job of ["work", "verify"]) {
    const seen = readFileSync(join(rig.folder, "run-1", job, "seen-by-set-up"), "utf8");
    expect(seen).toContain(rig.base);
    expect(seen).toContain("./package.json");
    // nothing of the change, and no secret
    expect(seen).not.toContain("product.js");
    for (const secret of lost.secrets) expect(seen).not.toContain(secret);
  }
  expect(existsSync(join(rig.folder, "run-1", "publish", "seen-by-set-up"))).toBe(false);
  expect(lost.record).toMatchObject({
    verdict: {kind: "verified"},
    failures: [{kind: "push-lost", ref: "refs/heads/main"}],
    publication: {kind: "parked", ref: "refs/heads/assay/parked/issue-1"},
  });
  expect(lost.comments.at(-1)?.body).toContain("comment `/verify`");
  expect(lost.refs["refs/heads/main"]).toBe(await moved);

  const late = await rig.comment("/verify", {separated: {text: CALLING}});
  await assertPromises(rig, late);
  expect(late.exitCode).toBe(0);
  expect(late.jobs).toMatchObject({work: {result: "skipped"}, verify: {result: "success"}});
  expect(late.record?.attempts.map(({verification}) => verification?.job)).toEqual(["own"]);
  expect(late.record?.publication).toMatchObject({kind: "published", ref: "refs/heads/main", parent: await moved});
  expect(await rig.origin.read("refs/heads/main", "src/product.js")).toBe(PRODUCT_FILES.right);
  expect(await rig.origin.read("refs/heads/main", "NOTES.md")).toContain("somebody else");
  expect(late.comments.at(-1)?.body).toContain(" parked=none ");
});

test("`/verify` of parked work that still fails puts its check on the parked commit", async () => {
  await using rig = await createRig({files: plain({verify: {maxFixAttempts: 0}}), onFailed: onTestFailed});
  rig.model.script([{when: "multiply", do: WRITES.wrong, say: "Products are there."}]);
  const wrong = await rig.comment("/assay multiply, please", {separated: {text: CALLING}});
  expect(wrong.record?.publication.kind).toBe("parked");
  const commit = wrong.refs["refs/heads/assay/parked/issue-1"];

  const again = await rig.comment("/verify", {separated: {text: CALLING}});
  await assertPromises(rig, again);
  expect(again.record?.verdict).toMatchObject({kind: "failed"});
  expect(again.marks).toMatchObject([{commit, name: "assay/verified", conclusion: "failure"}]);
});
