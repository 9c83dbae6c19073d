/** What no change to the code can mend costs no fix attempt and is never a pass: setup, registry, tools, disk, no tests. */
// In each run: `command-line-evidence.test.ts` and `command-line-verify.test.ts`.
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../../rig/model.ts";
import {PRODUCT_FILES, plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

/** One run whose agent does its work well, on a `verify.json` with this in it. */
async function runOn(verify: Record<string, unknown>) {
  const rig = await createRig({files: plain({verify}), onFailed: onTestFailed});
  rig.model.script([{when: "multiply", do: [writeFileAt("src/product.js", PRODUCT_FILES.right)], say: "Done."}]);
  const outcome = await rig.comment("/assay multiply");
  await assertPromises(rig, outcome);
  expect(rig.model.used()).toBe(1);
  expect(outcome.exitCode).toBe(1);
  expect(outcome.outputs).toMatchObject({verdict: "unverified", attempts: "1", branch: "assay/parked/issue-1"});
  return {rig, verdict: outcome.record?.verdict, body: outcome.comments.at(-1)?.body ?? ""};
}
const setup = (command: string) => ({setup: [{command}]});
const only = (command: string, kind = "test") => ({stages: [{name: "checks", kind, command}]});

type Case = readonly [string, Record<string, unknown>, string, RegExp];
const CASES: readonly Case[] = [
  ["zero tests", only("mkdir empty && cd empty && node --test"), "no-tests-ran", /no test/],
  ["setup fails", setup("echo 'no such profile'; exit 3"), "setup-failed", /no such profile/],
];
/** They differ only in what was printed or how it ended, of which kind.test.ts has many more cases. */
const PRINTED: readonly Case[] = [
  ["killed for memory", only("kill -9 $$", "build"), "unavailable", /SIGKILL|memory|could not run/],
  ["a tool is missing", only("no-such-tool --check", "build"), "unavailable", /not found/],
  [
    "the registry is away",
    setup("npm ci --registry http://127.0.0.1:9 || (echo ECONNREFUSED; exit 1)"),
    "setup-failed",
    /ECONNREFUSED/,
  ],
  [
    "the network is away",
    only("echo 'Error: connect ECONNREFUSED 10.0.0.1:5432'; exit 1"),
    "unavailable",
    /ECONNREFUSED/,
  ],
  ["the disk is full", only("echo 'write: ENOSPC: No space left on device'; exit 1"), "unavailable", /ENOSPC/],
];

test.each([...CASES, ...PRINTED])("%s", async (_, verify, why, told) => {
  const {rig, verdict, body} = await runOn(verify);
  await using _rig = rig;
  expect(verdict).toMatchObject({kind: "unverified", why});
  expect(body).toMatch(told);
});
