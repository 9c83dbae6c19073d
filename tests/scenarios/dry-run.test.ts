/** A dry run: everything happens but the writes, and the job's summary shows what they would have been. */
import {execFile} from "node:child_process";
import {once} from "node:events";
import {writeFileSync} from "node:fs";
import {createServer} from "node:http";
import {connect, type Socket} from "node:net";
import {join} from "node:path";
import {promisify} from "node:util";
import {expect, onTestFailed, test} from "vitest";
import {BOT} from "../rig/github/people.ts";
import type {GitHub} from "../rig/github.ts";
import {writeFileAt} from "../rig/model.ts";
import {PRODUCT_FILES, plain} from "../rig/projects.ts";
import {assertPromises} from "../rig/promises.ts";
import {createRig} from "../rig/rig.ts";
import {someOf} from "../sweep.ts";

const isQuery = ({path, body}: {path: string; body: string}) => path === "/graphql" && body.includes('"query":"query');
const writesOf = ({requests}: GitHub) => requests.filter((one) => one.method !== "GET" && !isQuery(one));

test("a dry run writes nothing, and shows what it would have written", async () => {
  await using rig = await createRig({files: plain(), onFailed: onTestFailed});
  rig.model.script([{when: "multiply", do: [writeFileAt("src/product.js", PRODUCT_FILES.right)], say: "Done."}]);
  const outcome = await rig.comment("/assay multiply, please", {inputs: {"dry-run": "true"}});
  await assertPromises(rig, outcome);
  expect(writesOf(rig.github)).toEqual([]);
  expect(rig.git.updates).toEqual([]);
  expect(outcome.outputs).toMatchObject({verdict: "verified", commit: "", branch: "", "pull-request": ""});
  expect(outcome.record?.publication).toMatchObject({kind: "withheld", instead: "published"});
  expect(outcome.summary).toContain("**✅ Verified**");
  expect(outcome.summary).toMatch(/- push commit `[0-9a-f]+` to `assay\/issue-1`/);
  expect(outcome.summary).toContain("- open or update the pull request");
  expect(outcome.summary).toContain("- set `assay/verified` to `success`");
});

test.each(someOf(["through the proxy of the machine", "directly"]))(
  "`assay run --dry-run` prints the list, %s",
  async (way) => {
    await using rig = await createRig({files: plain(), onFailed: onTestFailed});
    const {event} = await rig.commentEvent("/help");
    const file = join(rig.folder, "event.json");
    writeFileSync(file, JSON.stringify(event.payload));
    await using proxy = await startProxy();
    const {port} = new URL(rig.github.url);
    const env = {
      GITHUB_API_URL: rig.github.url,
      GITHUB_SERVER_URL: rig.git.url,
      GITHUB_REPOSITORY: rig.origin.name,
      GITHUB_TOKEN: rig.github.tokenOf(BOT),
      PATH: process.env["PATH"] ?? "",
    };
    const proxied = {GITHUB_API_URL: `http://api.github.invalid:${port}`, http_proxy: proxy.url, no_proxy: "127.0.0.1"};
    // in the background, because this process answers as GitHub
    const cli = join(import.meta.dirname, "../../dist/cli.js");
    const args = [cli, "run", "--event", file, "--dry-run"];
    const options = {env: way === "directly" ? env : {...env, ...proxied}, cwd: rig.folder};
    const {stdout} = await promisify(execFile)(process.execPath, args, options);
    expect(stdout).toContain("- post one comment in the thread");
    expect(writesOf(rig.github)).toEqual([]);
    expect(proxy.tunnels.length > 0).toBe(way !== "directly");
  },
);

/** Every tunnel leads to this machine, whatever host was asked for. */
async function startProxy() {
  const tunnels: string[] = [];
  const server = createServer().on("connect", ({url = ""}, client: Socket) => {
    tunnels.push(url);
    const upstream = connect(Number(url.split(":")[1]), "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      client.pipe(upstream).pipe(client);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      one.on("error", () => other.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    tunnels,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
