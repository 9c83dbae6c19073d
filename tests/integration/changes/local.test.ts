/** A developer's own repository, read where it is and left as it was. */
import {existsSync} from "node:fs";
import {mkdir, mkdtemp, readFile, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterEach, beforeEach, describe, expect, it} from "vitest";
import {makeCandidate} from "../../../src/changes/candidate.ts";
import {openRepository} from "../../../src/git/repository.ts";
import {git} from "../../rig/git.ts";
import {value, write} from "./place.ts";

describe("a developer's own repository", () => {
  let root: string;
  let folder: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "assay-local-"));
    folder = join(root, "dev ü");
    await mkdir(folder);
    await git(folder, ["init", "-q", "-b", "main"]);
    await write(folder, {"a.ts": "a\n", "sub/b.ts": "b\n"});
  });
  afterEach(() => rm(root, {recursive: true, force: true}));
  const commitAll = async (at = folder) => {
    await git(at, ["add", "."]);
    await git(at, ["commit", "-qm", "all"]);
    return git(at, ["rev-parse", "HEAD"]);
  };
  const open = (at = folder) =>
    openRepository({
      folder: join(root, "bot"),
      source: {kind: "local", folder: at},
      variables: {PATH: process.env["PATH"]},
    });

  it("is read without a copy, and without a trace in it", async () => {
    const head = await commitAll();
    await write(folder, {"a.ts": "a2\n", "new.ts": "n\n"});
    await git(folder, ["add", "a.ts"]);
    const index = await readFile(join(folder, ".git/index"));
    const repository = value(await open());
    expect(value(await repository.fetch("HEAD")).commit).toBe(head);
    expect(value(await repository.fetch("main")).commit).toBe(head);
    const {candidate, changes} = value(await makeCandidate({repository, folder, base: head}));
    expect(changes.map(({path}) => path)).toEqual(["a.ts", "new.ts"]);
    const out = join(root, "out");
    value(await repository.checkOut({commit: candidate.commit, folder: out}));
    expect(await readFile(join(out, "a.ts"), "utf8")).toBe("a2\n");
    expect(existsSync(join(out, ".git/objects/info/alternates"))).toBe(false);
    expect((await readFile(join(folder, ".git/index"))).equals(index)).toBe(true);
    expect(await git(folder, ["for-each-ref", "--format=%(refname)"])).toBe("refs/heads/main");
    await expect(git(folder, ["cat-file", "-e", candidate.commit])).rejects.toThrow();
  });

  it("works without a commit, in a subfolder, a work tree and a shallow clone", async () => {
    const unborn = value(await open());
    const none = value(await unborn.fetch("HEAD"));
    const {changes} = value(await makeCandidate({repository: unborn, folder, base: none.commit}));
    expect(changes.map(({path}) => path)).toEqual(["a.ts", "sub/b.ts"]);
    await rm(join(root, "bot"), {recursive: true});

    await commitAll();
    await write(folder, {"a.ts": "a2\n"});
    const head = await commitAll();
    await git(folder, ["worktree", "add", "-q", join(root, "tree"), "HEAD"]);
    await git(root, ["clone", "-q", "--depth=1", `file://${folder}`, join(root, "shallow")]);
    for (const at of [join(folder, "sub"), join(root, "tree"), join(root, "shallow")]) {
      const repository = value(await open(at));
      expect(value(await repository.fetch("HEAD")).commit).toBe(head);
      const top = at.endsWith("sub") ? folder : at;
      await write(top, {"new.ts": `${at}\n`});
      const {candidate} = value(await makeCandidate({repository, folder: top, base: head}));
      const out = join(root, "out", at);
      value(await repository.checkOut({commit: candidate.commit, folder: out}));
      expect(await readFile(join(out, "new.ts"), "utf8")).toBe(`${at}\n`);
      await rm(join(root, "bot"), {recursive: true});
    }
  });

  it("refuses a folder without a repository, and a revision that is none", async () => {
    const nowhere = join(root, "nowhere");
    await mkdir(nowhere);
    expect(await open(nowhere)).toMatchObject({ok: false, failure: {kind: "git-refused"}});
    await commitAll();
    const repository = value(await open());
    for (const revision of ["nope", "--all", "HEAD~5"]) {
      expect(await repository.fetch(revision)).toMatchObject({ok: false, failure: {kind: "git-refused"}});
    }
    // For a run without a server, the clone is the remote.
    expect(value(await repository.remoteRef("refs/heads/main"))).toBe(value(await repository.fetch("HEAD")).commit);
    expect(value(await repository.remoteRef("refs/heads/nope"))).toBeNull();
  });
});
