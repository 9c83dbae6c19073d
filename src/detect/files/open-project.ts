/** Opens a folder as a `Project`: its current files, listed and read within bounds, without running any of its code. */
import {existsSync, realpathSync} from "node:fs";
import {type GitMachine, type Listing, listFiles} from "./list-files.ts";
import {type Project, viewFiles} from "./project.ts";
import {createFileReader} from "./read-file.ts";

/**
 * Opens the view of `folder`. `listing` is a listing of this folder that the caller has already started.
 * Never rejects: a folder that cannot be listed is an empty project with a note.
 */
export async function openProject(
  folder: string,
  machine: GitMachine = {},
  listing: Promise<Listing> = listFiles(folder, machine),
): Promise<Project> {
  const top = existsSync(folder) ? realpathSync(folder) : folder;
  const {files, notes} = await listing;
  const hasYaml = [...files.search(["*.yml", "*.yaml"]).values()].some((paths) => paths.length > 0);
  const parseYaml = hasYaml ? (await import("./parse-yaml.ts")).parseYaml : null;
  return viewFiles({files, read: createFileReader(top), parseYaml, notes});
}
