/** Opens the files of one commit as a project, for the plan. No checkout is read, so leftover files have no effect. */

import {createFileList} from "../detect/files/file-list.ts";
import {openProject} from "../detect/files/open-project.ts";
import type {Project} from "../detect/files/project.ts";
import type {Repository} from "../git/repository.ts";
import type {Failure} from "../record/failure.ts";
import {ok, type Result} from "../record/words.ts";

/** Writes the files into `folder`, which must be missing or empty. */
export async function openCommit(options: {
  repository: Pick<Repository, "writeFiles">;
  commit: string;
  folder: string;
}): Promise<Result<Project, Failure>> {
  const {repository, commit, folder} = options;
  const paths = await repository.writeFiles({commit, folder});
  if (!paths.ok) return paths;
  const listing = Promise.resolve({files: createFileList(paths.value), notes: []});
  return ok(await openProject(folder, {}, listing));
}
