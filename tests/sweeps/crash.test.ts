/** kill -9 of the bot around and inside its calls of git: nothing is lost, nothing false is claimed, no later run is stuck. */
import {expect, test} from "vitest";
import {brokenIn, isWorkThere, own, type QuickWorld, quickWorld, type Strike} from "./quick-world.ts";
import {randomFrom, shuffled} from "./random.ts";

/** `npm run sweep` sets it; strace must be there then. Without, a few points around git's calls are taken. */
const MANY = Number(process.env["ASSAY_CRASHES"] ?? 0);
const WORLDS = MANY === 0 ? 1 : 3;
const SEED = Number(process.env["ASSAY_SEED"] ?? 1);

test("killed anywhere in its git work", async () => {
  const [strikes, product] = await choose();
  const found: string[] = [];
  let struck = 0;
  const next = strikes.entries();
  const worker = async () => {
    await using world = await quickWorld(product);
    for (const [index, strike] of next) {
      const {broken, isStruck} = await crash(world, strike, index % 8 === 1);
      if (isStruck) struck += 1;
      const texts = broken.map((text) => `${JSON.stringify(strike)}: ${text}`);
      found.push(...texts);
      if (MANY > 0) console.log([`${struck} crashes, ${found.length} broken`, ...texts].join("\n"));
    }
  };
  await Promise.all(Array.from({length: WORLDS}, worker));
  expect(found).toEqual([]);
  expect(struck).toBeGreaterThanOrEqual(strikes.length * 0.9);
}, 7_200_000);

/** All of a run's points, of which the sweep takes as many as are wanted; else the ones next to what moves work. */
async function choose(): Promise<[Strike[], {product?: string}]> {
  const folder = process.env["ASSAY_PRODUCT"];
  const product = folder === undefined ? {} : {product: folder};
  await using world = await quickWorld(product);
  await world.arm(MANY === 0 ? null : "trace");
  const whole = await world.rig.comment("/assay multiply", {env: world.env});
  expect(await brokenIn(world, whole)).toEqual([]);
  if (MANY > 0) return [shuffled(await world.points(), randomFrom(SEED)).slice(0, MANY), product];
  const calls = await world.calls();
  const at = (name: string) => calls.lastIndexOf(name) + 1;
  return [
    [
      {call: at("for-each-ref"), at: "before"},
      {call: at("push"), at: "after"},
    ],
    product,
  ];
}

/** One crash on a new issue, `post` after it; then the event once more, and the job run again by hand. */
async function crash(world: QuickWorld, strike: Strike, isFollowed: boolean) {
  const {rig, env} = world;
  const on = await rig.openIssue({title: "Products"});
  await world.arm(strike);
  const outcome = await rig.comment("/assay multiply", {env, on});
  const isStruck = outcome.exitCode === null;
  const worked = world.hasWorked();
  const found = await brokenIn(world, outcome);
  if (outcome.record === null && own(outcome).length > 0) found.push("there is a comment, but no record");
  if (worked && !(await isWorkThere(rig, outcome))) found.push("the agent's work is on no branch");
  if (isStruck && outcome.record?.verdict.kind === "verified" && outcome.record.failures.length === 0) {
    found.push("a killed run looks green");
  }
  if (!isFollowed) return {broken: found, isStruck};
  await world.arm(null);
  const twice = await rig.again({env});
  const wasHeard = own(outcome).length > 0;
  if (wasHeard && (twice.record !== null || own(twice).length !== own(outcome).length)) found.push("it ran twice");
  const again = await rig.again({env, attempt: 2});
  found.push(...(await brokenIn(world, again)).map((text) => `run again: ${text}`));
  // what the first run had published is there already, and the second has nothing to add
  const kind = again.record?.publication.kind;
  const isDone = kind === "published" || again.record?.verdict.kind === "nothing-to-verify";
  if (again.exitCode !== 0 || !isDone) found.push(`run again: ${again.exitCode}, ${kind}`);
  return {broken: found, isStruck};
}
