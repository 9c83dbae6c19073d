/** The in-toto statement about a verification: what was checked, by which rules, and until when it counts. */
import {createHash} from "node:crypto";
import {z} from "zod";
import {type StageResult, testCountsSchema} from "./evidence.ts";
import {findingSchema} from "./finding.ts";
import {parseJson} from "./parse-json.ts";
import {UNSIGNED_REASONS} from "./unsigned.ts";
import {isolationSchema, objectId, toolVersionSchema, type Verification, verdictSchema} from "./verification.ts";
import {isVerified, ok, type Result, refused, STAGE_KINDS, STAGE_OUTCOMES} from "./words.ts";

const STATEMENT_TYPE = "https://in-toto.io/Statement/v1";
/** The ref with the statements, as notes of git. */
export const STATEMENT_NOTES = "refs/notes/assay";
export const PREDICATE_TYPE = "https://github.com/assay-run/assay/verification/v1";
/** A statement is a few kilobytes; one with every finding and check that a run can have stays below this. */
export const MAX_STATEMENT_BYTES = 1024 * 1024;
/** A note has two lines, and GitHub lists thirty attestations. */
const MAX_DOCUMENTS = 100;
const VALID_DAYS = 30;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const exitCode = z.number().int().nullable();

const predicateSchema = z.strictObject({
  verdict: verdictSchema,
  /** `digest`: of the configuration that decides verdicts, and of the plan, at `commit` */
  policy: z.strictObject({ref: z.string(), commit: objectId, digest: sha256}),
  base: z.strictObject({ref: z.string(), commit: objectId, tree: objectId}),
  setup: z.array(z.strictObject({command: z.string(), cwd: z.string(), outcome: z.enum(STAGE_OUTCOMES), exitCode})),
  checks: z.array(
    z.strictObject({
      name: z.string(),
      kind: z.enum(STAGE_KINDS),
      command: z.string(),
      cwd: z.string(),
      optional: z.boolean(),
      outcome: z.enum(STAGE_OUTCOMES),
      exitCode,
      tests: testCountsSchema.nullable(),
      /** of the test runner's machine report, as the record has it; null without one */
      report: sha256.nullable(),
    }),
  ),
  findings: z.array(findingSchema.pick({check: true, level: true, path: true}).strict()),
  approval: z.strictObject({by: z.string()}).nullable(),
  tools: z.array(toolVersionSchema.strict()),
  isolation: isolationSchema,
  /** false if an agent worked on the machine that verified */
  ownJob: z.boolean(),
  run: z.strictObject({
    id: z.string(),
    url: z.string().nullable(),
    assay: z.string(),
    startedAt: z.iso.datetime(),
    finishedAt: z.iso.datetime(),
  }),
  /** of the verifying job's record; null in a run of one job */
  record: sha256.nullable(),
  validUntil: z.iso.datetime(),
  /** present in a statement without a signature */
  unsigned: z.enum(UNSIGNED_REASONS).optional(),
});

export const statementSchema = z.strictObject({
  _type: z.literal(STATEMENT_TYPE),
  subject: z.tuple([
    /** `sha256`: of the commit object's content, by which GitHub finds the attestation */
    z.strictObject({name: z.literal("commit"), digest: z.strictObject({gitCommit: objectId, sha256})}),
    z.strictObject({name: z.literal("tree"), digest: z.strictObject({gitTree: objectId})}),
  ]),
  predicateType: z.literal(PREDICATE_TYPE),
  predicate: predicateSchema,
});
export type Statement = z.infer<typeof statementSchema>;

interface StatementFacts extends Pick<Statement["predicate"], "policy" | "base" | "run" | "record"> {
  /** `content`: the bytes of the commit object */
  readonly subject: {readonly commit: string; readonly tree: string; readonly content: Uint8Array};
  readonly verification: Verification;
}

export function makeStatement({subject, verification, policy, base, run, record}: StatementFacts): Statement {
  const {setup, stages, findings = [], approval, verdict, isolation, tools = [], job} = verification;
  const codeOf = ({exit}: StageResult) => (exit?.kind === "exited" ? exit.code : null);
  const validUntil = new Date(Date.parse(run.finishedAt) + VALID_DAYS * 86_400_000).toISOString();
  return {
    _type: STATEMENT_TYPE,
    subject: [
      {name: "commit", digest: {gitCommit: subject.commit, sha256: digestOf(subject.content)}},
      {name: "tree", digest: {gitTree: subject.tree}},
    ],
    predicateType: PREDICATE_TYPE,
    predicate: {
      ...{verdict, policy, base, isolation, tools, run, record, validUntil},
      setup: setup.map((step) => ({...pick(step, ["command", "cwd", "outcome"]), exitCode: codeOf(step)})),
      checks: stages.map((stage) => ({
        ...pick(stage, ["name", "kind", "command", "cwd", "optional", "outcome", "tests"]),
        exitCode: codeOf(stage),
        report: stage.reported === undefined ? null : digestOf(canonicalJson(stage.reported)),
      })),
      findings: findings.map((finding) => pick(finding, ["check", "level", "path"])),
      approval: approval ? {by: approval.by} : null,
      ownJob: job === "own",
    },
  };
}

/** The same result in in-toto's own form, for tools that know no other (in-toto/attestation, `test-result`). */
export function testResultOf({_type, subject, predicate}: Statement) {
  const {verdict, checks, policy, run} = predicate;
  const named = (isWanted: (check: (typeof checks)[number]) => boolean) =>
    checks.filter(isWanted).map(({name}) => name);
  return {
    ...{_type, subject, predicateType: "https://in-toto.io/attestation/test-result/v0.1"},
    predicate: {
      result: isVerified(verdict) ? "PASSED" : "FAILED",
      configuration: [{name: "policy", digest: {sha256: policy.digest, gitCommit: policy.commit}}],
      ...(run.url !== null && {url: run.url}),
      passedTests: named(({outcome}) => outcome === "passed"),
      warnedTests: named(({outcome, optional}) => optional && outcome !== "passed"),
      failedTests: named(({outcome, optional}) => !optional && !["passed", "skipped"].includes(outcome)),
    },
  };
}

/** A statement as it travels: inside a Sigstore bundle, which is still to be verified, or without a signature. */
export interface CarriedStatement {
  readonly statement: Statement;
  readonly bundle: unknown;
}

/**
 * Reads each statement of a file: JSON or lines of JSON, each a statement or a Sigstore bundle with one. Other
 * documents are skipped. Fails for a text that is too long, or has no statement. The text is never quoted (T32).
 */
export function readStatements(text: string): Result<readonly CarriedStatement[], "too-long" | "no-statement"> {
  if (text.length > MAX_STATEMENT_BYTES) return refused("too-long");
  const whole = parseJson(text);
  const lines = whole === undefined ? text.split("\n", MAX_DOCUMENTS + 1) : [];
  if (lines.length > MAX_DOCUMENTS) return refused("too-long");
  const documents = whole === undefined ? lines.map(parseJson) : [whole];
  const statements = documents.flatMap((document) => {
    const envelope = bundleSchema.safeParse(document).data?.dsseEnvelope;
    const carried = envelope ? parseJson(Buffer.from(envelope.payload, "base64").toString()) : document;
    const {data: statement} = statementSchema.safeParse(carried);
    return statement ? [{statement, bundle: envelope?.signatures?.length ? document : null}] : [];
  });
  return statements.length > 0 ? ok(statements) : refused("no-statement");
}

const bundleSchema = z.object({
  dsseEnvelope: z.object({payload: z.base64(), signatures: z.array(z.unknown()).optional()}),
});

/** JSON with sorted keys, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

export const digestOf = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex");

function pick<T, Key extends keyof T>(value: T, keys: readonly Key[]): Pick<T, Key> {
  return Object.fromEntries(keys.map((key) => [key, value[key]])) as Pick<T, Key>;
}
