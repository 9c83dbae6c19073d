/** A push that does not end in `post`: after a minute the thread has its answer all the same, and the rest follows. */
import {expect, onTestFailed, test, vi} from "vitest";
import {bash, STUBBORN_CALL, writeFileAt} from "../../rig/model.ts";
import {plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

/** The product's clock runs five times as fast. */
const env = {NODE_OPTIONS: `--import ${new URL("../fast-clock.ts", import.meta.url).href}`};

test("the last word comes while the push is on its way, and is replaced when it has arrived", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  const half = writeFileAt("src/half.js", "export const half = 1;\n");
  rig.model.script([{when: "multiply", do: [half, bash(STUBBORN_CALL)], say: "never"}]);
  const run = await rig.begin("/assay multiply", {env});
  await run.saw(/bash .*sleep/);
  const said = () =>
    rig.github.requests.some(({method, body}) => method === "PATCH" && body.includes("did not finish within 60 s"));
  rig.git.beforeNextPush(() => vi.waitUntil(said, {timeout: 45_000, interval: 200}).then(() => {}));
  run.kill("SIGKILL");
  const outcome = await run.ended;
  await assertPromises(rig, outcome);
  expect(said()).toBe(true);
  expect(outcome.record?.publication).toMatchObject({kind: "parked", ref: "refs/heads/assay/parked/issue-1"});
  expect(outcome.comments.at(-1)?.body).not.toContain("did not finish within");
});
