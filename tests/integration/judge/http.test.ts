/** The judge's calls over HTTP, against a server that behaves well or badly. */
import {once} from "node:events";
import {createServer, type RequestListener} from "node:http";
import type {AddressInfo} from "node:net";
import {expect, test} from "vitest";
import {askEndpoint} from "../../../src/judge/providers/http.ts";

/** Starts a server for one call, and asks it. */
async function ask(options: {
  provider?: "openai" | "anthropic";
  answer: RequestListener;
  variables?: Record<string, string>;
  timeoutMs?: number;
  signal?: AbortSignal;
}) {
  const {provider = "openai"} = options;
  const requests: {url: string; headers: Record<string, unknown>; body: unknown}[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      requests.push({url: request.url ?? "", headers: request.headers, body: JSON.parse(text || "null")});
      options.answer(request, response);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const keys = {OPENAI_API_KEY: "key-1", ANTHROPIC_API_KEY: "key-2"};
  const variables = {...keys, OPENAI_BASE_URL: url, ANTHROPIC_BASE_URL: url, ...options.variables};
  const signal = options.signal ?? new AbortController().signal;
  const model = askEndpoint({provider, model: "m-1", variables, timeoutMs: () => options.timeoutMs ?? 10_000, signal});
  try {
    return {reply: await model("the prompt"), requests};
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const json =
  (body: unknown, status = 200): RequestListener =>
  (_, response) =>
    void response.writeHead(status, {"content-type": "application/json"}).end(JSON.stringify(body));
const COMPLETION = {
  choices: [{message: {content: "{}"}, finish_reason: "stop"}],
  usage: {prompt_tokens: 100, completion_tokens: 7, prompt_tokens_details: {cached_tokens: 40}, cost: 0.25},
};

test("an OpenAI-compatible endpoint gets one message, and its usage is counted", async () => {
  const {reply, requests} = await ask({answer: json(COMPLETION)});
  expect(reply).toMatchObject({kind: "answered", text: "{}", model: "openai/m-1"});
  expect(reply.usage).toEqual({input: 60, output: 7, cacheRead: 40, cacheWrite: 0, costUsd: 0.25});
  expect(requests).toMatchObject([
    {
      url: "/v1/chat/completions",
      headers: {authorization: "Bearer key-1"},
      body: {model: "m-1", messages: [{role: "user", content: "the prompt"}]},
    },
  ]);
  expect(JSON.stringify(requests[0]?.body)).not.toContain("tools");
});

test("an Anthropic endpoint gets its own form", async () => {
  const content = [{type: "thinking"}, {type: "text", text: "{}"}];
  const usage = {input_tokens: 9, output_tokens: 3, cache_read_input_tokens: 1, cache_creation_input_tokens: 2};
  const answer = json({content, stop_reason: "end_turn", usage});
  const {reply, requests} = await ask({provider: "anthropic", answer});
  expect(reply).toMatchObject({kind: "answered", text: "{}", model: "anthropic/m-1"});
  expect(reply.usage).toEqual({input: 9, output: 3, cacheRead: 1, cacheWrite: 2, costUsd: 0, hasUnknownCost: true});
  expect(requests).toMatchObject([{url: "/v1/messages", headers: {"x-api-key": "key-2"}, body: {model: "m-1"}}]);
});

test.each([
  ["an error", json({error: "key-1"}, 500), "model-failed", "the endpoint answered with status 500"],
  ["a wrong key", json({error: "key-1"}, 401), "model-failed", "status 401: it does not accept the key"],
  ["an unknown model", json({error: "key-1"}, 404), "model-failed", "status 404: the model or the address is wrong"],
  [
    "a page",
    (_, response) => void response.end("<html>"),
    "model-failed",
    "the endpoint's answer does not have its form",
  ],
  ["another form", json({choices: []}), "model-failed", "the endpoint's answer does not have its form"],
  [
    "no text",
    json({choices: [{message: {content: null}}]}),
    "model-failed",
    "the endpoint's answer does not have its form",
  ],
  [
    "a cut answer",
    json({choices: [{message: {content: "{"}, finish_reason: "length"}]}),
    "model-failed",
    "the answer was cut off at its length limit",
  ],
  ["too much", (_, response) => void response.end("x".repeat(5_000_000)), "model-failed", "does not have its form"],
  [
    "another address",
    (_, response) => void response.writeHead(307, {location: "http://127.0.0.1:9/v1"}).end(),
    "model-failed",
    "the endpoint could not be reached",
  ],
  ["a closed connection", (request) => request.socket.destroy(), "model-failed", "the endpoint could not be reached"],
] satisfies [string, RequestListener, string, string][])("%s is a failed call", async (_, answer, why, detail) => {
  const {reply, requests} = await ask({answer});
  expect(reply).toMatchObject({kind: "failed", why, detail: expect.stringContaining(detail)});
  expect(JSON.stringify(reply)).not.toContain("key-1");
  expect(requests).toHaveLength(1);
});

test("a call ends at its time limit, also while the answer comes", async () => {
  const silent = await ask({answer: () => undefined, timeoutMs: 300});
  expect(silent.reply).toMatchObject({kind: "failed", why: "timed-out"});
  const slow = await ask({answer: (_, response) => void response.write("{"), timeoutMs: 300});
  expect(slow.reply).toMatchObject({kind: "failed", why: "timed-out"});
});

test("a time limit with a fraction is kept too", async () => {
  const {reply} = await ask({answer: () => undefined, timeoutMs: 200.4});
  expect(reply).toMatchObject({kind: "failed", why: "timed-out"});
});

test("without a key nothing is sent", async () => {
  const {reply, requests} = await ask({answer: json(COMPLETION), variables: {OPENAI_API_KEY: ""}});
  expect(reply).toMatchObject({kind: "failed", why: "missing-key", detail: "the variable OPENAI_API_KEY is not set"});
  expect(requests).toEqual([]);
});

test("an address without https:// or http:// is named", async () => {
  const {reply, requests} = await ask({answer: json(COMPLETION), variables: {OPENAI_BASE_URL: "localhost:1234/v1"}});
  const detail = "OPENAI_BASE_URL does not start with https:// or http://";
  expect(reply).toMatchObject({kind: "failed", why: "model-failed", detail});
  expect(requests).toEqual([]);
});

test("a cancelled run does not wait", async () => {
  const {reply} = await ask({answer: () => undefined, signal: AbortSignal.timeout(200)});
  expect(reply).toMatchObject({kind: "failed", why: "cancelled"});
});
