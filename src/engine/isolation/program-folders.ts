/** Determines which folders next to a folder of programs these programs need, and which may contain credentials. */
import {existsSync} from "node:fs";
import {basename, dirname, join, relative, sep} from "node:path";
import {real} from "../../process/mounts.ts";

/**
 * The files that installers put next to `bin`, from the layouts of toolchains in a home folder (hier(7) and others).
 */
const PARTS_OF_PROGRAMS = [
  ...["lib", "lib32", "lib64", "libexec", "sbin", "share", "include", "conf", "boot", "jmods", "init.d", "platform"],
  ...["versions", "toolchains", "tools", "envs", "installs", "plugins", "shims", "candidates", "pkgs", "packages"],
  ...["pkg", "src", "sdk", "store", "releases", "pyenv.d", "rbenv.d", "node_modules"],
  ...["version", "VERSION", "release", "go.env", "pyvenv.cfg", "settings.toml"],
];

/**
 * The folders and files that the programs in `folder` need. An installation deep in a hidden folder of the home is
 * shown whole (`~/.local/share/pipx/venvs/black/bin`). Elsewhere in the home the parent of `bin` may hold credentials
 * (`~/.docker/config.json`) or a project with its `.env`, so that only the parts of a program next to it are shown.
 */
export function programFolders(folder: string, home: string): string[] {
  const parent = dirname(folder);
  if (!["bin", ".bin"].includes(basename(folder)) || basename(parent) === ".local") return [folder];
  const isPackages = basename(parent) === "node_modules";
  const fromHome = relative(real(home), real(parent)).split(sep);
  if (isPackages || fromHome[0] === ".." || isDeepInHiddenFolder(fromHome)) return [parent, folder];
  return [folder, ...PARTS_OF_PROGRAMS.map((name) => join(parent, name)).filter((path) => existsSync(path))];
}

/** `~/.config` contains settings, and with them credentials, one level deeper than other hidden folders. */
function isDeepInHiddenFolder([first = "", ...rest]: readonly string[]): boolean {
  return first.startsWith(".") && rest.length >= (first === ".config" ? 2 : 1);
}
