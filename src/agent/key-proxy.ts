/** Forwards the agent's model requests to its provider with the real key, so that the agent needs no key. */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestPlain,
  type ServerResponse,
} from "node:http";
import {request as requestSecure} from "node:https";
import {pipeline, Transform} from "node:stream";
import {urlToHttpOptions} from "node:url";

export interface KeyProxy {
  /** where the agent reaches its provider */
  readonly url: string;
  /** forwards requests until `work` ends; before and after, all are refused */
  during<Output>(work: () => Promise<Output>): Promise<Output>;
}

interface Upstream {
  /** the provider's real address */
  readonly address: string;
  /** the real keys, by the stand-ins that the agent has */
  readonly keys: ReadonlyMap<string, string>;
}

/** The headers that providers read the key from. */
const KEY_HEADERS = ["authorization", "x-api-key", "x-goog-api-key", "api-key"];
/** RFC 9110, section 7.6.1, and headers that this proxy sets itself */
const DROPPED_HEADERS = new Set(
  "connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade host expect accept-encoding".split(
    " ",
  ),
);
/** An agent keeps its connections between two requests while its tools run. They end with the turn. */
const KEEP_ALIVE_MS = 30 * 60_000;
const MAX_CONNECTIONS = 100;

/**
 * Listens on loopback as long as this process exists, because the agent's settings have the address. Only requests with
 * a stand-in are forwarded, and only to the provider. Both bodies are streams. A key that the provider repeats is
 * masked, so the agent cannot learn it from an answer.
 */
export async function openKeyProxy(upstream: Upstream): Promise<KeyProxy> {
  const {host, pathname} = new URL(upstream.address);
  const base = pathname.replace(/\/+$/, "");
  // Some agents choose a provider's dialect by its host in the address.
  const prefix = `/${host}${base}`;
  let isOpen = false;
  const server = createServer((incoming, outgoing) => {
    if (isOpen) forward(incoming, outgoing, {upstream, base, prefix});
    else refuse(outgoing, 503, "the agent's turn is over");
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  server.unref();
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}${prefix}`,
    async during(work) {
      isOpen = true;
      try {
        return await work();
      } finally {
        isOpen = false;
        server.closeAllConnections();
      }
    },
  };
}

function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  {upstream, base, prefix}: {upstream: Upstream; base: string; prefix: string},
): void {
  const {method = "", url = ""} = incoming;
  const headers = withKeys(incoming.headers, upstream.keys);
  const refusal = refusalOf({method, url, prefix, hasKey: headers !== null});
  if (headers === null || refusal !== null) {
    refuse(outgoing, ...(refusal ?? [401, ""]));
    return;
  }
  const target = new URL(upstream.address);
  const send = target.protocol === "https:" ? requestSecure : requestPlain;
  const keys = [...upstream.keys.values()];
  const path = base + url.slice(prefix.length) || "/";
  const request = send({...urlToHttpOptions(target), method, headers, path}, (reply) => {
    outgoing.writeHead(reply.statusCode ?? 502, withoutKeys(forwardable(reply.headers), keys));
    pipeline(reply, maskKeys(keys), outgoing, ignoreEnd);
  });
  request.on("error", ({message}) => refuse(outgoing, 502, `the provider cannot be reached: ${message}`));
  outgoing.on("close", () => request.destroy());
  pipeline(incoming, request, ignoreEnd);
}

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly prefix: string;
  readonly hasKey: boolean;
}

function refusalOf({method, url, prefix, hasKey}: Asked): [status: number, reason: string] | null {
  if (!hasKey) return [401, "only the agent of this run may use this address"];
  const rest = url.slice(prefix.length);
  if (!url.startsWith(prefix) || !/^(?:[/?]|$)/.test(rest) || goesUp(rest)) return [404, `use ${prefix}`];
  if (segmentsOf(rest).some((segment) => ACCOUNT.test(segment))) return [403, "it is about the account, not a model"];
  // Other methods change the account, or repeat the request with its key (TRACE).
  return method === "GET" || method === "POST" ? null : [405, `${method} is not a model request`];
}

/**
 * Parts of an address where providers create keys that are still valid after the run, or show an account's files and
 * members: https://openrouter.ai/docs/api-reference and https://platform.openai.com/docs/api-reference
 */
const ACCOUNT =
  /^(?:auth\w*|(?:api[_-]?)?keys?|client[_-]secrets?|(?:access|ephemeral|refresh)[_-]tokens?|sessions|realtime|organizations?|projects|admin|credits|files|batches|uploads|vector_stores|fine_tuning)$/i;

/** The parts of a path as a server may read them. Java servers cut a part at its first semicolon. */
function segmentsOf(rest: string): string[] {
  const [path = ""] = rest.split(/[?#]/);
  const plain = path.replace(/%([2-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return plain.split(/[/\\]/).map((segment) => segment.replace(/;.*/, ""));
}

/** True if the path may leave the provider's address, which may be only a part of a server. */
const goesUp = (rest: string): boolean => segmentsOf(rest).includes("..");

/** Errors reach the agent as a broken connection. */
function ignoreEnd(): void {}

function refuse(outgoing: ServerResponse, status: number, reason: string): void {
  if (outgoing.headersSent) {
    outgoing.destroy();
    return;
  }
  const message = `Assay's key proxy: ${reason}`;
  outgoing.writeHead(status, {"content-type": "application/json"}).end(JSON.stringify({error: {message}}));
}

/** The headers with each stand-in replaced by its key; null without a stand-in. */
function withKeys(headers: IncomingHttpHeaders, keys: Upstream["keys"]): IncomingHttpHeaders | null {
  const replaced = KEY_HEADERS.flatMap((name) => {
    const [, scheme = "", standIn = ""] = /^(Bearer\s+)?(.*)$/i.exec(String(headers[name] ?? "")) ?? [];
    const key = keys.get(standIn);
    return key === undefined ? [] : [[name, scheme + key] as const];
  });
  if (replaced.length === 0) return null;
  // A compressed answer could not be searched for a key.
  return {...forwardable(headers), "accept-encoding": "identity", ...Object.fromEntries(replaced)};
}

function forwardable(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const connectionHeaders = String(headers.connection ?? "").split(/\s*,\s*/);
  const isForwarded = ([name]: [string, unknown]) => !DROPPED_HEADERS.has(name) && !connectionHeaders.includes(name);
  return Object.fromEntries(Object.entries(headers).filter(isForwarded));
}

function withoutKeys(headers: IncomingHttpHeaders, keys: readonly string[]): IncomingHttpHeaders {
  const hasKey = ([, value]: [string, unknown]) => keys.some((key) => String(value).includes(key));
  return Object.fromEntries(Object.entries(headers).filter((entry) => !hasKey(entry)));
}

/** Keeps the length of the text. Holds back only bytes at its end that may begin a key. */
function maskKeys(keys: readonly string[]): Transform {
  const keyBytes = keys.map((key) => Buffer.from(key));
  let heldBytes = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const bytes = Buffer.concat([heldBytes, chunk]);
      for (const key of keyBytes)
        for (let index = bytes.indexOf(key); index >= 0; index = bytes.indexOf(key, index))
          bytes.fill("*", index, index + key.length);
      const end = bytes.length - Math.max(...keyBytes.map((key) => beginningAtEnd(bytes, key)));
      heldBytes = bytes.subarray(end);
      done(null, bytes.subarray(0, end));
    },
    flush: (done) => done(null, heldBytes),
  });
}

/** How many bytes at the end of `bytes` are the beginning of the key. */
function beginningAtEnd(bytes: Buffer, key: Buffer): number {
  for (let count = Math.min(key.length - 1, bytes.length); count > 0; count -= 1)
    if (bytes.subarray(-count).equals(key.subarray(0, count))) return count;
  return 0;
}
