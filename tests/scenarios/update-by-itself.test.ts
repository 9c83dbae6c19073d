/** The default branch moves: `/update` starts by itself on a pull request of Assay that conflicts, twice at most. */
import {expect, onTestFailed, test} from "vitest";
import {writeFileAt} from "../rig/model.ts";
import {PRODUCT_FILES, plain, WRITES} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {callingOn} from "../rig/separated.ts";
import type {Outcome} from "../rig/world.ts";
import {isSweep, someOf} from "../sweep.ts";

const triggers = ["update:main"];
const MODES = [
  {mode: "one job", how: {triggers}},
  {mode: "separate jobs", how: {separated: {text: callingOn(triggers)}}},
];
const branch = "assay/issue-1";
const product = (order: string) => `export const product = (one, other) => ${order};\n`;
const nothing = (outcome: Outcome, why = "") => {
  expect(outcome.record).toBeNull();
  expect(outcome.exitCode).toBe(0);
  expect(outcome.log).toContain(why);
};

/** A pull request of Assay that conflicts with a newer commit on the default branch. */
async function conflicting() {
  const rig = await createRig({files: plain(), onFailed: onTestFailed});
  rig.model.script([{when: "multiply", do: WRITES.right, say: "Products are there."}]);
  const run = await rig.comment("/assay multiply", {by: "will"});
  const move = (order: string) => rig.origin.commit({files: {"src/product.js": product(order)}});
  return {rig, move, pull: run.pullRequests[0]?.number ?? 0, head: run.outputs.commit ?? ""};
}

test.each(someOf(MODES))(
  "main moves and conflicts, and the merge is verified, twice at most, but not for a bot or a former member, in $mode",
  async ({how}) => {
    const {rig, move, pull, head} = await conflicting();
    await using _rig = rig;
    nothing(await rig.run(await rig.pushed(), how), "No open pull request of Assay conflicts");

    const tip = await move("other * one");
    const alone = {triggers, isStepOnly: true};
    nothing(await rig.run(await rig.pushed({by: "renovate[bot]"}), alone), "A bot or Assay itself has pushed.");
    const will = rig.github.people.find(({login}) => login === "will") ?? {};
    Object.assign(will, {role: "read"});
    nothing(await rig.run(await rig.pushed(), how));
    Object.assign(will, {role: "write"});
    const solved = {when: "src/product.js", do: [writeFileAt("src/product.js", PRODUCT_FILES.right)], say: "Solved."};
    rig.model.script([solved]);
    const update = await rig.run(await rig.pushed({on: pull}), how);
    await assertPromises(rig, update);
    expect(update.thread).toBe(pull);
    expect(update.record).toMatchObject({
      request: {kind: "update", conflicts: ["src/product.js"]},
      verdict: {kind: "verified"},
      publication: {kind: "published", parent: head, merges: tip},
      thread: {actor: "will", isPullRequest: true},
    });
    expect(update.comments.at(-1)?.body).toContain("conflict with the default branch. This merges `main`");
    nothing(await rig.run(await rig.pushed(), how), "No open pull request of Assay conflicts");

    if (!isSweep) return;
    // The tip is the update's own merge: its next conflict is the last round.
    await move("1 * other * one");
    rig.model.script([solved]);
    const second = await rig.run(await rig.pushed({on: pull}), how);
    await assertPromises(rig, second);
    expect(second.record).toMatchObject({verdict: {kind: "verified"}, earlier: {rounds: {runs: 1}}});
    expect(second.record?.publication).toMatchObject({parent: update.outputs.commit});
    await move("other * one * 1");
    nothing(await rig.run(await rig.pushed(), how));
    expect(await rig.origin.resolve(branch)).toBe(second.outputs.commit);
    expect(second.comments).toHaveLength(2);
  },
);

if (isSweep)
  test("a bot's push, a person's commit on the branch, a former member and a fork start nothing", async () => {
    const {rig, move, pull, head} = await conflicting();
    await using _rig = rig;
    const [{how}] = MODES as [(typeof MODES)[number]];
    await move("other * one");
    nothing(await rig.run(await rig.pushed({by: "renovate[bot]"}), how));
    const own = {...how, isStepOnly: true};
    nothing(await rig.run(await rig.pushed({by: "renovate[bot]"}), own), "A bot or Assay itself has pushed.");
    nothing(await rig.run(await rig.pushed({branch: "notes"}), how));
    await rig.origin.commit({branch, files: {"src/own.js": "export {};\n"}});
    nothing(await rig.run(await rig.pushed(), how), "No open pull request of Assay conflicts");
    await rig.origin.setRef(`refs/heads/${branch}`, head);
    const will = rig.github.people.find(({login}) => login === "will") ?? {};
    Object.assign(will, {role: "read"});
    nothing(await rig.run(await rig.pushed(), how));
    Object.assign(will, {role: "write"});
    await rig.github.as("will", "PATCH", `/repos/${rig.origin.name}/pulls/${pull}`, {state: "closed"});
    await rig.openForkPullRequest({title: "Fork", fork: "otto/demo", branch, files: {"src/product.js": product("2")}});
    await move("1 * other * one");
    nothing(await rig.run(await rig.pushed(), how), "No open pull request of Assay conflicts");
  });
