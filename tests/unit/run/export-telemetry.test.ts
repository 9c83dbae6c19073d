/** The export of a run: sent by jobs without an agent, and nothing comes of its failure. */
import {createServer} from "node:http";
import {expect, onTestFinished, test} from "vitest";
import {parseInputs} from "../../../src/github/inputs.ts";
import type {RunRecord} from "../../../src/record/record.ts";
import {exportTelemetry} from "../../../src/run/export-telemetry.ts";
import {attempt, record, turn} from "../report/records.ts";

async function collector(status: number) {
  const received: {
    readonly body: string;
    readonly authorization: string | undefined;
    readonly type: string | undefined;
  }[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const {authorization, "content-type": type} = request.headers;
      received.push({body: Buffer.concat(parts).toString(), authorization, type});
      response.writeHead(status, status === 302 ? {location: "/other"} : {}).end("{}");
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {url: `http://127.0.0.1:${address.port}/v1/traces`, received};
}

async function send(given: Readonly<Record<string, string>>, current: RunRecord, isDryRun = false) {
  const inputs = parseInputs((name) => (name === "github-token" ? "ghs_of-the-run" : given[name]));
  if (!inputs.ok) throw new Error("wrong inputs");
  const log: string[] = [];
  const context = {
    ...{inputs: inputs.value, withheld: isDryRun ? [] : null, signal: new AbortController().signal},
    ...{redact: (text: string) => text.replaceAll("hunter22", "***"), log: (line: string) => log.push(line)},
  };
  await exportTelemetry({context, record: {current: () => current}} as never);
  return log;
}

const withAgent = record({attempts: [attempt({turn: turn()})]});
const withoutAgent = record({attempts: [attempt({turn: null})]});
const secret = {"telemetry-headers": "Authorization=Bearer abc"};

test("the publishing job sends one request with the owner's headers, redacted", async () => {
  const {url, received} = await collector(200);
  const run = {...withAgent, run: {...withAgent.run, id: "hunter22"}};
  expect(await send({telemetry: url, job: "publish", ...secret}, run)).toEqual([]);
  expect(received).toEqual([
    {body: expect.stringContaining('"resourceSpans"'), authorization: "Bearer abc", type: "application/json"},
  ]);
  expect(received[0]?.body).not.toContain("hunter22");
});

test("one job sends the run of `/verify`, and none in which an agent ran", async () => {
  const {url, received} = await collector(200);
  expect(await send({telemetry: url}, withAgent)).toEqual([expect.stringContaining("an agent ran")]);
  expect(received).toEqual([]);
  expect(await send({telemetry: url}, withoutAgent)).toEqual([]);
  expect(received).toHaveLength(1);
});

test("nothing is sent without an address, or in a dry run", async () => {
  const {url, received} = await collector(200);
  expect(await send({}, withoutAgent)).toEqual([]);
  expect(await send({telemetry: url}, withoutAgent, true)).toEqual([]);
  expect(received).toEqual([]);
});

test.each([
  [503, "status 503"],
  [302, "could not be sent"],
])("a collector that answers %i is only logged, and followed nowhere", async (status, words) => {
  const {url, received} = await collector(status);
  expect(await send({telemetry: url}, withoutAgent)).toEqual([expect.stringContaining(words)]);
  expect(received).toHaveLength(1);
});

test("an unreachable collector and a wrong header are only logged", async () => {
  expect(await send({telemetry: "http://127.0.0.1:9/"}, withoutAgent)).toEqual([
    expect.stringContaining("not be sent"),
  ]);
  const {url} = await collector(200);
  const wrong = {"telemetry-headers": "content-length=abc"};
  expect(await send({telemetry: url, ...wrong}, withoutAgent)).toHaveLength(1);
});
