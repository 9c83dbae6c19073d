/** The candidate's tree is what lies in the folder, whatever the folder's own git says. */
import {createHash} from "node:crypto";
import {chmod, mkdir, rename, symlink, truncate, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {afterAll, beforeAll, beforeEach, describe, expect, it} from "vitest";
import {lastCandidate, makeCandidate, snapshotLeftovers} from "../../../src/changes/candidate.ts";
import {git} from "../../rig/git.ts";
import {makePlace, type Place, value, write} from "./place.ts";

const files = {
  "src/a.ts": "a1\n",
  "src/b.ts": "b\n".repeat(30),
  "src/c.ts": "c\n",
  "run.sh": "#!/bin/sh\n",
  ".gitignore": "dist/\n*.log\n",
  "docs/x.md": "x\n",
};

describe("a candidate", () => {
  let place: Place;
  let folder: string;
  let count = 0;
  beforeAll(async () => {
    place = await makePlace({files});
  });
  afterAll(() => place[Symbol.asyncDispose]());
  beforeEach(async () => {
    folder = join(place.folder, `work-${count++}`);
    value(await place.repository.checkOut({commit: place.base, folder}));
  });
  const make = (leftovers?: string) =>
    makeCandidate({repository: place.repository, folder, base: place.base, ...(leftovers && {leftovers})});
  const pathsOf = async (tree: string) => {
    const listed = await git(place.repository.folder, ["ls-tree", "-r", "-z", "--name-only", tree]);
    return listed.split("\0").filter(Boolean);
  };
  const refusal = async () => {
    const made = await make();
    if (made.ok || made.failure.kind !== "candidate-refused") throw new Error(`not refused: ${JSON.stringify(made)}`);
    return made.failure.problems;
  };

  it("is the base's tree, with no change, when the agent left nothing", async () => {
    const {candidate, changes} = value(await make());
    expect(changes).toEqual([]);
    expect(candidate.tree).toBe((await place.origin.facts(place.base)).tree);
    expect(candidate.base).toBe(place.base);
  });

  it("holds what was committed, staged, left untracked, deleted, renamed, made executable or oddly named", async () => {
    const names = [
      "-rf",
      'quo"te\\s',
      "line\nbreak.ts",
      "ünï 文 😀.ts",
      " space ",
      "tab\there",
      ":(top)magic",
      "$(touch x)",
    ];
    await write(folder, {"src/a.ts": "committed\n"});
    await git(folder, ["commit", "-qam", "by the agent itself"]);
    await write(folder, {"staged.ts": "s\n", "src/c.ts": null});
    await git(folder, ["add", "staged.ts"]);
    await write(folder, Object.fromEntries(names.map((name) => [name, `${name}\n`])));
    await write(folder, {"dist/out.js": "ignored\n", "npm.log": "ignored\n"});
    await mkdir(join(folder, "lib"));
    await rename(join(folder, "src/b.ts"), join(folder, "lib/b.ts"));
    await chmod(join(folder, "run.sh"), 0o755);
    await symlink("../src/a.ts", join(folder, "lib/link"));
    const {candidate, changes} = value(await make());
    const expected = [
      ...names.map((path) => ({path, status: "added"})),
      {path: "lib/b.ts", status: "renamed", from: "src/b.ts"},
      {path: "lib/link", status: "added"},
      {path: "run.sh", status: "modified"},
      {path: "src/a.ts", status: "modified"},
      {path: "src/c.ts", status: "deleted"},
      {path: "staged.ts", status: "added"},
    ];
    const byPath = (a: {path: string}, b: {path: string}) => (a.path < b.path ? -1 : 1);
    expect([...changes].sort(byPath)).toEqual(expected.sort(byPath));
    expect(await git(place.repository.folder, ["rev-parse", `${candidate.commit}^`])).toBe(place.base);
    const [author] = (await git(place.repository.folder, ["log", "-1", "--format=%an <%ae>", candidate.commit])).split(
      "\n",
    );
    expect(author).toBe("assay[bot] <assay[bot]@users.noreply.github.com>");

    const again = join(place.folder, "checked-out");
    value(await place.repository.checkOut({commit: candidate.commit, folder: again}));
    expect(value(await place.repository.trackedChanges({commit: candidate.commit, folder: again}))).toEqual([]);
  });

  it("takes no more of a file's mode than whether it is executable, and names of devices as any other", async () => {
    await write(folder, {"su.sh": "#!/bin/sh\n", "con.js": "1\n", "src/aux": "2\n", "secret.txt": "3\n"});
    await chmod(join(folder, "su.sh"), 0o6755);
    await chmod(join(folder, "secret.txt"), 0o600);
    const {candidate} = value(await make());
    const listed = await git(place.repository.folder, ["ls-tree", "-r", candidate.tree]);
    const modes = Object.fromEntries(
      listed
        .trim()
        .split("\n")
        .map((line) => [line.split("\t")[1], line.slice(0, 6)]),
    );
    expect(modes).toMatchObject({"su.sh": "100755", "con.js": "100644", "src/aux": "100644", "secret.txt": "100644"});
  });

  it("sees through flags, excludes and branches of the folder's own .git", async () => {
    await git(folder, ["update-index", "--assume-unchanged", "src/a.ts"]);
    await git(folder, ["update-index", "--skip-worktree", "src/b.ts"]);
    await write(folder, {".git/info/exclude": "*\n", "src/a.ts": "a2\n", "src/b.ts": "b2\n", "new.ts": "n\n"});
    await git(folder, ["config", "core.fileMode", "false"]);
    await chmod(join(folder, "run.sh"), 0o755);
    await git(folder, ["checkout", "-q", "--orphan", "elsewhere"]);
    const {changes} = value(await make());
    expect(changes.map(({path}) => path).sort()).toEqual(["new.ts", "run.sh", "src/a.ts", "src/b.ts"]);
  });

  it("is the same without any .git in the folder, and with an index that is locked", async () => {
    await write(folder, {"src/a.ts": "a2\n", ".git/index.lock": ""});
    const locked = value(await make()).candidate.tree;
    await write(folder, {".git": null});
    expect(value(await make()).candidate.tree).toBe(locked);
  });

  it("takes a file for a folder and a folder for a file", async () => {
    await write(folder, {src: "a file now\n", "run.sh": null, "run.sh/inner.ts": "i\n"});
    const {candidate} = value(await make());
    expect(await pathsOf(candidate.tree)).toEqual([".gitignore", "docs/x.md", "run.sh/inner.ts", "src"]);
  });

  it("leaves out what was there before the agent, unless the agent changed it", async () => {
    const {repository, base} = place;
    await write(folder, {
      "left.txt": "before\n",
      "touched.txt": "before\n",
      "src/a.ts": "smudged\n",
      "gone.txt": "b\n",
    });
    const leftovers = value(await snapshotLeftovers({repository, folder, base}));
    expect(value(await make(leftovers)).changes).toEqual([]);
    await write(folder, {"touched.txt": "after\n", "src/c.ts": "c2\n", "mine.txt": "m\n", "gone.txt": null});
    const {changes} = value(await make(leftovers));
    expect(changes).toEqual([
      {path: "mine.txt", status: "added"},
      {path: "src/c.ts", status: "modified"},
      {path: "touched.txt", status: "added"},
    ]);
    expect(value(await make()).changes.map(({path}) => path)).toContain("left.txt");
  });

  it("of a sparse checkout has the base's other files; one that the agent writes there is a change", async () => {
    await git(folder, ["sparse-checkout", "set", "--cone", "src"]);
    const leftovers = value(await snapshotLeftovers({repository: place.repository, folder, base: place.base}));
    await write(folder, {"src/a.ts": "a2\n"});
    const inside = value(await make(leftovers));
    expect(inside.changes).toEqual([{path: "src/a.ts", status: "modified"}]);
    expect(await pathsOf(inside.candidate.tree)).toEqual(Object.keys(files).sort());
    await write(folder, {"docs/x.md": "x2\n"});
    expect(value(await make(leftovers)).changes).toContainEqual({path: "docs/x.md", status: "modified"});
    await git(folder, ["sparse-checkout", "disable"]);
    await write(folder, {"src/a.ts": "a1\n", "docs/x.md": "x\n"});
    expect(value(await make(leftovers)).changes).toEqual([]);
  });

  it("takes LFS content for its pointer, and refuses changed content and what is to be encrypted", async () => {
    const content = "content\n".repeat(500);
    const oid = createHash("sha256").update(content).digest("hex");
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${content.length}\n`;
    const attributes = "*.bin filter=lfs -text\n*.key filter=git-crypt\n";
    await using kept = await makePlace({
      files: {".gitattributes": attributes, "a.bin": pointer, "a.key": "\0GITCRYPT\0x"},
    });
    const {repository, base} = kept;
    const at = join(kept.folder, "lfs");
    value(await repository.checkOut({commit: base, folder: at}));
    await write(at, {"a.bin": content, "a.key": "plain\n"});
    const leftovers = value(await snapshotLeftovers({repository, folder: at, base}));
    const candidate = (options: {leaveOut?: boolean} = {}) =>
      makeCandidate({repository, folder: at, base, leftovers, ...options});
    await write(at, {"new.ts": "n\n", "copy.bin": content});
    const taken = value(await candidate());
    expect(taken.changes.map(({path}) => path)).toEqual(["copy.bin", "new.ts"]);
    expect(await git(repository.folder, ["show", `${taken.candidate.commit}:copy.bin`])).toBe(pointer.trim());
    expect(await git(repository.folder, ["show", `${taken.candidate.commit}:a.key`])).toContain("GITCRYPT");

    await write(at, {"a.bin": `${content}more\n`, "b.key": "secret\n"});
    const problems = ["b.key: the filter `git-crypt` encrypts it", "a.bin: Git LFS stores its content"];
    expect(await candidate()).toMatchObject({
      failure: {kind: "candidate-refused", problems: problems.map((text) => expect.stringContaining(text))},
    });
    const rest = value(await candidate({leaveOut: true}));
    expect(rest.changes.map(({path}) => path)).toEqual(["copy.bin", "new.ts"]);
  });

  it("stays on a ref of its own, and the last one is found again", async () => {
    await write(folder, {"src/a.ts": "one\n"});
    const first = value(await make()).candidate;
    await write(folder, {"src/a.ts": "two\n"});
    const second = value(await make()).candidate;
    const refs = await git(place.repository.folder, [
      "for-each-ref",
      "--format=%(objectname)",
      "refs/assay/candidates",
    ]);
    expect(refs.split("\n")).toEqual(expect.arrayContaining([first.commit, second.commit]));
    expect(value(await lastCandidate(place.repository))).toEqual(second);
  });

  it("refuses nested repositories, whichever way they come, and names them all", async () => {
    await mkdir(join(folder, "vendor/lib"), {recursive: true});
    await mkdir(join(folder, "empty"));
    await git(join(folder, "vendor/lib"), ["init", "-q"]);
    await write(folder, {"vendor/lib/x.ts": "x\n"});
    await git(join(folder, "vendor/lib"), ["add", "."]);
    await git(join(folder, "vendor/lib"), ["commit", "-qm", "nested"]);
    await git(join(folder, "empty"), ["init", "-q"]);
    await git(folder, ["add", "vendor/lib"]);
    const problems = await refusal();
    expect(problems).toHaveLength(2);
    expect(problems.join()).toContain("vendor/lib: it is a git repository of its own");
    expect(problems.join()).toContain("empty: it is a git repository of its own");
  });

  it("refuses links that lead out, names that git keeps, and colliding names, all in one answer", async () => {
    await symlink("/etc/passwd", join(folder, "absolute"));
    await symlink("../../outside", join(folder, "src/out"));
    await symlink("../a/../..", join(folder, "src/winding"));
    await symlink("../docs", join(folder, "src/fine"));
    await write(folder, {"src/A.ts": "collides\n"});
    const problems = await refusal();
    expect(problems.sort()).toEqual([
      "absolute: it links to the absolute path /etc/passwd",
      "src/A.ts and src/a.ts: the names differ only in upper and lower case",
      "src/out: it links out of the repository (../../outside)",
      "src/winding: it links out of the repository (../a/../..)",
    ]);
  });

  it.each([".GIT/config", "src/.git /hooks/x", "git~1/x", "a/.g\u200cit/config"])(
    "refuses the name %j",
    async (name) => {
      await write(folder, {[name]: "x\n"});
      expect((await refusal()).join()).toContain(name.split("/")[0]);
    },
  );

  it("refuses a file over 100 MB before it reads it", async () => {
    await writeFile(join(folder, "core.dump"), "");
    await truncate(join(folder, "core.dump"), 101 * 1024 * 1024);
    expect(await refusal()).toEqual(["core.dump: it is larger than 100 MB"]);
  });

  it("refuses a name that is not UTF-8", async () => {
    await writeFile(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x62, 0xff, 0x61])]), "x");
    expect((await refusal()).join()).toContain("not valid UTF-8");
  });

  it("keeps the base's submodules as they are, and refuses what replaces one", async () => {
    const {repository, origin, base} = place;
    const id = "1".repeat(40);
    await git(origin.folder, ["read-tree", base]);
    await git(origin.folder, ["update-index", "--add", "--cacheinfo", `160000,${id},sub`]);
    const tree = await git(origin.folder, ["write-tree"]);
    const withSub = await git(origin.folder, ["commit-tree", "-p", base, "-m", "sub", tree]);
    await origin.setRef("refs/heads/sub", withSub);
    value(await repository.fetch("sub"));
    const at = {repository, folder: join(place.folder, "with-sub"), base: withSub};
    value(await repository.checkOut({commit: withSub, folder: at.folder}));
    expect(value(await makeCandidate(at)).candidate.tree).toBe(tree);
    await git(join(at.folder, "sub"), ["init", "-q"]);
    await write(at.folder, {"sub/x": "x\n", "src/a.ts": "a2\n"});
    expect(value(await makeCandidate(at)).changes).toEqual([{path: "src/a.ts", status: "modified"}]);
    expect(value(await repository.trackedChanges({commit: withSub, folder: at.folder}))).toEqual(["src/a.ts"]);
    await write(at.folder, {"sub/.git": null});
    expect(await makeCandidate(at)).toMatchObject({failure: {problems: ["sub: it replaces a submodule"]}});
  });
});
