/** Commits, refs, changes and checkouts of a repository with a real server behind it. */
import {existsSync, lstatSync} from "node:fs";
import {chmod, mkdir, readFile, symlink, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {deflateSync} from "node:zlib";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {openRepository} from "../../../src/git/repository.ts";
import {openPrograms} from "../../../src/process/own-programs.ts";
import {git} from "../../rig/git.ts";
import {filesWith, makePlace, openBot, type Place, TOKEN, value, write} from "../changes/place.ts";

const odd = 'src/-rf "quoted"\nnew line ü 文.ts';

describe("a repository with a server behind it", () => {
  let place: Place;
  beforeAll(async () => {
    const files = {
      "src/a.ts": "a1\n",
      "src/b.ts": "b\n".repeat(30),
      [odd]: "odd\n",
      "run.sh": {mode: "100755", content: "#!/bin/sh\n"} as const,
      link: {mode: "120000", content: "src/a.ts"} as const,
    };
    place = await makePlace({files});
  });
  afterAll(() => place[Symbol.asyncDispose]());

  it("finds a commit by id, branch and HEAD, and reads its files", async () => {
    const {repository, base} = place;
    for (const revision of [base, "main", "refs/heads/main", "HEAD"]) {
      expect(value(await repository.fetch(revision)).commit).toBe(base);
    }
    expect(value(await repository.fetch("main")).tree).toBe((await place.origin.facts("main")).tree);
    expect(value(await repository.readText(base, "src/a.ts", {maxBytes: 100}))).toBe("a1\n");
    expect(value(await repository.readText(base, odd, {maxBytes: 100}))).toBe("odd\n");
    for (const missing of ["none.ts", "src/none.ts", "none/a.ts", "link/a.ts", "run.sh/a.ts", "src/a.ts/b.ts"]) {
      expect(value(await repository.readText(base, missing, {maxBytes: 100}))).toBeNull();
    }
    expect(await repository.readText(base, "src", {maxBytes: 100})).toMatchObject({ok: false});
    expect(await repository.readText(base, "src/b.ts", {maxBytes: 10})).toMatchObject({ok: false});
    expect(await repository.readText(base, "link", {maxBytes: 100})).toMatchObject({ok: false});
  });

  it("asks the server for refs", async () => {
    const {repository, base} = place;
    expect(value(await repository.remoteRef("refs/heads/main"))).toBe(base);
    expect(value(await repository.remoteRef("refs/heads/mai"))).toBeNull();
  });

  const shell = [
    "x$(touch${IFS}y)",
    "a;touch$IFS;b",
    "`touch`",
    "refs/heads/-upload-pack=touch",
    "a'b",
    'a"b',
    "a|b",
    "a&&b",
  ];
  it.each(shell)("asks for %j as it stands, and finds nothing", async (name) => {
    expect(value(await place.repository.remoteRef(name))).toBeNull();
    expect(await place.repository.fetch(name)).toMatchObject({ok: false, failure: {kind: "git-refused"}});
  });

  it.each(["--upload-pack=touch /tmp/x", "-x", "a..b", "main:refs/heads/x", "", "a b", "x@{1}", "main\nHEAD"])(
    "refuses to ask for %j",
    async (name) => {
      const before = place.server.requests.length;
      expect(await place.repository.fetch(name)).toMatchObject({ok: false, failure: {kind: "git-refused"}});
      expect(await place.repository.remoteRef(name)).toMatchObject({ok: false, failure: {kind: "git-refused"}});
      expect(place.server.requests.length).toBe(before);
    },
  );

  it("tells changes between commits apart", async () => {
    const {repository, base, origin} = place;
    const renamed = `${"b\n".repeat(30)}c\n`;
    const head = await origin.commit({
      branch: "work",
      from: base,
      files: {
        "src/a.ts": "a2\n",
        "src/b.ts": null,
        "lib/b.ts": renamed,
        link: "file now\n",
        "new.ts": "n\n",
        [odd]: null,
      },
    });
    value(await repository.fetch("work"));
    expect(value(await repository.changes(base, head)).sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      {path: "lib/b.ts", status: "renamed", from: "src/b.ts"},
      {path: "link", status: "type-changed"},
      {path: "new.ts", status: "added"},
      {path: odd, status: "deleted"},
      {path: "src/a.ts", status: "modified"},
    ]);
  });

  it("makes a checkout that git works in, with nothing of the bot in it", async () => {
    const {repository, base, folder, origin} = place;
    const out = join(folder, "out");
    value(await repository.checkOut({commit: base, folder: out}));
    expect(await git(out, ["status", "--porcelain"])).toBe("");
    expect(await git(out, ["rev-parse", "HEAD", "HEAD^{tree}"])).toBe(`${base}\n${(await origin.facts(base)).tree}`);
    expect(await git(out, ["log", "--format=%s"])).toBe("Change");
    expect(await git(out, ["remote"])).toBe("");
    expect(existsSync(join(out, ".git/objects/info/alternates"))).toBe(false);
    expect(lstatSync(join(out, "run.sh")).mode & 0o111).not.toBe(0);
    for (const secret of [TOKEN, repository.folder, place.url, "127.0.0.1"]) {
      expect(await filesWith(out, secret), secret).toEqual([]);
    }
    expect(value(await repository.trackedChanges({commit: base, folder: out}))).toEqual([]);
  });

  it("refuses a checkout where the content of a file is not the one that its id names", async () => {
    const folder = join(place.folder, "forged");
    await mkdir(folder);
    await git(folder, ["init", "--quiet"]);
    await writeFile(join(folder, "a.txt"), "honest\n");
    await git(folder, ["add", "--all"]);
    await git(folder, ["commit", "--quiet", "-m", "One"]);
    const id = await git(folder, ["rev-parse", "HEAD:a.txt"]);
    const object = join(folder, ".git/objects", id.slice(0, 2), id.slice(2));
    await chmod(object, 0o644);
    await writeFile(object, deflateSync("blob 7\0forged\n"));
    const source = {kind: "local", folder} as const;
    const bot = join(place.folder, "bot-of-forged");
    const repository = value(await openRepository({folder: bot, source, variables: process.env}));
    const {commit} = value(await repository.fetch("HEAD"));
    const made = await repository.checkOut({commit, folder: join(place.folder, "checkout-of-forged")});
    expect(made).toMatchObject({ok: false, failure: {kind: "git-refused"}});
  });

  it("writes the files of a commit without a repository, and names them", async () => {
    const {repository, base} = place;
    const folder = join(place.folder, "files");
    const paths = value(await repository.writeFiles({commit: base, folder}));
    expect(paths.toSorted()).toEqual([odd, "link", "run.sh", "src/a.ts", "src/b.ts"].toSorted());
    expect(await readFile(join(folder, odd), "utf8")).toBe("odd\n");
    expect(lstatSync(join(folder, "link")).isSymbolicLink()).toBe(true);
    expect(lstatSync(join(folder, "run.sh")).mode & 0o111).toBe(0o111);
    expect(existsSync(join(folder, ".git"))).toBe(false);
  });

  it("sees every change of tracked files, whatever the checkout's .git says, and puts them back", async () => {
    const {repository, base, folder} = place;
    const out = join(folder, "changed");
    value(await repository.checkOut({commit: base, folder: out}));
    await git(out, ["update-index", "--assume-unchanged", "src/a.ts"]);
    await git(out, ["update-index", "--skip-worktree", odd]);
    await write(out, {"src/a.ts": "a2\n", [odd]: "even\n", "run.sh": null, "dist/out.js": "built\n"});
    await write(out, {".git/info/exclude": "*\n"});
    await chmod(join(out, "src/b.ts"), 0o755);
    await write(out, {link: "no link any more"});
    await git(out, ["commit", "-qam", "hidden in a commit"]);
    const paths = ["link", "run.sh", odd, "src/a.ts", "src/b.ts"];
    expect(value(await repository.trackedChanges({commit: base, folder: out}))).toEqual(paths);

    value(await repository.restore({commit: base, folder: out, paths}));
    expect(value(await repository.trackedChanges({commit: base, folder: out}))).toEqual([]);
    expect(await readFile(join(out, "dist/out.js"), "utf8")).toBe("built\n");
    expect(lstatSync(join(out, "link")).isSymbolicLink()).toBe(true);
  });

  it("is not fooled by links in the way, attributes beside files, or a .git that is gone", async () => {
    const {repository, base, folder} = place;
    const out = join(folder, "fooled");
    const outside = join(folder, "outside");
    value(await repository.checkOut({commit: base, folder: out}));
    await write(outside, {"a.ts": "a1\n", "b.ts": "b\n".repeat(30), "keep.txt": "mine\n"});
    await write(out, {src: null, ".git": null, ".gitattributes": "* text eol=lf\n"});
    await symlink(outside, join(out, "src"));
    await write(out, {"run.sh": "#!/bin/sh\r\n"});
    await chmod(join(out, "run.sh"), 0o755);
    // run.sh is equal for git now, because of the attributes
    const paths = [".gitattributes", odd, "src/a.ts", "src/b.ts"];
    expect(value(await repository.trackedChanges({commit: base, folder: out}))).toEqual(paths);

    value(await repository.restore({commit: base, folder: out, paths}));
    expect(value(await repository.trackedChanges({commit: base, folder: out}))).toEqual([]);
    expect(await readFile(join(out, "run.sh"), "utf8")).toBe("#!/bin/sh\n");
    expect(await readFile(join(outside, "keep.txt"), "utf8")).toBe("mine\n");
    expect(await readFile(join(outside, "a.ts"), "utf8")).toBe("a1\n");
    expect(existsSync(join(outside, "b.ts"))).toBe(true);
  });

  it.each(["../outside/a", "/etc/hosts", ".git/config", "a//b"])("never restores %s", async (path) => {
    const o = {commit: place.base, folder: join(place.folder, "out"), paths: [path]};
    expect(await place.repository.restore(o)).toMatchObject({ok: false});
  });

  it("opens only safe addresses", async () => {
    for (const url of [
      "ext::sh -c id",
      "http://example.com/a.git",
      "ssh://git@example.com/a",
      "git://h/a",
      "file:///x",
    ]) {
      const opened = await openBot({folder: join(place.folder, "other"), url, token: TOKEN});
      expect(opened, url).toMatchObject({ok: false, failure: {kind: "git-refused"}});
    }
    const withUser = await openBot({folder: join(place.folder, "other"), url: "https://u:p@example.com/a", token: ""});
    expect(withUser).toMatchObject({ok: false});
  });

  it("says no without the token's text when the server does", async () => {
    const wrong = "ghs_wrongToken";
    const other = value(await openBot({folder: join(place.folder, "wrong"), url: place.url, token: wrong}));
    const fetched = await other.fetch("main");
    expect(fetched).toMatchObject({ok: false, failure: {kind: "git-refused"}});
    const encoded = Buffer.from(`x-access-token:${wrong}`).toString("base64");
    expect(JSON.stringify(fetched)).not.toContain(wrong);
    expect(JSON.stringify(fetched)).not.toContain(encoded);
  });

  it("keeps the token off the disk and out of every command line", async () => {
    expect(await filesWith(place.repository.folder, TOKEN)).toEqual([]);
    const seen = join(place.folder, "seen.txt");
    const bin = join(place.folder, "bin");
    await mkdir(bin, {recursive: true});
    const path = process.env["PATH"] ?? "";
    const real = path
      .split(":")
      .map((at) => join(at, "git"))
      .find((at) => existsSync(at));
    await writeFile(join(bin, "git"), `#!/bin/sh\nprintf '%s\\n' "$*" >> '${seen}'\nexec '${real}' "$@"\n`);
    await chmod(join(bin, "git"), 0o755);
    const source = {kind: "remote", url: place.url, token: TOKEN} as const;
    const variables = {GITHUB_TOKEN: TOKEN};
    const programs = openPrograms({first: bin});
    const watched = value(await openRepository({folder: join(place.folder, "watched"), source, variables, programs}));
    value(await watched.fetch("main"));
    const commandLines = await readFile(seen, "utf8");
    expect(commandLines).toContain("fetch");
    expect(commandLines).not.toContain(TOKEN);
    expect(commandLines).not.toContain(Buffer.from(`x-access-token:${TOKEN}`).toString("base64"));
  });
});
