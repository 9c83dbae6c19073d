/** Decides the verdict on work from the agent's job: it is the verifying job's verdict, if all facts agree. */
import {type Attempt, keptAttempt} from "../record/attempt.ts";
import type {Failure} from "../record/failure.ts";
import type {Note} from "../record/plan.ts";
import {isGreen, type Request, type RunRecord} from "../record/record.ts";
import type {Candidate, Verdict} from "../record/verification.ts";
import {isVerified, type Result} from "../record/words.ts";
import type {HandoverPart} from "./bundle.ts";

/** The parts that the publishing job takes into its own record. */
export interface HandoverCheck {
  readonly attempts: Attempt[];
  readonly verdict: Verdict;
  readonly failures: Failure[];
  readonly notes: Note[];
}

/**
 * Joins three sources: the record of the agent's job (`work`, untrusted; null if it left none), the record of the
 * verifying job (`own`, known by its digest; null if it announced none), and the publishing job's own facts (`mine`,
 * and the commit in the bundle). The verdict is never greener than `own`, and never green if the sources disagree. For
 * `/verify` there is no `work`, and `handed` is the parked work that this job moved onto the base, or the change of
 * `/undo` or `/update`; null if the head was verified.
 */
export function verifyHandover(options: {
  mine: RunRecord;
  work: Result<RunRecord, string> | null;
  own: Result<RunRecord, string> | null;
  handed: Result<HandoverPart | null, Failure>;
}): HandoverCheck {
  const {mine, work, own, handed} = options;
  const commit = handed.ok ? handed.value : null;
  const problems = [
    ...(own === null || own.ok ? [] : [`the result of the verifying job: ${own.failure}`]),
    ...(own?.ok ? describeDifferences(mine, own.value, "the verifying job") : []),
  ];
  if (hasNoAgent(mine)) return agreeOnHead({mine, own, handed, problems});
  const verified = own?.ok ? own.value.attempts.at(-1) : undefined;

  const claimed = work?.ok ? withReadCandidate(work.value.attempts, commit) : [];
  const lastClaim = claimed.findLast(({candidate}) => candidate !== null);
  problems.push(
    ...(work?.ok ? describeDifferences(mine, work.value, "the agent's job") : []),
    ...(work?.ok === false ? [`the result of the agent's job: ${work.failure}`] : []),
    ...(work?.ok && handed.ok ? contradictions(work.value, commit) : []),
    ...(own?.ok && verified?.candidate?.commit !== commit?.candidate.commit
      ? ["the verifying job verified a different commit than the one in the bundle"]
      : []),
  );
  const failures = [...(work?.ok ? work.value.failures : []), ...(own?.ok ? own.value.failures : [])];
  if (!handed.ok) failures.push(handed.failure);
  failures.push(...refusal(problems));
  if (work === null) failures.push({kind: "job-without-result", job: "work"});
  const notes = work?.ok ? work.value.notes : [];
  const withVerdict = (verdict: Verdict): HandoverCheck => ({
    attempts: distrustAttempts(claimed, commit, verdict),
    verdict,
    failures: unique(failures),
    notes,
  });
  if (problems.length > 0 || !handed.ok || !work?.ok) return withVerdict(work === null ? NO_RESULT : NO_FIT);

  if (own?.ok && verified && lastClaim) {
    const attempts = claimed.map((attempt) =>
      attempt === lastClaim ? {...attempt, verification: verified.verification, verdict: verified.verdict} : attempt,
    );
    const text = describeDifference(work.value.verdict, verified);
    const differs = text === "" ? [] : [{about: "verification", text}];
    return {attempts, verdict: verified.verdict, failures, notes: [...notes, ...differs]};
  }
  const {verdict} = work.value;
  const claimsNothing = verdict.kind === "nothing-to-verify" && commit === null;
  if (claimsNothing || !isGreen({verdict, failures: []})) return {attempts: claimed, verdict, failures, notes};
  failures.push(NO_VERDICT);
  return withVerdict(NO_WORD);
}

/** How the verdict of the agent's job differs; empty if it does not. */
function describeDifference(claim: Verdict, {verdict, verification}: Attempt): string {
  if (claim.kind === "partial") {
    const ran = (verification?.stages ?? []).filter(({outcome}) => outcome !== "skipped").map(({name}) => name);
    const names = claim.notRun.filter((name) => ran.includes(name));
    return names.length === 0 ? "" : `Left to the verifying job, at least in part: ${names.join(", ")}.`;
  }
  if (claim.kind === verdict.kind) return "";
  return `The agent's job reported ${claim.kind}. The verifying job reports ${verdict.kind}, which counts.`;
}

/** Only the verifying job ran. The ids and paths of parked work, which may be published, come from this job. */
function agreeOnHead(options: {
  mine: RunRecord;
  own: Result<RunRecord, string> | null;
  handed: Result<HandoverPart | null, Failure>;
  problems: readonly string[];
}): HandoverCheck {
  const {mine, own, handed} = options;
  const withoutVerdict = (failures: Failure[]): HandoverCheck => ({
    attempts: [],
    verdict: NO_WORD,
    failures,
    notes: [],
  });
  if (!handed.ok) return withoutVerdict([handed.failure]);
  if (own === null) return withoutVerdict([NO_VERDICT]);
  if (!own.ok || options.problems.length > 0) return withoutVerdict(refusal(options.problems));
  const {attempts, verdict, failures, notes} = own.value;
  const lastAttempt = attempts.at(-1);
  const isHead = ({commit, tree}: Candidate) => commit === mine.base?.commit && tree === mine.base.tree;
  if (handed.value === null && lastAttempt?.candidate && !isHead(lastAttempt.candidate))
    return withoutVerdict(refusal(["the verifying job verified something other than the head"]));
  if (handed.value === null || !lastAttempt) return {attempts, verdict, failures, notes};
  const {candidate, changes} = handed.value;
  if (lastAttempt.candidate?.tree !== candidate.tree || lastAttempt.candidate.base !== candidate.base) {
    return withoutVerdict(refusal(["the verifying job verified something other than the saved work"]));
  }
  return {attempts: [{...lastAttempt, candidate, changes: [...changes]}], verdict, failures, notes};
}

const WITHOUT_AGENT: ReadonlySet<Request["kind"] | undefined> = new Set(["verify", "approve", "undo", "review"]);
const hasNoAgent = ({request}: RunRecord): boolean =>
  WITHOUT_AGENT.has(request?.kind) || (request?.kind === "update" && request.conflicts.length === 0);

const NO_WORD: Verdict = {kind: "unverified", why: "gate-error", detail: "the verifying job reported no verdict"};
const NO_VERDICT: Failure = {kind: "job-without-result", job: "verify"};
const NO_RESULT: Verdict = {kind: "unverified", why: "gate-error", detail: "the agent's job left no result"};
const NO_FIT: Verdict = {
  kind: "unverified",
  why: "gate-error",
  detail: "the results of the jobs do not match",
};

const unique = (failures: readonly Failure[]): Failure[] => [
  ...new Map(failures.map((failure) => [JSON.stringify(failure), failure])).values(),
];

const refusal = (problems: readonly string[]): Failure[] =>
  problems.length === 0 ? [] : [{kind: "handover-refused", problems: [...problems]}];

/** The facts in another job's record that differ from those of this job. */
function describeDifferences(mine: RunRecord, theirs: RunRecord, whose: string): string[] {
  const facts = (record: RunRecord) => ({
    run: record.run.id,
    request: JSON.stringify(record.request),
    base: record.base?.commit,
    rules: record.rules?.commit,
    thread: record.thread?.number,
    // if the work is gone from the server, the agent's job continues without it
    "parked work": hasNoAgent(mine) ? record.resumes : undefined,
  });
  const [own, other] = [facts(mine), facts(theirs)];
  const differingFacts = (["run", "request", "base", "rules", "thread", "parked work"] as const).filter(
    (name) => own[name] !== other[name],
  );
  const names =
    differingFacts.length === 0 ? [] : [`the record of ${whose} has a different ${differingFacts.join(", ")}`];
  return theirs.publication.kind === "none" ? names : [...names, `the record of ${whose} claims a publication`];
}

/** The facts in the record of the agent's job that differ from the commit that it sent. */
function contradictions(work: RunRecord, handed: HandoverPart | null): string[] {
  const keptWork = keptAttempt(work.attempts);
  const claim = keptWork?.candidate && keptWork.changes.length > 0 ? keptWork : undefined;
  const ids = (candidate: {commit: string; tree: string; base: string} | null | undefined) =>
    candidate ? `${candidate.commit} ${candidate.tree} ${candidate.base}` : "";
  if (ids(claim?.candidate) !== ids(handed?.candidate))
    return ["the record of the agent's job is about a different commit than its bundle"];
  const paths = (changes: Attempt["changes"]) =>
    changes
      .map(({path, status}) => `${status} ${path}`)
      .sort()
      .join("\n");
  if (claim === undefined || handed === null || paths(claim.changes) === paths([...handed.changes])) return [];
  return ["the record of the agent's job lists other changes than its bundle contains"];
}

/**
 * The bundle's attempt gets the candidate that this job read. Earlier attempts stay as the agent's job recorded them,
 * because nothing depends on them. Later attempts have no work in this job, and therefore no evidence.
 */
function withReadCandidate(attempts: readonly Attempt[], handed: HandoverPart | null): Attempt[] {
  const bundleIndex =
    handed === null ? -1 : attempts.findLastIndex(({candidate}) => candidate?.commit === handed.candidate.commit);
  return attempts.map((one, at) => {
    const attempt = {...one, number: at + 1};
    if (at > bundleIndex || handed === null) return {...stripEvidence(attempt, NO_FIT), candidate: null};
    return at === bundleIndex ? {...attempt, candidate: handed.candidate, changes: [...handed.changes]} : attempt;
  });
}

/** An attempt without its evidence is not verified. */
function stripEvidence(attempt: Attempt, otherwise: Verdict): Attempt {
  return {...attempt, verification: null, verdict: isVerified(attempt.verdict) ? otherwise : attempt.verdict};
}

/**
 * The last attempt gets the verdict, without the evidence of an untrusted job. If that job recorded no attempt with
 * this commit, the commit becomes one.
 */
function distrustAttempts(attempts: readonly Attempt[], handed: HandoverPart | null, verdict: Verdict): Attempt[] {
  const claims = attempts.map((attempt) => stripEvidence(attempt, verdict));
  const lastClaim = claims.at(-1);
  if (handed === null || lastClaim?.candidate?.commit === handed.candidate.commit) {
    return claims.map((attempt) => (attempt === lastClaim ? {...attempt, verdict} : attempt));
  }
  const {candidate, changes} = handed;
  return [
    ...claims,
    {number: claims.length + 1, turn: null, candidate, changes: [...changes], verification: null, verdict},
  ];
}
