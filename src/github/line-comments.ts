/** Comments on lines of a pull request: reads which lines it shows, creates comments in one review, and resolves them. */
import {z} from "zod";
import {ok, type Result} from "../record/words.ts";
import {createOnce} from "./create.ts";
import {readPlace} from "./marker.ts";
import {graphRefused, type Refused, type Transport} from "./transport.ts";

const filesSchema = z.array(z.object({filename: z.string(), patch: z.string().optional()}));
const errors = z.array(z.object({message: z.string()})).optional();
const nodes = <T extends z.ZodType>(node: T) => z.object({nodes: z.array(node)});
const comment = z.object({body: z.string(), viewerDidAuthor: z.boolean()});
const user = z.object({login: z.string()});
const thread = z.object({
  ...{id: z.string(), isResolved: z.boolean(), resolvedBy: user.nullable(), comments: nodes(comment)},
});
const pageInfo = z.object({hasPreviousPage: z.boolean(), startCursor: z.string().nullable()});
const pullRequest = z.object({reviewThreads: nodes(thread).extend({pageInfo})});
const repository = z.object({pullRequest: pullRequest.nullable()});
const threadsSchema = z.object({
  data: z.object({viewer: user, repository: repository.nullable()}).nullish(),
  errors,
});

const MAX_PAGES = 10;
const THREADS = `query ($owner: String!, $repo: String!, $number: Int!, $before: String) {
  viewer { login }
  repository(owner: $owner, name: $repo) { pullRequest(number: $number) { reviewThreads(last: 100, before: $before) {
    pageInfo { hasPreviousPage startCursor }
    nodes { id isResolved resolvedBy { login } comments(first: 1) { nodes { body viewerDidAuthor } } }
  } } }
}`;

export interface LineComment {
  readonly path: string;
  readonly line: number;
  /** starts with the marker of its place */
  readonly body: string;
}

export function lineCommentMethods(transport: Transport) {
  const reads = lineReads(transport);
  return {...reads, ...lineWrites(transport, reads.knownPlaces)};
}

/** True for the lines that a hunk has after the change. */
function inHunks(patch: string): (line: number) => boolean {
  // Lines end with "\n" only: others that a pattern knows may be in a changed line.
  const hunks = patch.split("\n").flatMap((line) => [/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? []]);
  return (line) =>
    hunks.some(([, start, count = "1"]) => line >= Number(start) && line < Number(start) + Number(count));
}

function lineReads({owner, repo, call}: Transport) {
  /** The lines that GitHub shows, and takes comments on, in the first 100 files. A file that is too large has none. */
  async function shownLines(number: number): Promise<Result<Map<string, (line: number) => boolean>, Refused>> {
    const files = await call({
      name: `read the files of pull request #${number}`,
      answer: filesSchema,
      send: (rest, request) => rest.pulls.listFiles({owner, repo, pull_number: number, per_page: 100, request}),
    });
    return files.ok ? ok(new Map(files.value.map(({filename, patch = ""}) => [filename, inHunks(patch)]))) : files;
  }

  /**
   * Assay's own threads by the ids of their places: GitHub's ids of those that are open, and null for those that a person
   * resolved. Those that Assay resolved are not in it.
   */
  async function knownPlaces(number: number): Promise<Result<Map<string, string | null>, Refused>> {
    const name = `read the review threads of pull request #${number}`;
    const places = new Map<string, string | null>();
    let before: string | null = null;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const variables: Record<string, unknown> = {owner, repo, number, before};
      const answer = await call({
        name,
        answer: threadsSchema,
        send: (_rest, _request, graphql) => graphql(THREADS, variables),
      });
      if (!answer.ok) return answer;
      const found = answer.value.data?.repository?.pullRequest?.reviewThreads;
      if (!found) return graphRefused(name, answer.value.errors);
      const self = answer.value.data?.viewer.login;
      for (const {id, isResolved, resolvedBy, comments} of found.nodes) {
        const [first] = comments.nodes;
        const place = first?.viewerDidAuthor ? readPlace(first.body) : null;
        if (place === null) continue;
        if (!isResolved) places.set(place, id);
        else if (resolvedBy !== null && resolvedBy.login !== self && !places.has(place)) places.set(place, null);
      }
      if (!found.pageInfo.hasPreviousPage) break;
      before = found.pageInfo.startCursor;
    }
    return ok(places);
  }

  return {shownLines, knownPlaces};
}

function lineWrites(
  transport: Transport,
  knownPlaces: (number: number) => Promise<Result<Map<string, string | null>, Refused>>,
) {
  const {owner, repo, call} = transport;

  /** Creates all comments in one review, so that people get one mail. GitHub refuses all if it refuses one. */
  function commentOnLines(review: {number: number; commit: string; body: string; comments: readonly LineComment[]}) {
    const {number, commit, body, comments} = review;
    const firstPlace = readPlace(comments[0]?.body ?? "") ?? "";
    return createOnce<unknown>({
      transport,
      apiCall: {
        name: `comment on lines of pull request #${number}`,
        answer: z.object({id: z.int()}),
        send: (rest, request) =>
          rest.pulls.createReview({
            ...{owner, repo, pull_number: number, commit_id: commit, event: "COMMENT", body, request},
            comments: comments.map((one) => ({...one, side: "RIGHT"})),
          }),
      },
      find: async () => {
        const places = await knownPlaces(number);
        return places.ok ? ok(places.value.get(firstPlace) ?? null) : places;
      },
    });
  }

  /** Resolves threads in one request. */
  async function resolveThreads(ids: readonly string[]): Promise<Result<unknown, Refused>> {
    const name = "resolve review threads";
    const fields = ids.map((_, at) => `t${at}: resolveReviewThread(input: {threadId: $t${at}}) { thread { id } }`);
    const query = `mutation (${ids.map((_, at) => `$t${at}: ID!`).join(", ")}) { ${fields.join(" ")} }`;
    const answer = await call({
      name,
      answer: z.object({errors}),
      send: (_rest, _request, graphql) => graphql(query, Object.fromEntries(ids.map((id, at) => [`t${at}`, id]))),
    });
    return answer.ok && answer.value.errors ? graphRefused(name, answer.value.errors) : answer;
  }

  return {commentOnLines, resolveThreads};
}
