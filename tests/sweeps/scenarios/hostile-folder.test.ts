/** The agent leaves a folder that a careless bot would hang or trip on: the work is taken as it is, and verified. */
import {mkdirSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {expect, onTestFailed, test} from "vitest";
import {git} from "../../rig/git.ts";
import {bash, writeFileAt} from "../../rig/model.ts";
import {ownFolder} from "../../rig/own-folder.ts";
import {PRODUCT_FILES, plain} from "../../rig/projects.ts";
import {assertPromises} from "../../rig/promises.ts";
import {createRig} from "../../rig/rig.ts";

test("pipes, sockets, link loops, odd names, no .git, settings in the bot's own repository", async () => {
  // The test files by name: some versions of Node's runner trip on a link loop when they search for them.
  const stages = [{name: "test", kind: "test", command: "node --test tests/product.test.js tests/sum.test.js"}];
  await using rig = await createRig({files: plain({verify: {stages}}), onFailed: onTestFailed});
  rig.model.script([
    {
      when: "multiply",
      do: [
        writeFileAt("src/product.js", PRODUCT_FILES.right),
        writeFileAt("tests/product.test.js", PRODUCT_FILES.test),
        bash("rm -rf .git && mkfifo pipe && mkdir odd && echo odd > odd/-rf && ln -s two odd/one && ln -s one odd/two"),
        bash('node -e \'require("net").createServer().listen("socket", () => process.exit())\''),
        bash("until [ -e odd/go ]; do sleep 0.1; done; rm odd/go"),
      ],
      say: "Products are there.",
    },
  ]);
  const run = await rig.begin("/assay multiply");
  await run.saw(/until/);
  // As an agent could that nothing fences in.
  const {own: ours, workspace} = ownFolder(rig);
  const own = join(ours, "git");
  await git(own, ["config", "filter.x.clean", "tr a-z A-Z"]);
  mkdirSync(join(own, "info"), {recursive: true});
  writeFileSync(join(own, "info/attributes"), "* filter=x\n");
  writeFileSync(join(own, "info/exclude"), "odd\n");
  writeFileSync(join(workspace, "odd/go"), "");
  const outcome = await run.ended;
  await assertPromises(rig, outcome);
  expect(outcome.record?.verdict).toEqual({kind: "verified"});
  const paths = outcome.record?.attempts[0]?.changes.map(({path}) => path).sort();
  expect(paths).toEqual(["odd/-rf", "odd/one", "odd/two", "src/product.js", "tests/product.test.js"]);
  expect(await rig.origin.read("refs/heads/assay/issue-1", "src/product.js")).toBe(PRODUCT_FILES.right);
});
