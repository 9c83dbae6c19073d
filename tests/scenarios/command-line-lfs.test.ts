/** `assay verify` with Git LFS: pointers in the tree, content in the checks, with and without git-lfs on this machine. */
import {spawnSync} from "node:child_process";
import {createHash} from "node:crypto";
import {chmodSync, renameSync, rmSync, truncateSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {expect, onTestFinished, test} from "vitest";
import {assay, gitIn, put, repositoryOf} from "../rig/command-line.ts";
import {isSweep} from "../sweep.ts";

const OLD = Buffer.from("\0old content\r\n".repeat(1000));
const NEW = Buffer.from("\0new content\r\n".repeat(900));
const sha256 = (content: Buffer) => createHash("sha256").update(content).digest("hex");
const pointer = (content: Buffer) =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256(content)}\nsize ${content.length}\n`;
const has = (path: string, content: Buffer) => `echo "${sha256(content)}  ${path}" | sha256sum -c -`;

function repository(checks: readonly string[], files: Record<string, string | Buffer> = {}): string {
  const stages = checks.map((command, at) => ({name: `check-${at}`, command}));
  const folder = repositoryOf({
    "verify.json": JSON.stringify({stages, setup: false, skipPatterns: []}),
    ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\nplain.bin !filter\n",
    "data.bin": pointer(OLD),
    "other.txt": "text\n",
    ...files,
  });
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  return folder;
}
const store = (folder: string, content: Buffer, as = sha256(content)) =>
  put(folder, {[`.git/lfs/objects/${as.slice(0, 2)}/${as.slice(2, 4)}/${as}`]: content});

function verify(folder: string, ...args: string[]) {
  const {status, record, stderr, left} = assay(folder, ["verify", "--json", ...args]);
  const attempt = record?.attempts[0];
  expect({stderr: record === null ? stderr : "", left}).toEqual({stderr: "", left: []});
  return {
    status,
    tree: attempt?.candidate?.tree,
    changes: attempt?.changes.map((change) => `${change.status} ${change.path}`),
    stages: attempt?.verification?.stages.map(({outcome}) => outcome),
    reason: attempt?.verification?.stages[0]?.reason,
    notes: (record?.notes ?? []).map(({about, text}) => `${about}: ${text}`),
  };
}

/** The tree that git makes of its index with these contents in place of what is in the folder. */
function expectedTree(folder: string, contents: Record<string, string>, programs: readonly string[] = []): string {
  const git = gitIn(folder);
  for (const [path, content] of Object.entries(contents)) {
    const written = spawnSync("git", ["hash-object", "-w", "--stdin"], {cwd: folder, input: content, encoding: "utf8"});
    const mode = programs.includes(path) ? "100755" : "100644";
    git("update-index", "--add", "--cacheinfo", `${mode},${written.stdout.trim()},${path}`);
  }
  return git("write-tree");
}

test("content that the pointer names is no change, and the checks see it", () => {
  const folder = repository([has("data.bin", OLD)]);
  put(folder, {"data.bin": OLD});
  const head = gitIn(folder)("rev-parse", "HEAD^{tree}");
  expect(verify(folder)).toMatchObject({status: 0, changes: [], tree: head, notes: []});
  put(folder, {"other.txt": "more\n"});
  expect(verify(folder)).toMatchObject({status: 0, changes: ["modified other.txt"], stages: ["passed"]});
});

test("changed, new, executable and moved content: the tree has pointers, the checks see the content", () => {
  const moved = Buffer.from("moved".repeat(500));
  const checks = [has("data.bin", NEW), has("sub/new.bin", OLD), has("b.bin", moved), "test ! -e a.bin"];
  const folder = repository(checks, {"a.bin": pointer(moved)});
  put(folder, {"data.bin": NEW, "sub/new.bin": OLD, "a.bin": moved, "plain.bin": NEW, "empty.bin": ""});
  renameSync(join(folder, "a.bin"), join(folder, "b.bin"));
  chmodSync(join(folder, "sub/new.bin"), 0o755);
  const seen = verify(folder, "--base", "HEAD");
  gitIn(folder)("rm", "-q", "--cached", "a.bin");
  const contents = {"data.bin": pointer(NEW), "sub/new.bin": pointer(OLD), "b.bin": pointer(moved), "empty.bin": ""};
  gitIn(folder)("add", "plain.bin");
  expect(seen.tree).toBe(expectedTree(folder, contents, ["sub/new.bin"]));
  expect(seen).toMatchObject({status: 0, stages: ["passed", "passed", "passed", "passed"]});
  expect(seen.changes).toContain("renamed b.bin");
});

if (isSweep)
  test("pointers in the folder: content comes from the store, only as the pointer names it, and else a note says so", () => {
    const folder = repository([has("data.bin", OLD)]);
    const without = verify(folder);
    expect(without.status).toBe(1);
    expect(without.notes.join()).toMatch(/Git LFS: .*pointers: data\.bin\. Run `git lfs pull`/);
    store(folder, Buffer.from(OLD).fill("x"), sha256(OLD));
    expect(verify(folder).status).toBe(1);
    store(folder, OLD);
    expect(verify(folder)).toMatchObject({status: 0, changes: [], notes: []});
    gitIn(folder)("config", "lfs.storage", "elsewhere");
    renameSync(join(folder, ".git/lfs"), join(folder, ".git/elsewhere"));
    expect(verify(folder).status).toBe(0);
  });

if (isSweep)
  test("a check that rewrites LFS content fails, and the next one sees the content again", () => {
    const folder = repository(["echo x > data.bin", has("data.bin", OLD)]);
    put(folder, {"data.bin": OLD});
    const seen = verify(folder);
    expect(seen).toMatchObject({status: 1, stages: ["failed", "passed"]});
    expect(seen.reason).toContain("it rewrote tracked files: data.bin");
  });

if (isSweep)
  test("content of more than 100 MB is no hindrance; files of other filters are named", () => {
    const folder = repository(["true"], {".gitattributes": "*.bin filter=lfs -text\n*.nb filter=strip\n"});
    writeFileSync(join(folder, "large.bin"), "");
    truncateSync(join(folder, "large.bin"), 101 * 1024 * 1024);
    put(folder, {"a.nb": "output\n"});
    const seen = verify(folder);
    expect(seen).toMatchObject({status: 0, changes: ["added a.nb", "added large.bin"]});
    expect(seen.notes.join()).toContain("filter strip: a.nb: Verified as they are in the folder");
  });

const hasLfs = spawnSync("git", ["lfs", "version"]).status === 0;
test.runIf(hasLfs)("the tree is the one that git-lfs makes", () => {
  const folder = repository([has("data.bin", NEW)]);
  const git = gitIn(folder);
  git("lfs", "install", "--local");
  put(folder, {"data.bin": NEW, "deep/er/x.bin": OLD, "exact.bin": Buffer.alloc(1023, "a")});
  const {tree, status} = verify(folder);
  git("add", "-A");
  expect(tree).toBe(git("write-tree"));
  expect(status).toBe(0);
  git("commit", "-qm", "content");
  expect(verify(folder)).toMatchObject({status: 0, changes: []});
});
