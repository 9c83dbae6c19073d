/** `assay verify` in repositories that are damaged, sparse, partial or in the middle of something. */
import {execFileSync} from "node:child_process";
import {appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {describe, expect, onTestFinished, test} from "vitest";
import {assay, gitIn, put, repositoryOf} from "../rig/command-line.ts";
import {isSweep} from "../sweep.ts";

const FIRST_BRANCH = "main";
/** Fails where the tree has not all its files. */
const CHECK = "cat src/s.txt lib/b.txt docs/a.txt && test ! -e src/no.txt";
const FILES = {
  "verify.json": JSON.stringify({stages: [{name: "files", command: CHECK}], setup: false, skipPatterns: []}),
  "src/s.txt": "s\n",
  "lib/b.txt": "b\n",
  "docs/a.txt": "a\n",
};

function remove(folder: string): string {
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  return folder;
}
const repository = (files: Record<string, string> = FILES) => remove(repositoryOf(files));
const verify = (folder: string, ...args: string[]) => assay(folder, ["verify", "--json", ...args]);
const changesOf = (ended: ReturnType<typeof verify>) =>
  ended.record?.attempts[0]?.changes.map(({path, status}) => `${status} ${path}`);
const notesOf = (ended: ReturnType<typeof verify>) =>
  (ended.record?.notes ?? []).map((note) => `${note.about}: ${note.text}`);

test("a repository of SHA-256 ids is refused in plain words", () => {
  const folder = remove(mkdtempSync(join(tmpdir(), "assay-sha256-")));
  gitIn(folder)("init", "-q", "--object-format=sha256");
  put(folder, FILES);
  gitIn(folder)("add", "-A");
  gitIn(folder)("commit", "-qm", "First commit");
  const {status, stderr} = verify(folder);
  expect({status, stderr}).toEqual({status: 2, stderr: expect.stringContaining("uses `sha256` ids")});
});

describe("a HEAD that cannot be read is not an unborn one", () => {
  const commitFile = (folder: string) => {
    const id = gitIn(folder)("rev-parse", "HEAD");
    return join(folder, ".git/objects", id.slice(0, 2), id.slice(2));
  };
  const damages: Record<string, (folder: string) => void> = {
    "an empty commit object": (folder) => {
      chmodSync(commitFile(folder), 0o644);
      truncateSync(commitFile(folder));
    },
    "a missing commit object": (folder) => rmSync(commitFile(folder)),
    "a damaged branch": (folder) => writeFileSync(join(folder, `.git/refs/heads/${FIRST_BRANCH}`), "garbage\n"),
    "an empty branch file": (folder) => writeFileSync(join(folder, `.git/refs/heads/${FIRST_BRANCH}`), ""),
    "a lost branch file": (folder) => rmSync(join(folder, `.git/refs/heads/${FIRST_BRANCH}`)),
    "damaged packed refs": (folder) => {
      gitIn(folder)("pack-refs", "--all");
      writeFileSync(join(folder, ".git/packed-refs"), "garbage\n");
    },
    "lost packed refs": (folder) => {
      gitIn(folder)("pack-refs", "--all");
      rmSync(join(folder, ".git/packed-refs"));
    },
    "a detached HEAD without its commit": (folder) => {
      gitIn(folder)("checkout", "-q", "--detach");
      rmSync(commitFile(folder));
    },
    "a damaged HEAD": (folder) => writeFileSync(join(folder, ".git/HEAD"), "garbage\n"),
  };
  const few = ["a missing commit object"];
  const tried = Object.entries(damages).filter(([name]) => isSweep || few.includes(name));
  test.each(tried)("%s", (_, damage) => {
    const folder = repository();
    put(folder, {"verify.json": '{"stages": [{"name": "mine", "command": "true"}]}'});
    damage(folder);
    const ended = verify(folder);
    expect(ended).toMatchObject({status: 2, stdout: "", left: []});
    expect(ended.stderr).toMatch(/cannot be read[\s\S]*git fsck/);
    const doctor = assay(folder, ["doctor"]);
    expect(doctor.status).toBe(2);
    expect(doctor.stdout).toMatch(/❌ repository: .*\n(?: {3}.*\n)* {3}→ run `git fsck`/);
  });

  if (isSweep)
    test("a lost tree, and a damaged repository inside another one", () => {
      const folder = repository();
      const tree = gitIn(folder)("rev-parse", "HEAD^{tree}");
      rmSync(join(folder, ".git/objects", tree.slice(0, 2), tree.slice(2)));
      expect(verify(folder)).toMatchObject({status: 2, stdout: ""});
      expect(assay(folder, ["doctor"]).stdout).toContain("❌ repository: ");

      const outer = repository();
      const inner = join(outer, "inner");
      put(inner, FILES);
      gitIn(inner)("init", "-q", "-b", "main");
      rmSync(join(inner, ".git/HEAD"));
      const ended = verify(inner);
      expect(ended).toMatchObject({status: 2, stdout: ""});
      expect(ended.stderr).toContain("the repository above it");
    });

  if (isSweep)
    test("a repository whose only commit was deleted has no base", () => {
      const folder = repository();
      gitIn(folder)("update-ref", "-d", "HEAD");
      expect(notesOf(verify(folder))[0]).toContain("no base commit");
      expect(assay(folder, ["doctor"]).stdout).toContain("✅ repository: ");
    });

  test("a verify.json that is there and cannot be read is a mistake", () => {
    const folder = repository({"a.txt": "a\n"});
    mkdirSync(join(folder, "verify.json"));
    for (const command of ["plan", "doctor"]) {
      const ended = assay(folder, [command]);
      expect(ended.status).toBe(3);
      expect(ended.stdout + ended.stderr).toContain("is not a regular file");
    }
  });
});

describe("a sparse checkout", () => {
  const sparse: Record<string, (git: (...args: string[]) => string) => void> = {
    cone: (git) => git("sparse-checkout", "set", "--cone", "src"),
    "sparse index": (git) => git("sparse-checkout", "set", "--cone", "--sparse-index", "src"),
    patterns: (git) => git("sparse-checkout", "set", "--no-cone", "/src/", "/verify.json"),
    "skip-worktree": (git) => {
      git("update-index", "--skip-worktree", "lib/b.txt", "docs/a.txt");
      execFileSync("rm", ["-r", "lib", "docs"], {cwd: git("rev-parse", "--show-toplevel")});
    },
  };
  test.each(Object.entries(sparse).slice(0, isSweep ? 4 : 1))("%s: what is left out is unchanged", (_, set) => {
    const folder = repository();
    set(gitIn(folder));
    const untouched = verify(folder);
    expect(untouched).toMatchObject({status: 0, record: {verdict: {kind: "verified"}}});
    expect(changesOf(untouched)).toEqual([]);
    expect(untouched.record?.attempts[0]?.candidate?.tree).toBe(gitIn(folder)("rev-parse", "HEAD^{tree}"));

    put(folder, {"src/s.txt": "s2\n", "src/new.txt": "n\n"});
    expect(changesOf(verify(folder))).toEqual(["added src/new.txt", "modified src/s.txt"]);
    put(folder, {"lib/b.txt": "other\n"});
    expect(changesOf(verify(folder))).toContain("modified lib/b.txt");
  });

  if (isSweep)
    test("a file takes a left-out folder's place; ignore files that are left out still count", () => {
      const folder = repository({...FILES, "lib/.gitignore": "built/\n"});
      gitIn(folder)("sparse-checkout", "set", "--cone", "src");
      put(folder, {"lib/built/x.txt": "x\n"});
      expect(changesOf(verify(folder))).toEqual([]);
      rmSync(join(folder, "lib"), {recursive: true});
      put(folder, {lib: "a file\n"});
      const ended = verify(folder);
      expect(changesOf(ended)?.sort()).toEqual(["added lib", "deleted lib/.gitignore", "deleted lib/b.txt"]);
      expect(ended.status).toBe(1);
    });

  if (isSweep)
    test("with another base, what is left out is as the folder's own commit has it", () => {
      const folder = repository();
      const git = gitIn(folder);
      put(folder, {"lib/b.txt": "b2\n", "lib/c.txt": "c\n"});
      git("rm", "-q", "docs/a.txt");
      git("add", "-A");
      git("commit", "-qm", "second");
      git("sparse-checkout", "set", "--cone", "src");
      const ended = verify(folder, "--base", "HEAD~1");
      expect(changesOf(ended)?.sort()).toEqual(["added lib/c.txt", "deleted docs/a.txt", "modified lib/b.txt"]);
      expect(ended.record?.attempts[0]?.candidate?.tree).toBe(git("rev-parse", "HEAD^{tree}"));
    });

  if (isSweep)
    test("a damaged index of a sparse checkout is refused; elsewhere it stops nothing", () => {
      const folder = repository();
      writeFileSync(join(folder, ".git/index"), "garbage");
      expect(verify(folder).status).toBe(0);
      gitIn(folder)("read-tree", "HEAD");
      gitIn(folder)("sparse-checkout", "set", "--cone", "src");
      writeFileSync(join(folder, ".git/index"), "garbage");
      const ended = verify(folder);
      expect(ended).toMatchObject({status: 2, stdout: ""});
      expect(ended.stderr).toContain("index of this sparse checkout");
    });

  if (isSweep)
    test("assume-unchanged hides neither a change nor a removal", () => {
      const folder = repository();
      gitIn(folder)("update-index", "--assume-unchanged", "lib/b.txt", "docs/a.txt");
      put(folder, {"lib/b.txt": "b2\n"});
      rmSync(join(folder, "docs/a.txt"));
      expect(changesOf(verify(folder))).toEqual(["deleted docs/a.txt", "modified lib/b.txt"]);
    });
});

if (isSweep)
  describe("a partial clone", () => {
    const clone = (...how: string[]) => {
      const origin = repository();
      const git = gitIn(origin);
      git("config", "uploadpack.allowFilter", "true");
      git("config", "uploadpack.allowAnySHA1InWant", "true");
      put(origin, {"src/s.txt": "second\n"});
      git("mv", "docs/a.txt", "docs/moved.txt");
      put(origin, {"docs/a.txt": "a\n", "docs/moved.txt": "a\nand more\n"});
      git("add", "-A");
      git("commit", "-qm", "second");
      const folder = remove(mkdtempSync(join(tmpdir(), "assay-partial-")));
      gitIn(folder)("clone", "-q", "--filter=blob:none", ...how, `file://${origin}`, ".");
      return folder;
    };

    test("with all files: verified; against a commit whose files are not here: refused", () => {
      const folder = clone();
      expect(verify(folder)).toMatchObject({status: 0, record: {verdict: {kind: "verified"}}});
      const older = verify(folder, "--base", "HEAD~1");
      expect(older).toMatchObject({status: 2, stdout: ""});
      expect(older.stderr).toMatch(/1 file of HEAD~1 are not on this machine.*src\/s\.txt/);
    });

    test("that lacks files of the tree: refused, with the command that brings them", () => {
      const folder = clone("--sparse");
      const ended = verify(folder);
      expect(ended).toMatchObject({status: 2, stdout: ""});
      expect(ended.stderr).toMatch(/4 files of HEAD are not on this machine.*docs\/a\.txt/);
      const command = /`(git diff [^`]+)`/.exec(ended.stderr)?.[1] ?? "";
      gitIn(folder)(...command.split(" ").slice(1));
      const after = verify(folder);
      expect(after).toMatchObject({status: 0, record: {verdict: {kind: "verified"}}});
      expect(changesOf(after)).toEqual([]);
    });
  });

describe("a folder in the middle of something", () => {
  /** Two branches that change one line, and `main` checked out. */
  const diverged = () => {
    const folder = repository();
    const git = gitIn(folder);
    git("checkout", "-q", "-b", "other");
    put(folder, {"src/s.txt": "other\n", "src/o.txt": "o\n"});
    git("add", "-A");
    git("commit", "-qm", "other");
    git("checkout", "-q", "main");
    put(folder, {"src/s.txt": "main\n"});
    git("commit", "-qam", "main");
    return folder;
  };
  const operations = {
    "a merge": ["merge", "-q", "other"],
    "a rebase": ["rebase", "-q", "other"],
    "a cherry-pick": ["cherry-pick", "other"],
    "a revert": ["revert", "--no-edit", "HEAD~1"],
  };
  test.each(Object.entries(operations).slice(0, isSweep ? 3 : 1))(
    "%s with marks of a conflict is refused, and noted once they are gone",
    (name, args) => {
      const folder = diverged();
      expect(() => gitIn(folder)(...args)).toThrow();
      const ended = verify(folder);
      expect(ended).toMatchObject({status: 2, stdout: ""});
      expect(ended.stderr).toMatch(/src\/s\.txt: .*unfinished merge.*git add/);
      put(folder, {"src/s.txt": "both\n"});
      const edited = verify(folder);
      expect(edited.status).toBe(0);
      expect(notesOf(edited).join()).toMatch(new RegExp(`${name} in progress.*src/s.txt`));
      gitIn(folder)("add", "-A");
      expect(notesOf(verify(folder)).join()).toContain(`${name} in progress`);
    },
  );

  if (isSweep)
    test("marks in a file that git does not call unmerged are content", () => {
      const folder = repository();
      put(folder, {"docs/a.txt": "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n"});
      expect(verify(folder).status).toBe(0);
    });

  if (isSweep)
    test("a submodule with work of its own is named", () => {
      const inner = repository({"i.txt": "i\n"});
      const folder = repository();
      const git = gitIn(folder);
      git("submodule", "add", "-q", inner, "sub");
      git("commit", "-qm", "sub");
      expect(notesOf(verify(folder))).toEqual([]);
      appendFileSync(join(folder, "sub/i.txt"), "more\n");
      expect(notesOf(verify(folder))).toEqual([expect.stringMatching(/^sub: The submodule has changes/)]);
      gitIn(join(folder, "sub"))("commit", "-qam", "in the submodule");
      expect(notesOf(verify(folder))).toEqual([expect.stringMatching(/^sub: The submodule is at/)]);
    });

  if (isSweep)
    test("a bare repository is refused, with and without work trees in it", () => {
      const bare = remove(mkdtempSync(join(tmpdir(), "assay-bare-")));
      gitIn(bare)("clone", "-q", "--bare", repository(), "plain.git");
      gitIn(bare)("clone", "-q", "--bare", repository(), "trees/.git");
      for (const folder of ["plain.git", "plain.git/objects", "trees"]) {
        const ended = verify(join(bare, folder));
        expect(ended).toMatchObject({status: folder === "trees" ? 2 : 3, stdout: ""});
        expect(ended.stderr).toContain("bare repository");
      }
      gitIn(join(bare, "trees"))("worktree", "add", "-q", "main-tree", "main");
      expect(verify(join(bare, "trees/main-tree")).status).toBe(0);
      expect(assay(join(bare, "plain.git"), ["doctor"]).stdout).toContain("bare repository");
    });
});
