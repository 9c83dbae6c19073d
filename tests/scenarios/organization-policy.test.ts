/** The policy of an organization decides who may ask and what may be published, whatever a repository says. */
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../rig/model.ts";
import {PRODUCT_FILES, plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {CALLING} from "../rig/separated.ts";
import {everyNth, isSweep} from "../sweep.ts";

const CI = `on: pull_request
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: node --test
`;
const TURN = {when: "multiply", do: [writeFileAt("src/product.js", PRODUCT_FILES.right)], say: "Done."};

test("separate jobs: the called workflow reads the policy and what `verify.json` extends, once each, and neither allows what the policy protects", async () => {
  const verify = {extends: "ada/shared", protectedPaths: ["!src/**"]};
  await using rig = await createRig({files: plain({verify}), onFailed: onTestFailed});
  rig.model.script([TURN]);
  rig.github.files["shared"] = '{"limits": {"files": 500}, "maxFixAttempts": 9}';
  rig.github.policy.text =
    '{"protectedPaths": ["src/product.js"], "limits": {"files": 200}, "maxFixAttempts": 1} // ours';
  const outcome = await rig.comment("/assay multiply, please", {separated: {text: CALLING}});
  await assertPromises(rig, outcome);
  expect(outcome.pullRequests).toEqual([]);
  expect(outcome.record).toMatchObject({
    extended: expect.stringMatching(/^ada\/shared\/verify\.json@[0-9a-f]{40}$/),
    policy: {
      place: expect.stringMatching(/^ada\/\.github@[0-9a-f]{40}$/),
      keys: ["maxFixAttempts", "protectedPaths", "limits.files"],
    },
    publication: {kind: "parked"},
  });
  const {body = ""} = outcome.comments.at(-1) ?? {};
  expect(body).toContain("src/product.js");
  expect(body).toMatch(
    /\| Organization's policy \| `ada\/\.github@[0-9a-f]{40}`, stricter in `maxFixAttempts`, `protectedPaths`, `limits\.files` \|/,
  );
  // Only the job that admits asks for them.
  for (const text of ["assay-policy.json", '"name":"shared"'])
    expect(rig.github.requests.filter(({body: asked}) => asked.includes(text))).toHaveLength(1);
});

if (isSweep)
  test("separate jobs: `/setup` proposes no file that the policy protects", async () => {
    const files = plain({files: {"verify.json": null, ".github/workflows/ci.yml": CI}});
    await using rig = await createRig({files, onFailed: onTestFailed});
    rig.github.policy.text = '{"protectedPaths": ["verify.json"]}';
    const text = JSON.stringify({extraStages: [{name: "syntax", command: "node --check tests/sum.test.js"}]});
    rig.model.script([{when: "node --test", do: [writeFileAt("verify.json", text)], say: "Done."}]);
    const outcome = await rig.comment("/setup", {separated: {text: CALLING}});
    await assertPromises(rig, outcome);
    expect([outcome.pullRequests, outcome.record?.policy?.keys]).toEqual([[], ["protectedPaths"]]);
  });

const REFUSED = [
  {text: '{"enabled": false}', line: "The policy of this organization has switched Assay off."},
  {text: '{"requesters": "maintain"}', by: "will", line: "people with a higher role"},
  {text: '{"agents": ["claude"]}', line: "is not one that the organization's policy allows"},
  {text: '{"models": ["claude-opus-4-1"]}', line: "is not one that the organization's policy allows"},
  {text: '{"enabled": false', line: "could not read the policy of this organization"},
  {text: null, token: true, line: "could not read the policy of this organization"},
];

test("one job: what the policy refuses is answered with the reason, and so is a policy that cannot be read", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  for (const {text, line, by = "ada", token = false} of everyNth(REFUSED, 2)) {
    rig.github.policy.text = text;
    const inputs = {policy: "ada/.github", ...(token && {"policy-token": rig.github.tokenOf("mary")})};
    const outcome = await rig.comment("/assay multiply, please", {inputs, by});
    expect([text, outcome.comments.map(({body}) => body).join("\n")]).toEqual([text, expect.stringContaining(line)]);
  }
  expect(rig.model.prompts).toEqual([]);
  // It stops nobody from asking what goes on.
  rig.github.policy.text = '{"enabled": false}';
  const status = await rig.comment("/status", {inputs: {policy: "ada/.github"}});
  expect(status.comments.at(-1)?.body).not.toContain("switched Assay off");
});
