/** Reads a bounded part of a thread's comments, and creates each comment and reaction once. */
import {z} from "zod";
import {ok, type Result, refused} from "../record/words.ts";
import {type Account, accountSchema, type RunTrigger} from "../request/event.ts";
import {createOnce} from "./create.ts";
import type {Self} from "./people.ts";
import type {Refused, Transport} from "./transport.ts";

/** GitHub refuses longer bodies with 422. */
export const BODY_LIMIT = 65_536;
const PAGE_SIZE = 100;
/** The newest 1,000 comments of a thread are read. */
const MAX_PAGES = 10;
const CUT = "\n\n(cut here: GitHub takes no longer text)";

export interface ThreadComment {
  readonly id: number;
  readonly body: string;
  /** null for a deleted account */
  readonly author: Account | null;
  /** ISO 8601 */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Recognizes a comment by the hidden marker in its body. Each existing one is passed, oldest first, with `createdAt`. */
export type CommentFilter = (body: string, createdAt?: string) => boolean;

export type Reaction = "+1" | "-1" | "laugh" | "confused" | "heart" | "hooray" | "rocket" | "eyes";

const commentSchema = z
  .object({
    id: z.int(),
    body: z.string().nullish(),
    user: accountSchema.nullish(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .transform(
    (comment): ThreadComment => ({
      id: comment.id,
      body: comment.body ?? "",
      author: comment.user ?? null,
      createdAt: comment.created_at,
      updatedAt: comment.updated_at,
    }),
  );
const issueSchema = z.object({
  number: z.int(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.enum(["open", "closed"]),
  updated_at: z.string(),
  pull_request: z.unknown().optional(),
});
const reviewCommentSchema = z
  .object({
    ...{id: z.int(), body: z.string(), path: z.string(), diff_hunk: z.string().default("")},
    ...{line: z.int().nullish(), original_line: z.int().nullish()},
  })
  .transform(({id, body, path, diff_hunk: hunk, line, original_line}) => ({
    ...{id, body, path, hunk, line: line ?? original_line ?? null},
  }));
const pageSchema = z.object({list: z.array(commentSchema), last: z.int().positive()});

function commentPages({owner, repo, call}: Transport) {
  /** Reads the thread's newest comments, oldest first; with `since` (ISO 8601), only those updated then or later. */
  async function comments(number: number, since?: string): Promise<Result<ThreadComment[], Refused>> {
    const firstPage = await page({number, since, page: 1});
    if (!firstPage.ok) return firstPage;
    const {last} = firstPage.value;
    const start = Math.max(2, last - MAX_PAGES + 1);
    const list = start === 2 ? [...firstPage.value.list] : [];
    for (let next = start; next <= last; next += 1) {
      const nextPage = await page({number, since, page: next});
      if (!nextPage.ok) return nextPage;
      list.push(...nextPage.value.list);
    }
    return ok(list);
  }

  function page({number, since, page}: {number: number; since: string | undefined; page: number}) {
    return call({
      name: `read the comments of #${number}`,
      answer: pageSchema,
      send: async (rest, request) => {
        const filter = {
          owner,
          repo,
          issue_number: number,
          per_page: PAGE_SIZE,
          page,
          ...(since !== undefined && {since}),
        };
        const response = await rest.issues.listComments({...filter, request});
        const link = /[?&]page=(\d+)[^>]*>; rel="last"/.exec(response.headers.link ?? "");
        return {data: {list: response.data, last: Number(link?.[1] ?? page)}};
      },
    });
  }

  return {comments};
}

function repositoryComments({owner, repo, call}: Transport) {
  /** Reads the repository's comments of the time since then (ISO 8601), newest first. Fails if they are more than 1,000. */
  const recentComments = (since: string) => readComments({since, maxPages: MAX_PAGES, read: (comment) => comment});

  /** As `recentComments`, but keeps only what `read` returns, because the texts of many pages do not fit in memory. */
  async function readComments<T extends object>(options: {
    since: string;
    /** of 100 comments */
    maxPages: number;
    read: (comment: ThreadComment) => T | null;
  }): Promise<Result<T[], Refused>> {
    const {since, maxPages, read} = options;
    const name = "read the repository's recent comments";
    const recent: T[] = [];
    for (let page = 1; page <= maxPages; page += 1) {
      const answer = await call({
        name,
        answer: z.array(commentSchema),
        send: (rest, request) => {
          const order = {sort: "created", direction: "desc"} as const;
          return rest.issues.listCommentsForRepo({owner, repo, since, ...order, per_page: PAGE_SIZE, page, request});
        },
      });
      if (!answer.ok) return answer;
      const created = answer.value.filter(({createdAt}) => createdAt >= since);
      recent.push(...created.flatMap((comment) => read(comment) ?? []));
      if (created.length < PAGE_SIZE) return ok(recent);
    }
    return refused({kind: "github-refused", request: name, status: 0, message: "there are too many of them"});
  }

  return {recentComments, readComments};
}

function commentEdits({owner, repo, call}: Transport) {
  /**
   * Replaces a comment's body. Status 404 means that the comment was deleted: then create a new one. With `mayWait: false`
   * it is sent once: a repetition could replace a later body.
   */
  function updateComment(
    id: number,
    body: string,
    {mayWait = true}: {mayWait?: boolean} = {},
  ): Promise<Result<ThreadComment, Refused>> {
    return call({
      name: `update comment ${id}`,
      answer: commentSchema,
      send: (rest, limits) => {
        const request = mayWait ? limits : {...limits, deadline: 0};
        return rest.issues.updateComment({owner, repo, comment_id: id, body: cutBody(body), request});
      },
    });
  }

  return {updateComment};
}

/** `whoami` distinguishes Assay's own comments from those of people who copied a marker. */
export function commentMethods(transport: Transport, whoami: () => Promise<Result<Self, Refused>>) {
  const {owner, repo, call} = transport;
  const {comments} = commentPages(transport);

  /** Finds Assay's own newest comment that `isIt` recognizes; null if all comments were read and none matches. */
  async function findComment(number: number, isIt: CommentFilter): Promise<Result<ThreadComment | null, Refused>> {
    const [self, thread] = [await whoami(), await comments(number)];
    if (!self.ok) return self;
    if (!thread.ok) return thread;
    const isOwn = ({author, body, createdAt}: ThreadComment) =>
      isOwnAccount(self.value, author) && isIt(body, createdAt);
    return ok(thread.value.filter(isOwn).at(-1) ?? null);
  }

  /**
   * Creates a comment once: after a lost answer, it looks for the comment with `isIt` instead of creating a second one.
   * Throws if `isIt` does not recognize the new body, because the search could then never find it.
   */
  function createComment(wanted: {
    number: number;
    body: string;
    isIt: CommentFilter;
  }): Promise<Result<ThreadComment, Refused>> {
    const {number, isIt} = wanted;
    const body = cutBody(wanted.body);
    if (!isIt(body)) throw new Error("the comment carries no marker that finds it again");
    return createOnce({
      transport,
      apiCall: {
        name: `comment on #${number}`,
        answer: commentSchema,
        send: (rest, request) => rest.issues.createComment({owner, repo, issue_number: number, body, request}),
      },
      find: () => findComment(number, isIt),
    });
  }

  /** An issue or pull request as it is now. */
  const issue = (number: number) =>
    call({
      name: `read issue #${number}`,
      // GitHub redirects to the new repository of a moved issue
      answer: issueSchema.refine((answer) => answer.number === number),
      send: (rest, request) => rest.issues.get({owner, repo, issue_number: number, request}),
    });

  return {comments, findComment, createComment, issue, ...commentEdits(transport), ...repositoryComments(transport)};
}

/** GitHub's API has no reactions to a review, a workflow run or a push. */
const REACTED_TO: Readonly<Record<RunTrigger["kind"], "comment" | "review comment" | "issue" | null>> = {
  comment: "comment",
  issue: "issue",
  "review-comment": "review comment",
  review: null,
  "bot-review": null,
  label: "issue",
  assignment: "issue",
  dispatch: null,
  schedule: null,
  ci: null,
  push: null,
};

function reviewReplies({owner, repo, call}: Pick<Transport, "owner" | "repo" | "call">) {
  /**
   * Replies once in the thread of a comment on lines: not again if `isIt` finds the reply among the newest 100 comments
   * on lines, and not after a lost answer.
   */
  async function replyInReview(reply: {number: number; comment: number; body: string; isIt: CommentFilter}) {
    const {number: pull_number, comment, body, isIt} = reply;
    const earlier = await call({
      name: `read the review comments of pull request #${pull_number}`,
      answer: z.array(z.object({body: z.string(), in_reply_to_id: z.int().optional()})),
      send: (rest, request) => {
        const order = {sort: "created", direction: "desc", per_page: PAGE_SIZE} as const;
        return rest.pulls.listReviewComments({owner, repo, pull_number, ...order, request});
      },
    });
    if (!earlier.ok || earlier.value.some((one) => one.in_reply_to_id === comment && isIt(one.body))) return earlier;
    return call({
      name: `reply to review comment ${comment}`,
      answer: z.unknown(),
      send: (rest, request) =>
        rest.pulls.createReplyForReviewComment({owner, repo, pull_number, comment_id: comment, body, request}),
    });
  }

  /** The comments on lines of one review, oldest first; the first 100. */
  const reviewComments = ({number: pull_number, review}: {number: number; review: number}) =>
    call({
      name: `read the comments of review ${review}`,
      answer: z.array(reviewCommentSchema),
      send: (rest, request) =>
        rest.pulls.listCommentsForReview({owner, repo, pull_number, review_id: review, per_page: PAGE_SIZE, request}),
    });

  /** The text of a review. */
  async function reviewText({number: pull_number, review}: {number: number; review: number}) {
    const answer = await call({
      name: `read review ${review}`,
      answer: z.object({body: z.string().nullish()}),
      send: (rest, request) => rest.pulls.getReview({owner, repo, pull_number, review_id: review, request}),
    });
    return answer.ok ? ok(answer.value.body ?? "") : answer;
  }

  return {replyInReview, reviewComments, reviewText};
}

export function reactionMethods({owner, repo, call}: Transport) {
  /**
   * Reacts to the comment or issue that started the run, and returns the reaction's id; null if it can have none. A
   * repetition changes nothing.
   */
  async function react(options: {trigger: RunTrigger; content: Reaction}): Promise<Result<number | null, Refused>> {
    const {id} = options.trigger;
    const subject = REACTED_TO[options.trigger.kind];
    if (subject === null) return ok(null);
    const creation = await call({
      name: `react to ${subject} ${id}`,
      answer: z.object({id: z.int()}),
      send: (rest, request) => {
        const common = {owner, repo, content: options.content, request};
        if (subject === "comment") return rest.reactions.createForIssueComment({...common, comment_id: id});
        if (subject === "issue") return rest.reactions.createForIssue({...common, issue_number: id});
        return rest.reactions.createForPullRequestReviewComment({...common, comment_id: id});
      },
    });
    return creation.ok ? ok(creation.value.id) : creation;
  }

  /** Removes a reaction; one that is already removed is not a failure. */
  async function unreact(options: {trigger: RunTrigger; reaction: number}): Promise<Result<null, Refused>> {
    const {id} = options.trigger;
    const subject = REACTED_TO[options.trigger.kind];
    if (subject === null) return ok(null);
    const removal = await call({
      name: `remove the reaction to ${subject} ${id}`,
      answer: z.unknown(),
      send: (rest, request) => {
        const common = {owner, repo, reaction_id: options.reaction, request};
        if (subject === "comment") return rest.reactions.deleteForIssueComment({...common, comment_id: id});
        if (subject === "issue") return rest.reactions.deleteForIssue({...common, issue_number: id});
        return rest.reactions.deleteForPullRequestComment({...common, comment_id: id});
      },
    });
    return removal.ok || removal.failure.status === 404 ? ok(null) : removal;
  }

  return {react, unreact, ...reviewReplies({owner, repo, call})};
}

/** Cuts a body that GitHub would refuse. Reports are shorter already, so this is rare. No character is cut in half. */
export function cutBody(body: string): string {
  if (body.length <= BODY_LIMIT) return body;
  return body.slice(0, BODY_LIMIT - CUT.length).replace(/[\uD800-\uDBFF]$/, "") + CUT;
}

/** True for the exact account, because other bots can be made to repeat a marker. */
export function isOwnAccount(self: Self, author: Account | null): boolean {
  return author !== null && author.id === self.id && author.login === self.login;
}
