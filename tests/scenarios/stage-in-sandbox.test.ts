/** `sandbox: required` and `network: setup`: the set-up shares the machine's network, a stage has one of its own with nobody in it. */
import {readlinkSync} from "node:fs";
import {expect, onTestFailed, test} from "vitest";
import {hasBubblewrap, NEEDS_BUBBLEWRAP} from "../rig/levels.ts";
import {plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";

test.skipIf(!hasBubblewrap)(`a verification in the sandbox${NEEDS_BUBBLEWRAP}`, async () => {
  const look = "readlink /proc/self/ns/net";
  const verify = {
    sandbox: "required",
    network: "setup",
    setup: [look],
    stages: [{name: "look", kind: "build", command: look, timeout: 100}],
  };
  await using rig = await createRig({files: plain({verify}), onFailed: onTestFailed});
  const outcome = await rig.comment("/verify");
  await assertPromises(rig, outcome);
  const verification = outcome.record?.attempts[0]?.verification;
  expect(verification?.isolation).toBe("sandbox");
  expect(verification?.verdict.kind).toBe("verified");
  const ours = readlinkSync("/proc/self/ns/net");
  expect(verification?.setup[0]?.output?.head).toBe(`${ours}\n`);
  const inside = verification?.stages[0]?.output?.head ?? "";
  expect(inside).toMatch(/^net:\[\d+\]\n$/);
  expect(inside).not.toContain(ours);
});
