/** The rig's GitHub: an emulator behind a gate that checks each request, its token and its size, and can misbehave. */
import {createHash} from "node:crypto";
import {once} from "node:events";
import {createServer, type IncomingMessage, type ServerResponse} from "node:http";
import {createEmulator} from "emulate";
import {git} from "./git.ts";
import {
  type Answer,
  type Asked,
  type Check,
  invalid,
  json,
  makeAdditions,
  type Reaction,
  type Reply,
  type Status,
  type SubmittedReview,
  type WorkflowRun,
} from "./github/additions.ts";
import {loadCheck} from "./github/check.ts";
import {type CiRun, isLog, sendLog} from "./github/ci-runs.ts";
import {asIssue, complete, type Fork} from "./github/completion.ts";
import {type Fault, makeFaults, misbehave} from "./github/faults.ts";
import {type Lie, makeGraph} from "./github/graph.ts";
import {BOT, isAllowed, makePeople, OWNER, type Person} from "./github/people.ts";
import {isPicture, sendPicture} from "./github/pictures.ts";
import {recentComments} from "./github/recent-comments.ts";
import {makeReviews, type Thread} from "./github/reviews.ts";
import {isObject, type Json, numberAt, parseObject, textAt} from "./json.ts";
import type {Origin} from "./origin.ts";

/** GitHub's limit for a comment, an issue or a pull request, in characters. */
const LONGEST_BODY = 65_536;

export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
  /** GitHub's name of the operation */
  readonly operation: string | null;
  readonly login: string | null;
  /** milliseconds */
  readonly at: number;
  /** 0 when there was no answer */
  readonly status: number;
}

export interface GitHub extends AsyncDisposable {
  readonly url: string;
  readonly people: readonly Person[];
  /** every request that came over the wire, in order */
  readonly requests: ApiRequest[];
  /** every request that GitHub does not describe: must stay empty */
  readonly invalid: {readonly request: string; readonly problems: readonly string[]}[];
  readonly reactions: readonly Reaction[];
  readonly replies: readonly Reply[];
  /** comments on lines of pull requests, which somebody may resolve */
  readonly threads: Thread[];
  readonly reviews: readonly {readonly pull: number; readonly body: string}[];
  readonly statuses: readonly Status[];
  readonly checks: readonly Check[];
  /** as they were stored, oldest first */
  readonly attestations: readonly {readonly bundle: object}[];
  /** Makes a pull request one of a fork; its head is `refs/pull/N/head`. */
  cameFrom(pullRequest: number, fork: Fork): void;
  /** Does something as a person, past the gate and its log. Throws when it is refused. */
  as(login: string, method: string, path: string, body?: Json): Promise<unknown>;
  tokenOf(login: string): string;
  /** A token of the workflow's own account that may only do what a job's `permissions:` say. */
  jobToken(permissions: Readonly<Record<string, string>>): string;
  /** the ids of comments on files of pull requests */
  readonly reviewComments: Set<number>;
  /** what each workflow run was requested by, and when */
  readonly workflowRuns: Map<number, WorkflowRun>;
  /** the organization's policy file on the default branch; null without one */
  readonly policy: {text: string | null};
  /** the file of each further repository, by its name */
  readonly files: Record<string, string | null>;
  /** reviews of people, by their ids */
  readonly submitted: Map<number, SubmittedReview>;
  /** the runs of the repository's own CI, oldest first */
  readonly ciRuns: CiRun[];
  /** how each workflow run in progress is cancelled, by its id */
  readonly running: Map<number, () => void>;
  /** Makes GitHub misbehave from now on; what it gives ends that. */
  fault(fault: Fault): () => void;
}

/** The repository `.github` of the organization, as GraphQL shows it. */
const organization = ({text}: GitHub["policy"]) =>
  text === null
    ? null
    : {
        defaultBranchRef: {
          target: {
            __typename: "Commit",
            oid: createHash("sha1").update(text).digest("hex"),
            file: {object: {__typename: "Blob", text, isTruncated: false}},
          },
        },
      };

/** A file on the default branch of this repository, as GraphQL shows it. */
const mainOf = (origin: Origin, statuses: () => readonly Status[]) => ({
  target: async () => ({
    __typename: "Commit",
    oid: await origin.resolve("refs/heads/main"),
    history: async ({since}: {since: string}) => ({
      nodes: (await git(origin.folder, ["log", `--since=${since}`, "--format=%H%x00%cI%x00%B%x1e", "main"]))
        .split("\u001e")
        .map((entry) => entry.trim().split("\0"))
        .filter(([oid]) => oid !== "")
        .map(([oid, committedDate, message]) => {
          const status = statuses().findLast(({sha}) => sha === oid);
          return {oid, committedDate, message, statusCheckRollup: status && {state: status.state.toUpperCase()}};
        }),
      pageInfo: {hasNextPage: false, endCursor: null},
    }),
    file: async ({path}: {path: string}) => {
      const text = await origin.read("main", path);
      return text === null ? null : {object: {__typename: "Blob", text, isTruncated: false}};
    },
  }),
});

/** Starts the emulator and its gate for the one repository `origin.name`, owned by its first part. */
export async function startGitHub({
  origin,
  people = makePeople(),
}: {
  origin: Origin;
  people?: readonly Person[];
}): Promise<GitHub> {
  const [owner = OWNER, name = "demo"] = origin.name.split("/");
  const [check, faults] = [await loadCheck(), makeFaults()];
  const requests: ApiRequest[] = [];
  const refused: {request: string; problems: readonly string[]}[] = [];
  const [pullRequests, reviewComments] = [new Set<number>(), new Set<number>()];
  const [forks, edited] = [new Map<number, Fork>(), new Set<string>()];
  const jobs = new Map<string, Readonly<Record<string, string>>>();
  const ciRuns: CiRun[] = [];
  const submitted = new Map<number, SubmittedReview>();
  const [running, workflowRuns] = [new Map<number, () => void>(), new Map<number, WorkflowRun>()];

  const emulator = await createEmulator({
    service: "github",
    port: 0,
    seed: {
      tokens: Object.fromEntries(people.map(({token, login}) => [token, {login, scopes: ["repo"]}])),
      github: {
        users: people.map(({login}) => ({login, email: `${login}@example.com`})),
        repos: [{owner, name, auto_init: true, default_branch: "main"}],
      },
    },
  });
  // The emulator lets only collaborators comment; who may do what is the gate's to say.
  for (const {login} of people) {
    if (login !== owner)
      await forward({method: "PUT", path: `/repos/${origin.name}/collaborators/${login}`, as: owner});
  }

  const ids: Record<string, number> = {};
  const reviews = makeReviews({origin, forks});
  const policy: GitHub["policy"] = {text: null};
  const files: GitHub["files"] = {};
  const main = mainOf(origin, () => additions.statuses);
  const repositories = () => ({
    nodes: [origin.name, `${owner}/without`, null].map(
      (nameWithOwner) =>
        nameWithOwner && {
          nameWithOwner,
          object: async ({expression}: {expression: string}) => {
            const path = expression.replace("HEAD:", "");
            const has = nameWithOwner === origin.name && (await origin.read("main", path)) !== null;
            return has ? {__typename: "Blob", oid: "0".repeat(40)} : null;
          },
        },
    ),
    pageInfo: {hasNextPage: false, endCursor: null},
  });
  const graph = makeGraph({
    origin,
    ids,
    graphOf(login) {
      const roots = reviews.graphOf(login);
      const repository = (asked: {name: string}) =>
        asked.name === ".github"
          ? organization(policy)
          : asked.name in files
            ? organization({text: files[asked.name] ?? null})
            : {...roots.repository(), defaultBranchRef: main};
      return {...roots, repository, repositoryOwner: () => ({__typename: "User", login: owner, repositories})};
    },
  });
  for (const {login} of people) {
    const {body} = await forward({method: "GET", path: `/users/${encodeURIComponent(login)}`, as: owner});
    ids[login] = numberAt(parseObject(body), "id");
  }

  const server = createServer((request, response) => {
    const answer = isPicture(request) ? sendPicture : isLog(request) ? sendLog.bind(null, ciRuns) : receive;
    answer(request, response).catch((error: unknown) => {
      // a mistake of the rig itself: it must not pass for GitHub's answer, nor go unseen
      refused.push({request: `${request.method} ${request.url}`, problems: [String(error)]});
      response.destroy();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the gate has no port");
  const url = `http://127.0.0.1:${address.port}`;
  const additions = makeAdditions({
    people,
    ids,
    origin,
    workflowRuns,
    ciRuns,
    submitted,
    cancel: (run) => {
      const cancel = running.get(run);
      running.delete(run);
      cancel?.();
      return cancel !== undefined;
    },
    exists: async (path) => {
      // the emulator keeps no comments on files
      const comment = /\/pulls\/comments\/(\d+)$/.exec(path)?.[1];
      if (comment !== undefined) return reviewComments.has(Number(comment));
      return (await forward({method: "GET", path: asPull(path), as: owner})).status === 200;
    },
  });

  async function forward(options: {method: string; path: string; as: string; body?: string}): Promise<Answer> {
    const token = people.find((person) => person.login === options.as)?.token ?? "";
    // a connection that is kept can be closed at the very moment when it is used again, on a busy machine
    const headers = {authorization: `Bearer ${token}`, "content-type": "application/json", connection: "close"};
    const response = await fetch(`${emulator.url}${options.path}`, {
      method: options.method,
      headers,
      ...(options.body !== undefined && options.body !== "" && {body: options.body}),
    });
    const text = await response.text();
    const kept = ["content-type", "link"].flatMap((key) => {
      const value = response.headers.get(key);
      return value === null ? [] : [[key, value] as const];
    });
    return {status: response.status, headers: Object.fromEntries(kept), body: text};
  }

  /** The emulator knows a pull request's thread only as a pull request. */
  function asPull(path: string): string {
    const number = Number(/\/issues\/(\d+)$/.exec(path)?.[1]);
    return pullRequests.has(number) ? path.replace("/issues/", "/pulls/") : path;
  }

  /** What GitHub does with a request that has come through the gate. */
  async function perform(asked: Asked, lie: Lie | null = null): Promise<Answer> {
    const {method, path, query, person} = asked;
    if (path === "/graphql") return graph.answer({...asked, lie});
    if (asked.body !== "" && textAt(parseObject(asked.body), "body").length > LONGEST_BODY) {
      return invalid("body", `is too long (maximum is ${LONGEST_BODY} characters)`);
    }
    const get = (at: string, search: string) =>
      perform({...asked, method: "GET", path: at, query: new URLSearchParams(search), body: ""});
    const added =
      (await reviews.answer(asked)) ?? (await additions.answer(asked)) ?? (await recentComments(asked, get));
    if (added !== null) return added;
    const creates = method === "POST" && path.endsWith("/pulls");
    const objection = creates ? await objectionTo(asked) : null;
    if (objection !== null) return objection;
    const search = query.size === 0 ? "" : `?${query}`;
    const to = `${asPull(path)}${search}`;
    const answer = await forward({method, path: to, as: person.login, body: asked.body});
    if (method === "PATCH") edited.add(path);
    if (answer.body === "") return answer;
    const found: unknown = JSON.parse(answer.body.replaceAll(emulator.url, url));
    const value = asPull(path) !== path && isObject(found) && answer.status < 300 ? asIssue(found) : found;
    if (creates && answer.status === 201) {
      pullRequests.add(numberAt(value, "number"));
      reviews.branches.set(numberAt(value, "number"), textAt(value, "head", "ref"));
    }
    const completed = await complete(value, {people, pullRequests, forks, edited, origin, url});
    const headers = Object.entries(answer.headers).map(([key, text]) => [key, text.replaceAll(emulator.url, url)]);
    return {status: answer.status, headers: Object.fromEntries(headers), body: JSON.stringify(completed)};
  }

  /** The emulator makes branches up where they are missing; GitHub asks git. */
  async function objectionTo({body, person}: Asked): Promise<Answer | null> {
    const {head, base} = parseObject(body);
    const headCommit = await origin.resolve(`refs/heads/${String(head).replace(`${owner}:`, "")}`);
    const baseCommit = await origin.resolve(`refs/heads/${base}`);
    if (headCommit === null) return invalid("head", "invalid");
    if (baseCommit === null) return invalid("base", "invalid");
    if (headCommit === baseCommit) return invalid("head", `No commits between ${base} and ${head}`);
    const path = `/repos/${origin.name}/pulls`;
    const open: unknown = JSON.parse((await forward({method: "GET", path, as: person.login})).body);
    const taken = (Array.isArray(open) ? open : []).some(
      (one) => textAt(one, "head", "ref") === head && textAt(one, "base", "ref") === base,
    );
    return taken ? invalid("head", `A pull request already exists for ${owner}:${head}.`) : null;
  }

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const {pathname: path, searchParams: query} = new URL(request.url ?? "/", url);
    const method = request.method ?? "GET";
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const token = /^(?:token|bearer) (\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
    const permissions = jobs.get(token ?? "");
    const person = people.find((one) => (permissions === undefined ? one.token === token : one.login === BOT));
    const isGraph = method === "POST" && path === "/graphql";
    const {operation, problems} = isGraph
      ? {operation: "graphql", problems: graph.problemsOf(body)}
      : check({method, path, query, body});
    const log = (status: number) =>
      void requests.push({
        method,
        path,
        query: query.toString(),
        body,
        operation,
        at: Date.now(),
        login: person?.login ?? null,
        status,
      });
    const send = ({status, headers, body: text}: Answer) => {
      log(status);
      response.writeHead(status, headers).end(text);
    };

    if (problems.length > 0) {
      refused.push({request: `${method} ${path}?${query} ${body.slice(0, 300)}`, problems});
      return send(json(operation === null ? 404 : 422, {message: problems.join("; ")}));
    }
    if (person === undefined) return send(json(401, {message: "Bad credentials", status: "401"}));
    if (permissions !== undefined && !isAllowed({method, path, body, permissions})) {
      return send(json(403, {message: "Resource not accessible by integration"}));
    }
    const fault = faults.meet(method, path);
    const asked = {method, path, query, body, person};
    if (fault === null) return send(await perform(asked));
    if (fault.kind === "lie") return send(await perform(asked, fault.lie));
    if (fault.kind === "answer-lost" || (fault.kind === "end-asker" && fault.isDone)) await perform(asked);
    log(misbehave(fault, response));
  }

  return {
    url,
    people,
    requests,
    invalid: refused,
    ...additions,
    threads: reviews.threads,
    reviews: reviews.reviews,
    running,
    workflowRuns,
    policy,
    files,
    ciRuns,
    submitted,
    reviewComments,
    fault: faults.add,
    cameFrom: (pullRequest, fork) => void forks.set(pullRequest, fork),
    tokenOf(login) {
      const person = people.find((one) => one.login === login);
      if (person === undefined)
        throw new Error(`nobody is called ${login}; there are ${people.map((one) => one.login)}`);
      return person.token;
    },
    jobToken(permissions) {
      const [made] = makePeople().filter(({login}) => login === BOT);
      if (made === undefined) throw new Error("there is no bot");
      jobs.set(made.token, permissions);
      return made.token;
    },
    async as(login, method, path, body) {
      const asked = new URL(path, url);
      const person = people.find((one) => one.login === login);
      if (person === undefined) throw new Error(`nobody is called ${login}`);
      const text = body === undefined ? "" : JSON.stringify(body);
      const {status, body: answer} = await perform({
        method,
        path: asked.pathname,
        query: asked.searchParams,
        body: text,
        person,
      });
      if (status >= 300) throw new Error(`${method} ${path} as ${login}: ${status} ${answer}`);
      const value: unknown = answer === "" ? null : JSON.parse(answer);
      return isObject(value) || Array.isArray(value) ? value : null;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await emulator.close();
    },
  };
}
