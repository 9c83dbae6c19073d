/** Defines a stage's sandbox: its checkout and home, the toolchains in its variables, no other part of the home. */
import {cpSync, existsSync, lstatSync, mkdirSync, readdirSync, renameSync, writeFileSync} from "node:fs";
import {dirname, join, relative, resolve} from "node:path";
import {isFolder} from "../../process/isolation.ts";
import {isBelow, real} from "../../process/mounts.ts";
import type {Overlay, Sandbox} from "../../process/sandbox.ts";
import {pinSettings, prepareMountPoints} from "./home-settings.ts";
import {linkedPrograms} from "./linked-programs.ts";
import {programFolders} from "./program-folders.ts";

/** Every stage sees its temporary folder here. The path is short because names of sockets are limited (unix(7)). */
export const SANDBOX_TMP = "/tmp";
const TEMPORARY = [SANDBOX_TMP, "/var/tmp"];

/** Download caches in the folders that these variables name; tools check the content when they use it. */
const CACHES: Readonly<Record<string, readonly string[]>> = {
  CARGO_HOME: ["registry", "git"],
  GOPATH: ["pkg"],
  GOMODCACHE: ["."],
  BUN_INSTALL: ["install/cache"],
  PNPM_HOME: ["store"],
};
/** An install adds to these: the toolchain of a `rust-toolchain.toml`, the pnpm that `packageManager` names. */
const INSTALLED: Readonly<Record<string, readonly string[]>> = {
  RUSTUP_HOME: ["."],
  VOLTA_HOME: ["."],
  GEM_HOME: ["."],
  MIX_HOME: ["."],
  PNPM_HOME: [".tools"],
};
/** Files in the visible folders of toolchains (Cargo's manual, "Credentials"; RubyGems' guide to API keys). */
const CREDENTIALS: Readonly<Record<string, readonly string[]>> = {
  CARGO_HOME: ["credentials", "credentials.toml"],
  GEM_HOME: ["credentials"],
};

/** A folder of the checkout, and the installed folder whose files it shows. */
export interface OverlaidInstall {
  readonly at: string;
  readonly from: string;
}

/** The paths that one command sees and may write. */
export interface CommandView {
  readonly checkout: string;
  /** the command's own home */
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** other readable folders: the install that the dependencies were copied from and may refer to */
  readonly alsoReadable?: readonly string[];
  /** Assay's folders that it may write in addition to the checkout */
  readonly alsoWritable?: readonly string[];
  readonly overlaidInstalls?: readonly OverlaidInstall[];
  /** true if no later command of the checkout sees what it writes into these installs */
  readonly discardsInstallWrites?: boolean;
  /** what is read-only in its home: nothing for the setup, settings for an agent, settings and programs for a stage */
  readonly pins: "nothing" | "settings" | "settings and programs";
  /** the home of the base's install, with its downloads */
  readonly baseHome?: string | null;
  readonly network: boolean;
  /** true if nothing in the base makes the keys of a build cache incomplete */
  readonly readsBuildCaches?: boolean;
}

interface View extends CommandView {
  /** the path where the command sees its home, which is that of the real home */
  readonly homeSeen: string;
  /** the runner's temporary folder, the agent's workspace */
  readonly private: readonly string[];
  /** shared download caches below the real home */
  readonly sharedCaches: readonly string[];
  /** downloads of the base's install that this home reads, as paths below the visible home */
  readonly downloads: readonly string[];
  /** the folder with downloads that were restored; null without any */
  readonly restored: string | null;
  /** the machine's build caches below the real home; the stage's own entries cover them */
  readonly buildCaches: readonly string[];
  /** false if the machine cannot mount overlays; then caches start empty */
  readonly overlays: boolean;
}

/** Assay's folders for a home. They are next to it, where no command can replace them with a link. */
export const foldersOfHome = (home: string) => ({
  tmp: `${home}-tmp`,
  caches: `${home}-caches`,
  scratch: `${home}-view`,
});

/** The overlay layer that keeps the writes of this home's commands to the cache at the visible path `at`. */
export const cacheLayer = (home: string, at: string): string =>
  join(foldersOfHome(home).caches, encodeURIComponent(at), "upper");

/** The downloads of a cache in a restored folder. */
export const restoredLayer = (folder: string, at: string): string => join(folder, encodeURIComponent(at));

/** What an install of the base has downloaded into the cache at `at`, here and on the machine that saved it, without links. */
export const layersOf = ({baseHome = null, restored}: Pick<View, "baseHome" | "restored">, at: string): string[] =>
  [
    ...(baseHome === null ? [] : [cacheLayer(baseHome, at)]),
    ...(restored === null ? [] : [restoredLayer(restored, at)]),
  ].filter(isRealFolder);

/** A sandbox would show the target of a link, which may be a folder that it hides. */
export const isRealFolder = (path: string): boolean => lstatSync(path, {throwIfNoEntry: false})?.isDirectory() === true;

/** The download caches in folders that variables name. */
export const cacheFolders = (env: Readonly<Record<string, string>>): string[] => foldersFrom(CACHES, env);

function foldersFrom(table: Readonly<Record<string, readonly string[]>>, env: Readonly<Record<string, string>>) {
  return Object.entries(table).flatMap(([name, inner]) => {
    const folder = env[name]?.split(":")[0];
    return folder?.startsWith("/") ? inner.map((path) => join(folder, path)) : [];
  });
}

/** Creates missing folders of caches and settings; changes nothing else. */
export function sandboxOf(view: View): Sandbox {
  const {env, homeSeen, home, pins, alsoReadable = [], alsoWritable = [], overlaidInstalls = []} = view;
  const {tmp, scratch} = foldersOfHome(home);
  mkdirSync(tmp, {recursive: true, mode: 0o700});
  const replacedFolders = [homeSeen, ...TEMPORARY, "/run"].map(real);
  const coveredPaths = [...replacedFolders, ...view.private.map(real)];
  const ownFolders = [view.checkout, view.home, ...alsoWritable];
  const isOwn = (path: string): boolean => ownFolders.some((folder) => isBelow(path, folder));
  const isCovered = (path: string): boolean => coveredPaths.some((folder) => isBelow(path, folder));
  const namedPaths = Object.entries(env).flatMap(([name, value]) =>
    value
      .split(":")
      .flatMap((path) =>
        name === "PATH"
          ? [...programFolders(path, homeSeen), ...(isCovered(path) ? linkedPrograms(path, real(homeSeen)) : [])]
          : [path],
      ),
  );
  const wantedPaths = [...namedPaths, "/etc/resolv.conf", ...alsoReadable]
    .filter((path) => path.startsWith("/") && existsSync(path))
    .flatMap((path) => [resolve(path), real(path)])
    // A parent of a private folder would make it visible again.
    .filter((path) => isCovered(path) && !isOwn(path) && !coveredPaths.some((folder) => isBelow(folder, path)));
  // A visible folder includes its links, and bubblewrap cannot mount on a link.
  const shownPaths = wantedPaths.filter((path) => !wantedPaths.some((folder) => leadsOut(path, folder)));
  const caches = [...cacheFolders(env), ...foldersFrom(INSTALLED, env), ...view.sharedCaches];
  const mayInstall = pins === "settings";
  const visibleHome = real(homeSeen);
  const pinnedPaths = pins === "nothing" ? [] : pinSettings({home, seen: visibleHome, mayInstall});
  prepareMountPoints({home, seen: visibleHome, shown: shownPaths, pinned: pinnedPaths});
  return {
    hidden: view.private
      .map(real)
      .filter((path) => isFolder(path) && !replacedFolders.some((one) => isBelow(path, one))),
    placed: {[real(homeSeen)]: view.home, ...Object.fromEntries(TEMPORARY.map((path) => [path, tmp]))},
    shown: shownPaths,
    writable: [view.checkout, ...alsoWritable],
    overlaid: [
      ...[...new Set(caches)].filter(ensureFolder).map((path) => overlay(view, real(path))),
      ...view.downloads.map((path) => downloadOverlay(view, path)),
      ...view.buildCaches.map((path) => buildOverlay(view, path)),
      ...overlaidInstalls.map((install, index) => installOverlay(view, {...install, index})),
    ],
    pinned: pinnedPaths.filter(({at}) => !shownPaths.some((path) => isBelow(at, path))),
    blanked: foldersFrom(CREDENTIALS, env),
    scratch,
    network: view.network,
  };
}

/** True if the path goes through a link that is below the folder. */
function leadsOut(path: string, folder: string): boolean {
  return path !== folder && isBelow(path, folder) && real(path) !== join(real(folder), relative(folder, path));
}

/** Parallel commands must not share an overlay's work folder. */
let workFolders = 0;

/**
 * Overlays the cache of the base's install over the machine's own. A command's writes stay in a folder of its checkout,
 * because tools trust what they have unpacked once, and the next candidate or job would trust it too.
 */
function overlay(view: View, at: string): Overlay {
  const {home, overlays} = view;
  const layerFolder = dirname(cacheLayer(home, at));
  const isNew = !existsSync(layerFolder);
  const layers = layersOf(view, at);
  // These characters separate mount options.
  const isMountable = overlays && ![layerFolder, at].some((path) => /[:,\s\\]/.test(path));
  const openedOverlay = openOverlay({at, own: layerFolder, lower: isMountable ? [...layers, at] : []});
  for (const layer of isMountable || !isNew ? [] : layers)
    cpSync(layer, join(layerFolder, "upper"), {recursive: true, verbatimSymlinks: true});
  return openedOverlay;
}

function openOverlay(overlay: Omit<Overlay, "work">): Overlay {
  const work = `work-${++workFolders}`;
  for (const folder of ["upper", work]) mkdirSync(join(overlay.own, folder), {recursive: true});
  return {...overlay, work};
}

/** Shows only the downloads of the base's install, not the machine's. */
function downloadOverlay(view: View, at: string): Overlay {
  const layers = overlay(view, at);
  return {...layers, lower: layers.lower.filter((path) => path !== at)};
}

/**
 * Overlays an install. A build's writes stay in its checkout. Other stages' writes are discarded, because a test could
 * replace the linter there. Two mounts must not write into the same folder, so a stage in parallel with a build sees
 * the original install.
 */
function installOverlay(
  {home, discardsInstallWrites}: View,
  {at, from, index}: OverlaidInstall & {index: number},
): Overlay {
  const installCache = join(foldersOfHome(home).caches, `install-${index}`);
  const kept = scriptLayer(home, index);
  const install = existsSync(kept) ? [kept, from] : [from];
  const isInUse = existsSync(installCache) && readdirSync(installCache).some((name) => name.startsWith("work-"));
  if (discardsInstallWrites !== true && !isInUse) return openOverlay({at, own: installCache, lower: install});
  const upperFolder = join(installCache, "upper");
  const lower = existsSync(upperFolder) && !isInUse ? [upperFolder, ...install] : install;
  return {...openOverlay({at, own: `${installCache}-once-${workFolders + 1}`, lower}), isDiscarded: true};
}

/** The layer of what the repository's own scripts wrote into the overlaid install with this index. */
export const scriptLayer = (home: string, index: number | string): string =>
  join(foldersOfHome(home).caches, `install-${index}-of-scripts`);

/** Adds what the repository's own scripts wrote into the overlaid installs to these, for all stages of this home. */
export function keepInstallWrites(home: string): void {
  const {caches} = foldersOfHome(home);
  const names = existsSync(caches) ? readdirSync(caches).filter((name) => /^install-\d+$/.test(name)) : [];
  for (const name of names) renameSync(join(caches, name, "upper"), scriptLayer(home, name.slice("install-".length)));
}

/** Overlays a build cache: entries that were saved from the base's stages, over the machine's cache. */
function buildOverlay(view: View, at: string): Overlay {
  const savedCache = join(view.home, relative(view.homeSeen, at));
  const layers = overlay(view, real(at));
  const expires = join(layers.own, "upper", GO_TESTS_EXPIRE);
  if (!existsSync(expires)) writeFileSync(expires, `${Date.now()}000000\n`);
  const isSaved = existsSync(savedCache) && readdirSync(savedCache).length > 0;
  return isSaved ? {...layers, lower: [savedCache, ...layers.lower]} : layers;
}

/** Go ignores cached test results that are older than the nanoseconds in this file (cmd/go/internal/test). */
const GO_TESTS_EXPIRE = "testexpire.txt";

/** The folder that keeps the writes of this home's commands to a cache below it. */
export function writtenCache(home: string, path: string): string {
  const {caches} = foldersOfHome(home);
  const names = existsSync(caches) ? readdirSync(caches) : [];
  const name = names.find((one) => decodeURIComponent(one).endsWith(`/${path}`));
  return name === undefined ? join(home, path) : join(caches, name, "upper");
}

/** If Assay cannot create a cache folder, the tool could not have written it either. */
function ensureFolder(path: string): boolean {
  try {
    mkdirSync(path, {recursive: true});
    return true;
  } catch {
    return false;
  }
}
