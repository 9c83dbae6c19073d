/** A plan on several machines: the stages of each, and the verdict from the results of all. */

import {findUnread} from "../engine/coverage.ts";
import {requiredLeftOut} from "../engine/schedule/skip-reasons.ts";
import type {Bite} from "../record/bite.ts";
import type {StageResult} from "../record/evidence.ts";
import type {Plan, Stage} from "../record/plan.ts";
import type {RunRecord} from "../record/record.ts";
import type {Isolation, Verdict, Verification} from "../record/verification.ts";
import {claimsSomething, ok, type Result, refused} from "../record/words.ts";
import {SPEC_DRIFT} from "../verify/spec-drift.ts";
import {decideClaim} from "../verify/verdict.ts";
import {type DividedPlan, mergeParts} from "./split-checks.ts";

/** One of the machines that share a plan; the first is number 1. */
export interface Shard {
  readonly number: number;
  readonly of: number;
}

/**
 * The plan with this machine's stages only. Stages that need one another stay together. Each stage belongs to exactly
 * one machine, the same in every job. An optional stage goes to a machine with a required one: alone it would decide.
 */
export function shareOf(plan: Plan, shard: Shard): Plan {
  const shares = Array.from({length: shard.of}, () => ({names: new Set<string>(), seconds: 0, hasRequired: false}));
  const groups = groupsOf(plan.stages)
    .map((stages) => ({
      stages,
      seconds: stages.reduce((sum, {timeout}) => sum + timeout, 0),
      hasRequired: stages.some(({optional}) => !optional),
    }))
    .toSorted((one, other) => Number(other.hasRequired) - Number(one.hasRequired) || other.seconds - one.seconds);
  for (const group of groups) {
    const withRequired = group.hasRequired ? [] : shares.filter(({hasRequired}) => hasRequired);
    const shortestShare = (withRequired.length > 0 ? withRequired : shares).reduce((one, other) =>
      other.seconds < one.seconds ? other : one,
    );
    for (const {name} of group.stages) shortestShare.names.add(name);
    shortestShare.seconds += group.seconds;
    shortestShare.hasRequired ||= group.hasRequired;
  }
  return {...plan, stages: plan.stages.filter(({name}) => shares[shard.number - 1]?.names.has(name))};
}

function groupsOf(stages: readonly Stage[]): Stage[][] {
  return stages.reduce<Stage[][]>((groups, stage) => {
    const belongs = (other: Stage) => stage.needs.includes(other.name) || other.needs.includes(stage.name);
    const [own, rest] = [groups.filter((one) => one.some(belongs)), groups.filter((one) => !one.some(belongs))];
    return [...rest, [...own.flat(), stage]];
  }, []);
}

/**
 * Joins the records of the machines into the record that a single machine would have written. Refuses records about
 * different things, and green ones that lack a stage of `divided`, which has the parts of the plan's divided checks.
 */
export function joinShards(options: {
  legs: readonly RunRecord[];
  plan: Plan;
  divided?: DividedPlan;
}): Result<RunRecord, string> {
  const {legs, plan, divided = {plan, partOf: new Map()}} = options;
  const [first] = legs;
  if (first === undefined || distinct(legs.map(commonFacts)).length > 1) {
    return refused("its machines verified different commits or rules");
  }
  const failures = distinct(legs.flatMap((leg) => leg.failures));
  // Only a machine with the check that runs them has results of held-out tests.
  const ran = legs.find(({heldOut}) => heldOut?.tests.some(({onCandidate = "unknown"}) => onCandidate !== "unknown"));
  const {heldOut = first.heldOut} = ran ?? {};
  const notes = distinct(legs.flatMap((leg) => leg.notes));
  const joinedRecord = {...first, failures, notes, ...(heldOut && {heldOut})};
  const attempts = legs.flatMap((leg) => leg.attempts.slice(-1));
  const [attempt] = attempts;
  const verifications = attempts.flatMap(({verification}) => verification ?? []);
  if (attempt === undefined || verifications.length === 0) {
    // The plan or the change settled it, or it could not begin: the reason is the same on each machine.
    const isOne = distinct(legs.map(({verdict, attempts: {length}}) => ({verdict, length}))).length === 1;
    return isOne ? ok(joinedRecord) : refused("its machines ran no check, and report different reasons");
  }
  const only = first.request?.kind === "verify" ? first.request.only : [];
  const leftOut = requiredLeftOut(plan.stages, {only, changes: attempt.changes});
  const partResults = verifications.flatMap(({stages}) => stages);
  const merged = mergeParts(partResults, divided);
  const results = merged.ok ? merged.value : partResults;
  const {blocking: uncovered} = findUnread(verifications[0]?.coverage, results);
  const wholeName = (name: string) => divided.partOf.get(name)?.name ?? name;
  const joinedVerdict = joinVerdicts({verdicts: legs.map((leg) => leg.verdict), leftOut, uncovered});
  const verdict =
    "stages" in joinedVerdict
      ? {...joinedVerdict, stages: [...new Set(joinedVerdict.stages.map(wholeName))]}
      : joinedVerdict;
  // Each machine compares the specs, and finds the same.
  const names = partResults.flatMap(({name}) => (name === SPEC_DRIFT ? [] : name)).sort();
  const plannedNames = divided.plan.stages.map(({name}) => name).sort();
  const isWhole = verifications.length === legs.length && isEqual(names, plannedNames);
  if (claimsSomething(verdict) && !isWhole) {
    return refused("its machines did not run each check of the plan exactly once");
  }
  if (claimsSomething(verdict) && !merged.ok) return merged;
  const verification = joinVerifications({verifications, plan, verdict, results});
  return ok({...joinedRecord, attempts: [{...attempt, verification, verdict}], verdict});
}

/** The facts that all machines must agree on. */
function commonFacts({run, request, base, rules, thread, resumes, attempts}: RunRecord) {
  const {candidate, changes} = attempts.at(-1) ?? {};
  return {id: run.id, request, base, rules, thread: thread?.number, resumes, candidate, changes};
}

/** The worst verdict. A machine without a stage for the change does not count, as long as another has one. */
function joinVerdicts(options: {
  verdicts: readonly Verdict[];
  leftOut: readonly string[];
  uncovered: readonly string[];
}): Verdict {
  const {verdicts, leftOut, uncovered} = options;
  const claims = verdicts.filter((verdict) => !hasNoOwnStage(verdict));
  const tamperedVerdict = claims.find(({kind}) => kind === "tampered");
  const failedStages = claims.flatMap((verdict) => (verdict.kind === "failed" ? verdict.stages : []));
  if (tamperedVerdict !== undefined || failedStages.length > 0)
    return tamperedVerdict ?? {kind: "failed", stages: [...new Set(failedStages)]};
  const doubt = claims.find((verdict) => !claimsSomething(verdict)) ?? (claims.length === 0 ? verdicts[0] : undefined);
  if (doubt?.kind === "unverified") return doubt;
  if (doubt !== undefined)
    return {kind: "unverified", why: "gate-error", detail: "only one machine reports that there is nothing to verify"};
  return decideClaim({excused: claims.flatMap(excusedIn), leftOut, uncovered});
}

function excusedIn(verdict: Verdict): string[] {
  if (verdict.kind === "verified-with-preexisting") return verdict.stages;
  return verdict.kind === "partial" ? verdict.preexisting : [];
}

/** True if no stage of a machine's share concerns the change: it is not a pass, and other machines may decide. */
export function hasNoOwnStage(verdict: Verdict): boolean {
  return verdict.kind === "unverified" && verdict.why === "no-stages";
}

/** From the strongest to the weakest isolation. */
const ISOLATIONS: readonly Isolation[] = ["sandbox", "pid-namespace", "degraded"];

function joinVerifications(options: {
  verifications: readonly Verification[];
  plan: Plan;
  verdict: Verdict;
  results: readonly StageResult[];
}): Verification | null {
  const {verifications, plan, verdict, results} = options;
  const [first] = verifications;
  if (first === undefined) return null;
  const worst = verifications.find(({setup}) => setup.some(({outcome}) => outcome !== "passed")) ?? first;
  return {
    ...first,
    isolation: ISOLATIONS.findLast((one) => verifications.some(({isolation}) => isolation === one)) ?? first.isolation,
    setup: worst.setup,
    stages: [
      ...plan.stages.flatMap(({name}) => results.filter((result) => result.name === name)),
      ...results.filter(({name}) => name === SPEC_DRIFT).slice(0, 1),
    ],
    ...(first.findings && {findings: distinct(verifications.flatMap(({findings = []}) => findings))}),
    ...joinBites(verifications.flatMap(({bite}) => bite ?? [])),
    verdict,
    durationMs: Math.max(...verifications.map(({durationMs}) => durationMs)),
  };
}

/** Each machine ran the tests of its own stages. */
function joinBites(bites: readonly Bite[]): Pick<Verification, "bite"> {
  if (bites.length === 0) return {};
  const tests = bites.flatMap((bite) => bite.tests);
  return {bite: {tests, durationMs: Math.max(...bites.map(({durationMs}) => durationMs))}};
}

const isEqual = (one: readonly string[], other: readonly string[]): boolean => one.join("\n") === other.join("\n");

function distinct<T>(values: readonly T[]): T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
