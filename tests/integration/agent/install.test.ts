/** The agent's program: found on the PATH, or installed at its pinned version from a registry on loopback. */
import {execFile} from "node:child_process";
import {createHash} from "node:crypto";
import {chmod, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile} from "node:fs/promises";
import {createServer, type Server} from "node:http";
import {tmpdir} from "node:os";
import {delimiter, join} from "node:path";
import {promisify} from "node:util";
import {afterAll, beforeAll, beforeEach, expect, test} from "vitest";
import {pi} from "../../../src/agent/adapters/pi.ts";
import {findAgent} from "../../../src/agent/install.ts";

const exec = promisify(execFile);
const {name, version} = pi.package;

let root: string;
let server: Server;
let asked: string[] = [];
let offered = version;

/** A registry on loopback with one small package under the agent's name, whose install script would leave a mark. */
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "assay-install-"));
  const source = join(root, "source");
  await mkdir(source);
  const manifest = {name, version, bin: {pi: "cli.js"}, scripts: {postinstall: `touch ${join(root, "owned")}`}};
  await writeFile(join(source, "package.json"), JSON.stringify(manifest));
  await writeFile(join(source, "cli.js"), "#!/usr/bin/env node\nconsole.log('small pi');\n");
  const packed = await exec("npm", ["pack", "--json", "--pack-destination", root], {cwd: source});
  const tarball = await readFile(join(root, JSON.parse(packed.stdout)[0].filename));
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const address = `http://${request.headers.host}`;
    if (request.url?.endsWith(".tgz")) return void response.end(tarball);
    const dist = {tarball: `${address}/pi.tgz`, integrity};
    const versions = {[offered]: {...manifest, version: offered, hasInstallScript: true, dist}};
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({name, "dist-tags": {latest: offered}, versions}));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
});

afterAll(async () => {
  server.close();
  await rm(root, {recursive: true, force: true});
});

let folder: string;
let environment: Record<string, string>;

beforeEach(async () => {
  const home = await mkdtemp(join(root, "home-"));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  await writeFile(join(home, ".npmrc"), `registry=http://127.0.0.1:${port}/\nfetch-retries=0\n`);
  folder = join(home, "cli");
  // Only the folders of node and npm: a pi that this machine has must not be found.
  const {stdout} = await exec("sh", ["-c", "dirname $(command -v npm)"]);
  environment = {HOME: home, PATH: [stdout.trim(), "/usr/bin", "/bin"].join(delimiter)};
  asked = [];
  offered = version;
});

const find = () => findAgent({adapter: pi, command: "", environment, folder, isolation: "degraded", sandbox: null});

test("the pinned package is installed once, without its scripts, and runs on this Node", async () => {
  const first = await find();
  const program = join(folder, "node_modules", name, "cli.js");
  expect(first).toEqual({ok: true, value: [process.execPath, program]});
  expect((await exec(process.execPath, [program])).stdout).toBe("small pi\n");
  await expect(readFile(join(root, "owned"))).rejects.toThrow("ENOENT");
  const requests = asked.length;
  expect(requests).toBeGreaterThan(0);
  expect(await find()).toEqual(first);
  expect(asked).toHaveLength(requests);
});

test("another version is not taken for the pinned one", async () => {
  offered = "99.0.0";
  const found = await find();
  expect(found).toMatchObject({ok: false, failure: {kind: "agent-unavailable"}});
  expect(found).toMatchObject({failure: {message: expect.stringMatching(/ETARGET.*npm install -g/s)}});
});

test("without npm the failure says what to do", async () => {
  environment = {...environment, PATH: "/nowhere"};
  const message = expect.stringMatching(/could not install.*\. Put npm on the PATH/s);
  expect(await find()).toMatchObject({ok: false, failure: {kind: "agent-unavailable", message}});
});

test("a program on the PATH is taken; a Node script runs on this Node, anything else as it is", async () => {
  const bin = join(folder, "bin");
  await mkdir(bin, {recursive: true});
  environment = {...environment, PATH: [bin, environment["PATH"]].join(delimiter)};
  await writeFile(join(folder, "cli.js"), "#!/usr/bin/env node\n");
  await chmod(join(folder, "cli.js"), 0o755);
  await symlink("../cli.js", join(bin, "pi"));
  expect(await find()).toEqual({ok: true, value: [process.execPath, await realpath(join(folder, "cli.js"))]});

  await rm(join(bin, "pi"));
  await writeFile(join(bin, "pi"), "#!/bin/sh\n");
  await chmod(join(bin, "pi"), 0o755);
  expect(await find()).toEqual({ok: true, value: [join(bin, "pi")]});
  expect(asked).toEqual([]);
});

test("a folder named pi is no program", async () => {
  await mkdir(join(folder, "pi"), {recursive: true});
  environment = {...environment, PATH: [folder, environment["PATH"]].join(delimiter)};
  expect(await find()).toEqual({ok: true, value: [process.execPath, join(folder, "node_modules", name, "cli.js")]});
});
