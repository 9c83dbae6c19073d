/** How a call of git ends: its exit code, its time, a program that is not there. */
import {chmod, mkdir, mkdtemp, readFile, rm, writeFile} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterEach, beforeEach, describe, expect, it} from "vitest";
import {hardenedGit} from "../../../src/git/git.ts";
import {NOWHERE, openPrograms} from "../../../src/process/own-programs.ts";
import {refused} from "../../../src/record/words.ts";

const TOKEN = "ghs_canary/Token+1";

describe("hardenedGit", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "assay-git-"));
    await mkdir(join(folder, "bin"));
  });
  afterEach(() => rm(folder, {recursive: true, force: true}));

  /** A program in git's place that ends as told. */
  async function pretend(script: string) {
    const file = join(folder, "bin", "git");
    await writeFile(file, `#!/bin/sh\n${script}\n`);
    await chmod(file, 0o755);
    const variables = {GITHUB_TOKEN: TOKEN, HOME: folder};
    const programs = openPrograms({first: join(folder, "bin")});
    return hardenedGit({folder, variables, programs, remote: {url: "https://example.com/a/b.git", token: TOKEN}});
  }

  it.each([
    ["a silent exit code", "echo half; exit 3", 3],
    ["an exit code with words", "echo half; echo no >&2; exit 1", 1],
    ["a signal", "echo half; kill -9 $$", null],
    ["a signal, with words", "echo half; echo no >&2; kill -TERM $$", null],
  ])("takes %s for no success", async (_, script, code) => {
    expect(await (await pretend(script))(["status"])).toMatchObject({ok: false, failure: {code, stdout: "half\n"}});
  });

  it("takes a program that is not there, and a folder that is gone, for no success", async () => {
    const none = {path: "", find: () => refused("git is not installed on this machine")};
    const nothing = hardenedGit({folder, variables: {}, programs: {...openPrograms({}), ...none}});
    const message = "git status: git is not installed on this machine";
    expect(await nothing(["status"])).toMatchObject({ok: false, failure: {code: null, message}});
    const git = await pretend("echo fine");
    expect(await git(["status"], {cwd: join(folder, "gone")})).toMatchObject({ok: false, failure: {code: null}});
  });

  it.each([
    ["silent", "exec sleep 60"],
    ["chatty", "while :; do echo x; sleep 0.05; done"],
  ])("stops a %s git at its time limit", async (_, script) => {
    const started = performance.now();
    const ended = await (await pretend(script))(["status"], {timeoutMs: 300});
    expect(ended).toMatchObject({ok: false, failure: {code: null}});
    expect(performance.now() - started).toBeLessThan(30_000);
  });

  it("does not wait for one that ignores the signal", async () => {
    const started = performance.now();
    const ended = await (await pretend("trap '' INT TERM; sleep 60"))(["status"], {timeoutMs: 100});
    expect(ended).toMatchObject({ok: false, failure: {code: null}});
    expect(performance.now() - started).toBeLessThan(30_000);
  }, 60_000);

  it("keeps the end of a failed call's output, however long one word of it is", async () => {
    const ended = await (await pretend("head -c 20000000 /dev/zero | tr '\\0' x; echo end; exit 1"))(["status"]);
    expect(ended).toMatchObject({ok: false, failure: {code: 1, stdout: expect.stringMatching(/^x{1996}end\n$/)}});
  });

  it("refuses what cannot be an argument", async () => {
    const ended = await (await pretend("echo fine"))(["status", "a\0b"]);
    expect(ended).toMatchObject({ok: false, failure: {code: null}});
  });

  it("goes by the exit code of one that ends before it has read its input", async () => {
    const input = "x".repeat(10_000_000);
    expect(await (await pretend("echo fine"))(["status"], {input})).toEqual({ok: true, value: "fine\n"});
    expect(await (await pretend("exit 4"))(["status"], {input})).toMatchObject({ok: false, failure: {code: 4}});
  });

  it("gives a large output whole", async () => {
    const ended = await (await pretend("head -c 30000000 /dev/zero | tr '\\0' x"))(["status"]);
    expect(ended.ok && ended.value.length).toBe(30_000_000);
  });

  it("reads on after its exit, while a helper of it still writes", async () => {
    const ended = await (await pretend("(sleep 0.4; echo late) & echo early"))(["status"]);
    expect(ended).toEqual({ok: true, value: "early\nlate\n"});
  });

  it("shows the token in no refusal, in none of its forms", async () => {
    const basic = Buffer.from(`x-access-token:${TOKEN}`).toString("base64");
    const url = `https://x-access-token:${encodeURIComponent(TOKEN)}@example.com/a`;
    const git = await pretend(`printf '%s\\n' '${TOKEN}' '${basic}' '${url}' >&2; echo '${TOKEN}'; exit 1`);
    const said = JSON.stringify(await git(["fetch"]));
    for (const secret of [TOKEN, basic, encodeURIComponent(TOKEN)]) expect(said).not.toContain(secret);
    expect(said).toContain("***");
  });

  it("hands on an allow-list of variables, and the token only where it is asked for", async () => {
    const file = join(folder, "env.txt");
    const git = await pretend(`env > '${file}'`);
    await git(["status"]);
    const plain = await readFile(file, "utf8");
    const names = plain.split("\n").map((line) => line.split("=")[0] ?? "");
    expect(`\n${plain}`).toContain(`\nHOME=${NOWHERE}\n`);
    const expected = /^(?:PATH|HOME|LANG|LC_ALL|PWD|OLDPWD|SHLVL|_|GIT_\w+|)$/;
    expect(names.filter((name) => !expected.test(name))).toEqual([]);
    const basic = Buffer.from(`x-access-token:${TOKEN}`).toString("base64");
    expect([plain.includes(TOKEN), plain.includes(basic)]).toEqual([false, false]);
    await git(["fetch"], {authorised: true});
    expect(await readFile(file, "utf8")).toContain(`AUTHORIZATION: basic ${basic}`);
  });
});
