/** A candidate, its verification and its verdict. */
import {z} from "zod";
import {biteSchema} from "./bite.ts";
import {stageResultSchema} from "./evidence.ts";
import {findingSchema} from "./finding.ts";
import {pathCoverageSchema} from "./plan.ts";
import {reproductionSchema} from "./reproduction.ts";
import {NOTHING_REASONS, UNVERIFIED_REASONS} from "./words.ts";

/** A full git object id. */
export const objectId = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/);

/** One path that differs between base and candidate. */
export const changeSchema = z.object({
  path: z.string(),
  status: z.enum(["added", "modified", "deleted", "renamed", "type-changed"]),
  /** the old path of a rename */
  from: z.string().optional(),
});
export type Change = z.infer<typeof changeSchema>;

/** Every changed path. A rename counts under both paths, because rules for either folder apply. */
export function changedPaths(changes: readonly Change[]): string[] {
  return changes.flatMap(({path, from}) => (from === undefined ? [path] : [path, from]));
}

/** The commit to verify, with its base. */
export const candidateSchema = z.object({commit: objectId, tree: objectId, base: objectId});
export type Candidate = z.infer<typeof candidateSchema>;

export const verdictSchema = z.discriminatedUnion("kind", [
  z.object({kind: z.literal("verified")}),
  z.object({kind: z.literal("verified-with-preexisting"), stages: z.array(z.string())}),
  z.object({
    kind: z.literal("partial"),
    /** required stages that were not requested; never empty */
    notRun: z.array(z.string()),
    /** requested stages that fail in the same way on the base */
    preexisting: z.array(z.string()),
  }),
  z.object({kind: z.literal("failed"), stages: z.array(z.string())}),
  z.object({kind: z.literal("tampered"), findings: z.array(z.string())}),
  z.object({kind: z.literal("unverified"), why: z.enum(UNVERIFIED_REASONS), detail: z.string()}),
  z.object({kind: z.literal("nothing-to-verify"), why: z.enum(NOTHING_REASONS), detail: z.string()}),
]);
export type Verdict = z.infer<typeof verdictSchema>;

/**
 * The isolation of a stage: of files and processes, of processes by a PID namespace, or only a process group whose
 * remaining processes are killed.
 */
export const isolationSchema = z.enum(["sandbox", "pid-namespace", "degraded"]);
export type Isolation = z.infer<typeof isolationSchema>;

/** The changed paths with the stages that read them; `strict` if the owner requires a stage for each path. */
const coverageSchema = z.object({strict: z.boolean(), paths: z.array(pathCoverageSchema)});
export type Coverage = z.infer<typeof coverageSchema>;

/** A person's decision that this tree may change its own checks. */
export const approvalSchema = z.object({by: z.string(), tree: objectId});
export type Approval = z.infer<typeof approvalSchema>;

/** A program that the plan's commands start, and the version that it prints. */
export const toolVersionSchema = z.object({name: z.string(), version: z.string()});
export type ToolVersion = z.infer<typeof toolVersionSchema>;

/** One verification of one candidate. */
export const verificationSchema = z.object({
  candidate: candidateSchema.nullable(),
  /** `checkout`: a fresh one of the candidate. `in-place`: the working folder itself (`--in-place`). */
  where: z.enum(["checkout", "in-place"]),
  isolation: isolationSchema,
  /** `own`: in a job without agent, model key or write token. Absent: in the agent's job, if there was an agent */
  job: z.literal("own").optional(),
  /** absent if nothing could run on this machine */
  tools: z.array(toolVersionSchema).optional(),
  setup: z.array(stageResultSchema),
  stages: z.array(stageResultSchema),
  /** present if there is a change whose files could be listed */
  coverage: coverageSchema.optional(),
  /** how the change weakens its own checks, those that block first; absent if the change was not inspected */
  findings: z.array(findingSchema).optional(),
  /** present if new or changed tests were run on the base's sources */
  bite: biteSchema.optional(),
  /** present if the only changes are tests of the reported case, which pass without a fix */
  reproduction: reproductionSchema.optional(),
  /** present if a person accepted the findings: then the candidate's own checks have decided, and no finding blocks */
  approval: approvalSchema.optional(),
  verdict: verdictSchema,
  durationMs: z.number(),
});
export type Verification = z.infer<typeof verificationSchema>;
