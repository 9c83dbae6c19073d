/** `/setup` in separate jobs: the agent proposes a `verify.json`, and a pull request has only the entries that hold. */
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../rig/model.ts";
import {plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {SEPARATED} from "../rig/separated.ts";
import {isSweep} from "../sweep.ts";

const CI = `on: pull_request
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: node --test
`;

const PROPOSAL = `{
  // one right, one failing, one that writes, and one silent entry
  "extraStages": [
    {"name": "syntax", "command": "node --check tests/sum.test.js", "kind": "typecheck", "timeout": 900},
    {"name": "broken", "command": "node --check src/none.js"},
    {"name": "format", "command": "node -e 'require(\\"fs\\").appendFileSync(\\"src/sum.js\\", \\"//\\")'"},
    {"name": "quiet", "command": "node -e 0", "kind": "test"},
    {"name": "always", "command": "node --check src/sum.js || true"},
    {"name": "second", "command": "node --check src/sum.js", "needs": ["quiet"]}
  ],
  "overrides": {"test": false},
  "publish": "direct",
  "sandbox": "off"
}
`;

const files = plain({files: {"verify.json": null, ".github/workflows/ci.yml": CI}});

test("a proposal ends as a pull request with the entries that hold, and the others are named", async () => {
  await using rig = await createRig({files, onFailed: onTestFailed});
  const edits = [writeFileAt("verify.json", PROPOSAL), writeFileAt("src/sum.js", "export const sum = () => 3;\n")];
  rig.model.script([{when: "node --test", do: edits, say: "The syntax check is missing."}]);
  const outcome = await rig.comment("/setup", {separated: {text: SEPARATED}});
  await assertPromises(rig, outcome);
  expect(outcome.exitCode).toBe(0);
  expect(outcome.record?.verdict).toMatchObject({kind: "nothing-to-verify", why: "proposal"});
  const rows = outcome.record?.proposal?.rows ?? [];
  const seen = Object.fromEntries(rows.map((row) => [row.name, row.isKept ? `kept: ${row.seen}` : row.seen]));
  expect(seen).toMatchObject({
    syntax: "kept: passed",
    broken: expect.stringMatching(/^failed: exit code 1/),
    format: "passed, but changed or left files: src/sum.js",
    quiet: "passed, but no test was counted",
    always: expect.stringMatching(/^proves nothing: its exit code is always 0/),
    second: "it needs quiet, which is not kept",
    test: expect.stringMatching(/^it stays as it is/),
    publish: "a proposal does not decide this",
  });
  expect(rows).toHaveLength(8);
  const [pull] = outcome.pullRequests;
  expect(pull).toMatchObject({head: "assay/setup"});
  expect(pull?.title).toBe(
    "Propose verify.json: new check syntax; 2 weaker values: sandbox off, extraStages timeout 900",
  );
  expect(pull?.body).toContain("Proposed in #1.");
  for (const name of Object.keys(seen)) expect(pull?.body).toContain(`\`${name}\``);
  expect(pull?.body).toContain("passed, but changed or left files: src/sum.js");
  const tree = await rig.origin.tree(pull?.headCommit ?? "");
  const base = await rig.origin.tree(rig.base);
  expect(Object.keys(tree).filter((path) => tree[path]?.object !== base[path]?.object)).toEqual(["verify.json"]);
  expect(await rig.origin.read(pull?.headCommit ?? "", "verify.json")).toBe(`{
  // one right, one failing, one that writes, and one silent entry
  "extraStages": [
    {
      "name": "syntax",
      "command": "node --check tests/sum.test.js",
      "kind": "typecheck",
      "timeout": 900
    }
  ],
  "sandbox": "off"
}
`);
  expect(pull?.body).toContain("src/sum.js");
  expect(await rig.origin.resolve("refs/heads/main")).toBe(rig.base);
});

if (isSweep)
  test.each([
    {
      what: "with mistakes",
      text: '{"stages": [{"name": "a b"}], "sandbx": "off"}',
      seen: {verdict: {kind: "unverified"}, failures: [{kind: "config-invalid", file: "verify.json of the agent"}]},
      said: ["sandbx", "stages[0]"],
    },
    {
      what: "of which nothing holds",
      text: '{"extraStages": [{"name": "broken", "command": "node --check src/none.js"}], "overrides": {"test": false}}',
      seen: {verdict: {kind: "nothing-to-verify", why: "nothing-proposed"}, failures: []},
      said: ["broken", "dropped: it stays as it is"],
    },
  ])("a proposal $what is saved, and no pull request is opened", async ({text, seen, said}) => {
    await using rig = await createRig({files, onFailed: onTestFailed});
    rig.model.script([{when: "node --test", do: [writeFileAt("verify.json", text)], say: "Done."}]);
    const outcome = await rig.comment("/setup", {separated: {text: SEPARATED}});
    await assertPromises(rig, outcome);
    expect(outcome.record).toMatchObject({...seen, publication: {kind: "parked"}});
    expect(outcome.pullRequests).toEqual([]);
    for (const words of said) expect(outcome.comments.at(-1)?.body).toContain(words);
  });
