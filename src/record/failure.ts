/** What the world refused, as data. */
import {z} from "zod";
import {turnEndSchema} from "./attempt.ts";

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
