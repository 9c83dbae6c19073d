/** Generated answers of providers, odd ones too, which repeat the key in many ways. */
import {gzipSync} from "node:zlib";
import {KEY} from "./key-proxy-changes.ts";

export interface Answer {
  readonly parts: readonly Buffer[];
  /** the provider closes the connection after it */
  readonly closes: boolean;
  /** it is one answer with this body by any reading */
  readonly isClear: boolean;
}

/** What the provider answers to a request: it repeats the request's mark, and in many ways the key. */
export function answerTo(id: string, random: () => number): Answer {
  const echo = `echo-${id} ${KEY} end`;
  const plain = (status: string, headers: string, body: string) => `HTTP/1.1 ${status}\r\n${headers}\r\n${body}`;
  const length = `Content-Length: ${echo.length}\r\n`;
  const good = plain("200 OK", length, echo);
  const cut = echo.indexOf(KEY) + 7;
  const chunk = (part: string) => `${part.length.toString(16)}\r\n${part}\r\n`;
  const packed = gzipSync(echo);
  const clear: (string | Buffer)[][] = [
    [good],
    [good.slice(0, -12), good.slice(-12)],
    [
      plain("200 OK", "Transfer-Encoding: chunked\r\n", chunk(echo.slice(0, cut))),
      `${chunk(echo.slice(cut))}0\r\n\r\n`,
    ],
    [plain("400 Bad", `${length}X-Debug: ${KEY}\r\nWWW-Authenticate: Bearer ${KEY}\r\n`, echo)],
    [plain("200 OK", `Content-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n`, ""), packed],
    [plain("307 Moved", `${length}Location: http://evil.test/?k=${KEY}\r\nSet-Cookie: session=${KEY}\r\n`, echo)],
    [`HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: ${KEY}\r\n\r\n${good}`],
    [plain(`200 ${KEY}`, length, echo)],
    [plain("200 OK", "Transfer-Encoding: chunked\r\nTrailer: x-key\r\n", `${chunk(echo)}0\r\nX-Key: ${KEY}\r\n\r\n`)],
    [`${good}HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison`],
  ];
  const odd: (string | Buffer)[][] = [
    ...["000 x", "099 x", "1000 x", "abc x", "", "-1 x", "600 x", "199 x"].map((status) => [
      plain(status, length, echo),
    ]),
    [plain("101 Switching Protocols", "Connection: upgrade\r\nUpgrade: x\r\n", echo)],
    [plain("200 OK", `${length}Transfer-Encoding: chunked\r\n`, `${chunk(echo)}0\r\n\r\n`)],
    [plain("200 OK", `${length}Content-Length: 3\r\n`, echo)],
    [good.replaceAll("\r\n", "\n")],
    [plain("200 OK", `X-A: b\r\n ${KEY}\r\n${length}`, echo)],
    [plain("200 OK", "Content-Length: 5000\r\n", echo)],
    [plain("200 OK", `X-A: a\0b\r\n${length}`, echo)],
    [plain("204 No Content", length, echo)],
    [plain("304 Not Modified", length, echo)],
    [plain("200 OK", `X-A: ${"a".repeat(90_000)}\r\n${length}`, echo)],
    [plain("200 OK", "Content-Encoding: x-own\r\n", echo)],
    [plain("200 OK", `Content-Encoding: gzip\r\n${length}`, echo)],
    [plain("200 OK", "Transfer-Encoding: chunked\r\n", `zz\r\n${echo}`)],
    [plain("200 OK", `X-\x01: \x7f\r\n${length}`, echo)],
    ["SSH-2.0-server\r\n"],
    [],
  ];
  const isClear = random() < 0.6;
  const list = isClear ? clear : odd;
  const parts = (list[Math.floor(random() * list.length)] ?? []).map((part) =>
    typeof part === "string" ? Buffer.from(part, "latin1") : part,
  );
  return {parts, closes: !isClear, isClear};
}
