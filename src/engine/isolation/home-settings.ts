/** Makes the settings in a stage's home read-only, because the next stage reads or runs them. */
import {lstatSync, mkdirSync, rmSync, statSync, writeFileSync} from "node:fs";
import {dirname, join, relative} from "node:path";
import type {Sandbox} from "../../process/sandbox.ts";

/** Shells, package managers and version control read these files. Missing files are created with this text. */
const FILES: Readonly<Record<string, string>> = {
  ...Object.fromEntries([".bashrc", ".bash_profile", ".bash_login", ".profile", ".zshenv"].map((name) => [name, ""])),
  ...Object.fromEntries([".npmrc", ".yarnrc", ".yarnrc.yml", ".bunfig.toml"].map((name) => [name, ""])),
  ...Object.fromEntries([".gitconfig", ".netrc", ".pypirc", ".pydistutils.cfg"].map((name) => [name, ""])),
  ".gradle/init.gradle": "",
  ".gradle/gradle.properties": "",
  ".m2/settings.xml": "<settings/>\n",
};
const FOLDERS = [
  ...[".ssh", ".docker", ".pip", ".cargo", ".gradle/init.d"],
  ...[".config/git", ".config/pip", ".config/go", ".config/uv"],
];
/** Download caches in the folders above. */
const CACHES = [".cargo/registry", ".cargo/git"];
/** Programs and modules that a user installs. */
const INSTALLED = [".local/bin", ".local/lib"];

/**
 * Creates the missing files in `home`, which the stage sees at `seen`. Nothing may run in this home meanwhile. A link
 * at the path of a setting would lead the mount out of the home, so it is replaced.
 */
export function pinSettings({
  home,
  seen,
  mayInstall,
}: {
  home: string;
  seen: string;
  mayInstall: boolean;
}): Sandbox["pinned"] {
  const folders = [...FOLDERS, ...(mayInstall ? [] : INSTALLED)];
  const names = [...Object.keys(FILES), ...folders];
  // A parent folder of a mount can be renamed and replaced, unless it is a mount itself.
  const parents = [...new Set(names.map((name) => dirname(name)))].filter((name) => name !== ".");
  for (const name of [...parents, ...folders, ...CACHES]) ensureFolder(join(home, name));
  for (const [name, text] of Object.entries(FILES)) ensureFile(join(home, name), text);
  return [
    ...parents.map((name) => ({at: join(seen, name), isReadOnly: false})),
    ...names.map((name) => ({at: join(seen, name), isReadOnly: true})),
    ...CACHES.map((name) => ({at: join(seen, name), isReadOnly: false})),
  ];
}

/**
 * Creates in `home` the mount points of `shown` files and folders that are below its read-only settings: bubblewrap
 * cannot create them there (Docker Desktop puts `~/.docker/bin` into `PATH`).
 */
export function prepareMountPoints(options: {
  home: string;
  seen: string;
  shown: readonly string[];
  pinned: Sandbox["pinned"];
}): void {
  const {home, seen, shown, pinned} = options;
  for (const path of shown) {
    if (!pinned.some(({at}) => path.startsWith(`${at}/`))) continue;
    const names = relative(seen, path).split("/");
    // Creates each folder separately, because a link in the path would lead out of the home.
    for (const [index] of names.slice(0, -1).entries()) ensureFolder(join(home, ...names.slice(0, index + 1)));
    if (statSync(path).isDirectory()) ensureFolder(join(home, ...names));
    else ensureFile(join(home, ...names), "");
  }
}

function ensureFolder(path: string): void {
  const stat = lstatSync(path, {throwIfNoEntry: false});
  if (stat?.isDirectory()) return;
  if (stat !== undefined) rmSync(path);
  mkdirSync(path, {recursive: true});
}

function ensureFile(path: string, text: string): void {
  const stat = lstatSync(path, {throwIfNoEntry: false});
  if (stat?.isFile()) return;
  if (stat !== undefined) rmSync(path, {recursive: true});
  writeFileSync(path, text);
}
