/** The plan (`assay.plan/1`): stages, setup and notes, each with its origin. */
import {z} from "zod";
import {lineProofSchema} from "./proof.ts";
import {specRankingSchema} from "./specs.ts";
import {STAGE_KINDS} from "./words.ts";

/** Where a stage comes from: a file of the base commit, a key in it, and the reason as text. */
const originSchema = z.object({file: z.string(), key: z.string(), why: z.string()});
export type Origin = z.infer<typeof originSchema>;

/** One named check. `command` is a shell line; `path` are folders of the checkout put in front of PATH. */
const stageSchema = z.object({
  name: z.string(),
  kind: z.enum(STAGE_KINDS),
  command: z.string(),
  /** folder relative to the root of the checkout, `.` for the root */
  cwd: z.string(),
  /** seconds */
  timeout: z.number().positive(),
  optional: z.boolean(),
  /**
   * optional only because no run has shown yet that it passes on the base. A stored proof makes it required, and so does
   * a run in which it passes, or fails although the base passes it
   */
  unproved: z.literal(true).optional(),
  env: z.record(z.string(), z.string()),
  /** globs; the stage runs only if a change matches one. Empty: always */
  when: z.array(z.string()),
  /** names of stages that must have passed before */
  needs: z.array(z.string()),
  path: z.array(z.string()),
  /** programs that must exist; if one is missing the stage is `unavailable`, with the hint */
  tools: z.array(z.object({name: z.string(), hint: z.string()})),
  /** the place where its exit code is lost: it always ends with 0, so only counted passed tests are evidence */
  swallowedIn: z.string().optional(),
  /** the filter of its output: tests cannot be counted in filtered output */
  rewrittenBy: z.string().optional(),
  /** the test runner that it always starts, and that counts its tests in each run */
  countedBy: z.string().optional(),
  /** why a failing test stops the others, if the output does not say so */
  stopsEarly: z.string().optional(),
  /** services that CI starts next to its jobs: without them the stage may fail */
  services: z.array(z.string()).optional(),
  origin: originSchema,
});
export type Stage = z.infer<typeof stageSchema>;

/** One install command. It runs on the base once, and again only if a file in `inputs` changed. */
const setupStepSchema = z.object({
  command: z.string(),
  cwd: z.string(),
  timeout: z.number().positive(),
  /** globs of manifests and lock files that the install depends on */
  inputs: z.array(z.string()),
  /** untracked folders that the install fills, such as `node_modules` */
  provides: z.array(z.string()),
  tools: z.array(z.object({name: z.string(), hint: z.string()})),
  /**
   * present for a script of the repository that the package manager runs after its install: it runs in each checkout,
   * with these folders in PATH and these variables, and nothing that it writes is copied
   */
  ownScript: z.object({path: z.array(z.string()), env: z.record(z.string(), z.string())}).optional(),
  origin: originSchema,
});
export type SetupStep = z.infer<typeof setupStepSchema>;

/**
 * A sentence about the plan: something skipped, not understood, or worth checking. `by`: the stages of this plan that
 * are the reason.
 */
export const noteSchema = z.object({about: z.string(), text: z.string(), by: z.array(z.string()).optional()});
export type Note = z.infer<typeof noteSchema>;

/** A check that the repository requests and the plan lacks: the reason, and what its owner can do. */
const notRunSchema = z.object({about: z.string(), why: z.string(), fix: z.string()});
export type NotRun = z.infer<typeof notRunSchema>;

/**
 * A command that CI runs on pull requests, and what the plan makes of it. `stage`: a stage runs it. `covered`: these
 * stages, or the `setup`, run all that it runs. `listed`: the plan does not run it; `fix` is the entry of verify.json
 * that adds it, and empty for a release or a project that is not affected.
 */
const ciCommandSchema = z.object({
  command: z.string(),
  cwd: z.string(),
  file: z.string(),
  key: z.string(),
  outcome: z.discriminatedUnion("kind", [
    z.object({kind: z.literal("stage"), stage: z.string()}),
    z.object({kind: z.literal("covered"), by: z.array(z.string())}),
    z.object({kind: z.literal("listed"), role: z.enum(["check", "setup"]), why: z.string(), fix: z.string()}),
  ]),
});
export type CiCommandReport = z.infer<typeof ciCommandSchema>;

/**
 * The stages that read a changed path: `stages` read files of its kind there, `takenIn` read the whole project.
 * `project` is the folder of that project if the path is source code inside one, else null.
 */
export const pathCoverageSchema = z.object({
  path: z.string(),
  stages: z.array(z.string()),
  takenIn: z.array(z.string()),
  project: z.string().nullable(),
});
export type PathCoverage = z.infer<typeof pathCoverageSchema>;

/** A setting, such as `budget.usd`, its value as JSON (null if the policy drops it), and the file and line or policy it is from. */
const settingSchema = z.object({key: z.string(), value: z.string(), from: z.string()});
export type Setting = z.infer<typeof settingSchema>;

export const planSchema = z.object({
  schema: z.literal("assay.plan/1"),
  stages: z.array(stageSchema),
  setup: z.array(setupStepSchema),
  notRun: z.array(notRunSchema).default([]),
  /** the commands of CI's jobs for pull requests; absent if the owner's stages replace the detected ones */
  ci: z.array(ciCommandSchema).optional(),
  notes: z.array(noteSchema),
  /** present if lines were proved: one run of each on the base */
  proofs: z.array(lineProofSchema).optional(),
  /** present if changed paths were given */
  coverage: z.array(pathCoverageSchema).optional(),
  /** present if a task was given */
  specs: specRankingSchema.optional(),
  /** the settings that differ from their defaults */
  settings: z.array(settingSchema).optional(),
});
export type Plan = z.infer<typeof planSchema>;
