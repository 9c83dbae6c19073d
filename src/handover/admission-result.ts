/** The admission result: facts that later jobs must not decide, because an agent may have run on their machines. */
import {z} from "zod";
import type {OrganizationPolicy} from "../detect/config/organization-policy.ts";
import type {Failure} from "../record/failure.ts";
import {parseJson} from "../record/parse-json.ts";
import {noteSchema} from "../record/plan.ts";
import {earlierRunsSchema, redJobSchema, requestSchema, reservationSchema, undoneSchema} from "../record/record.ts";
import {objectId} from "../record/verification.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {accountSchema} from "../request/event.ts";
import {decodeOutput, encodeOutput} from "./encode-output.ts";

const place = z.object({ref: z.string().max(1_000), commit: objectId});

const isRecord = (value: unknown) => typeof value === "object" && value !== null;

const admissionSchema = z.object({
  schema: z.literal("assay.admission/1"),
  /** the run's id; it must be the one that the event gives */
  run: z.string().max(100),
  startedAt: z.string().max(40),
  request: requestSchema,
  /** where `verify.json` and the plan are read from (P4) */
  rules: place,
  /** the base of the work, and the one ref that a verified change may go to */
  target: z.object({
    ref: z.string().max(1_000),
    expect: objectId.nullable(),
    base: place,
    pullRequest: z.enum(["open-or-update", "none"]),
  }),
  /** a pull request's head when the comment was posted; null on an issue */
  head: z
    .object({
      ref: z.string().max(1_000),
      commit: objectId,
      baseBranch: z.string().max(1_000),
      /** the stages of a fork run in the sandbox, or not at all */
      isFork: z.boolean(),
    })
    .nullable(),
  commentId: z.number().int().nullable(),
  /** the id of the 👀 reaction, which is removed at the end */
  eyes: z.number().int().nullable(),
  showsPlan: z.boolean(),
  /** the number of stages, for the comment */
  stages: z.number().int().optional(),
  /** the facts of a manual or scheduled run that GitHub's event does not have */
  event: z
    .object({
      createdAt: z.string().max(40),
      thread: z.object({
        number: z.number().int(),
        isPullRequest: z.boolean(),
        title: z.string(),
        body: z.string(),
        state: z.enum(["open", "closed"]),
      }),
      author: accountSchema.nullable(),
    })
    .optional(),
  /** the organization's policy, as the job `admit` has read and checked it */
  policy: z.object({place: z.string().max(300), rules: z.custom<OrganizationPolicy>(isRecord)}).optional(),
  /** the file that verify.json extends, with its commit */
  extended: z.object({file: z.string().max(1_000), text: z.string()}).optional(),
  /** notes for the report, such as parked work that is gone */
  notes: z.array(noteSchema),
  /** parked work to continue with */
  resumes: objectId.optional(),
  /** the commit that `/undo` reverts */
  undoes: undoneSchema.optional(),
  earlier: earlierRunsSchema.optional(),
  reservation: reservationSchema.optional(),
  /** the commit with the times by which several machines divide slow checks */
  fileTimes: objectId.optional(),
  /** the failed jobs of CI */
  redJobs: z.array(redJobSchema).optional(),
});
export type AdmissionResult = z.infer<typeof admissionSchema>;

export const encodeAdmissionResult = (result: AdmissionResult): string => encodeOutput(JSON.stringify(result));

/**
 * Reads the admission result of the run with this id. Fails as `config-invalid` if the workflow does not pass it on.
 */
export function decodeAdmissionResult(text: string, run: string): Result<AdmissionResult, Failure> {
  const parsed = admissionSchema.safeParse(parseJson(decodeOutput(text)));
  if (parsed.success && parsed.data.run === run) return ok(parsed.data);
  const message = parsed.success ? "belongs to another run" : "is missing or damaged";
  const hint =
    "Pass the output `admission` of the job `admit` to this step, as the template of the separated mode does.";
  return refused({
    kind: "config-invalid",
    file: "the workflow's inputs",
    mistakes: [{path: "admission", message, hint}],
  });
}
