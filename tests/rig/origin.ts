/** One bare repository of the rig's git server: written to as other people would, and read to see what the bot left. */
import {chmod, mkdir, rm, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {git, gitBytes, gitInOrder} from "./git.ts";

/** A file's text or bytes; with a mode for programs and links; null deletes the path. */
export type FileSpec = string | Buffer | {readonly mode: "100755" | "120000"; readonly content: string | Buffer} | null;
export type Files = Readonly<Record<string, FileSpec>>;

export interface CommitFacts {
  readonly commit: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: string;
  readonly committer: string;
  readonly message: string;
}

export interface Origin {
  /** `owner/name` */
  readonly name: string;
  /** the bare repository on disk */
  readonly folder: string;
  /** Adds one commit to a branch (made from `from`, a revision, when it is new) and gives its id. */
  commit(options: {branch?: string; from?: string; message?: string; files: Files; author?: string}): Promise<string>;
  /** All refs with their object ids, by full name (`refs/heads/main`). */
  refs(): Promise<Record<string, string>>;
  /** Object id of a revision, or null when there is none. */
  resolve(revision: string): Promise<string | null>;
  facts(revision: string): Promise<CommitFacts>;
  /** When a commit was made, ISO 8601. */
  committedAt(revision: string): Promise<string>;
  /** Paths of a revision's tree with mode and object id. */
  tree(revision: string): Promise<Record<string, {mode: string; object: string}>>;
  /** Text of a file at a revision, or null when the path is not there. */
  read(revision: string, path: string): Promise<string | null>;
  /** Commits that some ref reaches and `notFrom` does not. */
  commitsSince(notFrom: readonly string[]): Promise<string[]>;
  /** Every object id that some ref reaches: commits, trees and blobs. */
  reachable(): Promise<Set<string>>;
  /** Refuses pushes to refs that match a shell pattern, as a ruleset of GitHub does; null lets all through again. */
  refusePushes(pattern: string | null, message?: string): Promise<void>;
  setRef(ref: string, object: string): Promise<void>;
  deleteRef(ref: string): Promise<void>;
}

/** Makes the bare repository (branch `main`, no commit) and gives its handle. */
export async function createOrigin(root: string, name: string): Promise<Origin> {
  const folder = join(root, `${name}.git`);
  // Written here, because `git init` and `git config` would be four processes. GitHub lets a client fetch any commit by its id, which
  // actions/checkout does.
  for (const part of ["objects", "refs"]) await mkdir(join(folder, part), {recursive: true});
  await writeFile(join(folder, "HEAD"), "ref: refs/heads/main\n");
  await writeFile(
    join(folder, "config"),
    "[core]\nrepositoryformatversion = 0\nbare = true\n[http]\nreceivepack = true\n[uploadpack]\nallowAnySHA1InWant = true\n[gc]\nauto = 0\n",
  );

  const origin: Origin = {
    name,
    folder,
    async commit({branch = "main", from, message = "Change", files, author = "Ada Owner <ada@example.com>"}) {
      const ref = `refs/heads/${branch}`;
      const parent = (await origin.resolve(ref)) ?? (from === undefined ? null : await origin.resolve(from));
      const importing = ["fast-import", "--quiet", "--force"];
      const stream = fastImport({ref, parent, message, files, author});
      return gitInOrder(folder, [importing, ["rev-parse", ref]], stream);
    },
    async refs() {
      const lines = await git(folder, ["for-each-ref", "--format=%(refname) %(objectname)"]);
      const pairs = lines.split("\n").filter(Boolean);
      return Object.fromEntries(pairs.map((line): [string, string] => [line.slice(0, -41), line.slice(-40)]));
    },
    async resolve(revision) {
      const found = await git(folder, ["rev-parse", "--verify", "-q", `${revision}^{}`]).catch(() => "");
      return found || null;
    },
    async facts(revision) {
      const format = "%H%x00%T%x00%P%x00%an <%ae>%x00%cn <%ce>%x00%B";
      const shown = await git(folder, ["show", "-s", `--format=${format}`, `${revision}^{commit}`]);
      const [commit = "", tree = "", parents = "", author = "", committer = "", message = ""] = shown.split("\0");
      return {commit, tree, parents: parents.split(" ").filter(Boolean), author, committer, message};
    },
    async committedAt(revision) {
      const seconds = await git(folder, ["show", "-s", "--format=%ct", `${revision}^{commit}`]);
      return new Date(Number(seconds) * 1_000).toISOString();
    },
    async tree(revision) {
      const rows = (await git(folder, ["ls-tree", "-r", "-z", revision])).split("\0").filter(Boolean);
      const entry = (row: string): [string, {mode: string; object: string}] => {
        const [mode = "", , object = ""] = row.slice(0, row.indexOf("\t")).split(" ");
        return [row.slice(row.indexOf("\t") + 1), {mode, object}];
      };
      return Object.fromEntries(rows.map(entry));
    },
    async read(revision, path) {
      const object = (await origin.tree(revision))[path]?.object;
      return object === undefined ? null : (await gitBytes(folder, ["cat-file", "blob", object])).toString();
    },
    async commitsSince(notFrom) {
      const args = ["rev-list", "--all", ...notFrom.map((revision) => `^${revision}`)];
      return (await git(folder, args)).split("\n").filter(Boolean);
    },
    async reachable() {
      const lines = (await git(folder, ["rev-list", "--all", "--objects"])).split("\n").filter(Boolean);
      return new Set(lines.map((line) => line.slice(0, 40)));
    },
    async refusePushes(pattern, message = "Changes must be made through a pull request.") {
      const hook = join(folder, "hooks", "pre-receive");
      await rm(hook, {force: true});
      if (pattern === null) return;
      const quoted = `'${message.replaceAll("'", `'\\''`)}'`;
      const body = `while read -r old new ref; do case "$ref" in ${pattern}) echo ${quoted} >&2; exit 1;; esac; done`;
      await mkdir(join(folder, "hooks"), {recursive: true});
      await writeFile(hook, `#!/bin/sh\n${body}\n`);
      await chmod(hook, 0o755);
    },
    async setRef(ref, object) {
      await git(folder, ["update-ref", ref, object]);
    },
    async deleteRef(ref) {
      await git(folder, ["update-ref", "-d", ref]);
    },
  };
  return origin;
}

/** One commit in git's fast-import language: no working folder needed, and every mode and odd name can be said. */
function fastImport(options: {
  ref: string;
  parent: string | null;
  message: string;
  files: Files;
  author: string;
}): Buffer {
  const data = (content: string | Buffer) => {
    const bytes = Buffer.from(content);
    return Buffer.concat([Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from("\n")]);
  };
  const now = `${Math.floor(Date.now() / 1000)} +0000`;
  const head = `commit ${options.ref}\nauthor ${options.author} ${now}\ncommitter ${options.author} ${now}\n`;
  const parts = [Buffer.from(head), data(options.message)];
  if (options.parent !== null) parts.push(Buffer.from(`from ${options.parent}\n`));
  for (const [path, spec] of Object.entries(options.files)) {
    const quoted = `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
    if (spec === null) {
      parts.push(Buffer.from(`D ${quoted}\n`));
      continue;
    }
    const plain = typeof spec === "string" || Buffer.isBuffer(spec);
    const {mode, content} = plain ? {mode: "100644", content: spec} : spec;
    parts.push(Buffer.from(`M ${mode} inline ${quoted}\n`), data(content));
  }
  return Buffer.concat([...parts, Buffer.from("\ndone\n")]);
}
