/** Hides folders from an isolated command. */
import {basename, dirname} from "node:path";
import {bwrapCapabilities, keepCapabilities, withoutCapabilities} from "./capabilities.ts";
import {isFolder, isWritable, type Wrapper} from "./isolation.ts";
import {ownProgram} from "./own-programs.ts";

/**
 * Mounts the first folders over themselves, so that they cannot be renamed, and empty file systems over the others. The
 * command itself may not mount, not even as root, or it could undo this. The last line enters the working folder again,
 * below the mounts.
 */
const HIDE_SCRIPT = `mount=$1; shift; here=$(pwd -P); while [ "$1" != -- ]; do "$mount" --rbind "$1" "$1" || exit 1; shift; done; shift
while [ "$1" != -- ]; do "$mount" -t tmpfs -o ro,size=4k none "$1" || exit 1; shift; done; shift
cd "$here" && exec "$@"`;

/**
 * Adds to the wrapper that these folders are empty and read-only; missing folders are ignored. A command cannot rename
 * a parent folder either, which would put another folder at that path for processes outside.
 */
export function hideFolders(wrapper: Wrapper, folders: readonly string[]): Wrapper {
  const hiddenFolders = folders.filter(isFolder);
  const [program, ...rest] = wrapper;
  const pinnedParents = [...new Set(hiddenFolders.flatMap(renamableParents))].sort();
  if (basename(program) === "bwrap") {
    const pins = pinnedParents.flatMap((path) => ["--dev-bind", path, path]);
    const empty = hiddenFolders.flatMap((path) => ["--tmpfs", path, "--remount-ro", path]);
    return [program, ...rest.slice(0, -1), ...pins, ...empty, ...bwrapCapabilities(), "--"];
  }
  const mounts = [ownProgram("mount"), ...pinnedParents, "--", ...hiddenFolders, "--", ...withoutCapabilities()];
  return [program, ...keepCapabilities(rest), "/bin/sh", "-c", HIDE_SCRIPT, "hide", ...mounts];
}

/** The parent folders that this user can rename, because the folder that contains them is writable. */
function renamableParents(folder: string): string[] {
  const parent = dirname(folder);
  if (parent === folder || dirname(parent) === parent) return [];
  return [...renamableParents(parent), ...(isWritable(dirname(parent)) ? [parent] : [])];
}
