/** Promises about claims: no evidence no pass, unknown is failure, and colour, words and exit code say the same. */

import type {StageResult} from "../../../src/record/evidence.ts";
import type {Stage} from "../../../src/record/plan.ts";
import type {Verdict, Verification} from "../../../src/record/verification.ts";
import {isGreen} from "../../../src/record.ts";
import type {PromiseCheck, Seen} from "./seen.ts";

export const claimChecks: readonly PromiseCheck[] = [
  {id: "P6", broken: evidenceForEachPass},
  {id: "P7", broken: unknownIsFailure},
  {id: "P10", broken: ({outcome}) => outcome.processes.map((line) => `still running: ${line}`)},
  {id: "P10", broken: ({outcome}) => outcome.leftInTmp.map((name) => `left in the temporary folder: ${name}`)},
  {id: "P14", broken: oneColour},
];

const claims = (verdict: Verdict | undefined) =>
  verdict?.kind === "verified" || verdict?.kind === "verified-with-preexisting";

/** Each verdict with the verification it stands on. */
function verdicts({outcome: {record}}: Seen): {verdict: Verdict; verification: Verification | null; where: string}[] {
  if (record === null) return [];
  const own = record.attempts.map((attempt) => ({...attempt, where: `attempt ${attempt.number}`}));
  const inner = record.attempts.flatMap(({verification, number}) =>
    verification === null ? [] : [{verdict: verification.verdict, verification, where: `verification ${number}`}],
  );
  const last = record.attempts.at(-1)?.verification ?? null;
  return [...own, ...inner, {verdict: record.verdict, verification: last, where: "the run"}];
}

function evidenceForEachPass(seen: Seen): string[] {
  const plan = seen.outcome.record?.plan ?? null;
  const only = seen.outcome.record?.request?.kind === "verify" ? seen.outcome.record.request.only : [];
  return verdicts(seen)
    .filter(({verdict}) => claims(verdict))
    .flatMap(({verification, verdict, where}) => {
      if (verification === null) return [`${where} is ${verdict.kind} without a verification`];
      const required = verification.stages.filter((stage) => !stage.optional);
      const found: string[] = [];
      // A stage that fails as on the base ran to its end: what it did not complain about is evidence too.
      const ran = ({outcome, baseline}: StageResult) => outcome === "passed" || baseline?.outcome === "pre-existing";
      if (!required.some(ran)) found.push("no required stage passed");
      const missing = plan?.stages.filter((stage) => !verification.stages.some(({name}) => name === stage.name)) ?? [];
      found.push(...missing.map((stage) => `nothing is recorded of the stage ${stage.name}`));
      for (const stage of required) {
        if (isExcused({stage, verdict, planned: plan?.stages.find(({name}) => name === stage.name), only})) continue;
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

/** A required stage need not have passed when it fails on the base too, has nothing to look at, or was not asked for. */
function isExcused(o: {
  stage: StageResult;
  verdict: Verdict;
  planned: Stage | undefined;
  only: readonly string[];
}): boolean {
  const {stage, verdict, planned, only} = o;
  if (verdict.kind === "verified-with-preexisting" && verdict.stages.includes(stage.name)) return true;
  if (stage.outcome !== "skipped" || stage.reason === "") return false;
  return (planned?.when.length ?? 0) > 0 || (only.length > 0 && !only.includes(stage.name));
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

/** The icons of the five headlines; the first two are green. */
const ICONS = ["✅", "💬", "❌", "🛑", "⚠️"];

/** The icon of the fixed verdict line, `**✅ Verified.** …`, or null. It is searched outside quotes and blocks only. */
export function iconOf(body: string): string | null {
  const lines = body.split("\n").filter((line) => line.startsWith("**"));
  return ICONS.find((icon) => lines.some((line) => line.startsWith(`**${icon} `))) ?? null;
}

function oneColour({outcome}: Seen): string[] {
  const {record, exitCode, outputs} = outcome;
  const found: string[] = [];
  if (record === null) return found;
  const green = isGreen(record);
  // a null code: a signal ended the step, which is red whatever is recorded
  if (exitCode === 0 && !green) found.push(`the exit code is 0, the record is ${record.verdict.kind}`);
  if (exitCode !== null && exitCode !== 0 && green) found.push(`the exit code is ${exitCode}, the record is green`);
  const last = record.attempts.at(-1);
  if (last !== undefined && last.verdict.kind !== record.verdict.kind && claims(record.verdict)) {
    found.push(`the run is ${record.verdict.kind}, its last attempt ${last.verdict.kind}`);
  }
  const said = {
    verdict: record.verdict.kind,
    verified: String(claims(record.verdict)),
    attempts: String(record.attempts.length),
  };
  for (const [name, value] of Object.entries(said)) {
    if (outputs[name] !== value) found.push(`the output ${name} is ${outputs[name]}, not ${value}`);
  }
  // the newest of a name is the one that counts
  const newest = new Map(outcome.marks.map((mark) => [`${mark.name} ${mark.commit}`, mark]));
  for (const {commit, name, isGood} of newest.values()) {
    if (isGood !== green) found.push(`${name} on ${commit} is ${isGood ? "good" : "bad"}, the record is not`);
  }
  // a comment that GitHub did not let the run finish says nothing; P9 wants the summary in its place then
  const isStuck = record.notes.some(({about}) => about === "comment");
  const shown = isStuck ? undefined : outcome.comments.find((comment) => comment.id === record.thread?.commentId);
  for (const [where, body] of Object.entries({comment: shown?.body, summary: outcome.summary || undefined})) {
    if (body === undefined) continue;
    const icon = iconOf(body);
    if (icon === null) found.push(`the ${where} has no verdict line`);
    else if ((icon === "✅" || icon === "💬") !== green)
      found.push(`the ${where} shows ${icon}, the record is ${green ? "green" : "red"}`);
  }
  return found;
}
