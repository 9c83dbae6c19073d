/** Converts the payload of a manual or scheduled run to the form of the others: with a thread, a text and a time. */

import {z} from "zod";
import {parseJson} from "../record/parse-json.ts";
import {accountSchema, issueInputSchema} from "./event.ts";
import {startsWorkflow, TRIGGERS} from "./triggers.ts";

const startSchema = z.object({
  inputs: z
    .object({
      issue: issueInputSchema,
      text: z.string().nullish(),
    })
    .nullish(),
  sender: accountSchema.nullish().catch(null),
  /** not all schedules have it */
  repository: z.object({full_name: z.string(), default_branch: z.string()}).optional(),
});

/**
 * Returns payloads of other events, and unreadable ones, as they are. Schedules only run on the default branch, so its
 * name is known.
 */
export function startPayload(options: {
  name: string;
  raw: string;
  variables: Readonly<Record<string, string | undefined>>;
  now: string;
}): string {
  const {name, raw, variables, now} = options;
  const trigger = TRIGGERS.find(({event, kind}) => event === name && startsWorkflow(kind));
  const start = trigger === undefined ? undefined : startSchema.safeParse(parseJson(raw)).data;
  if (trigger === undefined || start === undefined) return raw;
  const isByHand = trigger.kind === "dispatch";
  const [full_name, default_branch] = [variables["GITHUB_REPOSITORY"], variables["GITHUB_REF_NAME"]];
  return JSON.stringify({
    action: trigger.action,
    run: {
      id: Number(variables["GITHUB_RUN_ID"]),
      body: isByHand ? (start.inputs?.text ?? "").trim() : "",
      user: isByHand ? start.sender : null,
      created_at: now,
    },
    issue: {number: Number((isByHand && start.inputs?.issue) || 0), title: "", state: "open", created_at: now},
    repository: start.repository ?? (isByHand ? undefined : {full_name, default_branch}),
  });
}
