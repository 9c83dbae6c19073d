/** Puts the files of submodules into a checkout: at the commits that its tree names, out of the working folder's repositories. */
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
  /** git that looks for the repository of the folder that it works in */
  readonly git: Git;
  /** its repository, where the folder does not lead to it */
  readonly gitDir?: string;
}

interface SubmoduleSource {
  /** of the checkout, whose index has the commit */
  readonly git: Git;
  readonly folder: string;
  readonly commit: string;
  /** the submodules of the commit */
  readonly links: readonly Gitlink[];
  /** null where there is none */
  readonly source: WorkingFolder | null;
  /** for repositories that exist for one fetch only */
  readonly scratch: string;
  /** makes a checkout of a submodule, with the submodules in it */
  readonly fill: (options: {
    repository: string;
    commit: string;
    folder: string;
    source: Omit<WorkingFolder, "git">;
  }) => Promise<Result<null, Failure>>;
}

const MAX_NAMED = 5;

/** Fails as `git-refused` where a submodule's commit is not on this machine: checks of a tree without it would claim too much (P2). */
export async function writeSubmodules(place: SubmoduleSource): Promise<Result<null, Failure>> {
  const {links} = place;
  if (links.length === 0) return ok(null);
  const names = await namesByPath(place);
  const missing: string[] = [];
  for (const {id, path} of links) {
    const writeResult = await writeOne({place, id, path, name: names.get(path) ?? path});
    if (!writeResult.ok) return writeResult;
    if (!writeResult.value) missing.push(path);
  }
  if (missing.length === 0) return ok(null);
  const firstMissing = missing.slice(0, MAX_NAMED).join(", ") + (missing.length > MAX_NAMED ? ", …" : "");
  const next =
    "In the workflow, set `submodules: recursive` for `actions/checkout`; here, run `git submodule update --init --recursive`";
  return refused({
    kind: "git-refused",
    message: `the files of submodules are not on this machine: ${firstMissing}. ${next}`,
  });
}

/** False where no repository of the working folder has the commit. */
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
      // The fetch from it hashes each object: the agent can write in the working folder's repositories.
      const isOpen = await openCopy({git: source.git, own: copy, objects, id});
      if (!isOpen) continue;
      const below = {folder: join(source.folder, path), gitDir: dirname(objects)};
      const filled = await place.fill({repository: copy, commit: id, folder: join(place.folder, path), source: below});
      return filled.ok ? ok(true) : filled;
    } finally {
      await rm(copy, {recursive: true, force: true});
    }
  }
  return ok(false);
}

/** A bare repository that reads the objects of another one, and nothing of its configuration. False: the commit is not there. */
async function openCopy(options: {git: Git; own: string; objects: string; id: string}): Promise<boolean> {
  const git: Git = (args, call) => options.git(args, {...call, gitDir: options.own, cwd: options.own});
  await mkdir(options.own, {recursive: true, mode: 0o700});
  if (!(await git(["init", "--quiet", "--bare", "--object-format=sha1"])).ok) return false;
  await writeFile(join(options.own, "objects", "info", "alternates"), `${options.objects}\n`);
  await copyFile(join(dirname(options.objects), "shallow"), join(options.own, "shallow")).catch(() => null);
  return (await git(["update-ref", "refs/heads/pinned", `${options.id}^{commit}`])).ok;
}

/** Where the objects of a submodule may be: in the repository of its folder, or in what the working folder keeps for it. */
async function objectStores(options: {source: WorkingFolder; path: string; name: string}): Promise<string[]> {
  const {folder, git, gitDir} = options.source;
  const submodule = join(folder, options.path);
  const ask = async (cwd: string, ...question: string[]) => {
    const answer = await git(["rev-parse", "--path-format=absolute", ...question], {cwd});
    return answer.ok ? [answer.value.trim()] : [];
  };
  const ownStore = existsSync(join(submodule, ".git")) ? await ask(submodule, "--git-path", "objects") : [];
  const gitDirs = gitDir === undefined ? await ask(folder, "--git-dir") : [gitDir];
  const namedStores = options.name.split("/").includes("..")
    ? []
    : gitDirs.map((one) => join(one, "modules", options.name, "objects"));
  return [...ownStore, ...namedStores].filter((store) => existsSync(store) && !/["\n]/.test(store));
}

/** A submodule's repository is kept by its name, which need not be its path. */
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
