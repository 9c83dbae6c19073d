/** Reads one file from the default branch of a repository, together with the commit that it is from. */
import {z} from "zod";
import {ok, type Result} from "../record/words.ts";
import {graphRefused, type Refused, type Transport} from "./transport.ts";

/** https://docs.github.com/en/graphql/reference/objects: `Repository`, `Commit.file`, `Blob` */
const DOCUMENT = `query ($owner: String!, $name: String!, $path: String!) {
  repository(owner: $owner, name: $name) {
    defaultBranchRef { target { oid ... on Commit { file(path: $path) { object { ... on Blob { text isTruncated } } } } } }
  }
}`;

const answerSchema = z.object({
  data: z
    .object({
      repository: z
        .object({
          defaultBranchRef: z
            .object({
              target: z.object({
                oid: z.string().regex(/^[0-9a-f]{40,64}$/),
                file: z
                  .object({
                    object: z.object({text: z.string().nullish(), isTruncated: z.boolean().optional()}).nullish(),
                  })
                  .nullish(),
              }),
            })
            .nullish(),
        })
        .nullish(),
    })
    .nullish(),
  errors: z.array(z.object({message: z.string(), type: z.string().optional()})).optional(),
});

export interface FileOfDefaultBranch {
  readonly commit: string;
  readonly text: string;
}

export function policyFileMethods({owner, repo, call}: Transport) {
  /** Null if the token sees no such repository, commit or text file. One request. */
  async function fileOnDefaultBranch(path: string): Promise<Result<FileOfDefaultBranch | null, Refused>> {
    const name = `read ${path} of ${owner}/${repo}`;
    const variables = {owner, name: repo, path};
    const answer = await call({
      name,
      answer: answerSchema,
      send: (_rest, _request, graphql) => graphql(DOCUMENT, variables),
    });
    if (!answer.ok) return answer;
    const {data, errors = []} = answer.value;
    if (errors.some(({type}) => type !== "NOT_FOUND")) return graphRefused(name, errors);
    if (data === undefined || data === null) return errors.length > 0 ? ok(null) : graphRefused(name, undefined);
    const target = data.repository?.defaultBranchRef?.target;
    const blob = target?.file?.object;
    if (target === undefined || !blob) return ok(null);
    if (typeof blob.text !== "string" || blob.isTruncated !== false)
      return graphRefused(name, [{message: "the file is no text, or too long"}]);
    return ok({commit: target.oid, text: blob.text});
  }

  return {fileOnDefaultBranch};
}
