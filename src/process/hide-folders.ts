/** Takes folders out of a fenced command's sight and reach. */
import {basename, dirname} from "node:path";
import {bwrapCapabilities, withoutCapabilities} from "./capabilities.ts";
import {isFolder, isWritable, type Wrapper} from "./isolation.ts";
import {ownProgram} from "./own-programs.ts";

/**
 * Lays folders over themselves, which nobody can rename then, and something empty over others. Behind it nobody may mount,
 * root included, or what is hidden would be a command away. It changes into its own folder anew, which lies below all that.
 */
const HIDE = `mount=$1; shift; here=$(pwd -P); while [ "$1" != -- ]; do "$mount" --rbind "$1" "$1" || exit 1; shift; done; shift
while [ "$1" != -- ]; do "$mount" -t tmpfs -o ro,size=4k none "$1" || exit 1; shift; done; shift
cd "$here" && exec "$@"`;

/**
 * The fence with folders that are empty behind it, and cannot be written; one that does not exist is left out. Nor can a
 * folder above them be renamed there, so that another would stand under its name for those who are not behind the fence.
 */
export function hideFolders(wrapper: Wrapper, folders: readonly string[]): Wrapper {
  const hidden = folders.filter(isFolder);
  const [program, ...rest] = wrapper;
  const pinned = [...new Set(hidden.flatMap(renamableAbove))].sort();
  if (basename(program) === "bwrap") {
    const pins = pinned.flatMap((path) => ["--dev-bind", path, path]);
    const empty = hidden.flatMap((path) => ["--tmpfs", path, "--remount-ro", path]);
    return [program, ...rest.slice(0, -1), ...pins, ...empty, ...bwrapCapabilities(), "--"];
  }
  // A user who is not root can mount in a namespace only with the rights that unshare would drop otherwise.
  const keeping = rest.flatMap((word) => (word === "--user" ? [word, "--keep-caps"] : [word]));
  const mounts = [ownProgram("mount"), ...pinned, "--", ...hidden, "--", ...withoutCapabilities()];
  return [program, ...keeping, "/bin/sh", "-c", HIDE, "hide", ...mounts];
}

/** The folders above this one that its user can rename, because what they lie in is open to them. */
function renamableAbove(folder: string): string[] {
  const above = dirname(folder);
  if (above === folder || dirname(above) === above) return [];
  return [...renamableAbove(above), ...(isWritable(dirname(above)) ? [above] : [])];
}
