/** GitHub's own commits: made on its side of a branch by a GraphQL mutation, and so signed with its key. */
import {z} from "zod";
import {ok, type Result} from "../record/words.ts";
import {graphRefused, type Refused, type Transport} from "./transport.ts";

/** One commit to be made: whole files, for the mutation knows neither modes nor renames. */
export interface WantedCommit {
  /** without `refs/heads/`; it must be there, and stand at `parent` */
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

const made = z.object({
  commit: z.object({
    oid: z.string().regex(/^[0-9a-f]{40}$/),
    signature: z.object({isValid: z.boolean(), wasSignedByGitHub: z.boolean()}).nullable(),
  }),
});
const answerSchema = z.object({
  data: z.object({createCommitOnBranch: made.nullable()}).nullish(),
  errors: z.array(z.object({message: z.string()})).optional(),
});

/** The verb for signed commits. The token needs `contents: write`. */
export function commitVerbs({owner, repo, ask}: Transport) {
  /**
   * Makes the commit, which moves the branch. `commit` is GitHub's word for what it made: whoever needs to know reads the
   * object. `isSigned` is true where GitHub finds its own signature good.
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
    const answered = await ask({
      name,
      answer: answerSchema,
      send: (_rest, _request, graph) => graph(DOCUMENT, {input}),
    });
    if (!answered.ok) return answered;
    const commit = answered.value.data?.createCommitOnBranch?.commit;
    if (commit !== undefined)
      return ok({
        commit: commit.oid,
        isSigned: commit.signature?.isValid === true && commit.signature.wasSignedByGitHub,
      });
    return graphRefused(name, answered.value.errors);
  }

  return {createSignedCommit};
}
