/** A cancelled job, on the runner's timeline (SIGINT, SIGTERM at 7.5 s, SIGKILL at 10 s), at every step of a run. */
import {spawn} from "node:child_process";
import {availableParallelism, loadavg} from "node:os";
import {afterAll, beforeAll, describe, expect, test} from "vitest";
import {BOT} from "../rig/github/people.ts";
import {paceNow} from "../rig/pace.ts";
import {iconOf} from "../rig/promises/claims.ts";
import {isSweep} from "../sweep.ts";
import {brokenIn, isWorkThere, type QuickWorld, quickWorld, SAY_DONE, WRITE_PRODUCT} from "./quick-world.ts";

/** The run is cancelled when it has printed this, or called git so often. */
interface Step {
  readonly name: string;
  readonly agent?: string;
  readonly verify?: Record<string, unknown>;
  readonly saw: RegExp;
  readonly afterMs?: number;
}

const SLOW = "sleep 300 & wait";
const STEPS: readonly Step[] = [
  {name: "the agent's turn", agent: `${WRITE_PRODUCT}\n${SLOW}`, saw: /The agent starts/, afterMs: 1_500},
  {
    name: "an agent that ignores every signal",
    agent: `trap '' INT TERM\n${WRITE_PRODUCT}\nsleep 300\nsleep 300`,
    saw: /The agent starts/,
    afterMs: 1_500,
  },
  {
    name: "a stage",
    verify: {stages: [{name: "slow", kind: "test", command: SLOW, timeout: 400}]},
    saw: /answered/,
    afterMs: 1_500,
  },
  {
    name: "a stage that ignores every signal",
    verify: {stages: [{name: "slow", kind: "test", command: "trap '' INT TERM; sleep 300; sleep 300", timeout: 400}]},
    saw: /answered/,
    afterMs: 1_500,
  },
  {name: "the set-up", verify: {setup: [{command: SLOW, timeout: 400}]}, saw: /answered/, afterMs: 1_000},
  {name: "the start", saw: /📋/},
  {name: "the agent's start", saw: /The agent starts/},
  {name: "the first look", saw: /answered/},
  {name: "the push", saw: /Attempt 1/, afterMs: 300},
  {name: "the comment", saw: /published/},
];
const ROUNDS = isSweep ? 3 : 1;
const CHOSEN = isSweep ? STEPS : STEPS.filter(({name}) => name === "the push");
/** `others` are processes beside the run that are never idle. The runner sends SIGTERM at 7.5 s. */
const MACHINES = isSweep
  ? [
      {machine: "a quiet machine", others: 0, limitMs: 4_000},
      {machine: "two other processes on each core", others: 2 * availableParallelism(), limitMs: 7_500},
    ]
  : [{machine: "the tests' machine", others: 0, limitMs: 7_500}];

/** Milliseconds until the report stood in the thread, and until `main` and `post` were over, for each round. */
const measured: {readonly step: string; readonly reportMs: number; readonly endMs: number}[] = [];

afterAll(() => {
  const load = loadavg().map((value) => value.toFixed(1));
  console.log(`load ${load.join(" ")}`);
  for (const name of new Set(measured.map(({step}) => step))) {
    const rounds = measured.filter(({step}) => step === name);
    const list = (of: (round: (typeof rounds)[number]) => number) => rounds.map((one) => Math.round(of(one))).join(" ");
    console.log(`${name}: report ${list(({reportMs}) => reportMs)}; end ${list(({endMs}) => endMs)}`);
  }
});

describe.each(MACHINES)("$machine", ({machine, others, limitMs}) => {
  let busy: ReturnType<typeof spawn>[] = [];
  beforeAll(() => {
    const untilOrphaned = "const parent = process.ppid; while (process.ppid === parent);";
    busy = Array.from({length: others}, () => spawn(process.execPath, ["-e", untilOrphaned], {stdio: "ignore"}));
  });
  afterAll(() => {
    for (const child of busy) child.kill("SIGKILL");
  });

  test.each(CHOSEN)(
    "cancelled during $name: parked and reported in time",
    async (step) => {
      const {agent, verify} = step;
      const product = process.env["ASSAY_PRODUCT"];
      await using world = await quickWorld({
        ...(agent !== undefined && {agent: `${agent}\n${SAY_DONE}`}),
        ...(verify !== undefined && {verify}),
        ...(product !== undefined && {product}),
      });
      for (let count = 0; count < ROUNDS; count += 1)
        expect(await cancelled({world, step, machine, limitMs})).toEqual([]);
    },
    600_000,
  );
});

async function cancelled({
  world,
  step,
  machine,
  limitMs,
}: {
  world: QuickWorld;
  step: Step;
  machine: string;
  limitMs: number;
}): Promise<string[]> {
  const {rig, env, forget, hasWorked} = world;
  await forget();
  const on = await rig.openIssue({title: "Products"});
  const run = await rig.begin("/assay multiply", {env, on});
  await run.saw(step.saw);
  await new Promise((resolve) => setTimeout(resolve, step.afterMs ?? 0));
  const started = performance.now();
  const pace = paceNow();
  run.cancel();
  let tookMs = 0;
  const path = `/repos/${rig.origin.name}/issues/${on}/comments`;
  while (tookMs < 15_000 * pace) {
    tookMs = performance.now() - started;
    const comments: unknown = await rig.github.as("ada", "GET", path);
    const own = (Array.isArray(comments) ? comments : []).filter((one) => one.user.login === BOT);
    if (own.length === 1 && iconOf(String(own[0].body)) !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const outcome = await run.ended;
  const endedMs = performance.now() - started;
  measured.push({step: `${machine}, ${step.name}`, reportMs: tookMs, endMs: endedMs});
  const found = await brokenIn({rig}, outcome);
  if (outcome.record === null) found.push("there is no record");
  const {publication} = outcome.record ?? {};
  const isOut = publication?.kind === "published" || publication?.kind === "parked";
  if (isOut && !outcome.marks.some(({commit}) => commit === publication.commit)) found.push("the commit has no check");
  if (tookMs > limitMs * pace) found.push(`the report took ${Math.round(tookMs)} ms`);
  if (outcome.exitCode === null) found.push("it had to be killed");
  if (hasWorked(outcome) && !(await isWorkThere(rig, outcome))) found.push("the agent's work is on no branch");
  return found;
}
