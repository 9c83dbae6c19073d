/** GitHub's API of a simulated organization: its policy, the bot's comments, and the pull requests, as `assay stats` reads them. */
import {once} from "node:events";
import {createServer, type IncomingMessage} from "node:http";
import {BOT} from "../rig/github/people.ts";

export interface SimulatedComment {
  readonly id: number;
  readonly repository: string;
  readonly at: Date;
  readonly login: string;
  body: string;
}

export interface SimulatedPull {
  readonly number: number;
  readonly repository: string;
  readonly opened: string;
  readonly closed: string | null;
  readonly merged: string | null;
}

export interface OrganizationApi extends AsyncDisposable {
  readonly url: string;
  /** the text of the policy from now on */
  setPolicy(text: string): void;
  readonly comments: SimulatedComment[];
  readonly pulls: SimulatedPull[];
}

const PAGE = 100;
const pageInfo = {hasNextPage: false, endCursor: null};
const commit = "0".repeat(40);

/** Each path may have a folder before it, as each run has its own address. */
export async function startOrganizationApi(repositories: readonly string[]): Promise<OrganizationApi> {
  const comments: SimulatedComment[] = [];
  const pulls: SimulatedPull[] = [];
  let policy = "{}";

  function graph(query: string): object {
    if (query.includes("repositoryOwner(")) {
      const nodes = repositories.map((nameWithOwner) => ({nameWithOwner, object: {oid: commit}}));
      return {repositoryOwner: {repositories: {nodes, pageInfo}}};
    }
    const target = query.includes("history(")
      ? {history: {nodes: [], pageInfo}}
      : {oid: commit, file: {object: {text: policy, isTruncated: false}}};
    return {repository: {defaultBranchRef: {target}}};
  }

  function answer({method, url}: IncomingMessage, text: string): unknown {
    const {pathname, searchParams} = new URL(url ?? "", "http://api.test");
    if (pathname.endsWith("/graphql")) return {data: graph(JSON.parse(text).query)};
    const [, repository, path = ""] = /\/repos\/([^/]+\/[^/]+)(.*)$/.exec(pathname) ?? [];
    const start = PAGE * (Number(searchParams.get("page") ?? 1) - 1);
    const ofPage = <T extends {readonly repository: string}>(all: readonly T[]) =>
      all.filter((one) => one.repository === repository).slice(start, start + PAGE);
    if (path === "/pulls") return ofPage(pulls).map(pullOf);
    if (method === "GET")
      return ofPage(comments.toSorted((one, other) => Number(other.at) - Number(one.at))).map(commentOf);
    const comment = comments.find(({id}) => path === `/issues/comments/${id}`);
    if (method !== "PATCH" || comment === undefined) throw new Error(`${method} ${url}`);
    comment.body = JSON.parse(text).body;
    return commentOf(comment);
  }

  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (part) => {
      text += part;
    });
    request.on("end", () => {
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify(answer(request, text)));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    ...{comments, pulls},
    setPolicy(text) {
      policy = text;
    },
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

const commentOf = ({id, body, at, login}: SimulatedComment) => ({
  ...{id, body, created_at: at.toISOString(), updated_at: at.toISOString()},
  user: {login, id: 1, type: login === BOT ? "Bot" : "User"},
});

const pullOf = ({number, repository, opened, closed, merged}: SimulatedPull) => ({
  ...{number, created_at: opened, closed_at: closed, merged_at: merged, merge_commit_sha: null, body: ""},
  head: {sha: commit, ref: `assay/issue-${number}`, repo: {full_name: repository}},
});
