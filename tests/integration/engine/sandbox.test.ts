/** P11, P12: what a hostile stage finds and does, in the sandbox and without it. */
import {execFile, execFileSync} from "node:child_process";
import {once} from "node:events";
import {chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {createServer} from "node:http";
import type {AddressInfo} from "node:net";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {promisify} from "node:util";
import {afterAll, expect, onTestFinished, test} from "vitest";
import {chooseSandbox, missingSpace} from "../../../src/engine/isolation/choose-sandbox.ts";
import {run} from "../../../src/process/run.ts";
import {NOTHING_WRITABLE} from "../../../src/process/sandbox.ts";
import {hasBubblewrap, NEEDS_BUBBLEWRAP} from "../../rig/levels.ts";

const HUNTER = readFileSync(join(import.meta.dirname, "hunter.sh"), "utf8");
const BOT = join(import.meta.dirname, "hunting-bot.ts");
const START = `hunted${process.pid}`;
const CANARY = `${START}-canary`;

const fenceFor = (options: Omit<Parameters<typeof chooseSandbox>[0], "folder">) =>
  chooseSandbox({...options, folder: PROBES});
const PROBES = mkdtempSync(join(tmpdir(), "assay-probes-"));
afterAll(() => rmSync(PROBES, {recursive: true}));

/** A machine in a folder: a home with credentials and a toolchain, a runner's folder, a workspace, a checkout, a server. */
async function machine() {
  // Not below the system's temporary folder: every sandbox has one of its own, and all would be hidden by that alone.
  const folder = mkdtempSync(join(import.meta.dirname, "../../../node_modules/.assay-hunt-"));
  const at = (path: string): string => join(folder, path);
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(at(path)), {recursive: true});
    writeFileSync(at(path), text);
  };
  for (const path of [
    "home/.ssh/id_ed25519",
    "home/.npmrc",
    "home/.config/gh/hosts.yml",
    "home/.cargo/credentials.toml",
  ])
    write(path, `${CANARY}\n`);
  write("home/.cargo/bin/cargo", "#!/bin/sh\n");
  write("home/.tool/bin/tool", '#!/bin/sh\ncat "$(dirname "$0")/../lib/part"\n');
  chmodSync(at("home/.tool/bin/tool"), 0o755);
  write("home/.tool/lib/part", "");
  write("temp/event.json", CANARY);
  for (const name of ["set_env_1", "set_output_1", "add_path_1"]) write(`temp/_runner_file_commands/${name}`, "");
  write("workspace/.git/config", `extraheader = ${CANARY}\n`);
  write("system-file", "");
  write("temp/assay/checkout/a.txt", "");
  mkdirSync(at("temp/assay/home"));
  const git = ["-c", "user.email=a@example.org", "-c", "user.name=a"];
  for (const line of [
    ["init", "-q"],
    ["add", "-A"],
    [...git, "commit", "-qm", "First"],
  ])
    execFileSync("git", line, {cwd: at("temp/assay/checkout")});
  const server = createServer((_, answer) => answer.end("hello"));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.close();
    rmSync(folder, {recursive: true, force: true});
  });
  return {at, server: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`};
}

async function hunt(limits: {sandbox: "auto" | "off"; network: "all" | "none"}) {
  const {at, server} = await machine();
  const env = {
    CANARY_START: START,
    REAL_HOME: at("home"),
    RUNNER_TEMPORARY: at("temp"),
    WORKSPACE: at("workspace"),
    SYSTEM_FILE: at("system-file"),
    SERVER: server,
  };
  const options = {
    ...limits,
    realHome: at("home"),
    home: at("temp/assay/home"),
    checkout: at("temp/assay/checkout"),
    private: [at("temp"), at("workspace")],
    hidden: [at("temp/_runner_file_commands")],
    variables: {PATH: `${at("home/.tool/bin")}:${process.env["PATH"]}`},
    stage: {
      name: "hunt",
      kind: "build",
      command: HUNTER,
      cwd: ".",
      timeout: 60,
      optional: false,
      env,
      path: [],
      tools: [],
    },
  };
  const bot = await promisify(execFile)(process.execPath, [BOT, JSON.stringify(options)], {
    env: {PATH: process.env["PATH"] ?? "", GITHUB_TOKEN: CANARY},
  });
  const {fence, result} = JSON.parse(bot.stdout.slice(bot.stdout.indexOf('{"fence"')));
  const output: string = result.output?.head ?? JSON.stringify(result);
  const found = output.split("\n").flatMap((line) => (line.startsWith("hunt: ") ? [line.slice(6)] : []));
  const commandFiles = ["set_env_1", "set_output_1", "add_path_1"]
    .map((name) => readFileSync(at(`temp/_runner_file_commands/${name}`), "utf8"))
    .join("");
  return {isolation: fence.level, output, found: [...new Set(found)], commandFiles, printed: bot.stdout, at};
}

test.skipIf(!hasBubblewrap)(
  `in the sandbox a stage finds no secret, reaches nobody's files, and still works${NEEDS_BUBBLEWRAP}`,
  async () => {
    const {isolation, output, found, commandFiles, printed, at} = await hunt({sandbox: "auto", network: "none"});
    expect(isolation).toBe("sandbox");
    expect(found).toEqual([]);
    expect(commandFiles).toBe("");
    expect(printed.startsWith('{"fence"')).toBe(true);
    for (const line of ["own server works", "may write where it should", "tools work"]) expect(output).toContain(line);
    expect(readFileSync(at("temp/assay/checkout/written"), "utf8")).toBe("kept\n");
    expect(existsSync(at("home/.bashrc"))).toBe(false);
  },
);

test("with the network open, only that is different", async () => {
  const {found} = await hunt({sandbox: "auto", network: "all"});
  expect(found.filter((line) => line !== "has a way out")).toEqual(["reached a server of this machine"]);
});

test("without a sandbox the same hunter finds what it looks for, but other processes and the runner's command files", async () => {
  const {isolation, found, commandFiles, at} = await hunt({sandbox: "off", network: "all"});
  expect(isolation).toBe("pid-namespace");
  expect(found).toEqual(
    expect.arrayContaining([
      "secret in the home",
      "secret in the runner's folder",
      "secret in the workspace",
      "secret beside a toolchain",
      "wrote in a toolchain",
      "wrote the shell's settings",
      "wrote outside",
      "reached a server of this machine",
    ]),
  );
  expect(commandFiles).toBe("");
  expect(existsSync(at("home/.bashrc"))).toBe(true);
  expect(found.filter((line) => /environment|command (?:line|file)|root|mounted|device/.test(line))).toEqual([]);
});

test.skipIf(!hasBubblewrap)(
  `what verify.json asks for and the machine cannot do is refused, with the next action${NEEDS_BUBBLEWRAP}`,
  async () => {
    const folders = "/no/such/folder";
    const required = await fenceFor({sandbox: "required", network: "all", folders});
    expect(required.refusal).toContain('`"sandbox": "required"`');
    expect(required.refusal).toContain("apt-get install -y bubblewrap");
    const cut = await fenceFor({sandbox: "auto", network: "setup", folders});
    expect(cut.refusal).toContain('`"network": "setup"`');
    const contrary = await fenceFor({sandbox: "off", network: "none"});
    expect(contrary.refusal).toContain('the sandbox is `"off"`');
    expect(await fenceFor({sandbox: "auto", network: "all", folders})).toMatchObject({refusal: null});
    expect(await fenceFor({sandbox: "required", network: "none"})).toMatchObject({
      level: "sandbox",
      refusal: null,
    });
  },
);

test.skipIf(!hasBubblewrap)(
  `a fork's code runs in the sandbox or not at all, whatever verify.json says${NEEDS_BUBBLEWRAP}`,
  async () => {
    const open = {sandbox: "off", network: "all", isOfFork: true} as const;
    expect(await fenceFor(open)).toMatchObject({level: "sandbox", refusal: null});
    const {refusal} = await fenceFor({...open, folders: "/no/such/folder"});
    expect(refusal).toMatch(/code of a fork may only run in a sandbox, but .*apt-get install -y bubblewrap/);
  },
);

test("a bubblewrap that does not work gives its own words as the reason", async () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-bwrap-"));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  writeFileSync(join(folder, "bwrap"), "#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n");
  chmodSync(join(folder, "bwrap"), 0o755);
  const {refusal} = await fenceFor({sandbox: "required", network: "all", folders: folder});
  expect(refusal).toContain("setting up uid map: Permission denied");
});

test.skipIf(!hasBubblewrap)(
  `a sandbox that cannot be made gives the words of bubblewrap as the reason${NEEDS_BUBBLEWRAP}`,
  async () => {
    const command = {argv: ["true"], cwd: "/", env: {PATH: "/usr/bin:/bin"}} as const;
    const sandbox = {...NOTHING_WRITABLE, writable: ["/no/such/folder"]};
    const {exit} = await run(command, {timeoutMs: 100_000, isolation: "sandbox", sandbox});
    expect(exit).toMatchObject({
      kind: "not-started",
      message: expect.stringMatching(/set up: bwrap: .*\/no\/such\/folder/),
    });
  },
);

test("too little room on the disk is a sentence, enough is none", async () => {
  expect(await missingSpace(tmpdir(), 2 ** 60)).toMatch(/^only \d+ MB are free on the disk .* needs 1099511627776 MB/);
  expect(await missingSpace(tmpdir(), 1)).toBeNull();
});
