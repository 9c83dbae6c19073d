/** Puts the files of submodules into a checkout, from the working folder's repositories. */
import {randomUUID} from "node:crypto";
import {existsSync} from "node:fs";
import {copyFile, mkdir, rm, writeFile} from "node:fs/promises";
import {dirname, join} from "node:path";
import type {Failure} from "../record/failure.ts";
import {ok, type Result, refused} from "../record/words.ts";
import type {Git} from "./git.ts";
import type {Gitlink} from "./private-index.ts";

interface WorkingFolder {
  readonly folder: string;
  /** a git that works in the repository around its current folder */
  readonly git: Git;
  /** its repository, if the folder does not lead to it */
  readonly gitDir?: string;
}

interface SubmoduleSource {
  /** the checkout's git, whose index has the commit */
  readonly git: Git;
  readonly folder: string;
  readonly commit: string;
  /** the submodules of the commit */
  readonly links: readonly Gitlink[];
  /** null if there is none */
  readonly source: WorkingFolder | null;
  /** for temporary repositories, which are needed for one fetch */
  readonly scratch: string;
  /** makes a checkout of a submodule, including nested submodules */
  readonly fill: (options: {
    repository: string;
    commit: string;
    folder: string;
    source: Omit<WorkingFolder, "git">;
  }) => Promise<Result<null, Failure>>;
}

const MAX_NAMED = 5;

/**
 * Fails as `git-refused` if a submodule's commit is not on this machine, because a pass without its files would claim
 * too much (P2).
 */
export async function writeSubmodules(place: SubmoduleSource): Promise<Result<null, Failure>> {
  const {links} = place;
  if (links.length === 0) return ok(null);
  const names = await namesByPath(place);
  const missingPaths: string[] = [];
  for (const {id, path} of links) {
    const writeResult = await writeOne({place, id, path, name: names.get(path) ?? path});
    if (!writeResult.ok) return writeResult;
    if (!writeResult.value) missingPaths.push(path);
  }
  if (missingPaths.length === 0) return ok(null);
  const firstMissing = missingPaths.slice(0, MAX_NAMED).join(", ") + (missingPaths.length > MAX_NAMED ? ", …" : "");
  const next =
    "In the workflow, set `submodules: recursive` for `actions/checkout`; here, run `git submodule update --init --recursive`";
  return refused({
    kind: "git-refused",
    message: `the files of submodules are not on this machine: ${firstMissing}. ${next}`,
  });
}

/** False if no repository of the working folder has the commit. */
async function writeOne(options: {
  place: SubmoduleSource;
  id: string;
  path: string;
  name: string;
}): Promise<Result<boolean, Failure>> {
  const {place, id, path} = options;
  const {source, scratch} = place;
  if (source === null) return ok(false);
  for (const objects of await objectStores({source, path, name: options.name})) {
    const copy = join(scratch, `submodule-${randomUUID()}`);
    try {
      // The fetch hashes each object, because the agent can write in the working folder's repositories.
      const isOpen = await openCopy({git: source.git, own: copy, objects, id});
      if (!isOpen) continue;
      const submoduleSource = {folder: join(source.folder, path), gitDir: dirname(objects)};
      const filling = await place.fill({
        repository: copy,
        commit: id,
        folder: join(place.folder, path),
        source: submoduleSource,
      });
      return filling.ok ? ok(true) : filling;
    } finally {
      await rm(copy, {recursive: true, force: true});
    }
  }
  return ok(false);
}

/**
 * Opens a bare repository that reads another one's objects, but not its configuration. False if the commit is missing
 * there.
 */
async function openCopy(options: {git: Git; own: string; objects: string; id: string}): Promise<boolean> {
  const git: Git = (args, call) => options.git(args, {...call, gitDir: options.own, cwd: options.own});
  await mkdir(options.own, {recursive: true, mode: 0o700});
  if (!(await git(["init", "--quiet", "--bare", "--object-format=sha1"])).ok) return false;
  await writeFile(join(options.own, "objects", "info", "alternates"), `${options.objects}\n`);
  await copyFile(join(dirname(options.objects), "shallow"), join(options.own, "shallow")).catch(() => null);
  return (await git(["update-ref", "refs/heads/pinned", `${options.id}^{commit}`])).ok;
}

/**
 * Where the objects of a submodule may be: in the repository of its folder, or in the working folder's `.git/modules`.
 */
async function objectStores(options: {source: WorkingFolder; path: string; name: string}): Promise<string[]> {
  const {folder, git, gitDir} = options.source;
  const submodule = join(folder, options.path);
  const revParse = async (cwd: string, ...args: string[]) => {
    const answer = await git(["rev-parse", "--path-format=absolute", ...args], {cwd});
    return answer.ok ? [answer.value.trim()] : [];
  };
  const ownStore = existsSync(join(submodule, ".git")) ? await revParse(submodule, "--git-path", "objects") : [];
  const gitDirs = gitDir === undefined ? await revParse(folder, "--git-dir") : [gitDir];
  const namedStores = options.name.split("/").includes("..")
    ? []
    : gitDirs.map((one) => join(one, "modules", options.name, "objects"));
  return [...ownStore, ...namedStores].filter((store) => existsSync(store) && !/["\n]/.test(store));
}

/** git stores a submodule's repository by its name, which may differ from its path. */
async function namesByPath({git, commit}: SubmoduleSource): Promise<ReadonlyMap<string, string>> {
  const answer = await git(["config", "-z", `--blob=${commit}:.gitmodules`, "--get-regexp", "^submodule\\..*\\.path$"]);
  const rows = answer.ok ? answer.value.split("\0") : [];
  return new Map(
    rows.flatMap((row): [string, string][] => {
      const [, name, path] = /^submodule\.(.*)\.path\n(.*)$/s.exec(row) ?? [];
      return name === undefined || path === undefined ? [] : [[path, name]];
    }),
  );
}
