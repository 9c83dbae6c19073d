/** What a stage leaves behind: exit, output, diagnostics, tests seen, and how it compares with the base. */
import {z} from "zod";
import {FAILURE_KINDS, STAGE_KINDS, STAGE_OUTCOMES} from "./words.ts";

const exitSchema = z.discriminatedUnion("kind", [
  z.object({kind: z.literal("exited"), code: z.number().int()}),
  z.object({kind: z.literal("signaled"), signal: z.string()}),
  z.object({kind: z.literal("timed-out"), afterMs: z.number()}),
  z.object({kind: z.literal("cancelled")}),
  z.object({kind: z.literal("not-started"), message: z.string()}),
]);

/** Head and tail of what a process printed, and how much lies between them unseen. */
const capturedSchema = z.object({
  head: z.string(),
  tail: z.string(),
  droppedBytes: z.number().int().min(0),
  /** the file in the folder `logs` beside the record that has the output whole, or as much of it as is kept */
  log: z.string().optional(),
});
export type Captured = z.infer<typeof capturedSchema>;

/** One thing a tool complained about. */
const diagnosticSchema = z.object({
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
const testCountsSchema = z.object({passed: count, failed: count, skipped: count});
export type TestCounts = z.infer<typeof testCountsSchema>;

/** A failed test as a runner's own report has it: `title` for people, `file` and `name` as its command line takes them. */
const reportedTestSchema = z.object({
  file: z.string().nullable(),
  name: z.string().nullable(),
  title: z.string(),
  message: z.string(),
});
export type ReportedTest = z.infer<typeof reportedTestSchema>;

/** What a test runner wrote into a report for machines, beside what it printed; `failed` are the first 200. */
const reportedSchema = z.object({
  tool: z.string(),
  counts: testCountsSchema,
  failed: z.array(reportedTestSchema),
  /** files that passed, and may have ended before their tests had; the first 200 */
  endedEarly: z.array(z.string()).optional(),
});
export type Reported = z.infer<typeof reportedSchema>;

/**
 * A stage held against the same stage on the base (P15). `pre-existing`: each of its failures is the base's too. `new`: it
 * has others. `fixed`: it passes here and fails there. `not-comparable`: one of the two runs shows too little, so that the
 * failure is neither excused nor charged. `unknown`: it differs from the base's in a way that no list of failures shows, or
 * there is no run on the base. `why` says what is missing.
 */
const baselineSchema = z.object({
  outcome: z.enum(["new", "pre-existing", "fixed", "not-comparable", "unknown"]),
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
  /** what ran instead of `command`, in a first look at what a change touches; such a result is never a pass */
  narrowed: z.string().optional(),
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
  /** there where a test runner wrote a report for machines that could be read; never the ground of a pass */
  reported: reportedSchema.optional(),
  /** there where a test runner was asked for a report, and wrote none */
  isUnanswered: z.literal(true).optional(),
  /** null where nothing had to be compared, or there is no base */
  baseline: baselineSchema.nullable(),
});
export type StageResult = z.infer<typeof stageResultSchema>;
