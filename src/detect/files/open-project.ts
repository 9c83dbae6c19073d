/** Opens a folder as a `Project`: its current files, listed and read within bounds, without running any of its code. */
import {existsSync, realpathSync} from "node:fs";
import {leftOutReader} from "./left-out.ts";
import {type GitMachine, type Listing, listFiles} from "./list-files.ts";
import {type Project, viewFiles} from "./project.ts";
import {createFileReader} from "./read-file.ts";

/**
 * Opens the view of `folder`. `listing` is a listing of this folder that the caller has already started. `onLeftOut` gets
 * each path that a sparse checkout leaves out, and that is read from git.
 * Never rejects: a folder that cannot be listed is an empty project with a note.
 */
export async function openProject(
  folder: string,
  machine: GitMachine = {},
  listing: Promise<Listing> = listFiles(folder, machine),
  onLeftOut: (path: string) => void = () => undefined,
): Promise<Project> {
  const top = existsSync(folder) ? realpathSync(folder) : folder;
  const {files, notes} = await listing;
  const hasYaml = [...files.search(["*.yml", "*.yaml"]).values()].some((paths) => paths.length > 0);
  const parseYaml = hasYaml ? (await import("./parse-yaml.ts")).parseYaml : null;
  const readFile = createFileReader(top);
  const readLeftOut = leftOutReader(top);
  if (readLeftOut === null) return viewFiles({files, read: readFile, parseYaml, notes});
  const read: typeof readFile = (path, mostBytes) => {
    const content = readFile(path, mostBytes);
    const bytes = content.kind === "none" ? readLeftOut(path) : null;
    if (bytes === null) return content;
    onLeftOut(path);
    return {kind: "bytes", bytes};
  };
  return viewFiles({files, read, parseYaml, notes});
}
