/** 1,000 made plans, requests and outcomes: what `verified` promises, asked of the real decisions in memory. */
import {minimatch} from "minimatch";
import {expect, test} from "vitest";
import {openAffectedRun} from "../../../src/engine/affected/affected-run.ts";
import {findUnread} from "../../../src/engine/coverage.ts";
import {orderStages} from "../../../src/engine/schedule/order.ts";
import {requiredLeftOut} from "../../../src/engine/schedule/skip-reasons.ts";
import {type PipelineState, runScheduledStage} from "../../../src/engine/stage-run.ts";
import type {BaselineComparison, StageResult} from "../../../src/record/evidence.ts";
import type {Stage} from "../../../src/record/plan.ts";
import type {Change, Coverage, Verdict} from "../../../src/record/verification.ts";
import {STAGE_KINDS} from "../../../src/record/words.ts";
import {decideVerdict} from "../../../src/verify/verdict.ts";
import {plannedStage, planWith} from "../../rig/plans.ts";
import {stage as resultWith} from "../report/records.ts";

const CASES = 1_000;
const RED = ["failed", "failed", "failed", "timed-out", "unavailable", "flaky"] as const;
const COMPARED = ["new", "pre-existing", "unknown", "not-comparable"] as const;

/** Mulberry32: the same numbers for the same seed, everywhere. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Random = () => number;
const chance = (random: Random, share: number): boolean => random() < share;
const pick = <T>(random: Random, values: readonly [T, ...T[]]): T =>
  values[Math.floor(random() * values.length)] ?? values[0];

function makeStages(random: Random): Stage[] {
  const count = 1 + Math.floor(random() * 4);
  return Array.from({length: count}, (_, at) =>
    plannedStage({
      name: `s${at}`,
      kind: pick(random, STAGE_KINDS),
      optional: chance(random, 0.2),
      when: chance(random, 0.4) ? [`${pick(random, ["site", "src"])}/**`] : [],
      needs: at > 0 && chance(random, 0.3) ? [`s${Math.floor(random() * at)}`] : [],
    }),
  );
}

function makeChanges(random: Random): Change[] {
  return Array.from({length: 1 + Math.floor(random() * 2)}, (_, at) => {
    const path = (folder: string) => `${folder}/${at}.ts`;
    const folder = pick(random, ["site", "src", "lib"]);
    if (!chance(random, 0.4)) return {path: path(folder), status: "modified"};
    return {path: path(folder), from: path(pick(random, ["site", "src", "lib"])), status: "renamed"};
  });
}

/** What the stage leaves behind when it runs: mostly a pass, so that enough cases come out green. */
function makeOutcome(random: Random, stage: Stage): {result: StageResult; compared: BaselineComparison["outcome"]} {
  const compared = pick(random, COMPARED);
  const result = resultWith({name: stage.name, kind: stage.kind, command: stage.command, optional: stage.optional});
  if (chance(random, 0.75)) return {result, compared};
  const outcome = pick(random, RED);
  const failureKind = outcome === "timed-out" ? "timeout" : outcome === "unavailable" ? "environment" : "code";
  return {result: {...result, outcome, failureKind, reason: "it did not pass"}, compared};
}

interface Case {
  readonly stages: readonly Stage[];
  readonly changes: readonly Change[];
  readonly only: readonly string[];
  readonly coverage: Coverage;
  readonly results: readonly StageResult[];
  readonly outcomes: ReadonlyMap<string, ReturnType<typeof makeOutcome>>;
  readonly verdict: Verdict;
}

async function decide(seed: number): Promise<Case> {
  const random = randomFrom(seed);
  const stages = makeStages(random);
  const changes = makeChanges(random);
  const only = chance(random, 0.3) ? [pick(random, ["s0", "s1", "test", "lint"])] : [];
  const outcomes = new Map(stages.map((stage) => [stage.name, makeOutcome(random, stage)]));
  const paths = changes.map(({path}) => {
    const readers = stages.filter(() => chance(random, 0.8)).map(({name}) => name);
    return {path, stages: readers, takenIn: readers, project: "."};
  });
  const coverage = {strict: false, paths};
  const plan = planWith(...stages);
  const options = {plan, changes, only, failFast: chance(random, 0.2), previous: null, flaky: []};
  const isCancelled = chance(random, 0.05);
  const stopped = new AbortController();
  if (isCancelled) stopped.abort();
  const outcomeOf = ({name}: Pick<Stage, "name">) => {
    const found = outcomes.get(name);
    if (found === undefined) throw new Error(`no outcome for ${name}`);
    return found;
  };
  const state: PipelineState = {
    options: {...options, spent: () => null, onEvent: () => undefined},
    checkouts: {
      shared: {folder: "", isolation: "degraded", signal: stopped.signal, sandbox: () => null, variables: () => ({})},
      openAnother: null,
      isolated: new Set(),
    },
    blockedBy: "",
    baseline: {
      begin: async () => undefined,
      pause: async () => undefined,
      rerun: async () => null,
      onBase: async () => null,
      takes: () => false,
      durationMs: () => null,
      compare: async (stage, result) => {
        const {compared} = outcomeOf(stage);
        const isRed = result.outcome === "failed" || result.outcome === "timed-out";
        const baseline = {outcome: compared, new: [], preexisting: [], fixed: 0, why: "made"};
        return isRed ? {...result, baseline} : result;
      },
    },
    scripts: async () => ({}),
    affectedRun: openAffectedRun(null, plan.stages),
    isolated: new Set(),
    runIn: async (stage) => outcomeOf(stage).result,
    stop: new AbortController(),
    started: new Set(),
    results: [],
    skipped: new Set(),
    left: new Set(),
    outOfTime: "",
  };
  const slot = {signal: new AbortController().signal, hadCompany: () => false};
  for (const stage of orderStages(plan, null)) await runScheduledStage(state, stage, slot);
  const leftOut = requiredLeftOut(plan.stages, options);
  const {blocking: uncovered} = findUnread(coverage, state.results);
  const {skipped, outOfTime, results} = state;
  const setup = {setup: [], setupFailedOnBase: false, cancelled: isCancelled};
  const verdict = decideVerdict({...setup, stages: results, skipped, leftOut, outOfTime, uncovered, isBase: false});
  return {stages: plan.stages, changes, only, coverage, results, outcomes, verdict};
}

/** Why this case may not be green; written from the promise alone, with none of the functions under test. */
function whyNotGreen({stages, changes, coverage, results, outcomes}: Case): string[] {
  const paths = changes.flatMap(({path, from}) => (from === undefined ? [path] : [path, from]));
  const concerns = ({when}: Stage) =>
    when.length === 0 || paths.some((path) => when.some((glob) => minimatch(path, glob)));
  const ran = new Map(results.map((result) => [result.name, result]));
  const isGood = (name: string): boolean => {
    const made = outcomes.get(name);
    const outcome = ran.get(name)?.outcome;
    const isExcused = made?.result.outcome === "failed" && made.compared === "pre-existing" && outcome === "failed";
    return (made?.result.outcome === "passed" && outcome === "passed") || isExcused;
  };
  const required = stages.some(({optional}) => !optional) ? stages.filter(({optional}) => !optional) : stages;
  const bad = required.filter((stage) => concerns(stage) && !isGood(stage.name));
  const early = stages.filter(({name, needs}) => {
    const needed = needs.map((need) => ran.get(need)?.outcome);
    const began = ran.get(name)?.outcome !== "skipped";
    return began && needed.some((outcome) => outcome !== "passed");
  });
  const readBy = (names: readonly string[]) =>
    names.some((name) => ran.get(name)?.outcome !== "skipped" && isGood(name));
  const unread = coverage.paths.filter(({project, takenIn}) => project !== null && !readBy(takenIn));
  return [
    ...bad.map(({name}) => `${name} did not pass`),
    ...early.map(({name}) => `${name} ran before what it needs had passed`),
    ...unread.map(({path}) => `${path} is read by no stage`),
  ];
}

test("verified means that each required stage passed, and that each changed source file was read", async () => {
  const kinds = new Map<string, number>();
  for (let seed = 1; seed <= CASES; seed++) {
    const made = await decide(seed);
    const {verdict} = made;
    const kind = verdict.kind === "unverified" ? verdict.why : verdict.kind;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    if (verdict.kind !== "verified" && verdict.kind !== "verified-with-preexisting") continue;
    expect(whyNotGreen(made), `seed ${seed}: ${JSON.stringify(made)}`).toEqual([]);
  }
  // The cases reach every rule: a property over nothing would hold, too.
  for (const kind of ["verified", "verified-with-preexisting", "partial", "failed", "not-covered", "not-comparable"])
    expect(kinds.get(kind) ?? 0, kind).toBeGreaterThan(5);
});
