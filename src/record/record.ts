/** The record of a run: the one schema (`assay.record/1`) that reports, tests and later jobs read. */
import {z} from "zod";
import {attemptSchema} from "./attempt.ts";
import {executedLinesSchema} from "./executed-lines.ts";
import {type Failure, failureSchema} from "./failure.ts";
import {findingSchema} from "./finding.ts";
import {heldOutSchema} from "./held-out.ts";
import {noteSchema, planSchema} from "./plan.ts";
import {setupProposalSchema} from "./proposal.ts";
import {sensitivitySchema} from "./sensitivity.ts";
import {givenSpecsSchema} from "./specs.ts";
import {triesSchema} from "./tries.ts";
import {UNSIGNED_REASONS} from "./unsigned.ts";
import {approvalSchema, objectId, verdictSchema} from "./verification.ts";
import {isVerified, MAX_TRIES, PUSHED_WORKFLOWS, RED_JOB_OUTCOMES} from "./words.ts";

/** The statement about the verified commit: where it is, and whether it has a signature. */
const attestationSchema = z.discriminatedUnion("kind", [
  z.object({kind: z.literal("signed"), ref: z.string(), commit: objectId}),
  z.object({kind: z.literal("unsigned"), ref: z.string(), commit: objectId, why: z.enum(UNSIGNED_REASONS)}),
  z.object({kind: z.literal("not-attached"), message: z.string()}),
]);
export type Attestation = z.infer<typeof attestationSchema>;

/** Where the work is after the run. */
const publicationSchema = z.discriminatedUnion("kind", [
  z.object({kind: z.literal("none")}),
  z.object({
    kind: z.literal("published"),
    ref: z.string(),
    commit: objectId,
    tree: objectId,
    parent: objectId,
    /** the second parent, which `/update` merged */
    merges: objectId.optional(),
    pullRequest: z
      .object({
        number: z.number().int(),
        url: z.string(),
        /** true if this run opened it */
        isNew: z.boolean().optional(),
      })
      .nullable(),
    /** true if GitHub made, and so signed, the commit */
    signed: z.boolean().optional(),
    /** true if the owner's `onFailure: commit` published an unverified change */
    withWarning: z.boolean(),
    /** the effect of the push on the repository's own workflows; absent if the pusher is unknown */
    workflows: z.enum(PUSHED_WORKFLOWS).optional(),
  }),
  z.object({kind: z.literal("parked"), ref: z.string(), commit: objectId, tree: objectId}),
  /** in a dry run: the commit exists only on the machine that ran it */
  z.object({
    kind: z.literal("withheld"),
    instead: z.enum(["published", "parked"]),
    ref: z.string(),
    commit: objectId,
    tree: objectId,
  }),
  z.object({kind: z.literal("parked-locally"), ref: z.string(), folder: z.string(), commit: objectId}),
]);
export type Publication = z.infer<typeof publicationSchema>;

/** The publication in a dry run, which pushes nothing. */
export function withheldPublication(publication: Publication): Publication {
  const {kind} = publication;
  if (kind !== "published" && kind !== "parked") return publication;
  const {ref, commit, tree} = publication;
  return {kind: "withheld", instead: kind, ref, commit, tree};
}

/** A published commit of an earlier run that this run undoes, or whose saved undo `/verify` publishes. */
export const undoneSchema = z.object({commit: objectId, parent: objectId, subject: z.string()});
export type UndoneRun = z.infer<typeof undoneSchema>;

/** A failed job of CI. */
export const redJobSchema = z.object({
  id: z.number().int(),
  name: z.string(),
  /** null if none failed */
  step: z.string().nullable(),
  outcome: z.enum(RED_JOB_OUTCOMES),
  /** the entry of verify.json that adds its check; empty if there is none */
  entry: z.string(),
});
export type RedJob = z.infer<typeof redJobSchema>;

export const requestSchema = z.discriminatedUnion("kind", [
  /** `agent`, `model` and `tries` are present if the request names them */
  z.object({
    kind: z.literal("work"),
    text: z.string(),
    agent: z.string().optional(),
    model: z.string().optional(),
    tries: z.number().int().min(1).max(MAX_TRIES).optional(),
  }),
  /** continue with the parked work of this thread; the hint may be empty */
  z.object({kind: z.literal("continue"), hint: z.string()}),
  z.object({kind: z.literal("verify"), only: z.array(z.string())}),
  /**
   * publish the parked work of this thread although it changes its own checks; the first characters of its tree's id,
   * or ""
   */
  z.object({kind: z.literal("approve"), tree: z.string()}),
  /** undo the newest run of Assay that is still in the branch */
  z.object({kind: z.literal("undo"), reason: z.string().optional()}),
  /** merge the newest commit of the base branch; `conflicts` are the files that the agent has to merge */
  z.object({kind: z.literal("update"), conflicts: z.array(z.string()), hint: z.string().optional()}),
  /** verify the head of a pull request, and ask the second model about it */
  z.object({kind: z.literal("review")}),
  /** show the checks that would run, and run nothing */
  z.object({kind: z.literal("plan")}),
  /** ask the agent for a `verify.json`, and propose the entries that hold */
  z.object({kind: z.literal("setup")}),
  /** a workflow failed on the newest commit of a pull request, which Assay made for this issue or pull request */
  z.object({
    ...{kind: z.literal("ci"), run: z.number().int(), commit: objectId, issue: z.number().int()},
    ...{workflow: z.string(), path: z.string(), url: z.string()},
  }),
  /** make an entry of the repository's memory from this sentence */
  z.object({kind: z.literal("remember"), text: z.string()}),
  z.object({kind: z.literal("help")}),
  z.object({kind: z.literal("status")}),
  z.object({kind: z.literal("stop")}),
  /** a word that begins like this command, or like the trigger phrase */
  z.object({kind: z.literal("unknown"), word: z.string(), like: z.string()}),
]);
export type Request = z.infer<typeof requestSchema>;

/** Added and removed lines, changed files, and the test files among them. */
const changeSizeSchema = z.object({lines: z.number().int(), files: z.number().int(), tests: z.number().int()});
export type ChangeSize = z.infer<typeof changeSizeSchema>;

const runSumSchema = z.object({runs: z.number().int(), usd: z.number(), minutes: z.number()});
/** What the earlier runs of a thread took, and the ones of them that no person started. */
export const earlierRunsSchema = runSumSchema.extend({
  rounds: runSumSchema,
  /** absent if each run had one */
  tries: z.number().int().optional(),
  /** the newest published change that a person asked for, with what other runs added to it since then */
  grown: z.object({first: changeSizeSchema, all: changeSizeSchema}).optional(),
});
export type EarlierRuns = z.infer<typeof earlierRunsSchema>;

/** What the run may cost: reserved in its repository and in its organization until the cost is known. */
export const reservationSchema = z.object({
  key: z.string().max(1_000),
  usd: z.number().nonnegative(),
  /** such as `2026-11` */
  month: z.string().regex(/^\d{4}-\d{2}$/),
  scopes: z.array(z.enum(["repository", "organization"])),
  /** present if no machine of the agent has started */
  isUnused: z.literal(true).optional(),
});

/** What started the run. docs/triggers.md describes each. */
export const TRIGGER_KINDS = [
  "comment",
  "issue",
  "review-comment",
  "review",
  "bot-review",
  "label",
  "assignment",
  "dispatch",
  "schedule",
  "ci",
  "push",
] as const;
export type TriggerKind = (typeof TRIGGER_KINDS)[number];

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
  /** present if the run writes nothing to GitHub */
  isDryRun: z.literal(true).optional(),
  /** present if `verify.json` turns off the reply that notifies the requester */
  isQuiet: z.literal(true).optional(),
  /** present if the run had no GitHub: its branches are in the clone that it was started in */
  isInClone: z.literal(true).optional(),
  /** null on the command line, and for a manual or scheduled run without an issue */
  thread: z
    .object({
      repository: z.string(),
      number: z.number().int(),
      isPullRequest: z.boolean(),
      trigger: z.object({kind: z.enum(TRIGGER_KINDS), id: z.number().int()}),
      actor: z.string(),
      /** the run's own comment */
      commentId: z.number().int().nullable(),
    })
    .nullable(),
  /** the base of the work: the parent of the published commit */
  base: z.object({ref: z.string(), commit: objectId, tree: objectId}).nullable(),
  /** the commit that `verify.json` and the plan were read from: the default branch, or a pull request's base (P4) */
  rules: z.object({ref: z.string(), commit: objectId}).nullable(),
  plan: planSchema.nullable(),
  /** present if the agent was given specs */
  specs: givenSpecsSchema.optional(),
  /** the organization's policy, and the keys of the configuration that it makes stricter */
  policy: z.object({place: z.string(), keys: z.array(z.string())}).optional(),
  reservation: reservationSchema.optional(),
  /** the file that verify.json extends, with its commit */
  extended: z.string().optional(),
  /** of all jobs of the workflow run, each rounded up, until the report; with `isPart` only of the reporting job */
  runnerMinutes: z.object({minutes: z.int(), isPart: z.literal(true).optional()}).optional(),
  /** true if the report shows the plan: the thread has no earlier report, and there is no verify.json */
  showsPlan: z.boolean().optional(),
  /** the parked commit of an earlier run that this run continues with */
  resumes: objectId.optional(),
  /** present for `/undo` */
  undoes: undoneSchema.optional(),
  /** of the change that is published */
  size: changeSizeSchema.optional(),
  /** present if red CI started the run */
  redJobs: z.array(redJobSchema).optional(),
  /** present if the issue or pull request had earlier runs with an attempt */
  earlier: earlierRunsSchema.optional(),
  /** present for `/setup` once the proposed `verify.json` was judged */
  proposal: setupProposalSchema.optional(),
  attempts: z.array(attemptSchema),
  /** present if the request had several tries */
  tries: triesSchema.optional(),
  /** present if tests were to be written before the work */
  heldOut: heldOutSchema.optional(),
  /** how the change weakens its own checks: the findings that block or that a person should read */
  integrity: z.array(findingSchema).optional(),
  integrityNotes: z.array(findingSchema).optional(),
  /** the person who accepted the findings of the published tree */
  approval: approvalSchema.optional(),
  /** sentences of the agent's answer that do not agree with the change or the checks, each with Assay's observation */
  doubts: z.array(z.object({claim: z.string(), observed: z.string()})).optional(),
  /** new files that a build or a tool may have left; a folder ends with a slash */
  buildOutputs: z.array(z.string()).optional(),
  /** workflow files that the agent changed: not in any candidate, but saved here as a patch to apply by hand */
  setAside: z
    .object({paths: z.array(z.string()), patch: z.string()})
    .nullable()
    .optional(),
  verdict: verdictSchema,
  publication: publicationSchema,
  /** present if the input `attest` asks for it, and the commit is verified */
  attestation: attestationSchema.optional(),
  /** present if faults were injected into the changed lines, which happens after publishing */
  sensitivity: sensitivitySchema.optional(),
  /** present if a coverage tool recorded which changed lines the tests run, which happens after publishing */
  executedLines: executedLinesSchema.optional(),
  failures: z.array(failureSchema),
  notes: z.array(noteSchema),
  session: z.object({id: z.string(), ref: z.string(), resumed: z.boolean()}).nullable(),
});
export type RunRecord = z.infer<typeof recordSchema>;

type Outcome = Pick<RunRecord, "verdict" | "failures">;

/** P14: whether the job succeeds. `docs/outcomes.md` has the whole table. */
export function isGreen(record: Outcome): boolean {
  return (
    mayBePublished(record) ||
    isHeld(record) ||
    ((record.verdict.kind === "partial" || isQuestion(record.verdict)) && record.failures.length === 0)
  );
}

/** True if the verdict and the run's failures allow publishing. A `partial` verdict never does. */
export function mayBePublished({verdict, failures}: Outcome): boolean {
  const isGood = isVerified(verdict) || verdict.kind === "nothing-to-verify";
  return isGood && !isQuestion(verdict) && failures.length === 0;
}

/** True for tests of a reported case that pass without a fix: a person decides what they mean. */
export const isQuestion = (verdict: RunRecord["verdict"]): boolean =>
  verdict.kind === "nothing-to-verify" && verdict.why === "case-passes";

const WAITS_FOR_A_PERSON: ReadonlySet<Failure["kind"]> = new Set(["protected-paths", "judge-objects", "grown"]);

/** True if the change is verified and only waits for a person's decision. */
export function isHeld({verdict, failures}: Outcome): boolean {
  return isVerified(verdict) && failures.length > 0 && failures.every(({kind}) => WAITS_FOR_A_PERSON.has(kind));
}

/**
 * The conclusion of the check `assay/verified`; null for no check. A request whose stages did not run says nothing
 * about the commit. An interrupted run is a failure, because its earlier part may have published a success.
 */
export function checkConclusion(record: Outcome & Partial<Pick<RunRecord, "request">>): "success" | "failure" | null {
  const {verdict, failures, request} = record;
  if (failures.some(({kind}) => kind === "interrupted")) return "failure";
  const isOfStages = request?.kind === "verify" && request.only.length > 0;
  const hasNoStage = verdict.kind === "unverified" && verdict.why === "no-stages";
  if (verdict.kind === "partial" || (isOfStages && hasNoStage)) return null;
  if (isGreen(record)) return "success";
  return isVerified(verdict) || verdict.kind === "nothing-to-verify" ? null : "failure";
}
