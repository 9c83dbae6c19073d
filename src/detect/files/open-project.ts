/** Opens a folder as a `Project`: its files as they stand, listed and read within bounds, without running anything of it. */
import {existsSync, realpathSync} from "node:fs";
import type {FileList} from "./file-list.ts";
import {type GitMachine, type Listing, listFiles} from "./list-files.ts";
import {type Project, viewFiles} from "./project.ts";
import {createFileReader} from "./read-file.ts";

/**
 * Opens the view of `folder`. `machine` is what git gets. `listing` is the list of this folder where it has
 * been begun already. Never rejects: a folder that cannot be listed is an empty project with a note.
 */
export async function openProject(
  folder: string,
  machine: GitMachine = {},
  listing: Promise<Listing> = listFiles(folder, machine),
): Promise<Project> {
  const top = existsSync(folder) ? realpathSync(folder) : folder;
  const {files, notes} = await listing;
  return viewFiles({files, read: createFileReader(top), parseYaml: await yamlFor(files), notes});
}

async function yamlFor(files: FileList): Promise<((source: string) => unknown) | null> {
  const found = files.search(["*.yml", "*.yaml"]);
  return [...found.values()].some((paths) => paths.length > 0) ? (await import("./parse-yaml.ts")).parseYaml : null;
}
