/** What a hostile agent changes in a request, and what may become of it. Each part has a mark that says whether it may reach the provider. */

export const KEY = "sk-provider-key-7f3d1c90ab";
export const STAND_IN = "assay-5be1d0";

export interface Sent {
  readonly id: string;
  readonly text: string;
  /** `either`: a server may refuse it, or read it as one request */
  readonly fate: "passes" | "refused" | "either";
}

export interface Draft {
  method: string;
  target: string;
  version: string;
  headers: [name: string, value: string][];
  body: string;
  isChunked: boolean;
  hasLength: boolean;
}

export type Pick = <T>(list: readonly T[]) => T;
/** Changes the draft, or the finished text, and returns what may become of the request. */
type Change = (
  draft: Draft,
  marks: {Y: string; N: string; pick: Pick; prefix: string},
) => Sent["fate"] | ((text: string) => [string, Sent["fate"]]);

export const CHANGES: readonly Change[] = [
  (draft, {N, prefix, pick}) => {
    const inner = `DELETE ${pick(["/base/keys", `${prefix}/models`])} HTTP/1.1\r\nHost: x\r\nX-Ignore: ${N}`;
    Object.assign(draft, {
      method: "GET",
      target: `${prefix}/models`,
      body: inner,
      ...pick([{isChunked: true}, {hasLength: true}]),
    });
    return "refused";
  },
  (draft, {N}) => {
    Object.assign(draft, {method: "POST", isChunked: true, hasLength: true, body: `${draft.body}${N}`});
    return "refused";
  },
  (draft, {N, pick}) => {
    draft.headers.push(["Content-Length", pick(["0", "3", "+5", "5 5", "0x5", "-1", "99999999999999999999", N])]);
    Object.assign(draft, {method: "POST", hasLength: true, isChunked: false});
    return "refused";
  },
  (draft, {pick}) => {
    const value = pick([
      "xchunked",
      "chunked, identity",
      "gzip, chunked",
      "identity",
      "chunked\r\n chunked",
      "\tchunked",
      "CHUNKED",
      "",
    ]);
    Object.assign(draft, {method: "POST", isChunked: true});
    return (text) => [
      text.replace(
        "Transfer-Encoding: chunked",
        `${pick(["Transfer-Encoding", "transfer-encoding ", "Transfer_Encoding"])}: ${value}`,
      ),
      "either",
    ];
  },
  () => (text) => [text.replaceAll("\r\n", "\n"), "either"],
  (draft, {Y, N}) => {
    draft.headers.push(["User-Agent", `a\r\n b${Y}`], ["X-Note", `a\r\n\t${N}`]);
    return "either";
  },
  (draft, {N, pick}) => {
    draft.target = `${pick(["http://evil.test", "http://127.0.0.1", "https://u:p@x", "//evil.test", "*", "evil.test:443"])}/${N}`;
    return "refused";
  },
  (draft, {N, pick}) => {
    draft.method = pick([
      "DELETE",
      "PUT",
      "PATCH",
      "TRACE",
      "OPTIONS",
      "HEAD",
      "CONNECT",
      "PROPFIND",
      "get",
      "PoST",
      "QUERY",
    ]);
    draft.body = draft.body === "" ? "" : N;
    draft.headers = draft.headers.map(([name, value]) => [name, value.replace(/xY/, "xN")]);
    return "refused";
  },
  (draft, {N, pick}) => {
    draft.headers.push(["Connection", "Upgrade, HTTP2-Settings"], ["Upgrade", pick(["websocket", "h2c", N])]);
    return "refused";
  },
  (draft) => {
    draft.headers.push(["Expect", "100-continue"]);
    return "refused";
  },
  (draft, {N, pick}) => {
    draft.headers.push([
      pick([
        "X-HTTP-Method-Override",
        "X-HTTP-Method",
        "X-Method-Override",
        "X-Original-URL",
        "X-Rewrite-URL",
        "X-Forwarded-Host",
        "Forwarded",
        "Cookie",
        "Proxy-Authorization",
        "Via",
        "TE",
        "Keep-Alive",
        "X-Forwarded-Prefix",
        "X-Amz-Target",
      ]),
      `/base/keys/${N}`,
    ]);
    return "passes";
  },
  (draft, {N, pick}) => {
    draft.target += `${draft.target.includes("?") ? "&" : "?"}${pick(["_method=DELETE", "key", "x%26y", "access_token"])}=${N}`;
    return "passes";
  },
  (draft, {N, pick, prefix}) => {
    const paths = [
      "/keys",
      "/files",
      "/models/../keys",
      "/..%2f..%2fkeys",
      "/%2e%2e/admin",
      "/..;/admin",
      "//keys",
      "/chat/completions/../../keys",
      "/%252e%252e/keys",
      "/models%00",
      "/models%0d%0aX-A:%20b",
      "\\..\\keys",
      "/models;/../keys",
      "/responses/r1",
      "/messages/batches",
      "/models/a:batchGenerateContent",
      "/chat/completions%23",
      "/v1/../keys",
      "/models/%2e%2e/%2e%2e/keys",
      "/./models",
      "/models/.",
      "/chat%5Ccompletions",
      "/%63hat/%c0%ae%c0%ae/keys",
    ];
    Object.assign(draft, {target: `${prefix}${pick(paths)}/${N}`});
    return "refused";
  },
  (draft, {prefix, pick}) => {
    Object.assign(draft, {
      method: "POST",
      target:
        prefix + pick(["/chat%2Fcompletions", "/chat%2fcompletion%73", "/%72esponses", "/v1%2Fmessages?beta=true"]),
    });
    return "passes";
  },
  (draft, {N, pick}) => {
    draft.headers = draft.headers.filter(([name]) => name !== "Authorization");
    draft.headers.push(
      pick<[string, string]>([
        ["Authorization", `Bearer ${N}`],
        ["Cookie", STAND_IN],
        ["Authorization", `Basic ${STAND_IN}`],
        ["X-Key", STAND_IN],
        ["Authorization", `Bearer ${STAND_IN}, ${N}`],
        ["X-Note", N],
        ["Authorization", `Bearer ${KEY.slice(0, -1)}`],
      ]),
    );
    return "refused";
  },
  (draft, {N, pick}) => {
    draft.headers.push(
      pick<[string, string]>([
        ["X-Api-Key", N],
        ["Api-Key", `${STAND_IN}${N}`],
        ["X-Goog-Api-Key", `x ${STAND_IN} ${N}`],
      ]),
    );
    return "passes";
  },
  (draft, {N, pick}) => {
    Object.assign(draft, {
      method: "POST",
      target: draft.target.replace(/\/models$/, "/responses"),
      body: draft.body || "{}",
      isChunked: true,
      hasLength: false,
    });
    const [trailer, fate] = pick<[string, Sent["fate"]]>([
      ["X-Trailer", "passes"],
      ["Transfer-Encoding", "either"],
      ["Authorization", "either"],
    ]);
    return (text) => [text.replace(/\r\n0\r\n\r\n$/, `\r\n0;${N}=1\r\n${trailer}: ${N}\r\n\r\n`), fate];
  },
  (draft, {pick}) => {
    Object.assign(draft, {
      method: "POST",
      target: draft.target.replace(/\/models$/, "/responses"),
      body: draft.body || "{}",
      isChunked: true,
    });
    return (text) => [
      text.replace(
        /\r\n\r\n[\da-f]+\r\n/,
        `\r\n\r\n${pick(["0x5", "-1", "5 ", "FFFFFFFFFFFFFFFFF", "5\n", "", "0\r\n\r\n5", "+5"])}\r\n`,
      ),
      "either",
    ];
  },
  (draft, {N}) => {
    Object.assign(draft, {
      method: "POST",
      target: draft.target.replace(/\/models$/, "/responses"),
      isChunked: false,
      hasLength: true,
    });
    return (text) => [`${text}GET /base/keys HTTP/1.1\r\nHost: x\r\nX-Note: ${N}\r\n\r\n`, "either"];
  },
  (draft, {pick}) => {
    draft.headers.push([
      "Connection",
      pick(["content-length", "transfer-encoding", "authorization, host", "user-agent", "keep-alive", "x"]),
    ]);
    return "passes";
  },
  (draft, {N, pick}) => {
    draft.headers.push([
      pick(["X-A", "User-Agent", "X-A\0", "X A", "X-A\r"]),
      `${pick(["a\0b", "a\rb", "\x7f", "\xff\xfe", "a\nX-B: c"])}${N}`,
    ]);
    return (text) => [text.replace(/xN/g, "xY"), "either"];
  },
  (draft, {pick}) => {
    const hosts = draft.headers.filter(([name]) => name !== "Host");
    draft.headers = pick([hosts, [["Host", "a"], ["Host", "evil.test"], ...hosts]]);
    return "either";
  },
  (draft, {pick}) => {
    draft.version = pick(["HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/1.2", "http/1.1", "", "HTTP/1.1 "]);
    return "either";
  },
  (_, {pick}) => {
    const before = pick(["\r\n", "\n\n", " ", "\t", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\0", "0\r\n\r\n"]);
    return (text) => [before + text, "either"];
  },
  (draft, {Y}) => {
    draft.headers.push(["User-Agent", Y.repeat(9_000)]);
    return "either";
  },
  (draft, {Y, prefix}) => {
    const inner = `POST ${prefix}/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${STAND_IN}\r\nContent-Length: 0\r\nX-Y: ${Y}\r\n\r\n`;
    Object.assign(draft, {
      method: "POST",
      target: draft.target.replace(/\/models$/, "/responses"),
      body: `0\r\n\r\n${inner}${inner}`,
      hasLength: !draft.isChunked,
    });
    return "passes";
  },
  (draft) => {
    draft.headers = draft.headers.map(([name, value]) => [name.toUpperCase(), value]);
    return "passes";
  },
];
