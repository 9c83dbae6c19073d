/** A real git server on loopback: `git http-backend` behind a token check, as github.com answers clone, fetch and push. */
import {type ChildProcess, spawn} from "node:child_process";
import {once} from "node:events";
import {mkdtemp, rm} from "node:fs/promises";
import {createServer, type IncomingMessage, type ServerResponse} from "node:http";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {bareGitEnvironment} from "./git.ts";
import {createOrigin, type Origin} from "./origin.ts";

export interface GitRequest {
  readonly method: string;
  readonly path: string;
  /** the token that came with it, null when anonymous */
  readonly token: string | null;
  readonly status: number;
}

export interface RefUpdate {
  readonly repository: string;
  readonly ref: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface GitServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`, without a slash at the end */
  readonly url: string;
  /** every request that was answered, in order */
  readonly requests: GitRequest[];
  /** every ref that a push changed, in order */
  readonly updates: RefUpdate[];
  /** Makes an empty repository `owner/name`; private ones need a token for reading too. */
  create(name: string, options?: {private?: boolean}): Promise<Origin>;
  /** Where to clone it from; with a token, as `actions/checkout` could have written it. */
  remote(name: string, token?: string): string;
  /** Done once, just before the next push is received: the moment in which somebody else is faster. */
  beforeNextPush(action: () => Promise<void>): void;
  /** Done before each request that is let in is answered: git waits meanwhile. */
  beforeEachRequest(action: (request: {path: string; isPush: boolean}) => Promise<void>): void;
}

/**
 * Starts the server on a free port of 127.0.0.1.
 * `tokens` says which token may do what; no token: 401, an unknown one: 403, reading token that pushes: 403.
 * `onUpdate` is awaited for each changed ref before the push is answered, as a post-receive hook would be.
 */
export async function startGitServer(options: {
  tokens: Readonly<Record<string, "read" | "write">>;
  onUpdate?: (update: RefUpdate, origin: Origin) => Promise<void>;
}): Promise<GitServer> {
  const root = await mkdtemp(join(tmpdir(), "rig-git-"));
  const origins = new Map<string, {origin: Origin; private: boolean}>();
  const requests: GitRequest[] = [];
  const updates: RefUpdate[] = [];
  const children = new Set<ChildProcess>();
  let beforePush: (() => Promise<void>) | null = null;
  let beforeRequest: Parameters<GitServer["beforeEachRequest"]>[0] = async () => {};

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = new URL(request.url ?? "/", "http://127.0.0.1");
    const token = tokenOf(request.headers.authorization);
    const refuse = (status: number, why: string) => {
      requests.push({method: request.method ?? "", path: asked.pathname, token, status});
      if (status === 401) response.setHeader("WWW-Authenticate", 'Basic realm="GitHub"');
      response.writeHead(status, {"Content-Type": "text/plain", Connection: "close"}).end(`${why}\n`);
    };

    const name = /^\/([^/]+\/[^/]+?)(?:\.git)?\/(?:info\/refs|git-(?:upload|receive)-pack)$/.exec(asked.pathname)?.[1];
    const entry = name === undefined ? undefined : origins.get(name);
    const pushing = `${asked.pathname}${asked.search}`.includes("git-receive-pack");
    if (token === null && (pushing || (entry?.private ?? true))) return refuse(401, "Authentication required.");
    const may = token === null ? "read" : options.tokens[token];
    if (may === undefined) return refuse(403, "Invalid username or token.");
    if (name === undefined || entry === undefined) return refuse(404, "Repository not found.");
    if (pushing && may !== "write") return refuse(403, `Permission to ${name}.git denied.`);

    await beforeRequest({path: asked.pathname, isPush: pushing});
    const receives = pushing && request.method === "POST";
    if (receives && beforePush !== null) {
      const action = beforePush;
      beforePush = null;
      await action();
    }
    const before = receives ? await entry.origin.refs() : {};
    const status = await throughBackend({root, name, asked, request, response, children});
    requests.push({method: request.method ?? "", path: asked.pathname, token, status});
    const after = receives ? await entry.origin.refs() : {};
    for (const ref of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (before[ref] === after[ref]) continue;
      const update = {repository: name, ref, before: before[ref] ?? null, after: after[ref] ?? null};
      updates.push(update);
      await options.onUpdate?.(update, entry.origin);
    }
    response.end();
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the git server has no port");
  const host = `127.0.0.1:${address.port}`;

  return {
    url: `http://${host}`,
    requests,
    updates,
    async create(name, {private: isPrivate = false} = {}) {
      const origin = await createOrigin(root, name);
      origins.set(name, {origin, private: isPrivate});
      return origin;
    },
    remote: (name, token) => `http://${token === undefined ? "" : `x-access-token:${token}@`}${host}/${name}.git`,
    beforeNextPush(action) {
      beforePush = action;
    },
    beforeEachRequest(action) {
      beforeRequest = action;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      for (const child of children) child.kill("SIGKILL");
      await rm(root, {recursive: true, force: true, maxRetries: 5});
    },
  };
}

/** The scheme's case is free (RFC 9110 §11.1), and git does send it in lower case. */
function tokenOf(header: string | undefined): string | null {
  const [scheme = "", value = ""] = (header ?? "").split(" ");
  if (scheme.toLowerCase() === "bearer") return value;
  if (scheme.toLowerCase() !== "basic") return null;
  const pair = Buffer.from(value, "base64").toString();
  return pair.slice(pair.indexOf(":") + 1);
}

/** Speaks CGI with git's own backend: headers first (with `Status:` for all but 200), then the body as it comes. */
async function throughBackend(options: {
  root: string;
  name: string;
  asked: URL;
  request: IncomingMessage;
  response: ServerResponse;
  children: Set<ChildProcess>;
}): Promise<number> {
  const {headers} = options.request;
  const env: Record<string, string> = {
    ...bareGitEnvironment(),
    GIT_PROJECT_ROOT: options.root,
    GIT_HTTP_EXPORT_ALL: "1",
    PATH_INFO: options.asked.pathname.replace(/^\/[^/]+\/[^/]+?(?:\.git)?\//, `/${options.name}.git/`),
    QUERY_STRING: options.asked.search.slice(1),
    REQUEST_METHOD: options.request.method ?? "GET",
    CONTENT_TYPE: headers["content-type"] ?? "",
    HTTP_CONTENT_ENCODING: headers["content-encoding"] ?? "",
    GIT_PROTOCOL: String(headers["git-protocol"] ?? ""),
    REMOTE_USER: "x-access-token",
    REMOTE_ADDR: "127.0.0.1",
  };
  if (headers["content-length"] !== undefined) env["CONTENT_LENGTH"] = headers["content-length"];
  const child = spawn("git", ["http-backend"], {env, stdio: ["pipe", "pipe", "inherit"]});
  options.children.add(child);
  // a backend that refuses early, or a client that hangs up, breaks the pipe: the status has said why
  child.stdin.on("error", () => child.stdin.destroy());
  options.request.pipe(child.stdin);

  let head = Buffer.alloc(0);
  let status = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    if (status !== 0) return void options.response.write(chunk);
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf("\r\n\r\n");
    if (end === -1) return;
    status = 200;
    for (const line of head.subarray(0, end).toString().split("\r\n")) {
      const [key = "", value = ""] = line.split(/:\s*/, 2);
      if (key.toLowerCase() === "status") status = Number.parseInt(value, 10);
      else options.response.setHeader(key, value);
    }
    options.response.writeHead(status);
    options.response.write(head.subarray(end + 4));
  });
  await once(child, "close");
  options.children.delete(child);
  if (status === 0) {
    status = 500;
    options.response.writeHead(status);
  }
  return status;
}
