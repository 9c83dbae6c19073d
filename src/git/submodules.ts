/** Compares the submodules of a developer's folder with the commits that its base names. */
import {randomUUID} from "node:crypto";
import {existsSync} from "node:fs";
import {rm} from "node:fs/promises";
import {join} from "node:path";
import type {OwnPrograms} from "../process/own-programs.ts";
import type {Failure} from "../record/failure.ts";
import {ok, type Result} from "../record/words.ts";
import {gitRefused} from "./git.ts";
import {openRepository, type Repository, type RepositoryOptions} from "./repository.ts";
import {snapshotFolder} from "./snapshot.ts";

/**
 * Submodules whose folder differs from the commit in `base`, because a tree has only that commit's id. Each is compared
 * like every other folder, without running anything of its `.git`.
 */
export async function submoduleChanges(options: {
  repository: Repository;
  folder: string;
  base: string;
  variables: RepositoryOptions["variables"];
  programs?: OwnPrograms;
}): Promise<Result<{path: string; why: string}[], Failure>> {
  const listing = await options.repository.git(["ls-tree", "-r", "-z", "--full-tree", options.base]);
  if (!listing.ok) return gitRefused(listing.failure);
  const changes: {path: string; why: string}[] = [];
  for (const row of listing.value.split("\0")) {
    const [, id, path] = /^160000 commit ([0-9a-f]+)\t(.*)$/s.exec(row) ?? [];
    if (id === undefined || path === undefined || !existsSync(join(options.folder, path, ".git"))) continue;
    const reason = await submoduleChange({...options, folder: join(options.folder, path), id});
    if (reason !== null) changes.push({path, why: reason});
  }
  return ok(changes);
}

async function submoduleChange(options: {
  repository: Repository;
  folder: string;
  id: string;
  variables: RepositoryOptions["variables"];
  programs?: OwnPrograms;
}): Promise<string | null> {
  const ownFolder = join(options.repository.folder, `submodule-${randomUUID()}`);
  try {
    const source = {kind: "local", folder: options.folder} as const;
    const openResult = await openRepository({
      folder: ownFolder,
      source,
      variables: options.variables,
      ...(options.programs && {programs: options.programs}),
    });
    if (!openResult.ok) return `The submodule cannot be read: ${openResult.failure.kind}`;
    const repository = openResult.value;
    const head = await repository.fetch("HEAD");
    if (!head.ok) return "The commit of the submodule cannot be read";
    if (head.value.commit !== options.id)
      return `The submodule is at ${head.value.commit.slice(0, 10)}, and the repository names ${options.id.slice(0, 10)}`;
    const tree = await snapshotFolder({repository, folder: options.folder, commit: options.id});
    if (!tree.ok) return "The files of the submodule cannot be compared with its commit";
    return tree.value === head.value.tree ? null : "The submodule has changes that are not committed in it";
  } finally {
    await rm(ownFolder, {recursive: true, force: true});
  }
}
