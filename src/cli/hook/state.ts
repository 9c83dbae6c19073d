/** Stores the stop hook's state in the git directory: the last passing work, and the blocks of each session. */
import {createHash} from "node:crypto";
import {mkdir, readFile, readlink, rename, stat, writeFile} from "node:fs/promises";
import {dirname, join} from "node:path";
import {mapOf, textAt, valueAt} from "../../detect/files/manifest-values.ts";
import {type Git, hardenedGit} from "../../git/git.ts";
import {parseJson} from "../../record/parse-json.ts";
import {VERSION} from "../../run/version.ts";

/** Larger changes are not compared: the work then counts as new. */
const MAX_FILES = 5_000;
const MAX_BYTES = 100_000_000;
const MAX_SESSIONS = 50;
const GIT_MS = 20_000;

export interface HookState {
  /** the key of the work that passed last */
  readonly verified: string | null;
  /** the blocks in a row, by session */
  readonly blocks: Readonly<Record<string, number>>;
}

/** The working folder of an agent, as it is now. */
export interface WorkState {
  readonly stateFile: string;
  /** true if nothing differs from the last commit */
  readonly isClean: boolean;
  /** equal for equal work; null if it is too large to compare */
  readonly key: string | null;
}

/** Null outside of a repository, and in one without a commit. */
export async function readWork(
  folder: string,
  git: Git = hardenedGit({folder, variables: process.env}),
): Promise<WorkState | null> {
  const call = {cwd: folder, timeoutMs: GIT_MS};
  const [place, filters] = await Promise.all([
    git(["rev-parse", "--absolute-git-dir", "HEAD"], call),
    git(["config", "--get-regexp", "^filter[.]"], call),
  ]);
  if (!place.ok) return null;
  const [gitDir = "", head = ""] = place.value.trim().split("\n");
  const stateFile = join(gitDir, "assay", "hook.json");
  // `git status` runs the filters of the repository's settings, which the agent can write. Exit code 1: there are none.
  if (filters.ok || filters.failure.code !== 1) return {stateFile, isClean: false, key: null};
  const status = await git(["status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames"], call);
  if (!status.ok) return null;
  const isClean = status.value === "";
  return {
    stateFile,
    isClean,
    key: await keyOf(folder, {head, status: status.value}),
  };
}

async function keyOf(folder: string, {head, status}: {head: string; status: string}): Promise<string | null> {
  const hash = createHash("sha256").update(`${VERSION}\0${head}\0${status}\0`);
  const paths = status.split("\0").filter(Boolean);
  if (paths.length > MAX_FILES) return null;
  let bytes = 0;
  for (const entry of paths) {
    const path = join(folder, entry.slice(3));
    const content = (await readlink(path).catch(() => null)) ?? (await boundedFile(path, MAX_BYTES - bytes));
    if (content === "too-large") return null;
    bytes += content.length;
    hash.update(content).update("\0");
  }
  return hash.digest("hex");
}

/** A deleted file and a folder (of a submodule) have no content. */
async function boundedFile(path: string, most: number): Promise<Buffer | "too-large"> {
  const facts = await stat(path).catch(() => null);
  if (facts === null || !facts.isFile()) return Buffer.alloc(0);
  if (facts.size > most) return "too-large";
  return Buffer.concat([Buffer.from([facts.mode & 0o111 ? 1 : 0]), await readFile(path)]);
}

export async function readState(file: string): Promise<HookState> {
  const state = parseJson(await readFile(file, "utf8").catch(() => ""));
  const blocks = [...mapOf(valueAt(state, "blocks"))].filter((entry): entry is [string, number] =>
    Number.isFinite(entry[1]),
  );
  return {verified: textAt(state, "verified"), blocks: Object.fromEntries(blocks)};
}

export async function writeState(file: string, {verified, blocks}: HookState): Promise<void> {
  const newest = Object.fromEntries(Object.entries(blocks).slice(-MAX_SESSIONS));
  await mkdir(dirname(file), {recursive: true});
  // Two agents may stop at the same time; neither reads half a file.
  const ownFile = `${file}.${process.pid}`;
  await writeFile(ownFile, JSON.stringify({verified, blocks: newest}));
  await rename(ownFile, file);
}
