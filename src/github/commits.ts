/** Has GitHub create commits by a GraphQL mutation, so that it signs them with its key. */
import {z} from "zod";
import type {HistoryCommit} from "../git/history.ts";
import {ok, type Result} from "../record/words.ts";
import {type ApiCall, graphRefused, type Refused, type Transport} from "./transport.ts";

/** One commit to create, with whole files: the mutation supports neither modes nor renames. */
export interface WantedCommit {
  /** without `refs/heads/`; it must exist and point to `parent` */
  readonly branch: string;
  readonly parent: string;
  readonly message: string;
  readonly additions: readonly {readonly path: string; readonly base64: string}[];
  readonly deletions: readonly string[];
}

/** https://docs.github.com/en/graphql/reference/commits: `createCommitOnBranch` */
const DOCUMENT = `mutation ($input: CreateCommitOnBranchInput!) {
  createCommitOnBranch(input: $input) { commit { oid signature { isValid wasSignedByGitHub } } }
}`;

const createdSchema = z.object({
  commit: z.object({
    oid: z.string().regex(/^[0-9a-f]{40}$/),
    signature: z.object({isValid: z.boolean(), wasSignedByGitHub: z.boolean()}).nullable(),
  }),
});
const answerSchema = z.object({
  data: z.object({createCommitOnBranch: createdSchema.nullable()}).nullish(),
  errors: z.array(z.object({message: z.string()})).optional(),
});

const shaSchema = z.object({sha: z.string()});
const commitSchema = shaSchema.extend({tree: shaSchema, parents: z.array(shaSchema), message: z.string()});

/** To create a commit, the token needs `contents: write`. */
export function commitMethods({owner, repo, call}: Transport) {
  /**
   * Creates the commit, which moves the branch. `commit` is what GitHub reports; read the object to be sure of it.
   * `isSigned` is true if GitHub finds its own signature valid.
   */
  async function createSignedCommit(
    wanted: WantedCommit,
  ): Promise<Result<{commit: string; isSigned: boolean}, Refused>> {
    const name = `make a signed commit on ${wanted.branch}`;
    const [headline = "", ...rest] = wanted.message.split("\n");
    const input = {
      branch: {repositoryNameWithOwner: `${owner}/${repo}`, branchName: wanted.branch},
      expectedHeadOid: wanted.parent,
      message: {headline, body: rest.join("\n").trim()},
      fileChanges: {
        additions: wanted.additions.map(({path, base64}) => ({path, contents: base64})),
        deletions: wanted.deletions.map((path) => ({path})),
      },
    };
    const send: ApiCall<unknown>["send"] = (_rest, _request, graphql) => graphql(DOCUMENT, {input});
    const answer = await call({name, answer: answerSchema, send});
    if (!answer.ok) return answer;
    const commit = answer.value.data?.createCommitOnBranch?.commit;
    if (commit === undefined) return graphRefused(name, answer.value.errors);
    const isSigned = commit.signature?.isValid === true && commit.signature.wasSignedByGitHub;
    return ok({commit: commit.oid, isSigned});
  }

  /** A commit of the repository. */
  async function commitOf(id: string): Promise<Result<HistoryCommit, Refused>> {
    const answer = await call({
      name: `read the commit ${id.slice(0, 12)}`,
      answer: commitSchema,
      send: (rest, request) => rest.git.getCommit({owner, repo, commit_sha: id, request}),
    });
    if (!answer.ok) return answer;
    const {sha, tree, parents, message} = answer.value;
    return ok({commit: sha, tree: tree.sha, parents: parents.map((parent) => parent.sha), message});
  }

  return {createSignedCommit, commitOf};
}
