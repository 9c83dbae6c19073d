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
const thread = z.object({id: z.string(), isResolved: z.boolean(), comments: nodes(comment)});
const pullRequest = z.object({reviewThreads: nodes(thread)});
const threadsSchema = z.object({
  data: z.object({repository: z.object({pullRequest: pullRequest.nullable()}).nullable()}).nullish(),
  errors,
});

const THREADS = `query ($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) { pullRequest(number: $number) { reviewThreads(last: 100) {
    nodes { id isResolved comments(first: 1) { nodes { body viewerDidAuthor } } }
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
  return {...reads, ...lineWrites(transport, reads.openPlaces)};
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

  /** Assay's own threads that are not resolved: the ids of their places, with GitHub's ids of the threads. */
  async function openPlaces(number: number): Promise<Result<Map<string, string>, Refused>> {
    const name = `read the review threads of pull request #${number}`;
    const answer = await call({
      name,
      answer: threadsSchema,
      send: (_rest, _request, graphql) => graphql(THREADS, {owner, repo, number}),
    });
    if (!answer.ok) return answer;
    const found = answer.value.data?.repository?.pullRequest;
    if (!found) return graphRefused(name, answer.value.errors);
    const places = found.reviewThreads.nodes.flatMap(
      ({
        id,
        isResolved,
        comments: {
          nodes: [first],
        },
      }) => {
        const place = first?.viewerDidAuthor && !isResolved ? readPlace(first.body) : null;
        return place === null ? [] : [[place, id] as const];
      },
    );
    return ok(new Map(places));
  }

  return {shownLines, openPlaces};
}

function lineWrites(
  transport: Transport,
  openPlaces: (number: number) => Promise<Result<Map<string, string>, Refused>>,
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
        const places = await openPlaces(number);
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
