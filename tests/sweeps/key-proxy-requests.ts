/** Generated requests of a hostile agent as bytes, and what a provider reads in them. */
import {CHANGES, type Draft, type Pick, type Sent, STAND_IN} from "./key-proxy-changes.ts";

/** Below the address `/base` of the provider. */
export const TARGETS =
  /^\/base\/(?:models|chat\/completions|responses|v1\/messages\?beta=true|v1beta\/models\/m\d+x\d+xY:streamGenerateContent\?alt=sse)$/;
export const HEADERS = new Set([
  ...["host", "connection", "content-length", "transfer-encoding", "accept-encoding", "content-type", "user-agent"],
  ...["anthropic-version", "authorization", "x-api-key", "x-goog-api-key", "api-key"],
]);

/** One to four requests for one connection. `prefix` is where the proxy expects them. */
export function requestsOf(number: number, random: () => number, prefix: string): Sent[] {
  const pick: Pick = (list) => list[Math.floor(random() * list.length)] as (typeof list)[number];
  return Array.from({length: pick([1, 1, 1, 2, 3, 4])}, (_, at) => {
    const id = `m${number}x${at}x`;
    const marks = {Y: `${id}Y`, N: `${id}N`, pick, prefix};
    const isGet = random() < 0.25;
    const posts = [
      "/chat/completions",
      "/responses",
      "/v1/messages?beta=true",
      `/v1beta/models/${id}Y:streamGenerateContent?alt=sse`,
    ];
    const draft: Draft = {
      method: isGet ? "GET" : "POST",
      target: prefix + (isGet ? "/models" : pick(posts)),
      version: "HTTP/1.1",
      headers: [
        ["Host", "localhost"],
        ["Authorization", `Bearer ${STAND_IN}`],
        ["User-Agent", `ua/${id}Y`],
        ["Anthropic-Version", "1"],
        ["X-Unknown", `${id}N`],
      ],
      body: isGet ? "" : JSON.stringify({input: `${id}Y`, more: "x".repeat(Math.floor(random() * 3_000))}),
      isChunked: false,
      hasLength: !isGet,
    };
    if (!isGet && random() < 0.4) Object.assign(draft, {isChunked: true, hasLength: false});
    const change = random() < 0.8 ? pick(CHANGES)(draft, marks) : "passes";
    const text = textOf(draft, random);
    const [changed, fate] = typeof change === "function" ? change(text) : [text, change];
    return {id, text: changed, fate};
  });
}

function textOf(draft: Draft, random: () => number): string {
  const {method, target, version, headers, body, isChunked, hasLength} = draft;
  const framing = [
    ...(hasLength && method !== "" ? [["Content-Length", String(body.length)]] : []),
    ...(isChunked ? [["Transfer-Encoding", "chunked"]] : []),
  ];
  const lines = [...headers, ...framing].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const head = `${method} ${target} ${version}\r\n${lines}\r\n`;
  if (!isChunked) return head + body;
  const at = Math.floor(random() * body.length);
  const chunks = [body.slice(0, at), body.slice(at)].filter((part) => part !== "");
  return `${head}${chunks.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join("")}0\r\n\r\n`;
}

export interface Read {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Reads the requests of a connection: the strict reader as RFC 9112 says, the lenient one as the most tolerant servers do. */
export function readRequests(bytes: string, isLenient: boolean): {requests: Read[]; rest: string} {
  const requests: Read[] = [];
  let rest = bytes;
  for (;;) {
    if (isLenient) rest = rest.replace(/^[\r\n\s]+/, "");
    const end = (isLenient ? /\r?\n\r?\n/ : /\r\n\r\n/).exec(rest);
    if (end === null) return {requests, rest};
    const lines = rest.slice(0, end.index).split(isLenient ? /\r?\n(?![ \t])/ : "\r\n");
    const [method = "", target = ""] = (lines[0] ?? "").split(/\s+/);
    const headers = lines.slice(1).map((line) => {
      const [name = "", ...value] = line.split(":");
      return [(isLenient ? name.trim() : name).toLowerCase(), value.join(":").trim()] as const;
    });
    const lastOf = (name: string) => headers.findLast((header) => header[0] === name)?.[1];
    const isChunked = /chunked/i.test(lastOf("transfer-encoding") ?? "");
    const length = Number.parseInt(lastOf("content-length") ?? "0", 10) || 0;
    // The most dangerous readings: the lenient server believes the length, and no body of a GET.
    const after = rest.slice(end.index + end[0].length);
    const usesLength = isLenient ? lastOf("content-length") !== undefined || method === "GET" : !isChunked;
    const body = usesLength ? after.slice(0, method === "GET" && isLenient ? 0 : length) : null;
    if (body !== null) {
      if (body.length < length && !(method === "GET" && isLenient)) return {requests, rest};
      requests.push({method, target, headers, body});
      rest = after.slice(body.length);
      continue;
    }
    if (!isChunked) {
      requests.push({method, target, headers, body: ""});
      rest = after;
      continue;
    }
    const read = readChunks(after);
    if (read === null) return {requests, rest};
    requests.push({method, target, headers, body: read.body});
    rest = after.slice(read.length);
  }
}

function readChunks(text: string): {body: string; length: number} | null {
  let body = "";
  for (let at = 0; ; ) {
    const size = /^([\da-f]+)[^\r\n]*\r\n/i.exec(text.slice(at, at + 100));
    if (size === null) return null;
    const length = Number.parseInt(size[1] ?? "", 16);
    at += size[0].length;
    if (length === 0) {
      const end = /^(?:[^\r\n]+\r\n)*\r\n/.exec(text.slice(at));
      return end === null ? null : {body, length: at + end[0].length};
    }
    if (text.length < at + length + 2) return null;
    body += text.slice(at, at + length);
    at += length + 2;
  }
}
