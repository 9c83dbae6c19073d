/** The agent's folder is at the base, with nothing of the bot's credentials in it. */
import {existsSync} from "node:fs";
import {mkdir, readFile} from "node:fs/promises";
import {join} from "node:path";
import {afterAll, beforeAll, beforeEach, describe, expect, it} from "vitest";
import {prepareWorkspace} from "../../../src/agent/workspace.ts";
import {git} from "../../rig/git.ts";
import {filesWith, makePlace, type Place, TOKEN, value, write} from "../changes/place.ts";

describe("prepareWorkspace", () => {
  let place: Place;
  let folder: string;
  let head: string;
  let count = 0;
  beforeAll(async () => {
    place = await makePlace({files: {"a.ts": "a\n", "old/gone.ts": "g\n"}});
    head = await place.origin.commit({
      branch: "pr",
      from: place.base,
      files: {"a.ts": "a2\n", "old/gone.ts": null, "n.ts": "n\n"},
    });
    value(await place.repository.fetch(head));
  });
  afterAll(() => place[Symbol.asyncDispose]());
  beforeEach(async () => {
    folder = join(place.folder, `workspace-${count++}`);
  });
  const prepare = async (base: string) => value(await prepareWorkspace({folder, repository: place.repository, base}));
  const clone = async () => {
    await git(place.folder, ["clone", "-q", place.origin.folder, folder]);
    await git(folder, ["config", "remote.origin.url", place.server.remote("ada/shop", TOKEN)]);
  };

  it("makes a checkout where there is none, and keeps what lies there", async () => {
    await mkdir(folder);
    await write(folder, {"mine.txt": "m\n", "a.ts": "in the way\n"});
    await prepare(head);
    expect(await git(folder, ["rev-parse", "HEAD"])).toBe(head);
    expect(await git(folder, ["status", "--porcelain"])).toBe("?? mine.txt");
    expect(await filesWith(folder, TOKEN)).toEqual([]);
  });

  it("moves a checkout to the base, removing what only the former commit had", async () => {
    await clone();
    await write(folder, {"a.ts": "dirty\n", "untracked.txt": "u\n"});
    await prepare(head);
    expect(await git(folder, ["rev-parse", "HEAD"])).toBe(head);
    expect(await git(folder, ["status", "--porcelain"])).toBe("?? untracked.txt");
    expect(existsSync(join(folder, "old/gone.ts"))).toBe(false);
    expect(await git(folder, ["rev-parse", "main"])).toBe(place.base);
  });

  it("leaves a checkout alone that is at the base, but for the credentials", async () => {
    await clone();
    await write(folder, {"a.ts": "prepared by an earlier step\n"});
    await prepare(place.base);
    expect(await readFile(join(folder, "a.ts"), "utf8")).toBe("prepared by an earlier step\n");
  });

  it("is not fooled by a repository further up", async () => {
    await clone();
    const outer = folder;
    folder = join(outer, "inner");
    await prepare(head);
    expect(await git(folder, ["rev-parse", "--show-toplevel"])).toBe(folder);
    expect(await git(outer, ["rev-parse", "HEAD"])).toBe(place.base);
  });

  it("takes every credential out, wherever a checkout left it", async () => {
    await clone();
    const encoded = Buffer.from(`x-access-token:${TOKEN}`).toString("base64");
    const temp = join(place.folder, `temp-${count}`);
    const included = join(temp, "git-credentials-1b9d.config");
    const header = `[http "https://github.com/"]\n\textraheader = AUTHORIZATION: basic ${encoded}\n`;
    await write(temp, {"git-credentials-1b9d.config": header, "own.config": "[alias]\n\tst = status\n"});
    await write(folder, {".git/modules/lib/config": header, ".git/modules/lib/HEAD": "ref: refs/heads/main\n"});
    const settings = {
      "http.https://github.com/.extraheader": `AUTHORIZATION: basic ${encoded}`,
      "http.extraHeader": `AUTHORIZATION: basic ${encoded}`,
      "credential.helper": `store --file=${TOKEN}`,
      "credential.https://github.com.username": TOKEN,
      [`includeIf.gitdir:${folder}/.git.path`]: included,
      "include.path": join(temp, "own.config"),
      [`url.https://x:${TOKEN}@github.com/.insteadOf`]: "https://github.com/",
      "core.sshCommand": `ssh -i /keys/${TOKEN}`,
      "remote.fork.pushurl": `https://x-access-token:${TOKEN}@github.com/a/b.git`,
      "core.autocrlf": "input",
      // hooks since git 2.54; an older git only keeps the words
      "hook.Planted.command": "/bin/false",
      "hook.Planted.event": "reference-transaction",
    };
    for (const [key, content] of Object.entries(settings)) await git(folder, ["config", "--add", key, content]);
    await prepare(place.base);
    for (const secret of [TOKEN, encoded]) {
      expect(await filesWith(folder, secret)).toEqual([]);
      expect(await filesWith(temp, secret)).toEqual([]);
    }
    const remaining = await readFile(join(folder, ".git/config"), "utf8");
    expect(remaining).not.toMatch(/Planted|extraheader|credential|include|insteadof|sshcommand/i);
    expect(await git(folder, ["config", "remote.fork.pushurl"])).toBe("https://github.com/a/b.git");
    expect(await git(folder, ["config", "core.autocrlf"])).toBe("input");
    expect(await readFile(join(temp, "own.config"), "utf8")).toContain("status");
    await prepare(place.base);
    expect(await readFile(join(folder, ".git/config"), "utf8")).toBe(remaining);
  });

  it("refuses a folder whose settings cannot be read: the token could still be in them", async () => {
    await clone();
    await write(folder, {".git/config.worktree": `[http\nextraheader = ${TOKEN}\n`});
    const prepared = await prepareWorkspace({folder, repository: place.repository, base: place.base});
    expect(prepared).toMatchObject({ok: false, failure: {kind: "git-refused"}});
    expect(JSON.stringify(prepared)).not.toContain(TOKEN);
  });
});
