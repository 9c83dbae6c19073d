/** A slow check on two machines: divided by the times of an earlier run, in one result, and the times are kept for the next run. */
import {expect, onTestFailed, test} from "vitest";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {SHARED} from "../rig/separated.ts";

const COMMAND = "python3 -m pytest -q -p no:cacheprovider";
const NAMES = [1, 2, 3, 4].map((at) => `test_${at}.py`);
const TEST = "def test_it():\n    assert True\n";
const files = {
  "verify.json": JSON.stringify({stages: [{name: "test", kind: "test", command: COMMAND, timeout: 300}], setup: false}),
  ...Object.fromEntries(NAMES.map((name) => [name, TEST])),
};

test("each machine runs its files, a new file runs on both, and a failure on one fails the check", async () => {
  await using rig = await createRig({files, onFailed: onTestFailed});
  const times = {test: {command: COMMAND, files: Object.fromEntries(NAMES.map((name) => [name, 30_000]))}};
  const saved = await rig.origin.commit({
    branch: "times",
    files: {"file-times.json": JSON.stringify(times)},
    message: "Times",
  });
  await rig.origin.setRef("refs/assay/file-times", saved);
  await rig.origin.deleteRef("refs/heads/times");
  const verify = async (more: Record<string, string>, branch: string) => {
    const number = await rig.openPullRequest({title: "Faster", branch, files: more});
    return rig.comment("/verify", {by: "will", on: number, separated: {text: SHARED}});
  };

  const passed = await verify({"test_new.py": TEST}, "faster");
  await assertPromises(rig, passed);
  const [result] = passed.record?.attempts[0]?.verification?.stages ?? [];
  expect(passed.record?.verdict.kind).toBe("verified");
  expect(result).toMatchObject({name: "test", command: COMMAND, outcome: "passed", tests: {passed: 6}});
  for (const part of ["test (1/2)", "test (2/2)"]) expect(passed.log).toContain(part);
  const kept = await rig.origin.read("refs/assay/file-times", "file-times.json");
  expect(Object.keys(JSON.parse(kept ?? "").test.files).sort()).toEqual([...NAMES, "test_new.py"]);

  const failed = await verify({"test_4.py": "def test_it():\n    assert 1 == 2\n"}, "other");
  await assertPromises(rig, failed);
  expect(failed.record?.verdict).toEqual({kind: "failed", stages: ["test"]});
});
