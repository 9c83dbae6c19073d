/** Promises about claims: no evidence no pass, unknown is failure, and colour, words and exit code say the same. */

import {minimatch} from "minimatch";
import type {StageResult} from "../../../src/record/evidence.ts";
import type {Failure} from "../../../src/record/failure.ts";
import type {Stage} from "../../../src/record/plan.ts";
import type {RunRecord} from "../../../src/record/record.ts";
import type {Change, Verdict, Verification} from "../../../src/record/verification.ts";
import type {PromiseCheck, Seen} from "./seen.ts";

export const claimChecks: readonly PromiseCheck[] = [
  {id: "P6", broken: evidenceForEachPass},
  {id: "P7", broken: unknownIsFailure},
  {id: "P10", broken: ({outcome}) => outcome.processes.map((line) => `still running: ${line}`)},
  {id: "P10", broken: ({outcome}) => outcome.leftInTmp.map((name) => `left in the temporary folder: ${name}`)},
  {id: "P2", broken: sameMachine},
  {id: "P14", broken: oneColour},
];

const claims = (verdict: Verdict | undefined) =>
  verdict?.kind === "verified" || verdict?.kind === "verified-with-preexisting";

interface Claim {
  readonly verdict: Verdict;
  readonly verification: Verification | null;
  readonly changes: readonly Change[];
  readonly where: string;
}

/** Each verdict with the verification it stands on. */
function verdicts({outcome: {record}}: Seen): Claim[] {
  if (record === null) return [];
  const own = record.attempts.map((attempt) => ({...attempt, where: `attempt ${attempt.number}`}));
  const inner = record.attempts.flatMap(({verification, number, changes}) =>
    verification === null
      ? []
      : [{verdict: verification.verdict, verification, changes, where: `verification ${number}`}],
  );
  const {verification = null, changes = []} = record.attempts.at(-1) ?? {};
  return [...own, ...inner, {verdict: record.verdict, verification, changes, where: "the run"}];
}

/** What a stage runs from outside of its checkout is as it was when the run started. */
function sameMachine({outcome}: Seen): string[] {
  const {record, changedOnMachine} = outcome;
  if (changedOnMachine.length === 0 || record === null || !claims(record.verdict)) return [];
  return [`verified, although these were changed: ${changedOnMachine.join(", ")}`];
}

function evidenceForEachPass(seen: Seen): string[] {
  const plan = seen.outcome.record?.plan ?? null;
  return verdicts(seen)
    .filter(({verdict}) => claims(verdict) || verdict.kind === "partial")
    .flatMap(({verification, verdict, changes, where}) => {
      if (verification === null) return [`${where} is ${verdict.kind} without a verification`];
      const required = verification.stages.filter((stage) => !stage.optional);
      const found: string[] = [];
      // A stage that fails as on the base ran to its end: what it did not complain about is evidence too.
      const ran = ({outcome, baseline}: StageResult) => outcome === "passed" || baseline?.outcome === "pre-existing";
      if (!required.some(ran)) found.push("no required stage passed");
      const missing = plan?.stages.filter((stage) => !verification.stages.some(({name}) => name === stage.name)) ?? [];
      found.push(...missing.map((stage) => `nothing is recorded of the stage ${stage.name}`));
      for (const stage of required) {
        if (isExcused({stage, verdict, changes, planned: plan?.stages.find(({name}) => name === stage.name)})) continue;
        if (stage.outcome !== "passed") found.push(`the required stage ${stage.name} is ${stage.outcome}`);
        if (stage.narrowed !== undefined) found.push(`the required stage ${stage.name} ran in part only`);
        const {tests} = stage;
        if (tests !== null && tests.passed + tests.failed === 0) found.push(`no test ran in ${stage.name}`);
      }
      found.push(
        ...verification.setup
          .filter(({outcome}) => outcome !== "passed")
          .map(({command}) => `setup failed: ${command}`),
      );
      return found.map((sentence) => `${where} is ${verdict.kind}, but ${sentence}`);
    });
}

/** A required stage need not have passed if it fails on the base too, no change concerns it, or the verdict names it as not run. */
function isExcused({
  stage,
  verdict,
  changes,
  planned,
}: {
  stage: StageResult;
  verdict: Verdict;
  changes: readonly Change[];
  planned: Stage | undefined;
}): boolean {
  if (verdict.kind === "verified-with-preexisting" && verdict.stages.includes(stage.name)) return true;
  if (verdict.kind === "partial" && verdict.preexisting.includes(stage.name)) return true;
  if (stage.outcome !== "skipped" || stage.reason === "") return false;
  if (verdict.kind === "partial" && verdict.notRun.includes(stage.name)) return true;
  const when = planned?.when ?? [];
  const paths = changes.flatMap(({path, from = path}) => [path, from]);
  const isConcerned = paths.some((path) => when.some((glob) => minimatch(path, glob, {dot: true})));
  return when.length > 0 && paths.length > 0 && !isConcerned;
}

function unknownIsFailure({outcome: {record}}: Seen): string[] {
  const results = record?.attempts.flatMap(({verification}) => [
    ...(verification?.setup ?? []),
    ...(verification?.stages ?? []),
  ]);
  return (results ?? []).flatMap(({name, outcome, exit, reason}) => {
    const good = exit?.kind === "exited" && exit.code === 0;
    if (outcome === "passed" && !good) return [`stage ${name} passed with the exit ${JSON.stringify(exit)}`];
    if (outcome !== "passed" && reason === "") return [`stage ${name} is ${outcome} without a reason`];
    return [];
  });
}

const GREEN_ICONS = ["✅", "☑️", "💬"];
const ICONS = [...GREEN_ICONS, "❌", "🛑", "⚠️"];

/** The icon of the fixed verdict line, `**✅ Verified** …`, or null. It is searched outside quotes and blocks only. */
export function iconOf(body: string): string | null {
  const lines = body.split("\n").filter((line) => line.startsWith("**"));
  return ICONS.find((icon) => lines.some((line) => line.startsWith(`**${icon} `))) ?? null;
}

/** The table of P14: what the job, the check and the output `verified` have to be. A null check: there must be none. */
function wanted({verdict, failures}: Pick<RunRecord, "verdict" | "failures">) {
  const has = (kind: Failure["kind"]) => failures.some((failure) => failure.kind === kind);
  const isHeld =
    claims(verdict) &&
    failures.length > 0 &&
    failures.every(({kind}) => ["protected-paths", "judge-objects", "grown"].includes(kind));
  const isBroken = failures.length > 0 && !isHeld;
  // What an interrupted run had said on a commit before must not stay there.
  const broken = {isGreen: false, check: has("interrupted") ? "failure" : null} as const;
  const {kind} = verdict;
  switch (kind) {
    case "verified":
    case "verified-with-preexisting":
      return {...(isBroken ? broken : {isGreen: true, check: "success" as const}), verified: "true"};
    case "partial":
      return {...(isBroken ? broken : {isGreen: true, check: null}), verified: "false"};
    case "nothing-to-verify":
      return {...(isBroken ? broken : {isGreen: true, check: "success" as const}), verified: "false"};
    case "failed":
    case "tampered":
    case "unverified":
      return {isGreen: false, check: "failure" as const, verified: "false"};
  }
}

function oneColour({outcome}: Seen): string[] {
  const {record, exitCode, outputs} = outcome;
  const found: string[] = [];
  if (record === null) return found;
  const {isGreen: green, check, verified} = wanted(record);
  // a null code: a signal ended the step, which is red whatever is recorded
  if (exitCode === 0 && !green) found.push(`the exit code is 0, the record is ${record.verdict.kind}`);
  if (exitCode !== null && exitCode !== 0 && green) found.push(`the exit code is ${exitCode}, the record is green`);
  const last = record.attempts.at(-1);
  const isClaim = claims(record.verdict) || record.verdict.kind === "partial";
  if (last !== undefined && last.verdict.kind !== record.verdict.kind && isClaim) {
    found.push(`the run is ${record.verdict.kind}, its last attempt ${last.verdict.kind}`);
  }
  const said = {
    verdict: record.verdict.kind,
    verified,
    attempts: String(record.attempts.length),
  };
  // of a `main` that died, the outputs are those it began with: GitHub discards what `post` writes
  const hasDied = exitCode === null || record.failures.some(({kind}) => kind === "interrupted");
  const begun = {verdict: "unverified", verified: "false"};
  for (const [name, value] of Object.entries(hasDied && outputs["verdict"] === "unverified" ? begun : said)) {
    if (outputs[name] !== value) found.push(`the output ${name} is ${outputs[name]}, not ${value}`);
  }
  // the newest of a name is the one that counts
  const newest = new Map(outcome.marks.map((mark) => [`${mark.name} ${mark.commit}`, mark]));
  for (const {commit, name, conclusion} of newest.values()) {
    if (conclusion !== check) found.push(`${name} on ${commit} is ${conclusion}, not ${check ?? "left out"}`);
  }
  // a comment that GitHub did not let the run finish says nothing; P9 wants the summary in its place then
  const isStuck = record.notes.some(({about}) => about === "comment");
  const shown = isStuck ? undefined : outcome.comments.find((comment) => comment.id === record.thread?.commentId);
  for (const [where, body] of Object.entries({comment: shown?.body, summary: outcome.summary || undefined})) {
    if (body === undefined) continue;
    const icon = iconOf(body);
    if (icon === null) found.push(`the ${where} has no verdict line`);
    else if (GREEN_ICONS.includes(icon) !== green)
      found.push(`the ${where} shows ${icon}, the record is ${green ? "green" : "red"}`);
  }
  return found;
}
