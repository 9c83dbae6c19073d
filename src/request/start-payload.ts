/** Converts the payload of a manual or scheduled run, or of a push, to the form of the others: with a thread, a text and a time. */

import {z} from "zod";
import {parseJson} from "../record/parse-json.ts";
import {accountSchema, issueInputSchema} from "./event.ts";
import {startsWorkflow, TRIGGERS} from "./triggers.ts";

const redSchema = z.object({
  action: z.string(),
  workflow_run: z.object({
    id: z.int(),
    updated_at: z.string(),
    pull_requests: z.array(z.object({number: z.int()})),
  }),
});

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
  if (trigger?.kind === "ci") return redPayload(raw);
  const start = trigger === undefined ? undefined : startSchema.safeParse(parseJson(raw)).data;
  if (trigger === undefined || start === undefined) return raw;
  const isByHand = trigger.kind === "dispatch";
  const [full_name, default_branch] = [variables["GITHUB_REPOSITORY"], variables["GITHUB_REF_NAME"]];
  return JSON.stringify({
    action: trigger.action,
    run: {
      id: Number(variables["GITHUB_RUN_ID"]),
      body: isByHand ? (start.inputs?.text ?? "").trim() : "",
      user: trigger.kind === "schedule" ? null : start.sender,
      created_at: now,
    },
    issue: {number: Number((isByHand && start.inputs?.issue) || 0), title: "", state: "open", created_at: now},
    repository: start.repository ?? (isByHand ? undefined : {full_name, default_branch}),
  });
}

/** The number of the pull request is only a claim here; `completeEvent` looks it up. */
function redPayload(raw: string): string {
  const payload = parseJson(raw);
  const {data} = redSchema.safeParse(payload);
  if (data === undefined || payload === null || typeof payload !== "object") return raw;
  const {id, updated_at: created_at, pull_requests} = data.workflow_run;
  const issue = {number: pull_requests[0]?.number ?? 0, title: "", state: "open", pull_request: {}, created_at};
  return JSON.stringify({...payload, run: {id, body: "", created_at}, issue});
}
