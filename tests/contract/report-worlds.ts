/** The states that a run can end in, as records: where the work is × how the run ended × what the checks showed. */
import type {Attempt} from "../../src/record/attempt.ts";
import type {StageResult} from "../../src/record/evidence.ts";
import {type Failure, failureSchema} from "../../src/record/failure.ts";
import type {HeldOut} from "../../src/record/held-out.ts";
import {isGreen, type Publication, type RunRecord} from "../../src/record/record.ts";
import type {Try} from "../../src/record/tries.ts";
import type {Verdict} from "../../src/record/verification.ts";
import {isVerified, NOTHING_REASONS, UNVERIFIED_REASONS} from "../../src/record/words.ts";
import {attempt, id, lint, record, stage, test, turn, typecheck} from "../unit/report/records.ts";

const ids = {commit: id("e"), tree: id("7")};
const pushed = (ref: string, number: number | null): Extract<Publication, {kind: "published"}> => ({
  ...ids,
  kind: "published",
  ref,
  parent: id("b"),
  pullRequest: number === null ? null : {number, url: `https://github.com/octo/parser/pull/${number}`},
  withWarning: false,
});

/** Where the work is. */
export const PUBLICATIONS = {
  none: {kind: "none"},
  "pull request": pushed("refs/heads/assay/issue-7", 8),
  branch: pushed("refs/heads/feature", null),
  "default branch": pushed("refs/heads/main", null),
  committed: {...pushed("refs/heads/assay/issue-7", 8), withWarning: true},
  parked: {...ids, kind: "parked", ref: "refs/heads/assay/parked/issue-7"},
  hidden: {...ids, kind: "parked", ref: "refs/assay/parked/issue-7"},
  "on the machine": {kind: "parked-locally", ref: "refs/assay/parked/issue-7", folder: "/tmp/x", commit: id("e")},
  "in the clone": {
    ...ids,
    kind: "published",
    ref: "refs/heads/assay/run-7",
    parent: ids.commit,
    pullRequest: null,
    withWarning: false,
  },
  "in the clone, saved": {...ids, kind: "parked", ref: "refs/heads/assay/parked/run-7"},
  "dry run": {...ids, kind: "withheld", instead: "published", ref: "refs/heads/assay/issue-7"},
  "dry run, saved": {...ids, kind: "withheld", instead: "parked", ref: "refs/heads/assay/parked/issue-7"},
} satisfies Record<string, Publication>;
export type PublicationName = keyof typeof PUBLICATIONS;

const broken = (over: Partial<StageResult> = {}) =>
  stage({outcome: "failed", failureKind: "code", reason: "exit code 1", exit: {kind: "exited", code: 1}, ...over});
const compared = (outcome: "new" | "pre-existing" | "not-comparable" | "unknown"): StageResult["baseline"] => ({
  ...{outcome, new: [], preexisting: [], fixed: 0, why: outcome === "new" ? "the base passes this check" : ""},
});
const skipped = stage({name: "build", kind: "build", outcome: "skipped", reason: "no change matches", exit: null});
const failedTest: Verdict = {kind: "failed", stages: ["test"]};
const tampered: Verdict = {kind: "tampered", findings: ["tests/parse.test.ts:21: Test `keeps` is skipped"]};
const unread = {path: "tools/run.py", stages: [], takenIn: [], project: null};

const HELD_OUT: HeldOut = {
  commit: id("c"),
  tests: [
    {path: "a.txt", name: "a.txt", line: 1, text: "a.txt", about: ["a"], uncounted: null, onCandidate: "fails"},
    ...(
      ["passes", "flaky", "syntax", "import", "missing-name", "error", "unrelated", "cannot-fail", "not-run"] as const
    ).map((reason) => ({path: "a.txt", name: "a.txt", line: 1, text: "", about: [], uncounted: {reason, detail: ""}})),
  ],
  problem: "",
  usage: turn().usage,
  durationMs: 1,
};

/** What the checks showed. */
interface Checks {
  readonly heldOut?: HeldOut;
  readonly verdict: Verdict;
  readonly stages?: readonly StageResult[];
  readonly over?: Partial<Attempt>;
  readonly setup?: readonly StageResult[];
  readonly where?: "in-place";
  readonly unread?: true;
  readonly integrity?: RunRecord["integrity"];
  readonly plan?: null;
}

const flag = {
  check: "advisories",
  level: "flag",
  path: "package.json",
  line: null,
  message: "x",
  fix: "Update it.",
} as const;
const unverified = (why: (typeof UNVERIFIED_REASONS)[number], stages?: readonly StageResult[]) => ({
  verdict: {kind: "unverified" as const, why, detail: ""},
  ...(stages && {stages}),
});

/** What the checks showed, by name. */
export const CHECKS = {
  verified: {verdict: {kind: "verified"}},
  "verified, one concerned": {
    heldOut: {...HELD_OUT, tests: []},
    verdict: {kind: "verified"},
    stages: [typecheck, test, skipped],
  },
  "verified in place": {verdict: {kind: "verified"}, where: "in-place"},
  "verified, a file unread": {verdict: {kind: "verified"}, unread: true},
  "verified, flagged": {verdict: {kind: "verified"}, integrity: [flag], heldOut: HELD_OUT},
  preexisting: {
    heldOut: {...HELD_OUT, commit: null, tests: [], problem: "no check runs tests"},
    verdict: {kind: "verified-with-preexisting", stages: ["test"]},
    stages: [typecheck, broken({baseline: compared("pre-existing")})],
  },
  "preexisting, not compared": {
    verdict: {kind: "verified-with-preexisting", stages: ["test"]},
    stages: [typecheck, broken()],
  },
  partial: {verdict: {kind: "partial", notRun: ["build"], preexisting: []}, stages: [test]},
  "failed, base passes": {verdict: failedTest, stages: [typecheck, broken({baseline: compared("new")})]},
  "failed, base unknown": {verdict: failedTest, stages: [typecheck, broken({baseline: compared("unknown")})]},
  "failed, not compared": {verdict: failedTest, stages: [broken()], unread: true},
  "failed, other command": {
    verdict: failedTest,
    stages: [typecheck, broken({baseline: compared("new")})],
    integrity: [{...flag, check: "scripts"}],
  },
  "failed in the set-up": {
    verdict: {kind: "failed", stages: ["setup"]},
    setup: [broken({name: "setup", command: "npm ci"})],
    stages: [skipped],
  },
  "failed without a change": {verdict: failedTest, stages: [broken()], over: {changes: []}},
  tampered: {verdict: tampered, integrity: [{...flag, check: "disabled-tests", level: "block"}]},
  "tampered, a check fails": {verdict: tampered, stages: [typecheck, broken({baseline: compared("new")})]},
  ...Object.fromEntries(UNVERIFIED_REASONS.map((why) => [`unverified: ${why}`, unverified(why)])),
  "no check concerned": {...unverified("no-stages"), plan: null},
  "no test ran": unverified("no-tests-ran", [
    stage({outcome: "unavailable", failureKind: "no-check", reason: "no test was run"}),
  ]),
  "no type was checked": unverified("no-tests-ran", [
    stage({...typecheck, outcome: "unavailable", failureKind: "no-check", reason: "no file was checked"}),
  ]),
  ...Object.fromEntries(
    NOTHING_REASONS.map((why) => [`nothing: ${why}`, {verdict: {kind: "nothing-to-verify", why, detail: ""}}]),
  ),
} as Readonly<Record<string, Checks>>;

const FIELDS: Readonly<Record<string, object>> = {
  "config-invalid": {file: "verify.json", mistakes: [{path: "stages", message: "is empty", hint: "Add one."}]},
  "missing-key": {provider: "openai", variable: "OPENAI_API_KEY"},
  "program-missing": {program: "uv", check: "test", message: "add the step `astral-sh/setup-uv` before Assay"},
  "missing-permission": {workflow: ".github/workflows/assay.yml", job: "assay", permissions: ["contents"]},
  "agent-broke": {end: {kind: "timed-out", afterMs: 60_000}},
  "judge-objects": {objections: ["too slow"]},
  "secret-in-change": {places: [{path: "a.txt", line: 1, what: "a key"}]},
  "could-not-search": {count: 9},
  "job-without-result": {job: "work"},
  "spending-limit": {
    ...{scope: "repository", period: "day", limit: 20, spent: 18, reserved: 1, wanted: 2, renews: "2026-12-01"},
  },
  "github-refused": {request: "GET /a", status: 403},
};
const COMMON = {message: "m", paths: ["a.txt"], problems: ["a.txt: a link"], ref: "refs/heads/main"};

/** Each expected failure. */
const FAILURE_KINDS = failureSchema.options.map(({shape}) => shape.kind.value);
type FailureKind = Failure["kind"];
const failureOf = (kind: FailureKind): Failure => failureSchema.parse({...COMMON, ...FIELDS[kind], kind});

/** How the run ended: by itself, or with one of the failures; two of them together; or before an attempt. */
const ENDS: readonly (readonly FailureKind[])[] = [
  [],
  ...FAILURE_KINDS.map((kind) => [kind]),
  ["push-refused", "interrupted"],
  ["agent-broke", "push-refused"],
];
const HELD: readonly FailureKind[] = ["protected-paths", "judge-objects", "grown"];
const EARLY: readonly FailureKind[] = [
  ...([
    "config-invalid",
    "missing-key",
    "missing-permission",
    "program-missing",
    "agent-unavailable",
    "no-sandbox",
  ] as const),
  ...([
    "approval-refused",
    "undo-refused",
    "update-refused",
    "github-refused",
    "spending-limit",
    "job-without-result",
    "interrupted",
  ] as const),
];
const NOT_SENT: readonly FailureKind[] = ["push-refused", "push-lost", "signing-refused", "handover-refused", ...HELD];

/** What is asked, and where. */
const REQUESTS: Readonly<Record<string, Partial<RunRecord>>> = {
  issue: {},
  "pull request": {
    thread: {...threadOf(), isPullRequest: true},
    request: {kind: "continue", hint: ""},
    resumes: id("d"),
  },
  verify: {request: {kind: "verify", only: []}},
  "saved work": {request: {kind: "verify", only: []}, resumes: id("d")},
  undo: {request: {kind: "undo"}, undoes: {commit: id("9"), parent: id("b"), subject: "Add x"}},
  update: {request: {kind: "update", conflicts: []}},
  "update by itself": {
    thread: {...threadOf(), isPullRequest: true, trigger: {kind: "push", id: 7}},
    request: {kind: "update", conflicts: []},
  },
  schedule: {
    thread: null,
    tries: {mode: "best", chosen: 1, ties: [2], rows: [tryOf(1), tryOf(2), {...tryOf(3), unsaved: "secret"}]},
  },
  terminal: {thread: null, request: null, run: {...record().run, url: null}},
};
function tryOf(number: number): Try {
  const usage = {input: 1, output: 1, cacheRead: 0, cacheWrite: 0, costUsd: 0.01};
  return {number, candidate: null, verdict: {kind: "verified"}, findings: 0, lines: 3, usage, durationMs: 1};
}
function threadOf(): NonNullable<RunRecord["thread"]> {
  const {thread} = record();
  if (thread === null) throw new Error("the record has a thread");
  return thread;
}

export interface World {
  readonly name: string;
  readonly publication: PublicationName;
  readonly checks: keyof typeof CHECKS;
  readonly failures: readonly FailureKind[];
  readonly request: string;
  /** false if the run ended before its first attempt */
  readonly hasAttempt: boolean;
  readonly record: RunRecord;
}

/** Every combination that a run can leave; the requests take turns. */
export function allWorlds(): World[] {
  const worlds: World[] = [];
  const requests = Object.keys(REQUESTS);
  for (const failures of ENDS)
    for (const publication of Object.keys(PUBLICATIONS) as PublicationName[])
      for (const checks of Object.keys(CHECKS))
        for (const hasAttempt of [true, false]) {
          const request = requests[worlds.length % requests.length] ?? "issue";
          const parts = {publication, checks, failures, hasAttempt};
          if (isReachable(parts)) worlds.push(worldOf({...parts, request}));
        }
  return worlds;
}

function isReachable({publication, checks, failures, hasAttempt}: Omit<World, "name" | "record" | "request">): boolean {
  const verdict = CHECKS[checks]?.verdict ?? {kind: "verified"};
  const {kind} = PUBLICATIONS[publication];
  const isGood = isGreen({verdict, failures: []}) && verdict.kind !== "partial";
  const why = verdict.kind === "unverified" ? verdict.why : "";
  if (!hasAttempt)
    return (
      kind === "none" &&
      failures.some((one) => EARLY.includes(one)) === (why === "gate-error") &&
      why !== "" &&
      ["gate-error", "no-stages", "unfinished"].includes(why)
    );
  if (kind === "published" && failures.some((one) => NOT_SENT.includes(one))) return false;
  if (kind === "published" && !isGood && publication !== "committed" && !failures.includes("interrupted")) return false;
  if (publication === "committed" && (isGood || ["partial", "tampered"].includes(verdict.kind))) return false;
  if (failures.some((one) => HELD.includes(one)) && !isVerified(verdict)) return false;
  if (verdict.kind === "partial" && kind !== "none") return false;
  if (
    ["approval-refused", "undo-refused", "update-refused", "spending-limit"].some((one) =>
      failures.includes(one as FailureKind),
    )
  )
    return false;
  return true;
}

function worldOf(parts: Omit<World, "name" | "record">): World {
  const {publication, failures, request, hasAttempt} = parts;
  const checks: Checks = CHECKS[parts.checks] ?? {verdict: {kind: "verified"}};
  const {verdict, stages = [typecheck, lint, test], over} = checks;
  const isAgent = ["issue", "pull request", "schedule"].includes(request);
  const ended = verdict.kind === "unverified" && ["cancelled", "out-of-time"].includes(verdict.why);
  const work = isAgent ? turn(ended ? {end: {kind: "cancelled"}} : {}) : null;
  const verified = attempt({verdict, stages: [...stages], turn: work, ...over});
  const verification = verified.verification && {
    ...verified.verification,
    ...(checks.setup && {setup: [...checks.setup]}),
    ...(checks.where && {where: checks.where}),
    ...(checks.unread && {coverage: {strict: false, paths: [unread]}}),
  };
  const made = record({
    ...REQUESTS[request],
    attempts: hasAttempt ? [{...verified, verification}] : [],
    verdict,
    publication: PUBLICATIONS[publication],
    failures: failures.map(failureOf),
    ...(isAgent && {
      specs: {scorer: "names", of: 1, always: [], given: [{path: "s.md", name: "S", score: 1, words: [], chars: 9}]},
    }),
    ...(checks.plan === null && {plan: null}),
    ...(checks.integrity && {integrity: checks.integrity}),
    ...(checks.heldOut && {heldOut: checks.heldOut}),
    ...(publication.startsWith("dry run") && {isDryRun: true as const}),
    ...(publication.startsWith("in the clone") && {isInClone: true as const}),
  });
  return {
    ...parts,
    name: [publication, parts.checks, failures.join("+") || "finished", request, hasAttempt].join(" · "),
    record: made,
  };
}
