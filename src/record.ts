/** What a run leaves behind: the one schema (`assay.record/1`) that reports, tests and later jobs read. */
import {z} from "zod";
import {FAILURE_KINDS, isVerified, NOTHING_REASONS, STAGE_KINDS, STAGE_OUTCOMES, UNVERIFIED_REASONS} from "./words.ts";

/** A full git object id. */
export const objectId = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/);

/** Where a stage comes from: a file of the base commit, a key in it, and the reason in words. */
export const originSchema = z.object({file: z.string(), key: z.string(), why: z.string()});
export type Origin = z.infer<typeof originSchema>;

/** One named check. `command` is a shell line; `path` are folders of the checkout put in front of PATH. */
export const stageSchema = z.object({
  name: z.string(),
  kind: z.enum(STAGE_KINDS),
  command: z.string(),
  /** folder relative to the root of the checkout, `.` for the root */
  cwd: z.string(),
  /** seconds */
  timeout: z.number().positive(),
  optional: z.boolean(),
  env: z.record(z.string(), z.string()),
  /** globs; the stage runs only when a change matches one. Empty: always */
  when: z.array(z.string()),
  /** names of stages that must have passed before */
  needs: z.array(z.string()),
  path: z.array(z.string()),
  /** programs that must exist; when one is missing the stage is `unavailable`, with the hint */
  tools: z.array(z.object({name: z.string(), hint: z.string()})),
  origin: originSchema,
});
export type Stage = z.infer<typeof stageSchema>;

/** One install command. It runs on the base once, and again only when a file in `inputs` changed. */
export const setupStepSchema = z.object({
  command: z.string(),
  cwd: z.string(),
  timeout: z.number().positive(),
  /** globs of manifests and lock files that the install depends on */
  inputs: z.array(z.string()),
  /** untracked folders that the install fills, such as `node_modules` */
  provides: z.array(z.string()),
  tools: z.array(z.object({name: z.string(), hint: z.string()})),
  origin: originSchema,
});
export type SetupStep = z.infer<typeof setupStepSchema>;

/** A sentence about the plan: something passed over, not understood, or worth a look. */
export const noteSchema = z.object({about: z.string(), text: z.string()});
export type Note = z.infer<typeof noteSchema>;

export const planSchema = z.object({
  schema: z.literal("assay.plan/1"),
  stages: z.array(stageSchema),
  setup: z.array(setupStepSchema),
  notes: z.array(noteSchema),
});
export type Plan = z.infer<typeof planSchema>;

/** One path that differs between base and candidate. */
export const changeSchema = z.object({
  path: z.string(),
  status: z.enum(["added", "modified", "deleted", "renamed", "type-changed"]),
  /** the former path of a rename */
  from: z.string().optional(),
});
export type Change = z.infer<typeof changeSchema>;

/** The commit that is verified, and the commit it stands on. */
export const candidateSchema = z.object({commit: objectId, tree: objectId, base: objectId});
export type Candidate = z.infer<typeof candidateSchema>;

export const exitSchema = z.discriminatedUnion("kind", [
  z.object({kind: z.literal("exited"), code: z.number().int()}),
  z.object({kind: z.literal("signaled"), signal: z.string()}),
  z.object({kind: z.literal("timed-out"), afterMs: z.number()}),
  z.object({kind: z.literal("cancelled")}),
  z.object({kind: z.literal("not-started"), message: z.string()}),
]);

/** Head and tail of what a process printed, and how much lies between them unseen. */
export const capturedSchema = z.object({head: z.string(), tail: z.string(), droppedBytes: z.number().int().min(0)});
export type Captured = z.infer<typeof capturedSchema>;

/** One thing a tool complained about. */
export const diagnosticSchema = z.object({
  tool: z.string(),
  file: z.string().optional(),
  line: z.number().int().optional(),
  column: z.number().int().optional(),
  code: z.string().optional(),
  message: z.string(),
  severity: z.enum(["error", "warning", "info"]),
  testId: z.string().optional(),
});
export type Diagnostic = z.infer<typeof diagnosticSchema>;

const count = z.number().int();
export const testCountsSchema = z.object({passed: count, failed: count, skipped: count});
export type TestCounts = z.infer<typeof testCountsSchema>;

/**
 * A stage held against the same stage on the base (P15). `pre-existing`: each of its failures is the base's too. `new`: it
 * has others. `fixed`: it passes here and fails there. `unknown`: no such claim can be made, `why` says what is missing.
 */
export const baselineSchema = z.object({
  outcome: z.enum(["new", "pre-existing", "fixed", "unknown"]),
  new: z.array(diagnosticSchema),
  preexisting: z.array(diagnosticSchema),
  /** failures of the base that are gone */
  fixed: z.number().int().min(0),
  why: z.string(),
});
export type BaselineComparison = z.infer<typeof baselineSchema>;

/** What one stage left behind. `reason` is a sentence for a person, there for every outcome but `passed`. */
export const stageResultSchema = z.object({
  name: z.string(),
  kind: z.enum(STAGE_KINDS),
  command: z.string(),
  cwd: z.string(),
  optional: z.boolean(),
  outcome: z.enum(STAGE_OUTCOMES),
  failureKind: z.enum(FAILURE_KINDS).nullable(),
  reason: z.string(),
  exit: exitSchema.nullable(),
  durationMs: z.number(),
  output: capturedSchema.nullable(),
  /** what a fix prompt carries of the output */
  excerpt: z.string(),
  diagnostics: z.array(diagnosticSchema),
  /** tests that were seen to run; null where the stage is no test or its output is of no known form */
  tests: testCountsSchema.nullable(),
  /** null where nothing had to be compared, or there is no base */
  baseline: baselineSchema.nullable(),
});
export type StageResult = z.infer<typeof stageResultSchema>;

export const verdictSchema = z.discriminatedUnion("kind", [
  z.object({kind: z.literal("verified")}),
  z.object({kind: z.literal("verified-with-preexisting"), stages: z.array(z.string())}),
  z.object({kind: z.literal("failed"), stages: z.array(z.string())}),
  z.object({kind: z.literal("tampered"), findings: z.array(z.string())}),
  z.object({kind: z.literal("unverified"), why: z.enum(UNVERIFIED_REASONS), detail: z.string()}),
  z.object({kind: z.literal("nothing-to-verify"), why: z.enum(NOTHING_REASONS), detail: z.string()}),
]);
export type Verdict = z.infer<typeof verdictSchema>;

/** How well a stage could be fenced in: files and processes, processes by a PID namespace, or by group + snapshot + marker. */
export const isolationSchema = z.enum(["sandbox", "pid-namespace", "degraded"]);
export type Isolation = z.infer<typeof isolationSchema>;

/** One verification of one candidate. */
export const verificationSchema = z.object({
  candidate: candidateSchema.nullable(),
  /** `checkout`: a fresh one of the candidate. `in-place`: the working folder itself (`--in-place`). */
  where: z.enum(["checkout", "in-place"]),
  isolation: isolationSchema,
  setup: z.array(stageResultSchema),
  stages: z.array(stageResultSchema),
  verdict: verdictSchema,
  durationMs: z.number(),
});
export type Verification = z.infer<typeof verificationSchema>;

export const usageSchema = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  costUsd: z.number(),
});
export type Usage = z.infer<typeof usageSchema>;

/** How an agent's turn ended. Everything but `answered` is a broken turn: reported, not fatal. */
export const turnEndSchema = z.discriminatedUnion("kind", [
  z.object({kind: z.literal("answered")}),
  z.object({kind: z.literal("model-failed"), message: z.string()}),
  z.object({kind: z.literal("no-answer"), message: z.string()}),
  z.object({kind: z.literal("timed-out"), afterMs: z.number()}),
  z.object({kind: z.literal("killed"), signal: z.string()}),
  z.object({kind: z.literal("exited"), code: z.number(), message: z.string()}),
  z.object({kind: z.literal("not-started"), message: z.string()}),
  z.object({kind: z.literal("cancelled")}),
]);
export type TurnEnd = z.infer<typeof turnEndSchema>;

/** One ask and answer in the agent's session. */
export const turnSchema = z.object({
  end: turnEndSchema,
  answer: z.string(),
  usage: usageSchema,
  model: z.string(),
  durationMs: z.number(),
});
export type Turn = z.infer<typeof turnSchema>;

/** Agent turn + verification; attempts 2… are fixes. `/verify` and the command line have one attempt without a turn. */
export const attemptSchema = z.object({
  number: z.number().int().positive(),
  turn: turnSchema.nullable(),
  candidate: candidateSchema.nullable(),
  changes: z.array(changeSchema),
  verification: verificationSchema.nullable(),
  verdict: verdictSchema,
  /** there when formatters or linters mended the candidate: it, its changes and its verification are the mended one's */
  autofix: z.object({commands: z.array(z.string()), paths: z.array(z.string())}).optional(),
});
export type Attempt = z.infer<typeof attemptSchema>;

/** What the run's world refused, in a form that `src/report/wording.ts` has a sentence for. */
export const failureSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("config-invalid"),
    file: z.string(),
    mistakes: z.array(z.object({path: z.string(), message: z.string(), hint: z.string()})),
  }),
  z.object({kind: z.literal("missing-key"), provider: z.string(), variable: z.string()}),
  z.object({kind: z.literal("agent-unavailable"), message: z.string()}),
  z.object({kind: z.literal("agent-broke"), end: turnEndSchema}),
  z.object({kind: z.literal("candidate-refused"), problems: z.array(z.string())}),
  z.object({kind: z.literal("push-refused"), ref: z.string(), message: z.string()}),
  z.object({kind: z.literal("push-lost"), ref: z.string(), message: z.string()}),
  z.object({kind: z.literal("git-refused"), message: z.string()}),
  z.object({kind: z.literal("github-refused"), request: z.string(), status: z.number(), message: z.string()}),
  z.object({kind: z.literal("head-moved"), message: z.string()}),
  z.object({kind: z.literal("interrupted"), message: z.string()}),
  z.object({kind: z.literal("internal"), message: z.string()}),
]);
export type Failure = z.infer<typeof failureSchema>;

/** Where the work went. */
export const publicationSchema = z.discriminatedUnion("kind", [
  z.object({kind: z.literal("none")}),
  z.object({
    kind: z.literal("published"),
    ref: z.string(),
    commit: objectId,
    tree: objectId,
    parent: objectId,
    pullRequest: z.object({number: z.number().int(), url: z.string()}).nullable(),
    /** true when the owner's `onFailure: commit` let an unverified change through */
    withWarning: z.boolean(),
  }),
  z.object({kind: z.literal("parked"), ref: z.string(), commit: objectId, tree: objectId}),
  z.object({kind: z.literal("parked-locally"), ref: z.string(), folder: z.string(), commit: objectId}),
]);
export type Publication = z.infer<typeof publicationSchema>;

export const requestSchema = z.discriminatedUnion("kind", [
  z.object({kind: z.literal("work"), text: z.string()}),
  z.object({kind: z.literal("verify"), only: z.array(z.string())}),
  z.object({kind: z.literal("help")}),
]);
export type Request = z.infer<typeof requestSchema>;

export const recordSchema = z.object({
  schema: z.literal("assay.record/1"),
  run: z.object({
    id: z.string(),
    url: z.string().nullable(),
    startedAt: z.string(),
    finishedAt: z.string().nullable(),
    assay: z.string(),
  }),
  request: requestSchema.nullable(),
  /** null on the command line */
  thread: z
    .object({
      repository: z.string(),
      number: z.number().int(),
      isPullRequest: z.boolean(),
      trigger: z.object({kind: z.enum(["comment", "issue"]), id: z.number().int()}),
      actor: z.string(),
      /** the run's own comment */
      commentId: z.number().int().nullable(),
    })
    .nullable(),
  /** the commit that the work stands on: the parent of what is published */
  base: z.object({ref: z.string(), commit: objectId, tree: objectId}).nullable(),
  /** the commit that `verify.json` and the plan were read from: the default branch, or a pull request's base (P4) */
  rules: z.object({ref: z.string(), commit: objectId}).nullable(),
  plan: planSchema.nullable(),
  /** true where nobody here has seen the plan yet: no earlier report in the thread, and no verify.json */
  showsPlan: z.boolean().optional(),
  attempts: z.array(attemptSchema),
  verdict: verdictSchema,
  publication: publicationSchema,
  failures: z.array(failureSchema),
  notes: z.array(noteSchema),
  session: z.object({id: z.string(), ref: z.string(), resumed: z.boolean()}).nullable(),
});
export type RunRecord = z.infer<typeof recordSchema>;

/** P14: the one place that says what is green. Unverified is never green; nothing to verify is. */
export function isGreen(record: Pick<RunRecord, "verdict" | "failures">): boolean {
  const good = isVerified(record.verdict) || record.verdict.kind === "nothing-to-verify";
  return good && record.failures.length === 0;
}
