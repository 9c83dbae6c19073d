/** kill -9 of the bot at each of its steps and in its calls of git: nothing is lost, nothing false is claimed, no later run is stuck. */
import {expect, test} from "vitest";
import {isGreen} from "../../src/record/record.ts";
import type {Outcome} from "../rig/world.ts";
import {brokenIn, isWorkThere, own, type QuickWorld, quickWorld} from "./quick-world.ts";
import {randomFrom, shuffled} from "./random.ts";
import type {Strike} from "./strikes.ts";

/** `npm run sweep` sets it: how many points in git are struck, beside every step; strace must be there then. Without, one. */
const MANY = Number(process.env["ASSAY_CRASHES"] ?? 0);
/** A run mostly waits, for GitHub's pace of one write a second: many at once cost no more work. */
const WORLDS = Number(process.env["ASSAY_WORLDS"] ?? 8);
/** A world is left before what the runs leave in it makes the checks slow. */
const MAX_IN_A_WORLD = 30;
const SEED = Number(process.env["ASSAY_SEED"] ?? 1);

/** The runs that are struck: what the stages say of the agent's work decides where it goes. */
const STORIES = {
  published: {},
  parked: {verify: {maxFixAttempts: 0, stages: [{name: "test", command: "test ! -e src/product.js", timeout: 60}]}},
} as const;
type Story = keyof typeof STORIES;
interface Case {
  readonly story: Story;
  readonly strike: Strike;
}
const PRODUCT_FOLDER = process.env["ASSAY_PRODUCT"];
const worldOf = (story: Story) =>
  quickWorld({...STORIES[story], ...(PRODUCT_FOLDER !== undefined && {product: PRODUCT_FOLDER})});

if (MANY === 0)
  test("killed when the work is pushed and its check is not there", async () => {
    await using world = await worldOf("published");
    const strike = {at: "request", count: 1, isDone: false, path: /\/check-runs$/} as const;
    const crashed = await crash({world, story: "published", strike, follower: "again"});
    expect(crashed).toEqual({broken: [], isStruck: true});
  }, 1_200_000);
else test("killed at a step, or anywhere in its git work", killedAnywhere, 7_200_000);

async function killedAnywhere() {
  const cases = await chooseMany();
  const found: string[] = [];
  const struck = {git: 0, steps: 0};
  let done = 0;
  // a run may make fewer system calls than the traced one, and come to its end: another point takes that one's place
  const isEnough = ({strike}: Case) => isInGit(strike) && struck.git >= MANY;
  const someInOneWorld = async (story: Story, next: Iterator<Case>) => {
    await using world = await worldOf(story);
    for (let count = 0; count < MAX_IN_A_WORLD; count += 1) {
      const one = next.next();
      if (one.done || isEnough(one.value)) return false;
      done += 1;
      const {broken, isStruck} = await crash({world, ...one.value, follower: FOLLOWERS[done % 32] ?? null});
      if (isStruck) struck[isInGit(one.value.strike) ? "git" : "steps"] += 1;
      const texts = broken.map((text) => `${JSON.stringify(one.value)}: ${text}`);
      found.push(...texts);
      const missed = isStruck ? "" : ` (not struck: ${JSON.stringify(one.value)})`;
      const {git, steps} = struck;
      const told = `${done}: ${git} crashes in git, ${steps} at steps, ${found.length} broken${missed}`;
      console.log([told, ...texts].join("\n"));
    }
    return true;
  };
  const worker = async (story: Story, next: Iterator<Case>) => {
    while (await someInOneWorld(story, next));
  };
  const work = (["published", "parked"] as const).flatMap((story) => {
    const own = cases.filter((one) => one.story === story);
    const next = own.values();
    const share = Math.min(own.length, Math.ceil((WORLDS * own.length) / cases.length));
    return Array.from({length: share}, () => worker(story, next));
  });
  await Promise.all(work);
  expect(found).toEqual([]);
  const steps = cases.filter(({strike}) => !isInGit(strike)).length;
  expect(struck.steps).toBeGreaterThanOrEqual(steps * 0.9);
  expect(struck.git).toBeGreaterThanOrEqual(MANY);
}

const isInGit = ({at}: Strike): boolean => at === "before" || at === "after" || at === "inside";

/** What comes after a crash, at one point in sixteen: the event and the job once more, or `/continue`. */
type Follower = "again" | "continue";
const FOLLOWERS: Readonly<Record<number, Follower>> = {1: "again", 17: "continue"};

/** Every step of each story, and then the points in their git work, in no order. */
async function chooseMany(): Promise<Case[]> {
  const git: Case[] = [];
  const steps: Case[] = [];
  for (const story of ["published", "parked"] as const) {
    await using world = await worldOf(story);
    const {striker, env} = world;
    const whole = await striker.run("/assay multiply", {env, strike: "trace"});
    expect([whole.record?.publication.kind, ...(await brokenIn(world, whole))]).toEqual([story]);
    git.push(...(await striker.gitPoints()).map((strike) => ({story, strike})));
    steps.push(...(await striker.stepPoints()).map((strike) => ({story, strike})));
  }
  const random = randomFrom(SEED);
  console.log(`${steps.length} steps, and ${MANY} of ${git.length} points in git`);
  return [...steps, ...shuffled(git, random)];
}

/** One crash on a new issue, `post` after it; then what follows. */
async function crash({world, story, strike, follower}: Case & {world: QuickWorld; follower: Follower | null}) {
  const {rig, env, striker} = world;
  const on = await rig.openIssue({title: "Products"});
  await world.forget();
  const outcome = await striker.run("/assay multiply", {env, on, strike});
  const isStruck = outcome.exitCode === null;
  const worked = world.hasWorked(outcome);
  const found = await brokenIn(world, outcome);
  if (outcome.record === null && own(outcome).length > 0) found.push("there is a comment, but no record");
  if (worked && !(await isWorkThere(rig, outcome))) found.push("the agent's work is on no branch");
  const places = Object.keys(outcome.refs).filter((ref) => ref.includes(`/issue-${on}`) && !ref.includes("/session"));
  if (places.length > 1) found.push(`the work is in several places: ${places}`);
  if (isStruck && outcome.record !== null && isGreen(outcome.record) && !isWhole(outcome)) {
    found.push("a killed run looks green");
  }
  if (follower === "again") found.push(...(await again({world, story, outcome})));
  if (follower === "continue") {
    const more = await striker.run("/continue", {env, on, strike: null});
    found.push(
      ...(await brokenIn(world, more)).map((text) => `continued: ${text}`),
      ...stuck(story, more).map((text) => `continued: ${text}`),
    );
  }
  return {broken: found, isStruck};
}

/** Killed so late that everything had been done: then it may say so. */
function isWhole({record, marks}: Outcome): boolean {
  const publication = record?.publication;
  return publication?.kind === "published" && publication.pullRequest !== null && marks.length > 0;
}

/** The event once more, which does nothing where it was heard, and the job run again by hand, which does it all. */
async function again({world, story, outcome}: {world: QuickWorld; story: Story; outcome: Outcome}): Promise<string[]> {
  const {rig, env} = world;
  const found: string[] = [];
  await world.striker.arm(null);
  const twice = await rig.again({env});
  const wasHeard = own(outcome).length > 0;
  if (wasHeard && (twice.record !== null || own(twice).length !== own(outcome).length)) found.push("it ran twice");
  const more = await rig.again({env, attempt: 2});
  found.push(
    ...(await brokenIn(world, more)).map((text) => `run again: ${text}`),
    ...stuck(story, more).map((text) => `run again: ${text}`),
  );
  return found;
}

/** What the first run had published is there already, and the second has nothing to add. */
function stuck(story: Story, {record, exitCode}: Outcome): string[] {
  const kind = record?.publication.kind;
  const isDone = kind === story || record?.verdict.kind === "nothing-to-verify";
  return exitCode === (story === "published" ? 0 : 1) && isDone
    ? []
    : [`${exitCode}, ${kind}, ${JSON.stringify([record?.verdict, record?.failures])}`];
}
