/** Finds the programs behind links in a folder of `PATH`: pipx, uv and others install them elsewhere in the home. */
import {readdirSync, readlinkSync, realpathSync} from "node:fs";
import {basename, dirname, join, resolve, sep} from "node:path";
import {programFolders} from "./program-folders.ts";

/**
 * A link may lead to a virtual environment, whose `python` is a link to an interpreter, which is a link to a version.
 */
const MAX_DEPTH = 3;

/**
 * Folders and files that the links in `folder` need: for a program that an installer keeps in a hidden folder of the
 * home (`~/.local/share/pipx/venvs/black/bin/black`), the whole installation; for any other program, its file alone,
 * because the folder next to it may hold anything.
 */
export function linkedPrograms(folder: string, home: string, depth = MAX_DEPTH): string[] {
  if (depth === 0) return [];
  return linksIn(folder).flatMap((link) => {
    const target = realTarget(link);
    if (target === null || dirname(target) === folder) return [];
    const installation = installationOf(target, home);
    if (installation === null) return [target];
    const binaries = dirname(target);
    return [...installation, ...(binaries === folder ? [] : linkedPrograms(binaries, home, depth - 1))];
  });
}

function linksIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, {withFileTypes: true});
    return entries.filter((entry) => entry.isSymbolicLink()).map(({name}) => join(folder, name));
  } catch {
    return [];
  }
}

/** The target of a link; null if it is missing. */
function realTarget(link: string): string | null {
  try {
    return realpathSync(resolve(dirname(link), readlinkSync(link)));
  } catch {
    return null;
  }
}

/**
 * The installation of a program below a hidden folder of the home: the outermost `node_modules`, or the folders that
 * the programs of a `bin` need.
 */
function installationOf(target: string, home: string): string[] | null {
  if (!target.startsWith(`${home}${sep}.`)) return null;
  const packages = target.indexOf(`${sep}node_modules${sep}`);
  if (packages >= 0) return [target.slice(0, packages + `${sep}node_modules`.length)];
  const folder = dirname(target);
  return ["bin", ".bin"].includes(basename(folder)) ? programFolders(folder, home) : null;
}
