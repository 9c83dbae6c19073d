/** GitHub's GraphQL as far as the bot uses it: documents held against GitHub's own schema, commits made in the real repository. */
import {readFileSync} from "node:fs";
import {buildSchema, execute, GraphQLError, getOperationAST, getVariableValues, parse, validate} from "graphql";
import {git} from "../git.ts";
import {at, isObject, textAt} from "../json.ts";
import type {Files, Origin} from "../origin.ts";
import {type Answer, json} from "./additions.ts";
import type {Person} from "./people.ts";

/** A GitHub that does not do what it was asked: one file more, or no signature though it says so. */
export type Lie = "other-tree" | "unsigned";

/** GitHub's key signs nothing here: it is the header that tells, and nobody of the rig can check more. */
const SIGNATURE = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n cmlnCg==\n -----END PGP SIGNATURE-----";
const COMMITTER = "GitHub <noreply@github.com>";

const schema = buildSchema(readFileSync(new URL("./schema.graphql", import.meta.url), "utf8"));

export function makeGraph({
  origin,
  ids,
  graphOf,
}: {
  origin: Origin;
  ids: Readonly<Record<string, number>>;
  /** further roots, for the one who asks */
  graphOf: (login: string) => object;
}) {
  /** What is wrong with a request by the schema; empty where nothing is. */
  function problemsOf(body: string): string[] {
    try {
      const asked: unknown = JSON.parse(body);
      const document = parse(textAt(asked, "query"));
      const found = validate(schema, document);
      const operation = getOperationAST(document);
      if (found.length > 0 || !operation) return found.map(({message}) => message);
      const given = at(asked, "variables");
      const read = getVariableValues(schema, operation.variableDefinitions ?? [], isObject(given) ? given : {});
      return "errors" in read && read.errors !== undefined ? read.errors.map(({message}) => message) : [];
    } catch (error) {
      return [String(error)];
    }
  }

  async function answer(options: {body: string; person: Person; lie: Lie | null}): Promise<Answer> {
    const asked: unknown = JSON.parse(options.body);
    const given = at(asked, "variables");
    const done = await execute({
      schema,
      document: parse(textAt(asked, "query")),
      rootValue: {
        viewer: {login: options.person.login, databaseId: ids[options.person.login]},
        ...graphOf(options.person.login),
        createCommitOnBranch: ({input}: {input: unknown}) => commit({input, ...options}),
      },
      variableValues: isObject(given) ? given : {},
    });
    return json(200, done);
  }

  async function commit({input, person, lie}: {input: unknown; person: Person; lie: Lie | null}) {
    const branch = textAt(input, "branch", "branchName");
    const tip = await origin.resolve(`refs/heads/${branch}`);
    if (textAt(input, "branch", "repositoryNameWithOwner") !== origin.name || tip === null)
      throw new GraphQLError("Could not resolve to a branch.");
    if (textAt(input, "expectedHeadOid") !== tip)
      throw new GraphQLError(`Expected branch to point to another commit than ${tip}. Pull and try again.`);
    const body = textAt(input, "message", "body");
    const headline = textAt(input, "message", "headline");
    const unsigned = await origin.commit({
      branch,
      files: {...filesOf(input), ...(lie === "other-tree" && {"unasked.txt": "not asked for\n"})},
      message: body === "" ? headline : `${headline}\n\n${body}`,
      author: `${person.login} <${person.login}@users.noreply.github.com>`,
    });
    const oid = lie === "unsigned" ? unsigned : await signed(unsigned);
    await origin.setRef(`refs/heads/${branch}`, oid);
    return {commit: {oid, signature: {__typename: "GpgSignature", isValid: true, wasSignedByGitHub: true}}};
  }

  async function signed(unsigned: string): Promise<string> {
    const text = await git(origin.folder, ["cat-file", "commit", unsigned]);
    const byGitHub = text.replace(/^committer .* (\d+ [+-]\d+)$/m, `committer ${COMMITTER} $1\n${SIGNATURE}`);
    return git(origin.folder, ["hash-object", "-t", "commit", "-w", "--stdin"], `${byGitHub}\n`);
  }

  return {problemsOf, answer};
}

/** Regular files, whatever they were before: more the mutation does not say. */
function filesOf(input: unknown): Files {
  const list = (name: string) => {
    const found = at(input, "fileChanges", name);
    return Array.isArray(found) ? found : [];
  };
  return Object.fromEntries([
    ...list("additions").map((one) => [textAt(one, "path"), Buffer.from(textAt(one, "contents"), "base64")]),
    ...list("deletions").map((one) => [textAt(one, "path"), null]),
  ]);
}
