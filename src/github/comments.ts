/** GitHub's comments and reactions: read in bounds, written once. */
import {z} from "zod";
import {ok, type Result, refused} from "../record/words.ts";
import {type Account, accountSchema, type Trigger} from "../request/event.ts";
import {createOnce} from "./create.ts";
import type {Self} from "./people.ts";
import type {Refused, Transport} from "./transport.ts";

/** GitHub refuses longer bodies with 422. */
export const BODY_LIMIT = 65_536;
const PAGE_SIZE = 100;
/** The newest 1,000 comments of a thread are read. */
const MOST_PAGES = 10;
const CUT = "\n\n(cut here: GitHub takes no longer text)";

export interface ThreadComment {
  readonly id: number;
  readonly body: string;
  /** null for a deleted account */
  readonly author: Account | null;
  /** ISO 8601 */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly url: string;
}

/** Says by its hidden marker whether a body is the one that is meant; `createdAt` is there for a comment that stands already. */
export type CommentFilter = (body: string, createdAt?: string) => boolean;

export type Reaction = "+1" | "-1" | "laugh" | "confused" | "heart" | "hooray" | "rocket" | "eyes";

const commentSchema = z
  .object({
    id: z.int(),
    body: z.string().nullish(),
    user: accountSchema.nullish(),
    created_at: z.string(),
    updated_at: z.string(),
    html_url: z.string(),
  })
  .transform(
    (found): ThreadComment => ({
      id: found.id,
      body: found.body ?? "",
      author: found.user ?? null,
      createdAt: found.created_at,
      updatedAt: found.updated_at,
      url: found.html_url,
    }),
  );
const pageSchema = z.object({list: z.array(commentSchema), last: z.int().positive()});
const reactionSchema = z.object({id: z.int()});

/** The verbs for comments. `whoami` tells own comments from those of somebody who copied a marker. */
export function commentVerbs(transport: Transport, whoami: () => Promise<Result<Self, Refused>>) {
  const {owner, repo, ask} = transport;

  /** Reads the thread's newest comments, oldest first; with `since` (ISO 8601), only those updated then or later. */
  async function comments(number: number, since?: string): Promise<Result<ThreadComment[], Refused>> {
    const first = await page({number, since, page: 1});
    if (!first.ok) return first;
    const {last} = first.value;
    const start = Math.max(2, last - MOST_PAGES + 1);
    const found = start === 2 ? [...first.value.list] : [];
    for (let next = start; next <= last; next += 1) {
      const more = await page({number, since, page: next});
      if (!more.ok) return more;
      found.push(...more.value.list);
    }
    return ok(found);
  }

  function page(wanted: {number: number; since: string | undefined; page: number}) {
    const since = wanted.since === undefined ? {} : {since: wanted.since};
    return ask({
      name: `read the comments of #${wanted.number}`,
      answer: pageSchema,
      send: async (rest, request) => {
        const asked = {owner, repo, issue_number: wanted.number, per_page: PAGE_SIZE, page: wanted.page, ...since};
        const response = await rest.issues.listComments({...asked, request});
        const link = /[?&]page=(\d+)[^>]*>; rel="last"/.exec(response.headers.link ?? "");
        return {data: {list: response.data, last: Number(link?.[1] ?? wanted.page)}};
      },
    });
  }

  /** Finds Assay's own newest comment that `isIt` recognises by its body; null when a complete look-up found none. */
  async function findComment(number: number, isIt: CommentFilter): Promise<Result<ThreadComment | null, Refused>> {
    const [self, thread] = [await whoami(), await comments(number)];
    if (!self.ok) return self;
    if (!thread.ok) return thread;
    const own = thread.value.filter(({author}) => isBy(self.value, author));
    return ok(own.findLast((comment) => isIt(comment.body, comment.createdAt)) ?? null);
  }

  /**
   * Writes a comment once: a lost answer leads to a look-up with `isIt`, not to a second comment. Throws when `isIt` does
   * not know the body that is to be written, because then the look-up could never find it.
   */
  function createComment(wanted: {
    number: number;
    body: string;
    isIt: CommentFilter;
  }): Promise<Result<ThreadComment, Refused>> {
    const {number, isIt} = wanted;
    const body = bounded(wanted.body);
    if (!isIt(body)) throw new Error("the comment carries no marker that finds it again");
    return createOnce({
      transport,
      question: {
        name: `comment on #${number}`,
        answer: commentSchema,
        send: (rest, request) => rest.issues.createComment({owner, repo, issue_number: number, body, request}),
      },
      find: () => findComment(number, isIt),
    });
  }

  /** Replaces a comment's body. A deleted comment shows as status 404: then create a new one. */
  function updateComment(id: number, body: string): Promise<Result<ThreadComment, Refused>> {
    return ask({
      name: `update comment ${id}`,
      answer: commentSchema,
      send: (rest, request) => rest.issues.updateComment({owner, repo, comment_id: id, body: bounded(body), request}),
    });
  }

  /** Puts a reaction on what started the run; gives the reaction's id. The same one twice is one. */
  async function react({trigger, content}: {trigger: Trigger; content: Reaction}): Promise<Result<number, Refused>> {
    const made = await ask({
      name: `react to ${trigger.kind} ${trigger.id}`,
      answer: reactionSchema,
      send: (rest, request) =>
        trigger.kind === "comment"
          ? rest.reactions.createForIssueComment({owner, repo, comment_id: trigger.id, content, request})
          : rest.reactions.createForIssue({owner, repo, issue_number: trigger.id, content, request}),
    });
    return made.ok ? ok(made.value.id) : refused(made.failure);
  }

  /** Takes a reaction away again; one that is gone already is fine. */
  async function unreact({trigger, reaction}: {trigger: Trigger; reaction: number}): Promise<Result<null, Refused>> {
    const gone = await ask({
      name: `take back the reaction to ${trigger.kind} ${trigger.id}`,
      answer: z.unknown(),
      send: (rest, request) =>
        trigger.kind === "comment"
          ? rest.reactions.deleteForIssueComment({owner, repo, comment_id: trigger.id, reaction_id: reaction, request})
          : rest.reactions.deleteForIssue({owner, repo, issue_number: trigger.id, reaction_id: reaction, request}),
    });
    return gone.ok || gone.failure.status === 404 ? ok(null) : refused(gone.failure);
  }

  return {comments, findComment, createComment, updateComment, react, unreact};
}

/** The last guard: the report is made to fit elsewhere. Never ends in half a character. */
export function bounded(body: string): string {
  if (body.length <= BODY_LIMIT) return body;
  const kept = body.slice(0, BODY_LIMIT - CUT.length);
  return (/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept) + CUT;
}

/** True for the exact account. Any bot may be made to repeat a marker that somebody else has written. */
export function isBy(self: Self, author: Account | null): boolean {
  return author !== null && author.id === self.id && author.login === self.login;
}
