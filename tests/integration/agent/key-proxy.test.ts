/** The key proxy between real HTTP programs: what it forwards and refuses, and that the key stays with it. */
import {spawn} from "node:child_process";
import {once} from "node:events";
import {createServer, type IncomingMessage, request, type ServerResponse} from "node:http";
import {type AddressInfo, createServer as createRawServer} from "node:net";
import {text} from "node:stream/consumers";
import {brotliCompressSync, deflateSync, gzipSync} from "node:zlib";
import {expect, test} from "vitest";
import {type KeyProxy, openKeyProxy} from "../../../src/agent/key-proxy.ts";

const KEY = "sk-provider-key-2c61f0";
const STAND_IN = "assay-0a1b2c";
const keys = new Map([[STAND_IN, KEY]]);
const AS_AGENT = {authorization: `Bearer ${STAND_IN}`};
const ONE_BYTE = {...AS_AGENT, "content-length": "1"};

/** A provider on loopback, which answers as the test says. */
async function startProvider(answer: (incoming: IncomingMessage, outgoing: ServerResponse) => void) {
  const seen: IncomingMessage[] = [];
  const server = createServer((incoming, outgoing) => {
    seen.push(incoming);
    answer(incoming, outgoing);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const {port} = server.address() as AddressInfo;
  return {
    seen,
    host: `127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** One request with exactly this target, which `fetch` would rewrite. */
async function ask(
  proxy: KeyProxy,
  options: {path?: string; method?: string; headers?: Record<string, string>; body?: string},
) {
  const {hostname, port, pathname} = new URL(proxy.url);
  const {path = `${pathname}/responses`, method = "POST", headers = AS_AGENT, body = ""} = options;
  const sent = request({hostname, port, path, method, headers}).end(body);
  const [reply] = (await once(sent, "response")) as [IncomingMessage];
  return {status: reply.statusCode, headers: reply.headers, body: await text(reply)};
}

test("a request gets the key and the provider's host, and keeps what a model needs", async () => {
  await using provider = await startProvider((incoming, outgoing) => incoming.pipe(outgoing));
  const proxy = await openKeyProxy({address: `http://${provider.host}/team/v1/`, keys, ownersHeaders: ["x-team"]});
  const unknown = {"x-http-method-override": "DELETE", "x-original-url": "/keys", connection: "x-hop", "x-hop": "1"};
  const headers = {...AS_AGENT, "x-api-key": STAND_IN, "anthropic-version": "7", "x-team": "a", ...unknown};
  const path = `${new URL(proxy.url).pathname}/chat%2Fcompletions?_method=DELETE&api-version=1`;
  const {status, body} = await proxy.during(() => ask(proxy, {path, headers, body: "question"}));
  expect({status, body}).toEqual({status: 200, body: "question"});
  const [{url, headers: forwarded} = {}] = provider.seen;
  expect(url).toBe("/team/v1/chat/completions?api-version=1");
  expect(forwarded).toEqual({
    ...{authorization: `Bearer ${KEY}`, "x-api-key": KEY, "anthropic-version": "7", "x-team": "a"},
    ...{host: provider.host, "accept-encoding": "identity", connection: "close", "content-length": "8"},
  });
});

const pathOf = ({url}: KeyProxy) => new URL(url).pathname;
test.each([
  ["no stand-in", 401, () => ({headers: {}})],
  ["another stand-in", 401, () => ({headers: {authorization: "Bearer assay-0a1b2"}})],
  ["the key itself", 401, () => ({headers: {authorization: `Bearer ${KEY}`}})],
  ["a stand-in in another header", 401, () => ({headers: {cookie: STAND_IN}})],
  ["another host", 403, () => ({path: "/evil.test/v1/models"})],
  ["a longer host", 403, (proxy: KeyProxy) => ({path: `${pathOf(proxy)}x/models`})],
  ["a whole address", 403, () => ({path: "http://evil.test/v1/models"})],
  ["a folder above", 403, (proxy: KeyProxy) => ({path: `${pathOf(proxy)}/../admin`})],
  ["a folder above, at the end", 403, (proxy: KeyProxy) => ({path: `${pathOf(proxy)}/x/../..?a=b`})],
  ["an encoded folder above", 403, (proxy: KeyProxy) => ({path: `${pathOf(proxy)}/%2E%2e/admin`})],
  ["a folder above after an encoded slash", 403, (proxy: KeyProxy) => ({path: `${pathOf(proxy)}/x%2f..%2F../admin`})],
  ["a folder above after a backslash", 403, (proxy: KeyProxy) => ({path: `${pathOf(proxy)}/x\\..\\..\\admin`})],
  ["a folder above with a parameter", 403, (proxy: KeyProxy) => ({path: `${pathOf(proxy)}/..;a/admin`})],
  ["a new key of the account", 403, (proxy: KeyProxy) => ({path: `${pathOf(proxy)}/auth/keys/code`, method: "POST"})],
  ["a short-lived key", 403, (proxy: KeyProxy) => ({path: `${pathOf(proxy)}/realtime/client_secrets`, method: "POST"})],
  ["an encoded address of keys", 403, (proxy: KeyProxy) => ({path: `${pathOf(proxy)}/%6beys;a?b=c`})],
  ["files of the account", 403, (proxy: KeyProxy) => ({path: `${pathOf(proxy)}/files`, method: "POST"})],
  ["a second encoding", 403, (proxy: KeyProxy) => ({path: `${pathOf(proxy)}/chat%252Fcompletions`})],
  [
    "a batch of requests, which outlives the run",
    403,
    (proxy: KeyProxy) => ({path: `${pathOf(proxy)}/messages/batches`}),
  ],
  ["an answer of the account", 403, (proxy: KeyProxy) => ({path: `${pathOf(proxy)}/responses/r1`, method: "GET"})],
  [
    "a GET with a body",
    400,
    (proxy: KeyProxy) => ({path: `${pathOf(proxy)}/models`, method: "GET", headers: ONE_BYTE}),
  ],
  ["another protocol", 400, () => ({headers: {...AS_AGENT, connection: "upgrade", upgrade: "websocket"}})],
  ["an expectation", 417, () => ({headers: {...AS_AGENT, expect: "100-continue"}})],
  ["a body of 65 MB", 413, () => ({headers: {...AS_AGENT, "content-length": `${65 * 1024 * 1024}`}})],
  ["TRACE", 403, () => ({method: "TRACE"})],
  ["DELETE", 403, () => ({method: "DELETE"})],
])("%s is refused, and the provider hears nothing", async (_, status, options) => {
  await using provider = await startProvider((__, outgoing) => outgoing.end());
  const proxy = await openKeyProxy({address: `http://${provider.host}/v1`, keys});
  const reply = await proxy.during(() => ask(proxy, options(proxy)));
  expect(reply.status).toBe(status);
  expect(reply.body).toContain("Assay's key proxy");
  expect(provider.seen).toEqual([]);
});

test.each([
  ...["POST v1/messages?beta=true", "POST messages/count_tokens", "POST chat/completions", "POST responses"],
  ...["POST responses/compact", "POST models/gemini-2.5-pro:streamGenerateContent?alt=sse", "GET v1/models"],
  ...["POST v1beta/models/gemini-2.5-pro:countTokens", "POST openai/v1/chat/completions", "GET models/gpt-5"],
  ...["POST openai/deployments/gpt-5/chat/completions?api-version=2026-01-01", "GET models?client_version=0.169.0"],
])("%s is a model request", async (request) => {
  const [method = "", path = ""] = request.split(" ");
  await using provider = await startProvider((__, outgoing) => outgoing.end());
  const proxy = await openKeyProxy({address: `http://${provider.host}/v1`, keys});
  const {status} = await proxy.during(() => ask(proxy, {path: `${pathOf(proxy)}/${path}`, method}));
  expect(status).toBe(200);
  expect(provider.seen.map(({url}) => url)).toEqual([`/v1/${path}`]);
});

test("outside of a turn every request is refused, and a connection of the turn is closed", async () => {
  await using provider = await startProvider((_, outgoing) => void outgoing.write("first"));
  const proxy = await openKeyProxy({address: `http://${provider.host}`, keys});
  expect((await ask(proxy, {})).status).toBe(503);
  const open = await proxy.during(() => fetch(`${proxy.url}/models`, {headers: AS_AGENT}));
  await expect(open.text()).rejects.toThrow();
  expect((await ask(proxy, {})).status).toBe(503);
});

test("each part of an answer passes as soon as the provider sends it", async () => {
  const {promise: wasRead, resolve: read} = Promise.withResolvers<void>();
  await using provider = await startProvider(async (_, outgoing) => {
    outgoing.writeHead(200, {"content-type": "text/event-stream"}).write("data: one\n\n");
    await wasRead;
    outgoing.end("data: two\n\n");
  });
  const proxy = await openKeyProxy({address: `http://${provider.host}`, keys});
  const parts: string[] = [];
  await proxy.during(async () => {
    const {body} = await fetch(`${proxy.url}/models`, {headers: AS_AGENT});
    for await (const part of body ?? []) {
      parts.push(Buffer.from(part).toString());
      read();
    }
  });
  expect(parts).toEqual(["data: one\n\n", "data: two\n\n"]);
});

test("a large question passes while it is being sent", async () => {
  const {promise: hasBegun, resolve: begin} = Promise.withResolvers<void>();
  await using provider = await startProvider((incoming, outgoing) => {
    incoming.once("data", () => begin());
    let length = 0;
    incoming.on("data", (chunk: Buffer) => {
      length += chunk.length;
    });
    incoming.on("end", () => outgoing.end(String(length)));
  });
  const proxy = await openKeyProxy({address: `http://${provider.host}`, keys});
  const part = "x".repeat(1_000_000);
  const received = await proxy.during(async () => {
    const sent = request(`${proxy.url}/responses`, {method: "POST", headers: AS_AGENT});
    sent.write(part);
    await hasBegun;
    sent.end(part);
    const [reply] = (await once(sent, "response")) as [IncomingMessage];
    return text(reply);
  });
  expect(received).toBe("2000000");
});

test("a body of unknown length is refused as soon as it is too large", async () => {
  await using provider = await startProvider((incoming) => void incoming.resume());
  const proxy = await openKeyProxy({address: `http://${provider.host}`, keys});
  const status = await proxy.during(async () => {
    const sent = request(`${proxy.url}/responses`, {method: "POST", headers: AS_AGENT});
    const part = Buffer.alloc(1024 * 1024);
    const answered = once(sent, "response") as Promise<[IncomingMessage]>;
    for (let megabytes = 0; megabytes < 65; megabytes += 1)
      await new Promise((resolve) => sent.write(part, () => resolve(null)));
    const [{statusCode}] = await answered;
    sent.destroy();
    return statusCode;
  });
  expect(status).toBe(413);
});

test("a key in another notation is masked", async () => {
  const forms = [Buffer.from(KEY).toString("base64"), Buffer.from(`x${KEY}`).toString("base64").slice(2, -2)];
  const escaped = KEY.replace(/./g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
  await using provider = await startProvider((_, outgoing) => outgoing.end([...forms, escaped].join(" ")));
  const proxy = await openKeyProxy({address: `http://${provider.host}`, keys});
  expect((await proxy.during(() => ask(proxy, {}))).body).not.toMatch(/[a-z]{3}|u00/i);
});

test.each(["gzip", "deflate", "br"] as const)("a key in an answer with %s is masked", async (encoding) => {
  const compress = {gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync}[encoding];
  await using provider = await startProvider((_, outgoing) =>
    outgoing.writeHead(200, {"content-encoding": encoding}).end(compress(`key ${KEY}`)),
  );
  const proxy = await openKeyProxy({address: `http://${provider.host}`, keys});
  const {status, headers, body} = await proxy.during(() => ask(proxy, {}));
  expect({status, body}).toEqual({status: 200, body: `key ${"*".repeat(KEY.length)}`});
  expect(headers).not.toHaveProperty("content-encoding");
});

test.each([
  ["a status that is none", "HTTP/1.1 099 OK\r\n\r\n"],
  ["the status 0", "HTTP/1.1 000 OK\r\ncontent-length: 0\r\n\r\n"],
  ["another protocol", "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"],
  ["a compression that is not known", "HTTP/1.1 200 OK\r\ncontent-encoding: x-own\r\n\r\nabc"],
  ["no answer", ""],
])("a provider that answers with %s is an error of the provider", async (_, answer) => {
  const server = createRawServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(answer));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const {port} = server.address() as AddressInfo;
  const proxy = await openKeyProxy({address: `http://127.0.0.1:${port}`, keys});
  expect((await proxy.during(() => ask(proxy, {}))).status).toBe(502);
  server.close();
});

test("a provider that repeats the key does not give it away, in one part or in several", async () => {
  const end = KEY.slice(9);
  await using provider = await startProvider(async (_, outgoing) => {
    outgoing.writeHead(401, {"x-debug": `key ${KEY}`, "x-request": "r1"});
    for (const part of [`wrong ${KEY}; ${KEY.slice(0, 9)}`, end, `; ${KEY.slice(0, 5)}`, " sk-prov"]) {
      outgoing.write(part);
      await new Promise(setImmediate);
    }
    outgoing.end();
  });
  const proxy = await openKeyProxy({address: `http://${provider.host}`, keys});
  const {status, headers, body} = await proxy.during(() => ask(proxy, {}));
  expect(status).toBe(401);
  expect(headers).toMatchObject({"x-request": "r1"});
  expect(headers).not.toHaveProperty("x-debug");
  const mask = "*".repeat(KEY.length);
  expect(body).toBe(`wrong ${mask}; ${mask}; ${KEY.slice(0, 5)} sk-prov`);
});

test("an agent that hangs up ends the provider's work", async () => {
  const {promise: hungUp, resolve} = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  await using provider = await startProvider((_, outgoing) => {
    outgoing.on("close", resolve);
    asked.resolve();
  });
  const proxy = await openKeyProxy({address: `http://${provider.host}`, keys});
  await proxy.during(async () => {
    const sent = request(`${proxy.url}/models`, {headers: AS_AGENT}).end();
    sent.on("error", () => undefined);
    await asked.promise;
    sent.destroy();
    await hungUp;
  });
});

test("a provider that cannot be reached is an answer, not a crash", async () => {
  const proxy = await openKeyProxy({address: "http://127.0.0.1:1", keys});
  const {status, body} = await proxy.during(() => ask(proxy, {}));
  expect(status).toBe(502);
  expect(JSON.parse(body).error.message).toContain("the provider cannot be reached: connect ECONNREFUSED");
});

test("the proxy of the runner's network is used", async () => {
  const paths: (string | undefined)[] = [];
  await using network = await startProvider(({url, headers}, outgoing) => {
    paths.push(url, headers.authorization);
    outgoing.end("through the network");
  });
  const program = `
    const {setGlobalProxyFromEnv} = require("node:http");
    setGlobalProxyFromEnv();
    const {openKeyProxy} = await import(${JSON.stringify(new URL("../../../src/agent/key-proxy.ts", import.meta.url).href)});
    const proxy = await openKeyProxy({address: "http://provider.test/v1", keys: new Map([["${STAND_IN}", "${KEY}"]])});
    const headers = {authorization: "Bearer ${STAND_IN}"};
    const read = async () => (await fetch(proxy.url + "/models", {headers})).text();
    console.log(await proxy.during(read));`;
  const env = {PATH: process.env["PATH"], http_proxy: `http://${network.host}`, no_proxy: "127.0.0.1"};
  const child = spawn(
    process.execPath,
    [
      "--input-type=module",
      "-e",
      `import {createRequire} from "node:module"; const require = createRequire("/");${program}`,
    ],
    {env},
  );
  expect((await text(child.stdout)) + (await text(child.stderr))).toBe("through the network\n");
  expect(paths).toEqual(["http://provider.test/v1/models", `Bearer ${KEY}`]);
});
