/** P11 against generated requests and answers: nothing of a refused request reaches the provider, and the key reaches only the provider, as a key. */
import {once} from "node:events";
import {type AddressInfo, connect, createServer} from "node:net";
import {setTimeout as pause} from "node:timers/promises";
import {expect, test} from "vitest";
import {openKeyProxy} from "../../src/agent/key-proxy.ts";
import {isSweep} from "../sweep.ts";
import {type Answer, answerTo} from "./key-proxy-answers.ts";
import {KEY, type Sent, STAND_IN} from "./key-proxy-changes.ts";
import {HEADERS, readRequests, requestsOf, TARGETS} from "./key-proxy-requests.ts";
import {randomFrom} from "./random.ts";

const CASES = isSweep ? 5_000 : 300;
/** Each case waits for silence on its connection, so a busy machine takes long. */
const TIMEOUT_MS = isSweep ? 1_800_000 : 300_000;
const AT_ONCE = 40;
const LONGEST_MS = 20_000;
const KEY_HEADERS = ["authorization", "x-api-key", "x-goog-api-key", "api-key"];

interface Connection {
  bytes: string;
  answer: Answer | null;
}

/** A provider that keeps its connections open, and reads all that comes on them. */
async function startProvider(isLenient: boolean, seed: number) {
  const connections: Connection[] = [];
  const server = createServer((socket) => {
    const connection: Connection = {bytes: "", answer: null};
    connections.push(connection);
    socket
      .on("error", () => undefined)
      .on("data", async (data) => {
        connection.bytes += data.toString("latin1");
        if (connection.answer !== null || readRequests(connection.bytes, isLenient).requests.length === 0) return;
        const [id = "", number, at] = /m(\d+)x(\d+)x/.exec(connection.bytes) ?? [];
        connection.answer = answerTo(id, randomFrom(seed + 10 * Number(number) + Number(at)));
        for (const part of connection.answer.parts) {
          if (!socket.destroyed) socket.write(part);
          await new Promise(setImmediate);
        }
        if (connection.answer.closes) socket.end();
      });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {connections, server, port: (server.address() as AddressInfo).port};
}

/** Sends the requests in pieces on one connection. Returns what came back when each is answered, or nothing more comes. */
async function send(port: number, sent: readonly Sent[], random: () => number): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let got = "";
  let last = Date.now();
  socket
    .on("error", () => undefined)
    .on("data", (data) => {
      got += data.toString("latin1");
      last = Date.now();
    });
  const bytes = Buffer.from(sent.map(({text}) => text).join(""), "latin1");
  const cut = Math.floor(random() * bytes.length);
  socket.write(bytes.subarray(0, cut));
  await pause(1);
  if (!socket.destroyed) socket.write(bytes.subarray(cut));
  const longest = sent.every(({fate}) => fate === "passes") ? LONGEST_MS : 1_000;
  const isAnswered = () => [...got.matchAll(/HTTP\/1\.1 [2-5]\d\d /g)].length >= sent.length;
  while (!socket.closed && Date.now() - last < (isAnswered() ? 1_500 : longest)) await pause(20);
  socket.destroy();
  return got;
}

interface Case {
  readonly sent: readonly Sent[];
  readonly got: string;
}

/** What is wrong with the bytes of one connection to the provider. */
function faultsOf({bytes}: Connection, fates: ReadonlyMap<string, Sent["fate"]>): string[] {
  // The agent hung up before the request was sent.
  if (bytes === "") return [];
  const faults: string[] = [];
  const marks = [...bytes.matchAll(/(m\d+x\d+x)([YN])/g)];
  const ids = new Set(marks.map(([, id = ""]) => id));
  if (ids.size !== 1) faults.push(`marks of ${ids.size} requests`);
  for (const id of ids) if (fates.get(id) === "refused") faults.push("bytes of a refused request");
  if (marks.some(([, , kind]) => kind === "N")) faults.push("a part that must stay with the proxy");
  for (const isLenient of [false, true]) {
    const {requests, rest} = readRequests(bytes, isLenient);
    if (requests.length > 1) faults.push(`${requests.length} requests on one connection`);
    if (requests.length === 1 && rest !== "") faults.push("bytes after the request");
    for (const {method, target, headers} of requests) {
      if (!/^(?:GET|POST)$/.test(method) || !TARGETS.test(target)) faults.push(`${method} ${target}`);
      for (const [name] of headers) if (!HEADERS.has(name)) faults.push(`the header ${name}`);
      if (new Set(headers.map(([name]) => name)).size !== headers.length) faults.push("a header twice");
      const keys = headers.filter(
        ([name, value]) => KEY_HEADERS.includes(name) && value.replace(/^Bearer /, "") === KEY,
      );
      if (keys.length === 0) faults.push("no key");
      if (bytes.split(KEY).length - 1 !== keys.length) faults.push("the key at another place");
    }
  }
  if (bytes.includes(STAND_IN) && !/"?0\r\n\r\nPOST/.test(bytes)) faults.push("the stand-in");
  return faults.map((fault) => `${fault}: ${JSON.stringify(bytes.slice(0, 700))}`);
}

test.each([
  ["strict", false],
  ["lenient", true],
] as const)("a %s provider gets only whole requests that were checked", {timeout: TIMEOUT_MS}, async (_, isLenient) => {
  const seed = isLenient ? 37 : 73;
  const thrown: unknown[] = [];
  const catchThrown = (error: unknown) => void thrown.push(error);
  process.on("uncaughtExceptionMonitor", catchThrown);
  const provider = await startProvider(isLenient, seed);
  const proxy = await openKeyProxy({
    address: `http://127.0.0.1:${provider.port}/base`,
    keys: new Map([[STAND_IN, KEY]]),
  });
  const {port, pathname} = new URL(proxy.url);
  const cases: Case[] = [];
  await proxy.during(async () => {
    let next = 0;
    const work = async () => {
      while (next < CASES / 2) {
        const random = randomFrom(100_000 * seed + next);
        const sent = requestsOf(next++, random, pathname);
        const got = await send(Number(port), sent, random);
        cases.push({sent, got});
      }
    };
    await Promise.all(Array.from({length: AT_ONCE}, work));
    const isIdle = () =>
      new Promise<boolean>((resolve) => provider.server.getConnections((__, count) => resolve(count === 0)));
    for (let waited = 0; waited < LONGEST_MS && !(await isIdle()); waited += 100) await pause(100);
  });
  provider.server.close();
  process.off("uncaughtExceptionMonitor", catchThrown);

  const all = cases.flatMap(({sent}) => sent);
  const fates = new Map(all.map(({id, fate}) => [id, fate]));
  expect(thrown).toEqual([]);
  expect(provider.connections.flatMap((connection) => faultsOf(connection, fates))).toEqual([]);
  const leaks = cases.filter(({got}) => got.includes(KEY) || got.includes("poison") || /content-encoding/i.test(got));
  expect(leaks).toEqual([]);
  const foreign = cases.filter(({sent, got}) =>
    [...got.matchAll(/echo-(m\d+x\d+x)/g)].some(([, id]) => sent.every((one) => one.id !== id)),
  );
  expect(foreign).toEqual([]);
  // The proxy that refuses everything would pass so far.
  const answered = new Map(provider.connections.map(({bytes, answer}) => [/m\d+x\d+x/.exec(bytes)?.[0] ?? "", answer]));
  const clean = cases.filter(({sent}) => sent.every(({fate}) => fate === "passes"));
  const lost = clean.flatMap(({sent, got}) =>
    sent.filter(({id}, at) => {
      const answer = answered.get(id);
      const isReached = sent.slice(0, at + 1).every((one) => answered.get(one.id)?.isClear);
      return answer === undefined ? at === 0 : isReached && !got.includes(`echo-${id}`);
    }),
  );
  expect(lost).toEqual([]);
  const count = (fate: Sent["fate"]) => all.filter((one) => one.fate === fate).length;
  console.log(
    `${all.length} requests (${count("passes")} pass, ${count("refused")} refused, ${count("either")} either), ${provider.connections.length} connections`,
  );
  expect(count("passes")).toBeGreaterThan(CASES / 10);
});
