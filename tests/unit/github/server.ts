/** A loopback stand-in for GitHub's API that answers as scripted and remembers every request. */
import {createServer, type ServerResponse} from "node:http";
import type {AddressInfo} from "node:net";
import {connect} from "../../../src/github/client.ts";
import type {Patience} from "../../../src/github/transport.ts";

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly token: string;
  readonly at: number;
}
/** One answer: `raw` takes the connection over, for answers that no honest server gives. */
export type Answer =
  | {
      readonly status: number;
      readonly json?: unknown;
      readonly html?: string;
      readonly headers?: Record<string, string>;
    }
  | {readonly raw: (response: ServerResponse) => void};
export type Script = (request: Seen, count: number) => Answer;

/** Starts the server and a client for it; `count` in the script counts equal method-and-path pairs from 1. */
export async function serve(script: Script, patience: Partial<Patience> = {}) {
  const seen: Seen[] = [];
  const logs: string[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString("utf8");
    const request: Seen = {
      method: incoming.method ?? "",
      path: incoming.url ?? "",
      body: text === "" ? null : JSON.parse(text),
      token: incoming.headers.authorization ?? "",
      at: performance.now(),
    };
    seen.push(request);
    const count = seen.filter((one) => one.method === request.method && one.path === request.path).length;
    const answer = script(request, count);
    if ("raw" in answer) return answer.raw(response);
    const type = answer.html === undefined ? "application/json; charset=utf-8" : "text/html";
    response.writeHead(answer.status, {"content-type": type, ...answer.headers});
    response.end(answer.status === 204 ? undefined : (answer.html ?? JSON.stringify(answer.json ?? {})));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const {port}: AddressInfo = addressOf(server.address());
  const github = connect({
    token: "s3cret-token",
    apiUrl: `http://127.0.0.1:${port}`,
    repository: "own/repo",
    log: (line) => logs.push(line),
    patience: {backoffMs: 20, tryMs: 1_000, callMs: 10_000, ...patience},
  });
  const stop = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  /** queries are reads, though they are sent as POST */
  const isQuery = ({body}: Seen) => JSON.stringify(body)?.startsWith('{"query":"query') ?? false;
  const of = (method: string) => seen.filter((one) => one.method === method && !isQuery(one));
  return {github, seen, of, logs, [Symbol.asyncDispose]: stop};
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === "string") throw new Error("the server does not listen");
  return address;
}
