/** Reviews of pull requests with comments on lines, and their threads: what GitHub shows of a diff is asked of git. */
import {GraphQLError} from "graphql";
import {git} from "../git.ts";
import {at, numberAt, textAt} from "../json.ts";
import type {Origin} from "../origin.ts";
import {type Answer, type Asked, invalid, json} from "./additions.ts";

export interface Thread {
  readonly id: string;
  readonly pull: number;
  readonly path: string;
  readonly line: number;
  readonly author: string;
  readonly body: string;
  isResolved: boolean;
  resolvedBy: string | null;
}

export function makeReviews({origin, forks}: {origin: Origin; forks: ReadonlyMap<number, unknown>}) {
  const threads: Thread[] = [];
  const reviews: {readonly pull: number; readonly body: string}[] = [];
  const branches = new Map<number, string>();

  /** The change as GitHub shows it: from where the branch left its base. */
  async function range(pull: number): Promise<[string, string]> {
    const head = forks.has(pull) ? `refs/pull/${pull}/head` : `refs/heads/${branches.get(pull)}`;
    const base = (await git(origin.folder, ["merge-base", "refs/heads/main", head])).trim();
    return [base, (await git(origin.folder, ["rev-parse", head])).trim()];
  }

  async function filesOf(pull: number): Promise<{filename: string; patch: string}[]> {
    const [base, head] = await range(pull);
    const names = (await git(origin.folder, ["diff", "--name-only", "-z", base, head])).split("\0").filter(Boolean);
    return Promise.all(
      names.map(async (filename) => {
        const text = await git(origin.folder, ["diff", "-U3", base, head, "--", filename]);
        return {filename, patch: text.slice(Math.max(0, text.search(/^@@ /m)))};
      }),
    );
  }

  /** Whether a line is in a hunk, by counting each line of it. */
  function isShown(patch: string, wanted: number): boolean {
    let line = 0;
    for (const text of patch.split("\n")) {
      const start = /^@@ -\S+ \+(\d+)/.exec(text)?.[1];
      if (start !== undefined) line = Number(start) - 1;
      else if (/^[+ ]/.test(text)) line += 1;
      if (start === undefined && /^[+ ]/.test(text) && line === wanted) return true;
    }
    return false;
  }

  async function answer({method, path, body, person}: Asked): Promise<Answer | null> {
    const pull = Number(/\/pulls\/(\d+)\/(?:reviews|files)$/.exec(path)?.[1]);
    if (method === "GET" && path.endsWith("/files") && pull > 0) return json(200, await filesOf(pull));
    if (method !== "POST" || !path.endsWith("/reviews")) return null;
    const asked: unknown = JSON.parse(body);
    const [, head] = await range(pull);
    if (textAt(asked, "commit_id") !== head) return invalid("commit_id", "is not part of the pull request");
    if (textAt(asked, "body") === "") return invalid("body", "can't be blank");
    const files = await filesOf(pull);
    const wanted = at(asked, "comments");
    const added = (Array.isArray(wanted) ? wanted : []).map(
      (one: unknown): Thread => ({
        id: `PRRT_${threads.length + 1}`,
        pull,
        path: textAt(one, "path"),
        line: numberAt(one, "line"),
        author: person.login,
        body: textAt(one, "body"),
        isResolved: false,
        resolvedBy: null,
      }),
    );
    const lost = added.find(
      ({path, line}) => !files.some(({filename, patch}) => filename === path && isShown(patch, line)),
    );
    if (lost !== undefined) return invalid("line", `of ${lost.path}:${lost.line} must be part of the diff`);
    threads.push(...added.map((one, index) => ({...one, id: `PRRT_${threads.length + index + 1}`})));
    reviews.push({pull, body: textAt(asked, "body")});
    return json(200, {id: reviews.length, state: "COMMENTED"});
  }

  /** The roots of GraphQL. A comment's author is said to be the asker or not, as GitHub does. */
  const graphOf = (login: string) => ({
    repository: () => ({
      pullRequest: ({number}: {number: number}) => ({
        reviewThreads: ({last, before = null}: {last: number; before?: string | null}) => {
          const all = threads.filter(({pull}) => pull === number);
          const end = before === null ? all.length : Number(before);
          const start = Math.max(0, end - last);
          return {
            nodes: all.slice(start, end).map(({id, isResolved, resolvedBy, body, author}) => ({
              ...{id, isResolved, resolvedBy: resolvedBy === null ? null : {login: resolvedBy}},
              comments: {nodes: [{body, viewerDidAuthor: author === login}]},
            })),
            pageInfo: {
              hasPreviousPage: start > 0,
              hasNextPage: end < all.length,
              startCursor: String(start),
              endCursor: null,
            },
          };
        },
      }),
    }),
    resolveReviewThread({input: {threadId}}: {input: {threadId: string}}) {
      const found = threads.find(({id}) => id === threadId);
      if (found === undefined)
        throw new GraphQLError(`Could not resolve to a node with the global id of '${threadId}'`);
      found.isResolved = true;
      found.resolvedBy = login;
      return {thread: found};
    },
  });

  return {answer, graphOf, threads, reviews, branches};
}
