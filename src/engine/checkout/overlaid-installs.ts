/** Chooses the `node_modules` folders that are overlaid onto a checkout, and creates their mount points. */
import {existsSync, lstatSync, realpathSync, statSync} from "node:fs";
import {mkdir, symlink} from "node:fs/promises";
import {basename, dirname, join} from "node:path";
import {isFolder} from "../../process/isolation.ts";
import type {StageIsolation} from "../isolation/choose-sandbox.ts";
import type {OverlaidInstall} from "../isolation/sandbox-view.ts";
import type {CheckoutOptions} from "./stage-environment.ts";

/** Its package managers also work if it is a mount and cannot be removed, as in many containers. */
const FOLDER = "node_modules";
/**
 * Vite renames this folder, and overlayfs cannot rename a folder of its lower layer (its kernel documentation,
 * "redirect_dir").
 */
const RENAMED = ".vite";
/** Each one makes the start of every stage slower. */
const MAX_OVERLAYS = 8;
/** Characters that separate the options of a mount. */
const SEPARATORS = /[:,\s\\]/;

/** Matches a command that removes or moves the folder, which fails for a mount. */
const REMOVING_COMMAND = `(^|[^[:alnum:]_])(rm|rmdir|rimraf|rmSync|unlink|mv|rename|trash|del)[^[:alnum:]_].*${FOLDER}|git clean .*-[a-z]*[xX]`;
const NOT_RUN = [":(exclude)*.md", ":(exclude,top).github"];

/** Selects the install's paths below `root` that checkouts may overlay. The others are copied. */
export async function choosePathsToOverlay(
  options: Pick<CheckoutOptions, "repository" | "base" | "folder"> & {isolation: Pick<StageIsolation, "overlays">},
  {root, added}: {root: string; added: readonly string[]},
): Promise<string[]> {
  const {isolation, repository, base, folder} = options;
  if (!isolation.overlays || SEPARATORS.test(folder)) return [];
  const device = statSync(options.repository.folder).dev;
  const isSuitablePath = (path: string): boolean => {
    const from = join(root, path);
    // Assay tested overlays only on the disk of the checkouts.
    const stat = lstatSync(from);
    const isSuitable = basename(path) === FOLDER && stat.isDirectory() && stat.dev === device;
    return isSuitable && !SEPARATORS.test(from) && !existsSync(join(from, RENAMED));
  };
  const paths = added.filter(isSuitablePath).slice(0, MAX_OVERLAYS);
  if (paths.length === 0) return [];
  const match = await repository.git(["grep", "--quiet", "-I", "-E", "-e", REMOVING_COMMAND, base, "--", ...NOT_RUN]);
  // Exit code 1 of `git grep`: no match. In doubt the folders are copied.
  return !match.ok && match.failure.code === 1 ? paths : [];
}

/**
 * Creates mount points at the paths that are free in the checkout. Each one links to its programs, because Assay looks
 * for installed programs outside of the sandbox, where a mount point would be empty.
 */
export async function createMountPoints(options: {
  from: string;
  to: string;
  paths: readonly string[];
}): Promise<OverlaidInstall[]> {
  const overlaid: OverlaidInstall[] = [];
  for (const path of options.paths) {
    const [at, from] = [join(options.to, path), join(options.from, path)];
    const parent = dirname(at);
    const isFree = lstatSync(at, {throwIfNoEntry: false}) === undefined;
    // A link of the candidate would lead somewhere else.
    if (!isFree || !isFolder(parent) || realpathSync(parent) !== join(realpathSync(options.to), dirname(path)))
      continue;
    await mkdir(at);
    await symlink(join(from, ".bin"), join(at, ".bin"));
    overlaid.push({at, from});
  }
  return overlaid;
}
