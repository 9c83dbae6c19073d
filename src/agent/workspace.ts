/** The agent's working folder: brought to the base without running anything of it, and stripped of credentials (P11, P12). */
import {existsSync} from "node:fs";
import {mkdir, readdir} from "node:fs/promises";
import {basename, dirname, isAbsolute, join, resolve} from "node:path";
import {bringCommit} from "../git/checkout.ts";
import {type Git, gitRefused} from "../git/git.ts";
import type {Repository} from "../git/repository.ts";
import type {Failure} from "../record/failure.ts";
import {ok, type Result} from "../record/words.ts";

export interface Workspace {
  /** true when the files were not at the base and were brought there */
  readonly moved: boolean;
  /** settings that were taken out of git's configuration, by file and key; never their values */
  readonly removed: readonly string[];
}

/** Settings that give access, or that bring settings from elsewhere; compared in lower case. */
const CREDENTIALS = [
  /^http\.(?:.*\.)?(?:extraheader|cookiefile)$/,
  /^credential\./,
  /^include(?:if\..*)?\.path$/,
  /^url\.\w+:\/\/[^/]*@.*\.(?:insteadof|pushinsteadof)$/s,
  /^core\.(?:askpass|sshcommand)$/,
];
/**
 * Programs that git would start for the bot's own commands: hooks of the configuration (git-config(1), since 2.54) have names
 * that only their author knows, so there is no setting that switches them off.
 */
const PROGRAMS = [/^hook\./];
/** Where actions/checkout keeps the token since its version 6; other included files are the owner's, and stay as they are. */
const CHECKOUT_FILE = /^git-credentials-.*\.config$/;

/**
 * Makes `folder` a checkout of `base` (a commit of the bot's repository): made, moved or left alone where it already is
 * there. Untracked files stay. Only plumbing runs, with the bot's settings: no hook, filter or monitor of the folder.
 */
export async function prepareWorkspace(o: {
  folder: string;
  repository: Repository;
  base: string;
}): Promise<Result<Workspace, Failure>> {
  const {folder, repository, base} = o;
  await mkdir(folder, {recursive: true});
  const gitDir = await findGitDir(repository.git, folder);
  const cleaned = gitDir === null ? ok([]) : await removeCredentials(repository.git, gitDir);
  if (!cleaned.ok) return cleaned;
  const removed = cleaned.value;
  const own = gitDir ?? join(folder, ".git");
  const there: Git = (args, call) => repository.git(args, {...call, gitDir: own, workTree: folder});
  const head = gitDir === null ? null : await commitAt(there);
  if (head === base) return ok({moved: false, removed});

  if (gitDir === null) {
    const made = await repository.git(["init", "--quiet", "--initial-branch=main"], {cwd: folder});
    if (!made.ok) return gitRefused(made.failure);
  }
  const brought = await bringCommit({git: there, from: repository.folder, commit: base});
  if (!brought.ok) return brought;
  const filled = await fillFolder({repository, folder, base, former: head, objects: join(own, "objects")});
  if (!filled.ok) return filled;
  for (const args of [
    ["update-ref", "--no-deref", "HEAD", base],
    ["read-tree", base],
  ]) {
    const done = await there(args);
    if (!done.ok) return gitRefused(done.failure);
  }
  return ok({moved: true, removed});
}

/** Puts the files of a tree into a folder that is at `base`, as if somebody had changed them there. */
export function layWork(o: {
  folder: string;
  repository: Repository;
  base: string;
  tree: string;
}): Promise<Result<null, Failure>> {
  const {folder, repository, base, tree} = o;
  return fillFolder({folder, repository, base: tree, former: base, objects: join(repository.folder, "objects")});
}

/** Writes the base's files, and removes those that only the former commit had, with an index and settings of the bot. */
async function fillFolder(o: {
  repository: Repository;
  folder: string;
  base: string;
  former: string | null;
  objects: string;
}): Promise<Result<null, Failure>> {
  const index = join(o.repository.folder, "index-workspace");
  const git: Git = (args, call) =>
    o.repository.git(args, {...call, workTree: o.folder, index, alternates: o.objects, timeoutMs: 300_000});
  for (const args of [
    ["read-tree", ...(o.former === null ? ["--empty"] : [o.former])],
    ["read-tree", "--reset", "-u", "--no-recurse-submodules", o.base],
  ]) {
    const done = await git(args);
    if (!done.ok) return gitRefused(done.failure);
  }
  return ok(null);
}

async function commitAt(git: Git): Promise<string | null> {
  const head = await git(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  return head.ok ? head.value.trim() : null;
}

/** The git directory whose work tree starts at `folder`; null when there is none, or only one further up. */
async function findGitDir(git: Git, folder: string): Promise<string | null> {
  const found = await git(["rev-parse", "--path-format=absolute", "--git-common-dir", "--show-prefix"], {cwd: folder});
  if (!found.ok) return null;
  const [gitDir = "", prefix = ""] = found.value.split("\n");
  return prefix === "" ? gitDir : null;
}

async function removeCredentials(git: Git, gitDir: string): Promise<Result<string[], Failure>> {
  const modules = await readdir(join(gitDir, "modules"), {recursive: true, withFileTypes: true}).catch(() => []);
  const ofSubmodules = modules.filter((entry) => entry.isFile() && entry.name === "config");
  const files = [
    join(gitDir, "config"),
    join(gitDir, "config.worktree"),
    ...ofSubmodules.map((entry) => join(entry.parentPath, entry.name)),
  ];
  const removed: string[] = [];
  for (const file of files.filter((file) => existsSync(file))) {
    const cleaned = await cleanFile({git, file});
    if (!cleaned.ok) return cleaned;
    removed.push(...cleaned.value);
  }
  return ok(removed);
}

/** Takes credentials and programs out of one file of settings. A file that cannot be cleaned is a failure: the agent would have them. */
async function cleanFile(o: {git: Git; file: string}): Promise<Result<string[], Failure>> {
  const config = (...args: string[]) => o.git(["config", "--file", o.file, "--no-includes", ...args]);
  const listed = await config("--list", "-z");
  if (!listed.ok) return gitRefused(listed.failure);
  const removed = new Set<string>();
  for (const row of listed.value.split("\0").filter(Boolean)) {
    const [key = "", ...lines] = row.split("\n");
    const content = lines.join("\n");
    if (removed.has(key)) continue;
    const address = /^remote\..*\.(?:url|pushurl)$/.test(key) ? withoutUser(content) : null;
    const isCredential = CREDENTIALS.some((pattern) => pattern.test(key.toLowerCase()));
    const isProgram = PROGRAMS.some((pattern) => pattern.test(key.toLowerCase()));
    if (address === null && !isCredential && !isProgram) continue;
    if (isCredential && CHECKOUT_FILE.test(basename(content))) {
      const file = isAbsolute(content) ? content : resolve(dirname(o.file), content);
      const included = existsSync(file) ? await cleanFile({git: o.git, file}) : ok([]);
      if (!included.ok) return included;
    }
    const done = address === null ? await config("--unset-all", key) : await config("--replace-all", key, address);
    if (!done.ok) return gitRefused(done.failure);
    removed.add(key);
  }
  return ok([...removed].map((key) => `${basename(o.file)}: ${key.replace(/\/\/[^/]*@/, "//***@")}`));
}

/** The address without user and password; null when it has none. */
function withoutUser(address: string): string | null {
  return /^\w+:\/\/[^/]*@/.test(address) ? address.replace(/^(\w+:\/\/)[^/]*@/, "$1") : null;
}
