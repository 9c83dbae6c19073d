/** What a run changed of its machine: programs on the PATH, settings in the home folder, the runner's own folders. */
import {createHash} from "node:crypto";
import {type Dirent, lstatSync, readdirSync, readFileSync, realpathSync} from "node:fs";
import {join, relative} from "node:path";

/** Where the product, the agent or a tool writes by right, below the runner's temporary folder or the home folder. */
const WRITTEN_BY_RIGHT = /^(?:assay(?:-\w+)*|system-tmp|_runner_file_commands|\.npm|\.cache|\.pi)(?:\/|$)/;

interface MachineFolders {
  readonly PATH: string;
  readonly HOME: string;
  readonly RUNNER_TEMP: string;
}

/** One line for each file: its name, and what it is. Programs of the system are known by inode and times, all others by their bytes. */
export function seeMachine({PATH, HOME, RUNNER_TEMP}: MachineFolders): ReadonlyMap<string, string> {
  const system = PATH.split(":").flatMap((folder) => entriesOf(folder).map(({name}) => join(folder, name)));
  const own = [HOME, RUNNER_TEMP].flatMap((root) =>
    entriesOf(root, {recursive: true})
      .map(({parentPath, name}) => join(parentPath, name))
      .filter((file) => !WRITTEN_BY_RIGHT.test(relative(root, file))),
  );
  return new Map([
    ...system.map((file) => [file, statOf(file)] as const),
    ...own.map((file) => [file, hashOf(file)] as const),
  ]);
}

/** The files that are new, gone or different, in order. */
export function machineChanges(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const files = [...new Set([...before.keys(), ...after.keys()])];
  return files.filter((file) => before.get(file) !== after.get(file)).sort();
}

function entriesOf(folder: string, options: {recursive?: boolean} = {}): Dirent[] {
  try {
    return readdirSync(folder, {...options, withFileTypes: true}).filter((entry) => !entry.isDirectory());
  } catch {
    return []; // a folder of the PATH need not be there
  }
}

function statOf(file: string): string {
  const stat = lstatSync(file, {throwIfNoEntry: false});
  return stat === undefined ? "gone" : [stat.ino, stat.size, stat.mtimeMs, stat.mode].join(" ");
}

/** Through links, because it is the program behind one that runs. */
function hashOf(file: string): string {
  try {
    const real = realpathSync(file);
    const {size} = lstatSync(real);
    // Node itself, which no test writes into
    if (size > 50_000_000) return `${real} ${statOf(real)}`;
    return `${real} ${createHash("sha256").update(readFileSync(real)).digest("hex")}`;
  } catch {
    return "a link to nothing, or no file";
  }
}
