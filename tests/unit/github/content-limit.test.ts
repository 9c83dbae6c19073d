/** GitHub's limits on creating content: counted with a clock, and what live edits do about them. */
import {createServer} from "node:http";
import {expect, onTestFinished, test} from "vitest";
import {connect} from "../../../src/github/client.ts";
import {openContentCount} from "../../../src/github/content-limit.ts";
import {editSpacing} from "../../../src/run/edit-spacing.ts";

const MINUTE_MS = 60_000;

test("requests that write count for a minute and for an hour, and others do not", () => {
  let now = 0;
  const count = openContentCount(() => now);
  const send = (requests: number) => Array.from({length: requests}, () => count.add("PATCH"));
  for (const method of ["GET", "HEAD"]) count.add(method);
  expect(count.limit()).toEqual({remainingShare: 1, pauseMs: 0});
  send(40);
  expect(count.limit().remainingShare).toBe(0.5);
  now = MINUTE_MS;
  expect(count.limit().remainingShare).toBeCloseTo(1 - 40 / 500);
  for (let minute = 2; minute < 11; minute += 1) {
    now = minute * MINUTE_MS;
    send(50);
  }
  now = 11 * MINUTE_MS;
  expect(count.limit().remainingShare).toBeCloseTo(1 - 490 / 500);
  send(100);
  expect(count.limit().remainingShare).toBe(0);
  now = 80 * MINUTE_MS;
  expect(count.limit().remainingShare).toBe(1);
});

test("after a refusal, edits pause as long as GitHub asks and are rare for an hour; near a limit they are rarer", () => {
  let now = 0;
  const count = openContentCount(() => now);
  const spacing = () => editSpacing({elapsedMs: 0, rate: null, content: count.limit()});
  expect(spacing()).toBe(10_000);
  count.refused(1_500);
  expect(spacing()).toBe(25 * MINUTE_MS);
  now = 100_000;
  expect(spacing()).toBe(1_400_000);
  now = 1_500_000;
  expect(spacing()).toBe(20 * MINUTE_MS);
  now = 60 * MINUTE_MS;
  expect(spacing()).toBe(10_000);
  for (let sent = 0; sent < 60; sent += 1) count.add("POST");
  expect(spacing()).toBe(MINUTE_MS);
  for (let sent = 0; sent < 15; sent += 1) count.add("POST");
  expect(spacing()).toBe(5 * MINUTE_MS);
});

test("a refused edit is not repeated, and the last word neither waits for it nor is replaced by it", async () => {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (part) => {
      text += part;
    });
    request.on("end", () => {
      bodies.push(String(JSON.parse(text).body));
      const isRefused = bodies.length === 1;
      response.writeHead(isRefused ? 403 : 200, {"content-type": "application/json", "retry-after": "3"});
      const comment = {id: 1, body: "", user: null, created_at: "", updated_at: ""};
      response.end(JSON.stringify(isRefused ? {message: "You have exceeded a secondary rate limit"} : comment));
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const apiUrl = `http://127.0.0.1:${address.port}`;
  const github = connect({token: "x", apiUrl, repository: "own/repo", log: () => {}});
  const edit = github.updateComment(1, "progress", {mayWait: false});
  expect(await edit).toMatchObject({ok: false, failure: {status: 403}});
  expect(github.contentLimit().pauseMs).toBeGreaterThan(2_000);
  const startMs = performance.now();
  expect(await github.updateComment(1, "report")).toMatchObject({ok: true});
  expect(performance.now() - startMs).toBeLessThan(2_500);
  await new Promise((later) => setTimeout(later, 3_500));
  expect(bodies).toEqual(["progress", "report"]);
});
