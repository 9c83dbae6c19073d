/** Limits in dollars of all runs of a repository, and of all repositories of an organization. */
import {expect, onTestFailed, test} from "vitest";
import {git} from "../rig/git.ts";
import {writeFileAt} from "../rig/model.ts";
import {PRODUCT_FILES, plain, WRITES} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {CALLING} from "../rig/separated.ts";
import {isSweep} from "../sweep.ts";

const REF = `refs/assay/spending/${new Date().toISOString().slice(0, 7)}`;
const TURN = {when: "multiply", do: [writeFileAt("src/product.js", PRODUCT_FILES.right)], say: "Done."};
const today = () => new Date().toISOString().slice(0, 10);
const spending = (spent: number) =>
  JSON.stringify({schema: "assay.spending/1", spent: {[today()]: spent}, reserved: {}});

type World = Awaited<ReturnType<typeof createRig>>;
const read = async (origin: World["origin"]) => JSON.parse((await origin.read(REF, "spending.json")) ?? "null");

async function put(origin: World["origin"], text: string): Promise<void> {
  await origin.commit({branch: "counted", files: {"spending.json": text}});
  await origin.setRef(REF, (await origin.refs())["refs/heads/counted"] ?? "");
  await origin.deleteRef("refs/heads/counted");
}

test("one job: a run is counted, and one that finds too little is answered without a call to a model", async () => {
  const files = plain({verify: {budget: {usd: 2, usdPerDay: 3}}});
  await using rig = await createRig({files, onFailed: onTestFailed});
  rig.model.script([TURN]);
  const first = await rig.comment("/assay multiply, please");
  await assertPromises(rig, first);
  const cost = Number(first.outputs["cost-usd"]);
  expect(cost).toBeGreaterThan(0);
  expect(await read(rig.origin)).toMatchObject({spent: {[today()]: cost}, reserved: {}});

  await put(rig.origin, spending(1.5));
  const asked = rig.model.requests();
  const second = await rig.comment("/assay multiply, please", {on: first.thread});
  await assertPromises(rig, second);
  expect(second.record?.failures).toMatchObject([{kind: "spending-limit", spent: 1.5, reserved: 0, wanted: 2}]);
  const {body = ""} = second.comments.at(-1) ?? {};
  expect(body).toContain("Of this repository's $3.00 a day, $1.50 are spent");
  expect(rig.model.requests()).toBe(asked);
  expect(await read(rig.origin)).toMatchObject({spent: {[today()]: 1.5}, reserved: {}});
  if (!isSweep) return;
  const checked = await rig.comment("/verify", {on: first.thread});
  expect(checked.record?.failures).toEqual([]);
});

if (isSweep)
  test("separate jobs: the organization's limit holds with a token, and says that it does not without", async () => {
    await using rig = await createRig({files: plain(), onFailed: onTestFailed});
    const central = await rig.git.create("ada/.github", {private: true});
    rig.model.script([TURN]);
    rig.github.policy.text = '{"budget": {"usd": 2}, "allRepositories": {"usdPerMonth": 3}}';
    const inputs = {"policy-token": rig.github.tokenOf("ada")};
    const first = await rig.comment("/assay multiply, please", {separated: {text: CALLING}, inputs});
    await assertPromises(rig, first);
    expect(await read(central)).toMatchObject({spent: {[today()]: Number(first.outputs["cost-usd"])}, reserved: {}});
    expect(await rig.origin.refs()).not.toHaveProperty(REF);

    expect((await git(central.folder, ["rev-list", "--count", REF])).trim()).toBe("2");
    await put(central, spending(2.5));
    const second = await rig.comment("/assay multiply, please", {separated: {text: CALLING}, inputs});
    await assertPromises(rig, second);
    expect(second.record?.failures).toMatchObject([{kind: "spending-limit", scope: "organization", period: "month"}]);
    expect(second.jobs).toMatchObject({work: {result: "skipped"}});

    rig.model.script([TURN]);
    const third = await rig.comment("/assay multiply, please", {separated: {text: CALLING}});
    expect(third.comments.at(-1)?.body).toContain("does not limit this run");
  });

if (isSweep)
  test("a run that dies keeps its reservation, and `post` books it as a whole", async () => {
    const files = plain({verify: {budget: {usd: 2, usdPerDay: 3}}});
    await using rig = await createRig({files, onFailed: onTestFailed});
    rig.model.script([{when: "multiply", say: "hang"}]);
    const run = await rig.begin("/assay multiply, please");
    await run.saw(/agent|turn/i);
    expect(Object.values((await read(rig.origin))?.reserved ?? {})).toMatchObject([{day: today(), usd: 2}]);
    run.kill("SIGKILL");
    const outcome = await run.ended;
    await assertPromises(rig, outcome);
    expect(await read(rig.origin)).toMatchObject({spent: {[today()]: 2}, reserved: {}});
  });

test("a run that dies in its second turn books its whole reservation, because the cost of that turn is not known", async () => {
  const files = plain({verify: {maxFixAttempts: 1, budget: {usd: 2, usdPerDay: 3}}});
  await using rig = await createRig({files, onFailed: onTestFailed});
  rig.model.script([
    {when: "multiply", do: WRITES.wrong, say: "Done."},
    {when: /products multiply/, say: "hang"},
  ]);
  const run = await rig.begin("/assay multiply, please");
  await run.saw(/attempt 2/i);
  run.kill("SIGKILL");
  const outcome = await run.ended;
  await assertPromises(rig, outcome);
  expect(outcome.record?.attempts).toHaveLength(1);
  expect(await read(rig.origin)).toMatchObject({spent: {[today()]: 2}, reserved: {}});
});
