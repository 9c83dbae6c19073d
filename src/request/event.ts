/** Reads the webhook payload, and returns the event that the run answers. Nothing else reads the payload. */

import {z} from "zod";
import {parseJson} from "../record/parse-json.ts";
import type {Request, TriggerKind} from "../record/record.ts";
import {isWordless, TRIGGERS, triggerOf} from "./triggers.ts";

/**
 * GitHub's own limit for a webhook payload is 25 MB: https://docs.github.com/en/webhooks/webhook-events-and-payloads
 */
const PAYLOAD_CHARACTERS = 25 * 1024 * 1024;
/** GitHub limits a body to 65,536 characters, which are at most 262,144 bytes. */
const BODY_CHARACTERS = 262_144;

const text = (longest: number) => z.string().max(longest);
const id = z.int().positive();
const body = text(BODY_CHARACTERS)
  .nullish()
  .transform((value) => value ?? "");

/** The author of a text. `type` is one of GitHub's words: User, Bot, Organization, Mannequin. */
export const accountSchema = z.object({login: text(100).min(1), id, type: text(40)});
export type Account = z.infer<typeof accountSchema>;

const threadSchema = z.object({
  number: z.int().nonnegative(),
  title: text(2_000),
  body,
  state: z.enum(["open", "closed"]),
  user: accountSchema.nullish(),
  created_at: text(40),
  updated_at: text(40).optional(),
  /** only an issue has this key: then it is a pull request */
  pull_request: z.unknown().optional(),
});

const commentSchema = z.object({
  id,
  body,
  user: accountSchema.nullish(),
  created_at: text(40),
  /** only comments on a file of a pull request have these */
  path: text(4_096).nullish(),
  line: z.int().nullish(),
  original_line: z.int().nullish(),
  diff_hunk: body.optional(),
  pull_request_review_id: z.int().nullish(),
});

const payloadSchema = z.object({
  action: text(100),
  issue: threadSchema.optional(),
  pull_request: threadSchema.optional(),
  comment: commentSchema.optional(),
  /** the part that `startPayload` adds */
  run: z.object({id, body, user: accountSchema.nullish(), created_at: text(40)}).optional(),
  review: z
    .object({id, body, user: accountSchema.nullish(), submitted_at: text(40), state: text(40).nullish()})
    .optional(),
  // Only some triggers need these three. For the others, an odd value is no reason to leave a request without an
  // answer.
  sender: accountSchema.nullish().catch(null),
  /** the label or the account that the event is about */
  label: z
    .object({name: text(200)})
    .nullish()
    .catch(null),
  assignee: accountSchema.nullish().catch(null),
  repository: z.object({
    full_name: text(200).regex(/^[\w.-]+\/[\w.-]+$/),
    default_branch: text(255),
  }),
});

/** The source of the run. The id is for the reactions API: that of a comment or review, or an issue's number. */
export interface RunTrigger {
  readonly kind: TriggerKind;
  readonly id: number;
}

/** The lines that a comment on a file of a pull request is about. */
interface CommentedCode {
  readonly path: string;
  /** null for a comment on the whole file */
  readonly line: number | null;
  readonly hunk: string;
}

export interface Event {
  readonly trigger: RunTrigger;
  readonly thread: {
    /** 0 without an issue or pull request */
    readonly number: number;
    readonly isPullRequest: boolean;
    readonly title: string;
    readonly body: string;
    readonly state: "open" | "closed";
  };
  /** the text when it was written; later edits do not count (T6) */
  readonly text: string;
  /** null unless the text is a comment on a file */
  readonly code: CommentedCode | null;
  /** the name of the label, or the login of the assignee, that started the run; null for other triggers */
  readonly subject: string | null;
  /** the person whose permission counts; null for a deleted account and a schedule */
  readonly author: Account | null;
  /** ISO 8601 */
  readonly createdAt: string;
  readonly repository: {readonly fullName: string; readonly defaultBranch: string};
  /** the review that the text is, or that the comment on lines belongs to */
  readonly review?: number;
  /** present if the event is no text of a person, once it is completed */
  readonly request?: Request;
}

export type EventReading =
  | {readonly kind: "event"; readonly event: Event}
  /** the run has nothing to do, and is green */
  | {readonly kind: "ignored"; readonly why: string}
  /** a mistake: the run is red */
  | {readonly kind: "unreadable"; readonly why: string};

/**
 * Reads the event to answer from its name and the payload's JSON text. Messages never quote the payload: it is foreign
 * text.
 */
export function readEvent(name: string, raw: string): EventReading {
  const triggers = TRIGGERS.filter(({event}) => event === name);
  if (triggers.length === 0) return {kind: "ignored", why: `Assay does not handle the event "${name}".`};
  if (raw.length > PAYLOAD_CHARACTERS) return unreadable(`it is longer than ${PAYLOAD_CHARACTERS} characters`);
  const json = parseJson(raw);
  if (json === undefined) return unreadable("it is not JSON");
  if (hasWrongIssue(json)) return {kind: "unreadable", why: WRONG_ISSUE};
  const {data} = z.object({action: text(100)}).safeParse(json);
  const isOfBot = z.object({review: z.object({user: z.object({type: z.literal("Bot")})})}).safeParse(json).success;
  const ofAction = triggers.filter(({action}) => action === data?.action);
  const trigger = ofAction.find(({kind}) => (kind === "bot-review") === isOfBot) ?? ofAction[0];
  if (data !== undefined && trigger === undefined) {
    const actions = triggers.map(({action}) => action).join(" or ");
    return {kind: "ignored", why: `Assay answers "${name}" only when it is ${actions}, this one was ${data.action}.`};
  }
  const payload = payloadSchema.safeParse(json);
  if (!payload.success || trigger === undefined) {
    return unreadable(missing(payload.error?.issues.map((issue) => issue.path.join(".") || "the whole") ?? []));
  }
  const {repository, sender, label, assignee, ...parts} = payload.data;
  const {kind} = trigger;
  const [thread, source] = [parts[trigger.thread], parts[trigger.text]];
  if (thread === undefined || source === undefined)
    return unreadable(missing([thread ? trigger.text : trigger.thread]));
  const subject = kind === "label" ? label?.name : kind === "assignment" ? assignee?.login : undefined;
  const isBySender = isWordless(kind);
  if (isBySender && subject === undefined) return unreadable(missing([kind === "label" ? "label" : "assignee"]));
  const review = trigger.text === "review" && "id" in source ? source.id : reviewOf(source);
  if (kind === "bot-review" && parts.review?.state === "approved")
    return {kind: "ignored", why: "The review of the bot approves."};
  const isPullRequest = trigger.thread === "pull_request" || (thread.pull_request ?? null) !== null;
  return {
    kind: "event",
    event: {
      trigger: {kind, id: "id" in source ? source.id : source.number},
      text: isBySender ? issueText(thread) : source.body,
      code: "diff_hunk" in source ? codeOf(source) : null,
      ...(review !== null && {review}),
      subject: subject ?? null,
      author: (isBySender ? sender : source.user) ?? null,
      createdAt: timeOf(source, isBySender),
      thread: {number: thread.number, isPullRequest, title: thread.title, body: thread.body, state: thread.state},
      repository: {fullName: repository.full_name, defaultBranch: repository.default_branch},
    },
  };
}

/**
 * The input `issue` of a manual run. GitHub accepts any text from its API, and other spellings of a number would get
 * their own queue.
 */
export const issueInputSchema = z
  .string()
  .regex(/^(?:[1-9]\d{0,9})?$/)
  .nullish();

const WRONG_ISSUE =
  "The input `issue` must be the number of an issue or pull request, such as 12, with nothing before or after it. Start the run again with that number, or with a text and no number.";

/** Only the payload of a manual run that could not be completed has inputs. */
function hasWrongIssue(payload: unknown): boolean {
  const {data} = z.object({inputs: z.object({issue: z.unknown()})}).safeParse(payload);
  return data !== undefined && !issueInputSchema.safeParse(data.inputs.issue).success;
}

/** The text of an issue as a request. */
export const issueText = ({title, body}: {readonly title: string; readonly body: string}): string =>
  `${title}\n\n${body}`;

/** A label or assignment has no timestamp, but it updates the issue. */
function timeOf(
  source: {created_at: string; updated_at?: string | undefined} | {submitted_at: string},
  isUpdate: boolean,
) {
  if ("submitted_at" in source) return source.submitted_at;
  return (isUpdate ? source.updated_at : undefined) ?? source.created_at;
}

const reviewOf = (source: object): number | null =>
  z.object({pull_request_review_id: z.int()}).safeParse(source).data?.pull_request_review_id ?? null;

/** A payload for a later process: `readEvent` reads the same event from it, except the texts that people wrote. */
export function keptPayload({
  trigger: {kind, id},
  thread,
  subject,
  author,
  createdAt,
  repository,
  review,
}: Event): string {
  const {number, title, state, isPullRequest} = thread;
  const trigger = triggerOf(kind);
  const user = author && {...author, ...(kind === "bot-review" && {type: "Bot"})};
  const authorship = {user, created_at: createdAt, updated_at: createdAt, submitted_at: createdAt};
  return JSON.stringify({
    action: trigger.action,
    [trigger.text]: {id, ...authorship, ...(review !== undefined && {pull_request_review_id: review})},
    [trigger.thread]: {number, title, state, ...authorship, ...(isPullRequest && {pull_request: {}})},
    sender: author,
    ...(kind === "label" && {label: {name: subject}}),
    ...(kind === "assignment" && {assignee: {login: subject, id: 1, type: "User"}}),
    repository: {full_name: repository.fullName, default_branch: repository.defaultBranch},
  });
}

/** A comment on lines that were changed since has only the line at the time of the comment. */
function codeOf({path, line, original_line, diff_hunk = ""}: z.infer<typeof commentSchema>): CommentedCode | null {
  return path == null ? null : {path, line: line ?? original_line ?? null, hunk: diff_hunk};
}

const missing = (fields: readonly string[]): string =>
  `these fields are missing or invalid: ${fields.slice(0, 10).join(", ")}`;

function unreadable(why: string): EventReading {
  return {
    kind: "unreadable",
    why: `The event's payload cannot be used: ${why}. Start Assay with an event of docs/triggers.md. To write an event file for a try, see docs/act.md.`,
  };
}
