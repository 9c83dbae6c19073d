/** Several tries of one request: each starts anew, one is chosen by evidence, and the work of the others is saved. */
import {readFile, rm, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {expect, onTestFailed, test} from "vitest";
import {type Action, bash, writeFileAt} from "../rig/model.ts";
import {PRODUCT_FILES, plain, WRITES} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {MODES, SEPARATED} from "../rig/separated.ts";
import {isSweep, someOf} from "../sweep.ts";

const turn = (actions: readonly Action[], say: string) => ({when: "multiply", do: actions, say, isAnew: true as const});
const NOTES = writeFileAt("NOTES.md", "left\n");
const LONG = writeFileAt("src/product.js", `// ${"long\n// ".repeat(30)}\n${PRODUCT_FILES.right}`);
const [, PRODUCT_TEST] = WRITES.right;
const LEVELS = {maxFixAttempts: 0, integrity: {sensitivity: "off"}, executedLines: false};

test.each(someOf(MODES))("tries end with the first verified one, in $mode", async ({how}) => {
  await using rig = await createRig({files: plain({verify: LEVELS}), onFailed: onTestFailed});
  rig.model.script([turn([...WRITES.wrong, NOTES], "Wrong."), turn(WRITES.right, "Right."), turn([], "Not asked.")]);
  const run = await rig.comment("/assay tries=3 multiply", {...how, by: "will"});
  await assertPromises(rig, run);
  expect(rig.model.history.slice(0, 2)).toEqual([0, 0]);
  expect(rig.model.used()).toBe(2);
  expect(run.record).toMatchObject({
    request: {kind: "work", text: "multiply", tries: 3},
    verdict: {kind: "verified"},
    attempts: [{turn: {answer: "Right."}}],
    publication: {kind: "published"},
    tries: {chosen: 2, ties: [], rows: [{verdict: {kind: "failed"}, ref: "refs/assay/parked/issue-1"}, {number: 2}]},
  });
  // What the first try left is not in the second one's work, and is kept.
  expect(Object.keys(await rig.origin.tree("refs/heads/assay/issue-1"))).not.toContain("NOTES.md");
  expect(Object.keys(await rig.origin.tree("refs/assay/parked/issue-1"))).toContain("NOTES.md");
  expect(run.comments.at(-1)?.body).toMatch(
    /\| 1 \| ❌ failed .*`refs\/assay\/parked\/issue-1` \|\n\| \*\*2\*\* \| ✅/,
  );
});

if (isSweep) {
  test.each(MODES)("the smaller of two verified tries is chosen, in $mode", async ({how}) => {
    const verify = {...LEVELS, tries: {count: 3, mode: "best"}};
    await using rig = await createRig({files: plain({verify}), onFailed: onTestFailed});
    rig.model.script([
      turn([LONG, PRODUCT_TEST as Action], "Long."),
      turn(WRITES.right, "Short."),
      turn(WRITES.wrong, "Wrong."),
    ]);
    const run = await rig.comment("/assay multiply", {...how, by: "will"});
    await assertPromises(rig, run);
    expect(run.record).toMatchObject({
      attempts: [{turn: {answer: "Short."}}],
      publication: {kind: "published"},
      tries: {
        mode: "best",
        chosen: 2,
        rows: [{ref: "refs/assay/parked/issue-1"}, {}, {ref: "refs/assay/parked/issue-1-2"}],
      },
    });
  });

  test.each(MODES)("a try with a secret is not saved, and the report says so, in $mode", async ({how}) => {
    const verify = {...LEVELS, tries: {count: 3, mode: "best"}};
    await using rig = await createRig({files: plain({verify}), onFailed: onTestFailed});
    const secret = writeFileAt("src/setup.js", `export const setup = "${rig.model.key}";\n`);
    rig.model.script([
      turn([...WRITES.wrong, secret], "Secret."),
      turn([...WRITES.wrong, NOTES], "Wrong."),
      turn(WRITES.wrong, "Smaller."),
    ]);
    const run = await rig.comment("/assay multiply", {...how, by: "will"});
    await assertPromises(rig, run);
    expect(run.record?.tries).toMatchObject({
      chosen: 3,
      rows: [{unsaved: "secret"}, {ref: "refs/assay/parked/issue-1"}, {}],
    });
    expect(run.comments.at(-1)?.body).toContain("not saved: it may contain a secret");
    expect(Object.keys(await rig.origin.tree("refs/assay/parked/issue-1"))).toContain("NOTES.md");
  });

  test.each([2, 3])("a run that is killed during push %i has saved the other tries in the end", async (last) => {
    await using rig = await createRig({files: plain({verify: LEVELS}), onFailed: onTestFailed});
    rig.model.script([turn([...WRITES.wrong, NOTES], "Wrong."), turn(WRITES.right, "Right.")]);
    const begun = rig.begin("/assay tries=2 multiply");
    const killAt = (push: number): void =>
      rig.git.beforeNextPush(async () => (push < last ? killAt(push + 1) : (await begun).kill("SIGKILL")));
    killAt(1);
    const run = await (await begun).ended;
    await assertPromises(rig, run);
    const trees = await Promise.all(Object.keys(run.refs).map((ref) => rig.origin.tree(ref)));
    const files = trees.map((tree) => Object.keys(tree));
    expect(files.filter((one) => one.includes("NOTES.md"))).not.toEqual([]);
    expect(files.filter((one) => one.includes("src/product.js") && !one.includes("NOTES.md"))).not.toEqual([]);
  });

  test("if no try is verified, the best is saved like other work, and equal tries are reported", async () => {
    const verify = {...LEVELS, tries: {count: 2, mode: "best"}};
    await using rig = await createRig({files: plain({verify}), onFailed: onTestFailed});
    rig.model.script([turn(WRITES.wrong, "Wrong."), turn(WRITES.wrong, "Again.")]);
    const run = await rig.comment("/assay multiply", {by: "will"});
    await assertPromises(rig, run);
    expect(run.record).toMatchObject({publication: {kind: "parked"}, tries: {chosen: 1, ties: [2]}});
    expect(run.comments.at(-1)?.body).toContain("As good as the chosen one: 2.");
  });

  test("in separate jobs, each of the best tries has machines of its own, and a lost one costs only its try", async () => {
    const verify = {...LEVELS, tries: {count: 3, mode: "best"}};
    await using rig = await createRig({files: plain({verify}), onFailed: onTestFailed});
    rig.model.script([
      turn(WRITES.right, "Lost."),
      turn(WRITES.right, "Short."),
      turn([LONG, PRODUCT_TEST as Action], "Long."),
    ]);
    const run = await rig.comment("/assay multiply", {
      separated: {
        text: SEPARATED,
        onUpload: async ({job, folder}) => (job === "work-1" ? rm(folder, {recursive: true}) : undefined),
      },
      by: "will",
    });
    await assertPromises(rig, run);
    expect(run.record).toMatchObject({
      attempts: [{turn: {answer: "Short."}, verification: {job: "own"}}],
      publication: {kind: "published"},
      tries: {mode: "best", chosen: 2, rows: [{number: 1}, {number: 2}, {ref: "refs/assay/parked/issue-1"}]},
    });
  });

  test.each(["record", "verdict"])(
    "a try whose machine forges its %s is not chosen, and the others are",
    async (what) => {
      const verify = {...LEVELS, tries: {count: 2, mode: "best"}};
      await using rig = await createRig({files: plain({verify}), onFailed: onTestFailed});
      const forged = what === "record" ? WRITES.wrong : WRITES.right;
      rig.model.script([turn(forged, "Forged."), turn([LONG, PRODUCT_TEST as Action], "Honest.")]);
      const job = what === "record" ? "work-1" : "verify-1";
      const run = await rig.comment("/assay multiply", {
        separated: {text: SEPARATED, onUpload: async (place) => (place.job === job ? forge(place.folder) : undefined)},
        by: "will",
      });
      await assertPromises(rig, run);
      expect(run.record).toMatchObject({attempts: [{turn: {answer: "Honest."}}], tries: {chosen: 2}});
    },
  );

  test.each(MODES)("each try has its agent or model, within the organization's policy, in $mode", async ({how}) => {
    const agents = [{model: "gpt-5-mini"}, {agent: "pi", model: "gpt-5"}];
    const verify = {...LEVELS, tries: {count: 2, mode: "best", agents}};
    await using rig = await createRig({files: plain({verify}), onFailed: onTestFailed});
    const given = {inputs: {"agent-config": ""}, env: {OPENAI_BASE_URL: `${rig.model.url}/v1`}, by: "will"} as const;
    rig.model.script([turn([LONG, PRODUCT_TEST as Action], "Long."), turn(WRITES.right, "Short.")]);
    const run = await rig.comment("/assay multiply", {...how, ...given});
    await assertPromises(rig, run);
    expect(run.record?.tries).toMatchObject({
      chosen: 2,
      rows: [{model: expect.stringContaining("gpt-5-mini")}, {model: expect.stringMatching(/gpt-5$/)}],
    });
    expect(run.comments.at(-1)?.body).toMatch(/\| \*\*2\*\* `[^`]*gpt-5` \| ✅/);
    if ("separated" in how) return;
    rig.github.policy.text = '{"models": ["gpt-5-mini"]}';
    const inputs = {...given.inputs, policy: "ada/.github"};
    const refused = await rig.comment("/assay multiply", {...how, ...given, inputs});
    expect(refused.comments.at(-1)?.body).toContain("is not one that the organization's policy allows");
    expect(rig.model.used()).toBe(2);
  });

  test("with turns and checks that wait, the best of three takes at most 1.3 times as long as one", {
    timeout: 900_000,
  }, async () => {
    const durations: number[] = [];
    for (const tries of [1, {count: 3, mode: "best"}]) {
      const stages = [{name: "test", command: "sleep 15 && node --test", kind: "test"}];
      const verify = {...LEVELS, tries, stages};
      await using rig = await createRig({files: plain({verify}), onFailed: onTestFailed});
      const actions: Action[] = [...WRITES.right, bash("sleep 40")];
      rig.model.script([turn(actions, "Right.")]);
      const run = await rig.comment("/assay multiply", {separated: {text: SEPARATED, isParallel: true}, by: "will"});
      expect(run.record?.verdict).toMatchObject({kind: "verified"});
      expect(run.record?.tries?.rows.length).toBe(tries === 1 ? undefined : 3);
      durations.push(run.durationMs);
    }
    const [one = 0, best = 0] = durations;
    console.info(`one try ${Math.round(one)} ms, the best of three ${Math.round(best)} ms: ${(best / one).toFixed(2)}`);
    expect(best / one).toBeLessThan(1.3);
  });
}

/** The record says that all was verified, and has other bytes than announced. */
async function forge(folder: string): Promise<void> {
  const file = join(folder, "record.json");
  const text = await readFile(file, "utf8");
  await writeFile(file, `${text.replaceAll('"kind":"failed"', '"kind":"verified"')} `);
}
