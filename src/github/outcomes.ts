/** Reads what became of earlier work: the history of the default branch with the state of its checks, and an owner's repositories. */
import {z} from "zod";
import {ok, type Result, refused} from "../record/words.ts";
import {graphRefused, type Refused, type Transport} from "./transport.ts";

/** https://docs.github.com/en/graphql/reference/objects: `Commit.history`, `Commit.statusCheckRollup` */
const HISTORY = `query ($owner: String!, $name: String!, $since: GitTimestamp!, $after: String) {
  repository(owner: $owner, name: $name) { defaultBranchRef { target { ... on Commit {
    history(first: 100, since: $since, after: $after) {
      nodes { oid committedDate message statusCheckRollup { state } }
      pageInfo { hasNextPage endCursor }
    }
  } } } }
}`;

/** https://docs.github.com/en/graphql/reference/interfaces: `RepositoryOwner` */
const REPOSITORIES = `query ($owner: String!, $file: String!, $after: String) {
  repositoryOwner(login: $owner) { repositories(first: 100, after: $after, ownerAffiliations: OWNER, isArchived: false) {
    nodes { nameWithOwner object(expression: $file) { oid } }
    pageInfo { hasNextPage endCursor }
  } }
}`;

const pageInfo = z.object({hasNextPage: z.boolean(), endCursor: z.string().nullish()});
const errors = z.array(z.object({message: z.string()})).optional();
const commitSchema = z
  .object({
    ...{oid: z.string(), committedDate: z.string(), message: z.string()},
    statusCheckRollup: z.object({state: z.string()}).nullish(),
  })
  .transform(({oid, committedDate, message, statusCheckRollup}) => ({
    ...{commit: oid, at: committedDate, message},
    /** null without a finished check, or if the token may not read checks */
    isRed: RED_BY_STATE[statusCheckRollup?.state ?? ""] ?? null,
  }));
const RED_BY_STATE: Readonly<Record<string, boolean>> = {SUCCESS: false, FAILURE: true, ERROR: true};
/** One commit of the default branch. */
export type MainCommit = z.infer<typeof commitSchema>;

const historySchema = z.object({nodes: z.array(commitSchema), pageInfo});
const historyAnswer = z.object({
  errors,
  data: z
    .object({
      repository: z
        .object({defaultBranchRef: z.object({target: z.object({history: historySchema})}).nullish()})
        .nullish(),
    })
    .nullish(),
});
const repositoriesAnswer = z.object({
  errors,
  data: z
    .object({
      repositoryOwner: z
        .object({
          repositories: z.object({
            // null for one that the token may not see
            nodes: z.array(
              z.object({nameWithOwner: z.string(), object: z.object({oid: z.string()}).nullish()}).nullable(),
            ),
            pageInfo,
          }),
        })
        .nullish(),
    })
    .nullish(),
});

export function outcomeMethods({owner, repo, call}: Transport) {
  async function readPages<Answer extends {errors?: {message: string}[] | undefined}, Node>(options: {
    name: string;
    document: string;
    variables: object;
    answer: z.ZodType<Answer>;
    /** null if there is no such repository or owner */
    pageOf: (answer: Answer) => {nodes: readonly Node[]; pageInfo: z.infer<typeof pageInfo>} | null;
    maxPages: number;
  }): Promise<Result<Node[], Refused>> {
    const {name, document, answer, pageOf, maxPages} = options;
    const found: Node[] = [];
    let after: string | null = null;
    for (let count = 0; count < maxPages; count += 1) {
      const variables = {...options.variables, after};
      const response: Result<Answer, Refused> = await call({
        ...{name, answer},
        send: (_rest, _request, graphql) => graphql(document, variables),
      });
      if (!response.ok) return response;
      const page = pageOf(response.value);
      if (page === null) return graphRefused(name, response.value.errors);
      found.push(...page.nodes);
      after = page.pageInfo.endCursor ?? null;
      if (!page.pageInfo.hasNextPage || after === null) return ok(found);
    }
    return refused({kind: "github-refused", request: name, status: 0, message: "there are too many of them"});
  }

  /** The default branch's commits since then (ISO 8601), newest first; empty without a default branch. */
  const mainHistory = (since: string, maxPages: number): Promise<Result<MainCommit[], Refused>> =>
    readPages({
      ...{name: "read the history of the default branch", document: HISTORY, answer: historyAnswer, maxPages},
      variables: {owner, name: repo, since},
      pageOf: ({data}) => {
        const repository = data?.repository;
        if (!repository) return null;
        return repository.defaultBranchRef?.target.history ?? {nodes: [], pageInfo: {hasNextPage: false}};
      },
    });

  /** The owner's repositories that have this file on their default branch, as `owner/name`. */
  async function repositoriesWith(file: string, maxPages: number): Promise<Result<string[], Refused>> {
    const all = await readPages({
      ...{name: `read the repositories of ${owner}`, document: REPOSITORIES, answer: repositoriesAnswer, maxPages},
      variables: {owner, file: `HEAD:${file}`},
      pageOf: ({data}) => data?.repositoryOwner?.repositories ?? null,
    });
    return all.ok ? ok(all.value.flatMap((one) => (one?.object ? [one.nameWithOwner] : []))) : all;
  }

  return {mainHistory, repositoriesWith};
}
