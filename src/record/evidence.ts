/** The evidence of a stage: exit, output, diagnostics, counted tests, and the comparison with the base. */
import {z} from "zod";
import {FAILURE_KINDS, STAGE_KINDS, STAGE_OUTCOMES} from "./words.ts";

const exitSchema = z.discriminatedUnion("kind", [
  z.object({kind: z.literal("exited"), code: z.number().int()}),
  z.object({kind: z.literal("signaled"), signal: z.string()}),
  z.object({
    kind: z.literal("timed-out"),
    afterMs: z.number(),
    /** what the innermost shell ran at that moment; absent if none was seen */
    running: z.array(z.string()).readonly().optional(),
  }),
  z.object({kind: z.literal("cancelled")}),
  z.object({kind: z.literal("not-started"), message: z.string()}),
]);

/** Head and tail of a process's output, and the number of bytes dropped between them. */
const capturedSchema = z.object({
  head: z.string(),
  tail: z.string(),
  droppedBytes: z.number().int().min(0),
  /** the file with the output in the folder `logs` next to the record; very long output is cut */
  log: z.string().optional(),
});
export type Captured = z.infer<typeof capturedSchema>;

/** One complaint of a tool. */
const diagnosticSchema = z.object({
  tool: z.string(),
  file: z.string().optional(),
  line: z.number().int().optional(),
  column: z.number().int().optional(),
  code: z.string().optional(),
  message: z.string(),
  /** the lines below the message that belong to it, such as the compared values; not used to compare two runs */
  detail: z.string().optional(),
  severity: z.enum(["error", "warning", "info"]),
  testId: z.string().optional(),
  /** `file` as a path of the tested commit; absent if the commit has no such file */
  path: z.string().optional(),
});
export type Diagnostic = z.infer<typeof diagnosticSchema>;

const count = z.number().int();
export const testCountsSchema = z.object({passed: count, failed: count, skipped: count});
export type TestCounts = z.infer<typeof testCountsSchema>;

/** A failed test in a test runner's report: `title` is for people, `file` and `name` are for its command line. */
const reportedTestSchema = z.object({
  file: z.string().nullable(),
  name: z.string().nullable(),
  title: z.string(),
  message: z.string(),
});
export type ReportedTest = z.infer<typeof reportedTestSchema>;

/** A test that passed or was skipped, in a test runner's report. */
const listedTestSchema = z.object({
  file: z.string().nullable(),
  title: z.string(),
  outcome: z.enum(["passed", "skipped"]),
});
export type ListedTest = z.infer<typeof listedTestSchema>;

/** The content of a test runner's machine-readable report; `failed` are the first 200. */
const reportedSchema = z.object({
  tool: z.string(),
  counts: testCountsSchema,
  failed: z.array(reportedTestSchema),
  /** all others, to compare two runs; absent if their names are too long, and in a record if they are too many */
  others: z.array(listedTestSchema).optional(),
  /** SHA-256 of the names and outcomes of all tests; absent if not all of them are known */
  digest: z.string().optional(),
  /** by test file, the milliseconds of its tests; absent if the report has none, or for too many files */
  fileMs: z.record(z.string(), z.number()).optional(),
  /** tests that failed first and passed when the runner ran them again; the first 200 */
  retried: z.array(z.string()).optional(),
  /** passed files that may have ended before their tests; the first 200 */
  endedEarly: z.array(z.string()).optional(),
});
export type Reported = z.infer<typeof reportedSchema>;

/**
 * A stage compared with the same stage on the base (P15). `pre-existing`: the base has each of its failures too. `new`:
 * it has failures that the base does not have. `fixed`: it passes here and fails on the base. `not-comparable`: the
 * output of one of the two runs is not enough to decide whether the change causes the failure. `unknown`: the runs
 * differ, but not in their lists of failures, or the base was not run. `why` gives the reason.
 */
const baselineSchema = z.object({
  outcome: z.enum(["new", "pre-existing", "fixed", "not-comparable", "unknown"]),
  new: z.array(diagnosticSchema),
  preexisting: z.array(diagnosticSchema),
  /** the number of failures on the base that the candidate does not have */
  fixed: z.number().int().min(0),
  why: z.string(),
});
export type BaselineComparison = z.infer<typeof baselineSchema>;

/** The result of one stage. `reason` is a sentence for a person, present for every outcome except `passed`. */
export const stageResultSchema = z.object({
  name: z.string(),
  kind: z.enum(STAGE_KINDS),
  command: z.string(),
  /** the narrowed command that ran instead of `command` in an affected-first run; such a result is never a pass */
  narrowed: z.string().optional(),
  cwd: z.string(),
  optional: z.boolean(),
  outcome: z.enum(STAGE_OUTCOMES),
  failureKind: z.enum(FAILURE_KINDS).nullable(),
  reason: z.string(),
  exit: exitSchema.nullable(),
  /** when it started, in milliseconds after the verification; absent if it did not run in it */
  startedMs: z.number().optional(),
  durationMs: z.number(),
  output: capturedSchema.nullable(),
  /** the part of the output in a fix prompt */
  excerpt: z.string(),
  diagnostics: z.array(diagnosticSchema),
  /** counted tests; null if the stage is not a test or its output has an unknown format */
  tests: testCountsSchema.nullable(),
  /** present if the test runner wrote a readable machine report; never the reason for a pass */
  reported: reportedSchema.optional(),
  /** present if Assay requested a report from the test runner and got none */
  isUnanswered: z.literal(true).optional(),
  /** null if nothing had to be compared, or there is no base */
  baseline: baselineSchema.nullable(),
});
export type StageResult = z.infer<typeof stageResultSchema>;

/** True if only a narrowed run passed, which proves nothing about the whole stage. */
export const isPartlyRun = ({outcome, narrowed}: StageResult): boolean =>
  outcome === "passed" && narrowed !== undefined;
