/** Prepares the agent's working folder: the base's files, without running its code, and no credentials (P11, P12). */
import {existsSync} from "node:fs";
import {mkdir, readdir} from "node:fs/promises";
import {basename, dirname, isAbsolute, join, resolve} from "node:path";
import {copyCommit} from "../git/checkout.ts";
import {type Git, gitRefused} from "../git/git.ts";
import type {Repository} from "../git/repository.ts";
import {snapshotFolder} from "../git/snapshot.ts";
import type {Failure} from "../record/failure.ts";
import {ok, type Result} from "../record/words.ts";

/** Settings that grant access or include other settings, in lower case. */
const CREDENTIALS = [
  /^http\.(?:.*\.)?(?:extraheader|cookiefile)$/,
  /^credential\./,
  /^include(?:if\..*)?\.path$/,
  /^url\.\w+:\/\/[^/]*@.*\.(?:insteadof|pushinsteadof)$/s,
  /^core\.(?:askpass|sshcommand)$/,
];
/**
 * Programs that git would start for the bot's commands. Configured hooks (git-config(1), since 2.54) have arbitrary
 * names, so no setting can disable them.
 */
const PROGRAMS = [/^hook\./];
/**
 * actions/checkout keeps the token in this file since version 6. Other included files belong to the owner and are not
 * changed.
 */
const CHECKOUT_FILE = /^git-credentials-.*\.config$/;

/**
 * Makes `folder` a checkout of `base`, a commit of the bot's repository. Untracked files stay. Runs only git plumbing
 * with the bot's settings: no hook, filter or file monitor of the folder.
 */
export async function prepareWorkspace(options: {
  folder: string;
  repository: Repository;
  base: string;
}): Promise<Result<null, Failure>> {
  const {folder, repository, base} = options;
  await mkdir(folder, {recursive: true});
  const gitDir = await findGitDir(repository.git, folder);
  const cleanResult = gitDir === null ? ok(null) : await removeCredentials(repository.git, gitDir);
  if (!cleanResult.ok) return cleanResult;
  const ownGitDir = gitDir ?? join(folder, ".git");
  const git: Git = (args, call) => repository.git(args, {...call, gitDir: ownGitDir, workTree: folder});
  const head = gitDir === null ? null : await readHead(git);
  if (head === base) return ok(null);

  if (gitDir === null) {
    const initResult = await repository.git(["init", "--quiet", "--initial-branch=main"], {cwd: folder});
    if (!initResult.ok) return gitRefused(initResult.failure);
  }
  const copyResult = await copyCommit({git, from: repository.folder, commit: base});
  if (!copyResult.ok) return copyResult;
  const writeResult = await writeTree({
    repository,
    folder,
    tree: base,
    former: head,
    objects: join(ownGitDir, "objects"),
  });
  if (!writeResult.ok) return writeResult;
  return runAll(git, [
    ["update-ref", "--no-deref", "HEAD", base],
    ["read-tree", base],
  ]);
}

/** Takes an agent's changes to files back, except those that git ignores. `files` is the tree from before its start. */
export async function resetWorkspace(options: {
  folder: string;
  repository: Repository;
  base: string;
  files: string;
}): Promise<Result<null, Failure>> {
  const {folder, repository, base, files} = options;
  const left = await snapshotFolder({repository, folder, commit: base});
  if (!left.ok) return left;
  const objects = join(repository.folder, "objects");
  const written = await writeTree({repository, folder, tree: files, former: left.value, objects});
  const gitDir = await findGitDir(repository.git, folder);
  if (!written.ok || gitDir === null) return written;
  const git: Git = (args, call) => repository.git(args, {...call, gitDir, workTree: folder});
  return runAll(git, [
    ["update-ref", "--no-deref", "HEAD", base],
    ["read-tree", base],
  ]);
}

/** Writes the files of a tree into a folder that is at `base`, as uncommitted changes. */
export function writeWork(options: {
  folder: string;
  repository: Repository;
  base: string;
  tree: string;
}): Promise<Result<null, Failure>> {
  const {folder, repository, base, tree} = options;
  return writeTree({folder, repository, tree, former: base, objects: join(repository.folder, "objects")});
}

/**
 * Writes a tree's files, and removes those that only the previous commit has, with an index and settings of the bot.
 */
async function writeTree(options: {
  repository: Repository;
  folder: string;
  tree: string;
  former: string | null;
  objects: string;
}): Promise<Result<null, Failure>> {
  const {repository, folder, tree, former, objects} = options;
  const index = join(repository.folder, "index-workspace");
  const git: Git = (args, call) =>
    repository.git(args, {...call, workTree: folder, index, alternates: objects, timeoutMs: 300_000});
  return runAll(git, [
    ["read-tree", former ?? "--empty"],
    ["read-tree", "--reset", "-u", "--no-recurse-submodules", tree],
  ]);
}

async function runAll(git: Git, commands: readonly string[][]): Promise<Result<null, Failure>> {
  for (const args of commands) {
    const result = await git(args);
    if (!result.ok) return gitRefused(result.failure);
  }
  return ok(null);
}

async function readHead(git: Git): Promise<string | null> {
  const head = await git(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  return head.ok ? head.value.trim() : null;
}

/** The git directory whose work tree starts at `folder`; null if there is none, or only one in a parent folder. */
async function findGitDir(git: Git, folder: string): Promise<string | null> {
  const answer = await git(["rev-parse", "--path-format=absolute", "--git-common-dir", "--show-prefix"], {cwd: folder});
  if (!answer.ok) return null;
  const [gitDir = "", prefix = ""] = answer.value.split("\n");
  return prefix === "" ? gitDir : null;
}

async function removeCredentials(git: Git, gitDir: string): Promise<Result<null, Failure>> {
  const modules = await readdir(join(gitDir, "modules"), {recursive: true, withFileTypes: true}).catch(() => []);
  const submoduleConfigs = modules.filter((entry) => entry.isFile() && entry.name === "config");
  const files = [
    join(gitDir, "config"),
    join(gitDir, "config.worktree"),
    ...submoduleConfigs.map((entry) => join(entry.parentPath, entry.name)),
  ];
  for (const file of files.filter((file) => existsSync(file))) {
    const cleanResult = await cleanFile(git, file);
    if (!cleanResult.ok) return cleanResult;
  }
  return ok(null);
}

/**
 * Removes credentials and programs from one settings file. Fails if that is impossible, because the agent could read
 * them.
 */
async function cleanFile(git: Git, file: string): Promise<Result<null, Failure>> {
  const config = (...args: string[]) => git(["config", "--file", file, "--no-includes", ...args]);
  const settings = await config("--list", "-z");
  if (!settings.ok) return gitRefused(settings.failure);
  const removedKeys = new Set<string>();
  for (const row of settings.value.split("\0").filter(Boolean)) {
    const [key = "", ...lines] = row.split("\n");
    const content = lines.join("\n");
    if (removedKeys.has(key)) continue;
    const address = /^remote\..*\.(?:url|pushurl)$/.test(key) ? withoutUser(content) : null;
    const isCredential = CREDENTIALS.some((pattern) => pattern.test(key.toLowerCase()));
    const isProgram = PROGRAMS.some((pattern) => pattern.test(key.toLowerCase()));
    if (address === null && !isCredential && !isProgram) continue;
    if (isCredential && CHECKOUT_FILE.test(basename(content))) {
      const includedFile = isAbsolute(content) ? content : resolve(dirname(file), content);
      const cleanResult = existsSync(includedFile) ? await cleanFile(git, includedFile) : ok(null);
      if (!cleanResult.ok) return cleanResult;
    }
    const result = address === null ? await config("--unset-all", key) : await config("--replace-all", key, address);
    if (!result.ok) return gitRefused(result.failure);
    removedKeys.add(key);
  }
  return ok(null);
}

/** The address without user and password; null if it has none. */
function withoutUser(address: string): string | null {
  return /^\w+:\/\/[^/]*@/.test(address) ? address.replace(/^(\w+:\/\/)[^/]*@/, "$1") : null;
}
