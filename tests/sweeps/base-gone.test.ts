/** The commit that a run works on leaves the server, at ten points of a run: no work is lost, and there is one true answer. */
import {globSync} from "node:fs";
import {writeFile} from "node:fs/promises";
import {join} from "node:path";
import {expect, test} from "vitest";
import {readMarker} from "../../src/github/marker.ts";
import {PRODUCT_FILES} from "../rig/projects.ts";
import {iconOf} from "../rig/promises/claims.ts";
import {MODES} from "../rig/separated.ts";
import type {Begun, Outcome, RunOptions} from "../rig/world.ts";
import {isSweep} from "../sweep.ts";
import {STORIES, type Story} from "./base-gone-stories.ts";
import {brokenIn, own, type QuickWorld, quickWorld, SAY_DONE, WRITE_PRODUCT} from "./quick-world.ts";

type Mode = (typeof MODES)[number];

/** The agent reads from a file next to it how it works now. */
const AGENT = `mode=$(cat "$(dirname "$0")/agent-mode")
${WRITE_PRODUCT}
[ "$mode" != wrong ] || echo 'export const product = 0;' > src/product.js
if [ "$mode" = slow ]; then sleep 300 & wait; else sleep 2; fi
${SAY_DONE}`;
const VERIFY = {
  maxFixAttempts: 0,
  stages: [
    {
      name: "test",
      kind: "test",
      command: "sleep 1.5; ! test -e src/product.js || grep -q '\\*' src/product.js",
      timeout: 60,
    },
  ],
};

const REQUEST = "/assay multiply, please";

/** A run during which something happens, once. */
interface Scene extends Story {
  readonly world: QuickWorld;
  readonly options: RunOptions;
  readonly mode: Mode;
  readonly agent: (mode: "right" | "wrong" | "slow") => Promise<void>;
}

const POINTS: Readonly<Record<string, (scene: Scene) => Promise<Outcome>>> = {
  async "before the run starts"({world: {rig}, options, happen}) {
    const event = await rig.commentEvent(REQUEST, options);
    await happen();
    return rig.run(event, options);
  },
  "after the admission": (scene) => {
    const {requests} = scene.world.rig.github;
    const before = requests.length;
    const path = new RegExp(`/issues/${scene.on}/comments$`);
    const isReport = ({method, path: asked, body}: (typeof requests)[number]) =>
      method === "POST" && path.test(asked) && !JSON.stringify(body).includes(REQUEST);
    return during(scene, () => until(() => requests.slice(before).some(isReport)));
  },
  "while the agent works": (scene) => afterLine(scene, /The agent starts/),
  "between the turn and the checks": (scene) => afterLine(scene, /Turn 1: answered/),
  "while a check runs": (scene) => afterLine(scene, /Turn 1: answered/, 700),
  "before the push": async (scene) => {
    const {git} = scene.world.rig;
    // the first push keeps the session
    git.beforeNextPush(async () => git.beforeNextPush(scene.happen));
    return during({...scene, happen: async () => {}}, async () => {});
  },
  "between the push and the pull request": (scene) => {
    const {updates} = scene.world.rig.git;
    const before = updates.length;
    const isWork = (ref: string) => ref.endsWith(`assay/issue-${scene.on}`) || ref === `refs/heads/${scene.branch}`;
    return during(scene, () => until(() => updates.slice(before).some(({ref}) => isWork(ref))));
  },
  "on cancel": async (scene) => {
    await scene.agent("slow");
    return afterWriting({...scene, after: (run) => run.cancel()});
  },
  "before `post`": async (scene) => {
    await scene.agent("slow");
    const isOneJob = !("separated" in scene.mode.how);
    return afterWriting({...scene, after: (run, kill) => (isOneJob ? run.kill("SIGKILL") : kill())});
  },
  async "before `/continue`"({world: {rig}, options, happen, agent}) {
    await agent("wrong");
    await rig.comment(REQUEST, options);
    await agent("right");
    await happen();
    return rig.comment("/continue", options);
  },
};

/** Runs the request. As soon as `moment` resolves, it happens; then `after`. */
async function during(
  {world: {rig}, options, happen, mode, after}: Scene & {after?: (run: Begun, kill: () => void) => void},
  moment: (seen: () => string) => Promise<unknown>,
): Promise<Outcome> {
  let log = "";
  let kill = () => {};
  const {separated} = {separated: undefined, ...mode.how};
  const run = await rig.begin(REQUEST, {
    ...options,
    onOutput: (text) => {
      log += text;
    },
    ...(separated && {
      separated: {
        ...separated,
        onStep: (part, running) => {
          if (part === "work") kill = () => running.kill("SIGKILL");
        },
      },
    }),
  });
  let isOver = false;
  const over = run.ended.finally(() => {
    isOver = true;
  });
  // a run that ends without that moment has nothing happen to it
  const isThere = await Promise.race([moment(() => log).then(() => true), over.then(() => false)]);
  if (isThere && !isOver) {
    await happen();
    after?.(run, kill);
  }
  return over;
}

function afterLine(scene: Parameters<typeof during>[0], line: RegExp, ms = 0): Promise<Outcome> {
  return during(scene, async (seen) => {
    await until(() => line.test(seen()));
    await new Promise((resolve) => setTimeout(resolve, ms));
  });
}

/** When the agent has written its last file. */
function afterWriting(scene: Parameters<typeof during>[0]): Promise<Outcome> {
  const written = () => globSync(`${scene.world.rig.folder}/run-*/{,work/}workspace/tests/product.test.js`).length;
  const before = written();
  return during(scene, () => until(() => written() > before));
}

async function until(isTrue: () => boolean): Promise<void> {
  const ends = performance.now() + 120_000;
  while (!isTrue() && performance.now() < ends) await new Promise((resolve) => setTimeout(resolve, 10));
}

interface Case {
  readonly story: string;
  readonly point: string;
  readonly mode: Mode;
  readonly isFollowed: boolean;
}

interface Row {
  readonly where: string;
  readonly answers: number;
  readonly sentence: string;
  readonly found: readonly string[];
}

async function play(world: QuickWorld, {story, point, mode, isFollowed}: Case): Promise<Row> {
  const {rig, env, striker} = world;
  const agent = (how: string) => writeFile(join(striker.bin, "agent-mode"), how);
  await agent("right");
  await world.forget();
  const told = (await STORIES[story]?.(world)) as Story;
  // what was pushed in the same second is not what was asked about
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  let hasHappened = false;
  const happen = async () => {
    hasHappened = true;
    await told.happen();
  };
  const options = {env, on: told.on, by: "will", ...mode.how};
  const outcome = (await POINTS[point]?.({world, options, mode, agent, ...told, happen})) as Outcome;
  const isTheirs = (text: string) =>
    text.includes(`refs/heads/${told.branch} is gone`) ||
    (point === "between the push and the pull request" &&
      /^P[18]: (?:the branch's head|refs\/heads\/docs-\d+ is not)/.test(text)) ||
    // the git server counts what they do during a push as a part of it
    /^P5: refs\/heads\/(?:main|docs-\d+) (?:was moved|was deleted)/.test(text) ||
    (point === "after the admission" && /no branch's head before|do not come from refs\/heads\/main as/.test(text));
  const found = (await brokenIn({rig}, outcome)).filter((text) => !isTheirs(text));
  if (!hasHappened) found.push("nothing happened");
  const places = Object.keys(outcome.refs).filter(
    (ref) => ref.includes(`/issue-${told.on}`) || ref === `refs/heads/${told.branch}`,
  );
  const holds: string[] = [];
  for (const ref of places) if ((await rig.origin.read(ref, "src/product.js")) === PRODUCT_FILES.right) holds.push(ref);
  // Then they replace what was published, as they may.
  const isTheirChoice = point === "between the push and the pull request" && told.branch !== "main";
  if (world.hasWorked(outcome) && holds.length === 0 && !isTheirChoice)
    found.push("LOST: the agent's work is on no ref of the server");
  const run = outcome.record?.run.id;
  const last = own(outcome).at(-1);
  const answers = own(outcome).filter(({body}) =>
    run === undefined ? body === last?.body : readMarker(body)?.run === run,
  );
  if (answers.length !== 1) found.push(`${answers.length} answers`);
  const body = answers[0]?.body ?? "";
  if (outcome.record !== null && iconOf(body) === null) found.push("the answer is not finished");
  const named = /(?:saved on|Pushed to) \[?`([^`]+)`/.exec(body)?.[1];
  if (!isTheirChoice && named !== undefined && !places.some((ref) => ref === named || ref === `refs/heads/${named}`))
    found.push(`${named} is not there`);
  const {publication} = outcome.record ?? {};
  if ((publication?.kind === "parked" || publication?.kind === "published") && named === undefined)
    found.push("the answer does not say where the work is");
  if (publication?.kind === "parked-locally") found.push("LOST: only on the machine");
  if (/Allow it in the .*branch rules/.test(body)) found.push("the next step cannot help");
  if (isFollowed && told.follower !== null && publication?.kind === "parked") {
    await agent("right");
    const later = await rig.comment(told.follower, options);
    const broken = (await brokenIn({rig}, later)).filter((text) => !isTheirs(text));
    const kind = later.record?.publication.kind;
    if (kind !== "published")
      broken.push(`${kind}: ${JSON.stringify([later.record?.verdict, later.record?.failures])}`);
    found.push(...broken.map((text) => `${told.follower}: ${text}`));
  }
  return {
    where: holds.join(", ") || publication?.kind || "no run",
    answers: answers.length,
    sentence: sentenceOf(body),
    found,
  };
}

/** What the answer says first, and its sentences about where the work is. */
function sentenceOf(body: string): string {
  const lines = body.split("\n").map((line) => line.trim());
  const shown = lines.filter((line) => line !== "" && !line.startsWith("<"));
  const about = shown.slice(1).filter((line) => /saved on|Pushed to|no longer|any more|\*\*Next/.test(line));
  return [shown[0] ?? "", ...about].join(" / ").replaceAll("|", "\\|").slice(0, 600);
}

const ALL: readonly Case[] = Object.keys(STORIES).flatMap((story) =>
  MODES.flatMap((mode) => Object.keys(POINTS).map((point) => ({story, point, mode, isFollowed: true}))),
);
const SHORT: Case = {story: "the base is rewritten", point: "before `post`", mode: MODES[0] as Mode, isFollowed: false};

const product = process.env["ASSAY_PRODUCT"];
const worldOf = () => quickWorld({agent: AGENT, verify: VERIFY, ...(product !== undefined && {product})});

if (!isSweep)
  test("a base that is rewritten before `post`, in one job", async () => {
    await using world = await worldOf();
    expect((await play(world, SHORT)).found).toEqual([]);
  });
else
  test("at every point, in both modes", async () => {
    const rows: string[] = [];
    const broken: string[] = [];
    const lists = Map.groupBy(ALL, ({story, mode}) => `${story} ${mode.mode}`);
    const left = lists.values();
    const worker = async () => {
      for (const cases of left) {
        await using world = await worldOf();
        for (const one of cases) {
          const name = `${one.point} | ${one.story} | ${one.mode.mode}`;
          const {where, answers, sentence, found} = await play(world, one);
          rows.push(`| ${name} | ${where} | ${answers} | ${sentence} | ${found.join("; ") || "–"} |`);
          broken.push(...found.map((text) => `${name}: ${text}`));
          console.log(rows.at(-1));
        }
      }
    };
    await Promise.all(Array.from({length: Number(process.env["ASSAY_WORLDS"] ?? 3)}, worker));
    const file = process.env["ASSAY_TABLE"];
    const head =
      "| point | event | mode | where the work is | answers | sentence | found |\n|---|---|---|---|--:|---|---|\n";
    if (file !== undefined) await writeFile(file, `${head}${rows.sort().join("\n")}\n`);
    expect(broken).toEqual([]);
  }, 7_200_000);
