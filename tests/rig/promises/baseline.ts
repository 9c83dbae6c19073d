/** The promise about old failures: only what the base really fails with is excused, it costs no turn, and it is no pass. */
import type {StageResult} from "../../../src/record/evidence.ts";
import type {RunRecord} from "../../../src/record/record.ts";
import type {Verdict} from "../../../src/record/verification.ts";
import {git} from "../git.ts";
import {openReplay} from "./replay.ts";
import type {PromiseCheck, Seen} from "./seen.ts";

export const baselineChecks: readonly PromiseCheck[] = [
  {id: "P15", broken: excusedByEvidence},
  {id: "P15", broken: noTurnForOldFailures},
  {id: "P15", broken: neverCalledAPass},
  {id: "P15", broken: theBaseFailsToo},
  {id: "P15", broken: theRulesCallItFlaky},
];

const isExcused = ({baseline}: StageResult) => baseline?.outcome === "pre-existing";
const stagesOf = (record: RunRecord | null) =>
  record?.attempts.flatMap(({verification}) => verification?.stages ?? []) ?? [];

function excusedByEvidence({outcome: {record}}: Seen): string[] {
  const excuses = stagesOf(record)
    .filter(isExcused)
    .flatMap(({name, outcome, exit, output, diagnostics, baseline}) => {
      const found: string[] = [];
      const errors = diagnostics.filter(({severity}) => severity === "error").length;
      if (outcome !== "failed" && outcome !== "flaky") found.push(`${name} is ${outcome}, and excused`);
      if (exit?.kind !== "exited") found.push(`${name} is excused, and did not end by itself`);
      if (output === null || output.droppedBytes > 0) found.push(`${name} is excused by an output that is not whole`);
      if (baseline?.new.length !== 0) found.push(`${name} is excused, and has new failures`);
      if ((baseline?.preexisting.length ?? 0) === 0) found.push(`${name} is excused without a failure`);
      if ((baseline?.preexisting.length ?? 0) < errors) found.push(`${name} is excused for some of its failures only`);
      return found;
    });
  const verdicts = record?.attempts.flatMap(({number, verdict, verification}) => {
    const excused = verification?.stages.filter((stage) => isExcused(stage) && !stage.optional) ?? [];
    const names = excused.map(({name}) => name).join(", ");
    const said = saidToBeOld(verdict)?.join(", ") ?? null;
    if (said !== null && said !== names)
      return [`attempt ${number} excuses ${said}, the evidence ${names || "nothing"}`];
    if (verdict.kind === "verified" && names !== "") return [`attempt ${number} is verified, and ${names} fails`];
    const charged = verdict.kind === "failed" ? excused.filter(({name}) => verdict.stages.includes(name)) : [];
    return charged.map(({name}) => `attempt ${number} is charged with ${name}, which fails on the base`);
  });
  return [...excuses, ...(verdicts ?? [])];
}

/** The stages that a verdict excuses; null where it makes no such claim. */
function saidToBeOld(verdict: Verdict): readonly string[] | null {
  if (verdict.kind === "verified-with-preexisting") return verdict.stages;
  return verdict.kind === "partial" ? verdict.preexisting : null;
}

function noTurnForOldFailures({outcome: {record}}: Seen): string[] {
  const attempts = (record?.attempts ?? []).toSorted((one, other) => one.number - other.number);
  // Without a turn, on another base: what was put onto a branch that moved, and had to be verified again.
  const isMoved = (at: number) =>
    attempts[at]?.turn === null && attempts[at]?.candidate?.base !== attempts[at - 1]?.candidate?.base;
  // The other reasons for a turn need a good verdict: an objection of the judge, and, once each, held-out tests that fail and faults that no test notices.
  const hasObjection = ({opinion, verdict}: (typeof attempts)[number]) =>
    opinion?.kind === "judged" && opinion.outcome === "not-met" && !["unverified", "tampered"].includes(verdict.kind);
  const lacksTests = ({sensitivity, verdict}: (typeof attempts)[number]) =>
    (sensitivity?.notNoticed ?? []).length > 0 && verdict.kind.startsWith("verified");
  const askedForBehavior = attempts.find(({heldOutFailures = 0}) => heldOutFailures > 0);
  const askedForTests = attempts.find(lacksTests);
  return attempts
    .slice(0, -1)
    .filter(
      (attempt, at) =>
        !["failed", "tampered"].includes(attempt.verdict.kind) &&
        !isMoved(at + 1) &&
        !hasObjection(attempt) &&
        attempt !== askedForBehavior &&
        attempt !== askedForTests,
    )
    .map(({number, verdict}) => `a turn followed attempt ${number}, which was ${verdict.kind}`);
}

function neverCalledAPass({outcome: {record, comments}}: Seen): string[] {
  const body = comments.find(({id}) => id === record?.thread?.commentId)?.body ?? "";
  const last = record?.attempts.at(-1)?.verification?.stages.filter(isExcused) ?? [];
  return last.filter(({name}) => body.includes(`| ✅ | ${name} |`)).map(({name}) => `the comment calls ${name} a pass`);
}

/** Asks the base itself. Only where nothing is to be installed first: there the command alone is the whole stage. */
async function theBaseFailsToo({outcome: {record}, origin, isHostile = false}: Seen): Promise<string[]> {
  const excused = stagesOf(record).filter((stage) => isExcused(stage) && stage.outcome === "failed");
  const kind = record?.request?.kind;
  const isHead = (kind === "verify" || kind === "review") && record?.resumes === undefined;
  const base = record?.undoes?.parent ?? (isHead ? record?.rules?.commit : record?.base?.commit);
  if (excused.length === 0 || record?.plan?.setup.length !== 0) return [];
  if (base === undefined) return ["failures are excused, and there is no base"];
  await using replay = await openReplay(origin, {commit: base, isHostile});
  if (replay === null) return [];
  const found: string[] = [];
  for (const {name, command, cwd, baseline} of excused) {
    const {code, text} = await replay.run(command, cwd);
    if (code === 0) found.push(`${name} is excused, and passes on the base`);
    const strange = baseline?.preexisting.filter(({testId, message}) => !text.includes(testId ?? message)) ?? [];
    found.push(
      ...strange.map(({testId, message}) => `${name} excuses what the base does not say: ${testId ?? message}`),
    );
  }
  return found;
}

/** What chance is held for is what the owner wrote down before the change, each test by its name. */
async function theRulesCallItFlaky({outcome: {record}, origin}: Seen): Promise<string[]> {
  const excused = stagesOf(record).filter((stage) => isExcused(stage) && stage.outcome === "flaky");
  if (excused.length === 0) return [];
  const text = await git(origin.folder, ["show", `${record?.rules?.commit}:verify.json`]);
  const {flaky = []}: {flaky?: string[]} = JSON.parse(text);
  return excused.flatMap(({name, baseline}) =>
    (baseline?.preexisting ?? [])
      .filter(({testId}) => testId === undefined || !flaky.includes(testId))
      .map(({testId}) => `${name} excuses ${testId} as flaky, which is not on the list`),
  );
}
