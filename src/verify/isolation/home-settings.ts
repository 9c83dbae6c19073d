/** Makes a private home's settings read-only: what one stage writes there would be read, or run, by the next one. */
import {lstatSync, mkdirSync, rmSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import type {Sandbox} from "../../process/sandbox.ts";

/** Shells, package managers, version control and their like read these by themselves. Made with this text where they are missing. */
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
/** Where the tools whose folders these are keep downloads. */
const CACHES = [".cargo/registry", ".cargo/git"];
/** Programs and modules that a user's own install puts there. */
const INSTALLED = [".local/bin", ".local/lib"];

/**
 * Makes what is missing in `home`, which is seen at `seen`. Nothing runs in this home meanwhile. A link in the place of a
 * setting would lead the mount out of the home, and is replaced.
 */
export function pinSettings(o: {home: string; seen: string; mayInstall: boolean}): Sandbox["pinned"] {
  const {home, seen, mayInstall} = o;
  const folders = [...FOLDERS, ...(mayInstall ? [] : INSTALLED)];
  const names = [...Object.keys(FILES), ...folders];
  // A folder above a mount can be renamed, and another one be made in its place, unless it is a mount itself.
  const above = [...new Set(names.map((name) => dirname(name)))].filter((name) => name !== ".");
  for (const name of [...above, ...folders, ...CACHES]) ensureFolder(join(home, name));
  for (const [name, text] of Object.entries(FILES)) ensureFile(join(home, name), text);
  return [
    ...above.map((name) => ({at: join(seen, name), isReadOnly: false})),
    ...names.map((name) => ({at: join(seen, name), isReadOnly: true})),
    ...CACHES.map((name) => ({at: join(seen, name), isReadOnly: false})),
  ];
}

function ensureFolder(path: string): void {
  const found = lstatSync(path, {throwIfNoEntry: false});
  if (found?.isDirectory()) return;
  if (found !== undefined) rmSync(path);
  mkdirSync(path, {recursive: true});
}

function ensureFile(path: string, text: string): void {
  const found = lstatSync(path, {throwIfNoEntry: false});
  if (found?.isFile()) return;
  if (found !== undefined) rmSync(path, {recursive: true});
  writeFileSync(path, text);
}
