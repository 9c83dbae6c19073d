/** The very first attempt has things that no commit may have: they are named and left out, and the rest of the work is parked. */
import {expect, onTestFailed, test} from "vitest";
import {bash, writeFileAt} from "../../rig/model.ts";
import {PRODUCT_FILES, plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

const NESTED =
  "git init -q sub && cd sub && echo x > x && git add -A && git -c user.name=a -c user.email=a@b commit -qm x";

test.each(["park", "commit"])("with onFailure: %s", async (onFailure) => {
  await using rig = await createRig({files: plain({verify: {onFailure}}), onFailed: onTestFailed});
  rig.model.script([
    {
      when: "multiply",
      do: [
        writeFileAt("src/product.js", PRODUCT_FILES.right),
        bash(NESTED),
        bash("ln -s /etc/passwd leak && truncate -s 101M big.bin && echo more >> README.md"),
      ],
      say: "Products are there.",
    },
  ]);
  const outcome = await rig.comment("/assay multiply");
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(1);
  expect(outcome.record?.failures).toMatchObject([
    {
      kind: "candidate-refused",
      problems: [expect.stringContaining("sub"), expect.stringContaining("big.bin"), expect.stringContaining("leak")],
    },
  ]);
  expect(outcome.record?.verdict).toMatchObject({kind: "unverified", why: "gate-error"});
  const parked = "refs/heads/assay/parked/issue-1";
  expect(Object.keys(outcome.refs)).not.toContain("refs/heads/assay/issue-1");
  expect(await rig.origin.read(parked, "src/product.js")).toBe(PRODUCT_FILES.right);
  expect(await rig.origin.read(parked, "README.md")).toContain("more");
  const names = Object.keys(await rig.origin.tree(parked));
  expect(names.filter((name) => /^(?:sub|leak|big)/.test(name))).toEqual([]);
});
