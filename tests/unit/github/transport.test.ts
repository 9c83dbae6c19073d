/** What the client does when GitHub, or the way to it, does not answer well. */
import {describe, expect, test} from "vitest";
import {waitBefore} from "../../../src/github/transport.ts";
import {type Answer, serve} from "./server.ts";

const TIME = "2026-01-02T03:04:05Z";
const pushes: Answer = {status: 200, json: [{timestamp: TIME}]};
const secondary: Answer = {
  status: 403,
  headers: {"retry-after": "1"},
  json: {message: "You have exceeded a secondary rate limit. Please wait."},
};
const cutOff: Answer = {
  raw: (response) => {
    response.writeHead(200, {"content-type": "application/json", "content-length": "5000"});
    response.write('[{"timestamp": "20');
    setTimeout(() => response.destroy(), 5);
  },
};
const reset: Answer = {raw: (response) => void response.destroy()};
const hang: Answer = {raw: () => undefined};
const hangInTheMiddle: Answer = {
  raw: (response) => {
    response.writeHead(200, {"content-type": "application/json"});
    response.write('[{"timestamp":');
  },
};
const page: Answer = {status: 200, html: "<html><body>Please log in</body></html>"};
const halfJson: Answer = {
  raw: (response) => {
    response.writeHead(200, {"content-type": "application/json"});
    response.end('[{"timestamp": "20');
  },
};

describe("reading", () => {
  const passing: [string, Answer][] = [
    ["500", {status: 500, json: {message: "boom"}}],
    ["502", {status: 502, html: "<html>Bad gateway</html>"}],
    ["503", {status: 503, json: {message: "no"}}],
    ["429", {status: 429, json: {message: "slow down"}}],
    ["a cut-off answer", cutOff],
    ["half an answer", halfJson],
    ["a reset", reset],
    ["a page of HTML", page],
  ];
  test.each(passing)("%s twice, then an answer: 3 requests", async (_, bad) => {
    await using server = await serve((_request, count) => (count < 3 ? bad : pushes));
    expect(await server.github.pushedAt("main")).toEqual({ok: true, value: TIME});
    expect(server.seen).toHaveLength(3);
  });

  test("a branch without a recorded push yet: 3 requests", async () => {
    const none: Answer = {status: 200, json: []};
    await using late = await serve((_request, count) => (count < 3 ? none : pushes), {backoffMs: 1});
    expect(await late.github.pushedAt("main")).toEqual({ok: true, value: TIME});
    await using never = await serve(() => none, {backoffMs: 1});
    expect(await never.github.pushedAt("main")).toEqual({ok: true, value: null});
    expect(never.seen).toHaveLength(3);
  });

  test("a conflict that GitHub computes only once it is asked; what stays unknown is none", async () => {
    const state = (mergeable_state: string): Answer => ({status: 200, json: {mergeable_state}});
    await using late = await serve((_request, count) => state(count < 3 ? "unknown" : "dirty"), {backoffMs: 1});
    expect(await late.github.isConflicting(9)).toEqual({ok: true, value: true});
    await using never = await serve(() => state("unknown"), {backoffMs: 1});
    expect(await never.github.isConflicting(9)).toEqual({ok: true, value: false});
    expect(never.seen).toHaveLength(6);
    await using behind = await serve(() => state("behind"));
    expect(await behind.github.isConflicting(9)).toEqual({ok: true, value: false});
  });

  test.each(passing)("%s for ever: 3 requests and a failure of one short line", async (_, bad) => {
    await using server = await serve(() => bad);
    const result = await server.github.pushedAt("main");
    if (result.ok) throw new Error("it cannot be fine");
    expect(result.failure.kind).toBe("github-refused");
    expect(result.failure.request).toBe("read the pushes to main");
    expect(result.failure.message).toMatch(/^[^<\n]{2,300}$/);
    expect(server.seen).toHaveLength(3);
  });

  test.each([
    [400, 1],
    [401, 1],
    [403, 1],
    [404, 1],
    [410, 1],
    [422, 1],
    [418, 1],
    [409, 1],
  ])("%d is an answer: %d request", async (status, requests) => {
    await using server = await serve(() => ({status, json: {message: "no"}}));
    expect(await server.github.pushedAt("main")).toMatchObject({ok: false, failure: {status, message: "no"}});
    expect(server.seen).toHaveLength(requests);
  });

  test.each([
    ["never answers", hang],
    ["stops in the middle", hangInTheMiddle],
  ])("a server that %s is left after the time allowed", async (_, bad) => {
    await using server = await serve(() => bad, {tryMs: 150});
    const started = performance.now();
    expect(await server.github.pushedAt("main")).toMatchObject({ok: false, failure: {status: 0}});
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(server.seen).toHaveLength(3);
  });

  test("the time for the whole call ends it, whatever a single try may take", async () => {
    await using server = await serve(() => hang, {tryMs: 60_000, callMs: 300});
    const started = performance.now();
    expect(await server.github.pushedAt("main")).toMatchObject({ok: false, failure: {status: 0}});
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  test("retry-after is kept, and when it is longer than the call may last nobody waits", async () => {
    const later = (seconds: string): Answer => ({
      status: 503,
      headers: {"retry-after": seconds},
      json: {message: "later"},
    });
    await using patient = await serve((_, count) => (count === 1 ? later("1") : pushes));
    expect(await patient.github.pushedAt("main")).toMatchObject({ok: true});
    expect((patient.seen[1]?.at ?? 0) - (patient.seen[0]?.at ?? 0)).toBeGreaterThan(950);

    await using endless = await serve(() => later("3600"), {callMs: 60_000});
    const started = performance.now();
    expect(await endless.github.pushedAt("main")).toMatchObject({ok: false, failure: {status: 503}});
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(endless.seen).toHaveLength(1);
  });

  test("waits grow, are never shorter than told, and differ from run to run", () => {
    const waited = (count: number, retryAfter: number, chance: number) =>
      waitBefore({count, backoffMs: 1_000, retryAfter, chance});
    expect([0, 1, 2].map((count) => waited(count, 0, 0))).toEqual([1_000, 4_000, 9_000]);
    expect(waited(0, 0, 1)).toBe(1_250);
    expect(waited(0, 30, 0)).toBe(30_000);
    expect(waited(0, 30, 1)).toBe(30_250);
  });

  test("an answer of another form is a failure that names the fields", async () => {
    await using server = await serve(() => ({status: 200, json: [{timestamp: 4}]}));
    expect(await server.github.pushedAt("main")).toMatchObject({
      ok: false,
      failure: {status: 0, message: expect.stringContaining("timestamp")},
    });
  });

  test("nobody listens", async () => {
    const server = await serve(() => pushes);
    await server[Symbol.asyncDispose]();
    expect(await server.github.pushedAt("main")).toMatchObject({ok: false, failure: {status: 0}});
  });
});

describe("rate limits", () => {
  test("a secondary limit is waited for, and the write goes through once", async () => {
    const comment = {id: 5, body: "m", user: null, created_at: "x", updated_at: "x", html_url: "u"};
    await using server = await serve((_, count) => (count === 1 ? secondary : {status: 201, json: comment}));
    expect(await server.github.createComment({number: 1, isIt: () => true, body: "m"})).toMatchObject({ok: true});
    const posts = server.of("POST");
    expect(posts).toHaveLength(2);
    expect((posts[1]?.at ?? 0) - (posts[0]?.at ?? 0)).toBeGreaterThan(950);
    expect(server.logs.join()).toContain("rate limit");
  });

  test("one that lasts too long is a failure at once", async () => {
    const long: Answer = {...secondary, headers: {"retry-after": "900"}};
    await using server = await serve(() => long, {callMs: 60_000});
    const started = performance.now();
    expect(await server.github.pushedAt("main")).toMatchObject({ok: false, failure: {status: 403}});
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(server.seen).toHaveLength(1);
  });

  test("one that does not end is given up", async () => {
    await using server = await serve(() => secondary);
    expect(await server.github.pushedAt("main")).toMatchObject({ok: false, failure: {status: 403}});
    expect(server.seen).toHaveLength(2);
  });

  test("a used-up primary limit that ends tomorrow is a failure at once", async () => {
    const reset = String(Math.floor(Date.now() / 1000) + 86_400);
    const headers = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": reset};
    await using server = await serve(() => ({status: 403, headers, json: {message: "API rate limit exceeded"}}), {
      callMs: 60_000,
    });
    const started = performance.now();
    expect(await server.github.pushedAt("main")).toMatchObject({ok: false, failure: {status: 403}});
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

test("the token goes out with each request and into no failure and no log line", async () => {
  await using server = await serve(() => ({status: 500, json: {message: "no"}}));
  const result = await server.github.pushedAt("main");
  expect(server.seen.every((one) => one.token === "token s3cret-token")).toBe(true);
  expect(JSON.stringify([result, server.logs])).not.toContain("s3cret");
});
