/** Forwards the agent's model requests to its provider with the real key, so that the agent needs no key. */
import http, {type IncomingHttpHeaders, type IncomingMessage, type ServerResponse} from "node:http";
import https from "node:https";
import {PassThrough, pipeline, Transform} from "node:stream";
import {urlToHttpOptions} from "node:url";
import {createBrotliDecompress, createUnzip} from "node:zlib";
import {formsOf} from "../secrets/redact.ts";
import {isModelHeader, modelPath} from "./model-requests.ts";

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
  /** the names of the headers that the owner adds to each request */
  readonly ownersHeaders?: readonly string[];
}

/** The headers that providers read the key from. */
const KEY_HEADERS = ["authorization", "x-api-key", "x-goog-api-key", "api-key"];
/**
 * Headers of an answer that the agent does not get: those about the connection (RFC 9110, section 7.6.1) and the length,
 * which the proxy decides itself, and cookies, which can be another kind of key.
 */
const DROPPED_HEADERS = new Set([
  ...["connection", "keep-alive", "proxy-authenticate", "trailer", "transfer-encoding", "upgrade"],
  ...["content-length", "content-encoding", "set-cookie"],
]);
/** Some servers compress an answer although they were asked not to. A compressed answer cannot be searched for a key. */
const DECODERS: Readonly<Record<string, () => Transform>> = {
  identity: () => new PassThrough(),
  gzip: createUnzip,
  deflate: createUnzip,
  br: createBrotliDecompress,
};
/** An agent keeps its connections between two requests while its tools run. They end with the turn. */
const KEEP_ALIVE_MS = 30 * 60_000;
const MAX_CONNECTIONS = 100;
/** More than any provider reads: 50 MB at OpenAI, 32 MB at Anthropic (their documents on images and on errors). */
const MAX_BODY = 64 * 1024 * 1024;

/**
 * Listens on loopback as long as this process exists, because the agent's settings have the address. Only requests to a
 * model with a stand-in are forwarded, and only to the provider. The proxy writes each request anew, on a connection that
 * no other request uses: nothing that the agent sends can be read as a second request. Both bodies are streams. A key
 * that the provider repeats is masked, so the agent cannot learn it from an answer.
 */
export async function openKeyProxy(upstream: Upstream): Promise<KeyProxy> {
  const {host, pathname, protocol} = new URL(upstream.address);
  const base = pathname.replace(/\/+$/, "");
  // Some agents choose a provider's dialect by its host in the address.
  const prefix = `/${host}${base}`;
  const {request: send, Agent, globalAgent} = protocol === "https:" ? https : http;
  // The global agent knows the proxy of the runner's network.
  const agent = new Agent({...Reflect.get(globalAgent, "options"), keepAlive: false});
  let isOpen = false;
  const server = http.createServer((incoming, outgoing) => {
    if (isOpen) forward(incoming, outgoing, {upstream, base, prefix, send, agent});
    else refuse(outgoing, 503, "the agent's turn is over");
  });
  const expected = (_: IncomingMessage, outgoing: ServerResponse) => refuse(outgoing, 417, "send the body at once");
  server.on("checkContinue", expected).on("checkExpectation", expected);
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

interface Route {
  readonly upstream: Upstream;
  readonly base: string;
  readonly prefix: string;
  readonly send: typeof http.request;
  readonly agent: http.Agent;
}

type KeyRefusal = [status: number, reason: string];

function forward(incoming: IncomingMessage, outgoing: ServerResponse, route: Route): void {
  const {upstream, send, agent} = route;
  const checked = checkRequest(incoming, route);
  if (Array.isArray(checked)) {
    refuse(outgoing, ...checked);
    return;
  }
  const request = send({...urlToHttpOptions(new URL(upstream.address)), agent, ...checked}, (reply) =>
    passAnswer(reply, outgoing, [...upstream.keys.values()].flatMap(formsOf)),
  );
  request.on("error", ({message}) => refuse(outgoing, 502, `the provider cannot be reached: ${message}`));
  request.on("upgrade", (_, socket) => {
    socket.destroy();
    refuse(outgoing, 502, UNREADABLE);
  });
  outgoing.on("close", () => request.destroy());
  let bytes = 0;
  incoming.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= MAX_BODY) return;
    refuse(outgoing, ...TOO_LARGE);
    incoming.unpipe(request).resume();
    request.destroy();
  });
  incoming.pipe(request);
}

/** What is forwarded has only parts that the proxy knows, each as the proxy writes it. */
function checkRequest(
  {method = "", url = "", headers}: IncomingMessage,
  {upstream, base, prefix}: Route,
): KeyRefusal | http.RequestOptions {
  const keys = keyHeaders(headers, upstream.keys);
  const path = url.startsWith(prefix) ? modelPath(method, url.slice(prefix.length)) : null;
  const length = Number(headers["content-length"] ?? 0);
  const isChunked = headers["transfer-encoding"] !== undefined;
  if (keys === null) return [401, "only the agent of this run may use this address"];
  if (path === null) return [403, `this is not a request to a model; those are below ${prefix}`];
  if (headers.upgrade !== undefined) return [400, "the protocol cannot be changed"];
  if (method === "GET" && (isChunked || length > 0)) return [400, "a GET request has no body"];
  if (length > MAX_BODY) return TOO_LARGE;
  const framing = isChunked ? {"transfer-encoding": "chunked"} : {"content-length": length};
  const isForwarded = ([name]: [string, unknown]) => isModelHeader(name) || upstream.ownersHeaders?.includes(name);
  const forwarded = Object.fromEntries(Object.entries(headers).filter(isForwarded));
  const own = {...(method === "POST" && framing), ...keys, "accept-encoding": "identity"};
  return {method, path: base + path, headers: {...forwarded, ...own}};
}

const TOO_LARGE: KeyRefusal = [413, `a request may have at most ${MAX_BODY} bytes`];
const UNREADABLE = "the provider's answer cannot be read";

/** The headers with a stand-in, with its key instead; null if there is none. */
function keyHeaders(headers: IncomingHttpHeaders, keys: Upstream["keys"]): Record<string, string> | null {
  const replaced = KEY_HEADERS.flatMap((name) => {
    const [, scheme, standIn = ""] = /^(Bearer +)?(.*)$/i.exec(String(headers[name] ?? "")) ?? [];
    const key = keys.get(standIn);
    return key === undefined ? [] : [[name, scheme === undefined ? key : `Bearer ${key}`] as const];
  });
  return replaced.length === 0 ? null : Object.fromEntries(replaced);
}

function passAnswer(reply: IncomingMessage, outgoing: ServerResponse, keys: readonly string[]): void {
  const {statusCode: status = 0, headers} = reply;
  const decoder = DECODERS[headers["content-encoding"]?.toLowerCase() ?? "identity"];
  if (status < 200 || status > 599 || decoder === undefined) {
    reply.destroy();
    refuse(outgoing, 502, UNREADABLE);
    return;
  }
  outgoing.writeHead(status, answerHeaders(headers, keys));
  pipeline(reply, decoder(), maskKeys(keys), outgoing, ignoreEnd);
}

function answerHeaders(headers: IncomingHttpHeaders, keys: readonly string[]): IncomingHttpHeaders {
  const isPassed = ([name, value]: [string, unknown]) =>
    !DROPPED_HEADERS.has(name) && !keys.some((key) => String(value).includes(key));
  return Object.fromEntries(Object.entries(headers).filter(isPassed));
}

/** Errors reach the agent as a broken connection. */
function ignoreEnd(): void {}

function refuse(outgoing: ServerResponse, status: number, reason: string): void {
  if (outgoing.headersSent) {
    if (!outgoing.writableEnded) outgoing.destroy();
    return;
  }
  const message = `Assay's key proxy: ${reason}`;
  outgoing.writeHead(status, {"content-type": "application/json"}).end(JSON.stringify({error: {message}}));
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
