/** Reads the webhook payload, and returns the event that the run answers. Nothing else reads the payload. */
import {z} from "zod";

/** GitHub's own limit for a webhook payload is 25 MB: https://docs.github.com/en/webhooks/webhook-events-and-payloads */
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

const issueSchema = z.object({
  number: id,
  title: text(2_000),
  body,
  state: z.enum(["open", "closed"]),
  user: accountSchema.nullish(),
  created_at: text(40),
  pull_request: z.unknown().optional(),
});

const payloadSchema = z.object({
  action: text(100),
  issue: issueSchema,
  comment: z.object({id, body, user: accountSchema.nullish(), created_at: text(40)}).optional(),
  repository: z.object({
    full_name: text(200).regex(/^[\w.-]+\/[\w.-]+$/),
    default_branch: text(255),
  }),
});

/** The source of the run. The id is for the reactions API: a comment's id, or an issue's number. */
export interface RunTrigger {
  readonly kind: "comment" | "issue";
  readonly id: number;
}

export interface Event {
  readonly trigger: RunTrigger;
  readonly thread: {
    readonly number: number;
    readonly isPullRequest: boolean;
    readonly title: string;
    readonly body: string;
    readonly state: "open" | "closed";
  };
  /** the text when it was written; later edits do not count (T6) */
  readonly text: string;
  /** null for a deleted account */
  readonly author: Account | null;
  /** ISO 8601 */
  readonly createdAt: string;
  readonly repository: {readonly fullName: string; readonly defaultBranch: string};
}

export type EventReading =
  | {readonly kind: "event"; readonly event: Event}
  /** the run has nothing to do, and is green */
  | {readonly kind: "ignored"; readonly why: string}
  /** a mistake: the run is red */
  | {readonly kind: "unreadable"; readonly why: string};

/** The events that a run answers, with their actions. */
const ANSWERED = new Map([
  ["issue_comment", "created"],
  ["issues", "opened"],
]);

/**
 * Reads the event to answer from its name and the payload's JSON text. Messages never quote the payload: it is foreign
 * text.
 */
export function readEvent(name: string, raw: string): EventReading {
  const action = ANSWERED.get(name);
  if (action === undefined) return {kind: "ignored", why: `Assay does not handle the event "${name}".`};
  if (raw.length > PAYLOAD_CHARACTERS) return unreadable(`it is longer than ${PAYLOAD_CHARACTERS} characters`);
  const json = parse(raw);
  if (json === undefined) return unreadable("it is not JSON");
  const {data} = z.object({action: text(100)}).safeParse(json);
  if (data !== undefined && data.action !== action) {
    return {kind: "ignored", why: `Assay answers "${name}" only when it is ${action}, this one was ${data.action}.`};
  }
  const payload = payloadSchema.safeParse(json);
  if (!payload.success) {
    const fields = payload.error.issues.map((issue) => issue.path.join(".") || "the whole").slice(0, 10);
    return unreadable(`these fields are missing or invalid: ${fields.join(", ")}`);
  }
  const {issue, comment, repository} = payload.data;
  if (name !== "issues" && comment === undefined) {
    return unreadable("these fields are missing or invalid: comment");
  }
  const source = name === "issues" || comment === undefined ? issue : comment;
  return {
    kind: "event",
    event: {
      trigger: source === comment ? {kind: "comment", id: comment.id} : {kind: "issue", id: issue.number},
      text: source.body,
      author: source.user ?? null,
      createdAt: source.created_at,
      thread: {
        number: issue.number,
        isPullRequest: issue.pull_request !== undefined && issue.pull_request !== null,
        title: issue.title,
        body: issue.body,
        state: issue.state,
      },
      repository: {fullName: repository.full_name, defaultBranch: repository.default_branch},
    },
  };
}

/** A payload for a later process: `readEvent` reads the same event from it, except the texts that people wrote. */
export function keptPayload({trigger, thread, author, createdAt, repository}: Event): string {
  const {number, title, state, isPullRequest} = thread;
  const isComment = trigger.kind === "comment";
  const authorship = {user: author, created_at: createdAt};
  return JSON.stringify({
    action: ANSWERED.get(isComment ? "issue_comment" : "issues"),
    issue: {number, title, state, ...authorship, ...(isPullRequest && {pull_request: {}})},
    ...(isComment && {comment: {id: trigger.id, ...authorship}}),
    repository: {full_name: repository.fullName, default_branch: repository.defaultBranch},
  });
}

function unreadable(why: string): EventReading {
  return {
    kind: "unreadable",
    why: `The event's payload cannot be used: ${why}. Run Assay from the events named in the README.`,
  };
}

/** JSON, or undefined. The parser's message is dropped, because it quotes the text (T32). */
function parse(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}
