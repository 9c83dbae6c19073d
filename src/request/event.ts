/** Reads a webhook payload, the only place that does, and gives the one event that a run answers. */
import {z} from "zod";

/** GitHub's own limit for a webhook payload is 25 MB: https://docs.github.com/en/webhooks/webhook-events-and-payloads */
const PAYLOAD_CHARACTERS = 25 * 1024 * 1024;
/** A body has at most 65,536 characters on GitHub, at most 262,144 bytes; anything longer did not come from there. */
const BODY_CHARACTERS = 262_144;

const text = (longest: number) => z.string().max(longest);
const id = z.int().positive();
const body = text(BODY_CHARACTERS)
  .nullish()
  .transform((found) => found ?? "");

/** Who wrote something. `type` is GitHub's word: User, Bot, Organization, Mannequin. */
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
type Payload = z.infer<typeof payloadSchema>;

/** What started the run. The id is what the reactions API takes: a comment's id, or an issue's number. */
export interface Trigger {
  readonly kind: "comment" | "issue";
  readonly id: number;
}

export interface Event {
  readonly trigger: Trigger;
  readonly thread: {
    readonly number: number;
    readonly isPullRequest: boolean;
    readonly title: string;
    readonly body: string;
    readonly state: "open" | "closed";
  };
  /** what the person wrote, as it was when it was written: a later edit never gets in (T6) */
  readonly text: string;
  /** null for a deleted account */
  readonly author: Account | null;
  /** ISO 8601 */
  readonly createdAt: string;
  readonly repository: {readonly fullName: string; readonly defaultBranch: string};
}

export type Reading =
  | {readonly kind: "event"; readonly event: Event}
  /** nothing to do, and nothing wrong */
  | {readonly kind: "ignored"; readonly why: string}
  /** it should have been readable: the run is red */
  | {readonly kind: "unreadable"; readonly why: string};

/** The events that a run answers, each with its one action. */
const ANSWERED = new Map([
  ["issue_comment", "created"],
  ["issues", "opened"],
]);

/**
 * Takes the event's name and the raw payload (JSON text) and gives the event to answer, or says why there is none.
 * Messages never quote the payload: it is somebody else's text.
 */
export function readEvent(name: string, raw: string): Reading {
  const action = ANSWERED.get(name);
  if (action === undefined) return {kind: "ignored", why: `Assay does not answer the event "${name}".`};
  if (raw.length > PAYLOAD_CHARACTERS) return unreadable(`it is longer than ${PAYLOAD_CHARACTERS} characters`);
  const json = parse(raw);
  if (json === undefined) return unreadable("it is not JSON");
  const found = z.object({action: text(100)}).safeParse(json);
  if (found.success && found.data.action !== action) {
    return {
      kind: "ignored",
      why: `Assay answers "${name}" only when it is ${action}, this one was ${found.data.action}.`,
    };
  }
  const payload = payloadSchema.safeParse(json);
  if (!payload.success) {
    const where = payload.error.issues.map((issue) => issue.path.join(".") || "the whole").slice(0, 10);
    return unreadable(`these fields are missing or of another form: ${where.join(", ")}`);
  }
  return name === "issues" ? issueOpened(payload.data) : commentCreated(payload.data);
}

/** A payload that `readEvent` takes for the same event, without the texts that people wrote: what a later process has to know. */
export function keptPayload({trigger, thread, author, createdAt, repository}: Event): string {
  const {number, title, state, isPullRequest} = thread;
  const isComment = trigger.kind === "comment";
  const written = {user: author, created_at: createdAt};
  return JSON.stringify({
    action: ANSWERED.get(isComment ? "issue_comment" : "issues"),
    issue: {number, title, state, ...written, ...(isPullRequest && {pull_request: {}})},
    ...(isComment && {comment: {id: trigger.id, ...written}}),
    repository: {full_name: repository.fullName, default_branch: repository.defaultBranch},
  });
}

function issueOpened({issue, repository}: Payload): Reading {
  return {
    kind: "event",
    event: {
      trigger: {kind: "issue", id: issue.number},
      text: issue.body,
      author: issue.user ?? null,
      createdAt: issue.created_at,
      ...whereabouts({issue, repository}),
    },
  };
}

function commentCreated({issue, comment, repository}: Payload): Reading {
  if (comment === undefined) return unreadable("these fields are missing or of another form: comment");
  return {
    kind: "event",
    event: {
      trigger: {kind: "comment", id: comment.id},
      text: comment.body,
      author: comment.user ?? null,
      createdAt: comment.created_at,
      ...whereabouts({issue, repository}),
    },
  };
}

function whereabouts({issue, repository}: Pick<Payload, "issue" | "repository">) {
  return {
    thread: {
      number: issue.number,
      isPullRequest: issue.pull_request !== undefined && issue.pull_request !== null,
      title: issue.title,
      body: issue.body,
      state: issue.state,
    },
    repository: {
      fullName: repository.full_name,
      defaultBranch: repository.default_branch,
    },
  };
}

function unreadable(why: string): Reading {
  return {
    kind: "unreadable",
    why: `The event's payload cannot be used: ${why}. Run Assay from the events named in the README.`,
  };
}

/** JSON, or nothing: what the parser says quotes the text it read, so it is not passed on (T32). */
function parse(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}
