/** Expected failures, as data. */
import {z} from "zod";
import {turnEndSchema} from "./attempt.ts";

/** One expected failure. `src/report/failure-words.ts` has a sentence for each kind. */
export const failureSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("config-invalid"),
    file: z.string(),
    mistakes: z.array(z.object({path: z.string(), message: z.string(), hint: z.string()})),
    /** present if the file has `"notify": false` in spite of its mistakes */
    isQuiet: z.literal(true).optional(),
  }),
  z.object({kind: z.literal("missing-key"), provider: z.string(), variable: z.string()}),
  z.object({
    kind: z.literal("missing-permission"),
    /** path of the workflow, and the job whose token lacks them */
    workflow: z.string(),
    job: z.string(),
    permissions: z.array(z.enum(["contents", "issues", "pull-requests"])),
  }),
  z.object({kind: z.literal("program-missing"), program: z.string(), check: z.string(), message: z.string()}),
  z.object({kind: z.literal("agent-unavailable"), message: z.string()}),
  z.object({kind: z.literal("no-sandbox"), message: z.string()}),
  z.object({kind: z.literal("agent-broke"), end: turnEndSchema}),
  z.object({kind: z.literal("candidate-refused"), problems: z.array(z.string())}),
  z.object({kind: z.literal("protected-paths"), paths: z.array(z.string())}),
  z.object({kind: z.literal("grown"), message: z.string()}),
  z.object({
    kind: z.literal("judge-objects"),
    /** the objections as text */
    objections: z.array(z.string()),
  }),
  z.object({kind: z.literal("approval-refused"), message: z.string()}),
  z.object({
    kind: z.literal("undo-refused"),
    message: z.string(),
    /** files that later commits changed too */
    paths: z.array(z.string()),
  }),
  z.object({
    kind: z.literal("update-refused"),
    message: z.string(),
    /** files that a person has to merge */
    paths: z.array(z.string()),
  }),
  z.object({
    kind: z.literal("spending-limit"),
    scope: z.enum(["repository", "organization"]),
    period: z.enum(["day", "month"]),
    /** dollars: the limit, what finished runs cost, what other runs may cost, and what this run may cost */
    limit: z.number(),
    spent: z.number(),
    reserved: z.number(),
    wanted: z.number(),
    /** the date (UTC) from which on nothing of it is spent */
    renews: z.string(),
  }),
  z.object({kind: z.literal("change-too-large"), message: z.string()}),
  z.object({
    kind: z.literal("secret-in-change"),
    /**
     * the kind of each secret, never the secret; `line` is null in a binary file, or if the secret is in the file name
     */
    places: z.array(z.object({path: z.string(), line: z.number().int().nullable(), what: z.string()})),
  }),
  z.object({
    kind: z.literal("could-not-search"),
    /** the first of them */
    paths: z.array(z.string()),
    count: z.number().int(),
  }),
  z.object({kind: z.literal("handover-refused"), problems: z.array(z.string())}),
  z.object({kind: z.literal("job-without-result"), job: z.enum(["work", "verify"])}),
  z.object({kind: z.literal("signing-refused"), message: z.string()}),
  z.object({kind: z.literal("push-refused"), ref: z.string(), message: z.string()}),
  z.object({kind: z.literal("push-lost"), ref: z.string(), message: z.string()}),
  z.object({kind: z.literal("git-refused"), message: z.string()}),
  z.object({kind: z.literal("github-refused"), request: z.string(), status: z.number(), message: z.string()}),
  z.object({kind: z.literal("head-moved"), message: z.string()}),
  z.object({kind: z.literal("interrupted"), message: z.string()}),
  z.object({kind: z.literal("internal"), message: z.string()}),
]);
export type Failure = z.infer<typeof failureSchema>;
