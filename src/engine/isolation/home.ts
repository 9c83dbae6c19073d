/** The home folder of setup and stages. It has only what package managers need, and never the runner's credentials. */
import {existsSync} from "node:fs";
import {lstat, mkdir, readFile, rename, symlink, writeFile} from "node:fs/promises";
import {dirname, join} from "node:path";
import {real} from "../../process/mounts.ts";
import type {Sandbox} from "../../process/sandbox.ts";
import type {StageIsolation} from "./choose-sandbox.ts";
import {
  type CommandView,
  cacheFolders,
  cacheLayer,
  foldersOfHome,
  isRealFolder,
  layersOf,
  restoredLayer,
  SANDBOX_TMP,
  sandboxOf,
} from "./sandbox-view.ts";
import {looksLikeSecret, type StageVariables, stageVariables, TOOLCHAIN_FOLDERS} from "./stage-variables.ts";

/**
 * Download caches that tools only look for in the home folder: content-addressed or versioned, without settings or
 * secrets.
 */
const SHARED_CACHES = [
  ".m2/repository",
  ".gradle/wrapper",
  ".nuget/packages",
  ".ivy2/cache",
  ".cache/coursier",
  ".hex",
  ".pub-cache",
  // Each browser has a folder with its version.
  ".cache/ms-playwright",
];

/**
 * Build caches that tools only look for in the home folder. Entries are named by the hash of their inputs;
 * `checkout/dependency-cache.ts` lists the inputs that the hash leaves out. They are only read through an overlay, so
 * the machine's cache is never written.
 */
const BUILD_CACHES = [".cache/go-build"];

/** Folders of downloads that installs read again later: no settings, and no programs in `PATH`. */
const DOWNLOADS = [
  ...[".npm/_cacache", ".local/share/pnpm/store", ".cache/yarn", ".bun/install/cache"],
  ...[".cache/pip", ".cache/uv", ".cache/pypoetry/cache", ".cache/pypoetry/artifacts", ".cache/composer"],
  ".cache/ms-playwright",
];

export interface StageHome {
  readonly variables: StageVariables;
  /** adds to a new home what package managers need: settings without credentials, download caches */
  readonly populate: (home: string) => Promise<void>;
  /** Moves an install's downloads out of its home, so that all checkouts with that install share them. */
  readonly moveDownloads: (home: string) => Promise<void>;
  /** Moves an install's downloads to a folder that another machine may restore. Without overlays there are none. */
  readonly saveDownloads: (home: string, folder: string) => Promise<void>;
  /** returns null if the machine supports no sandbox */
  readonly sandbox: (view: CommandView) => Sandbox | null;
}

/** The toolchains in the real home, which a command with another home needs as variables. */
export function toolchainsIn(realHome: string): {realHome: string; existing: string[]} {
  return {realHome, existing: Object.keys(TOOLCHAIN_FOLDERS).filter((name) => existsSync(join(realHome, name)))};
}

/**
 * `realHome` is the home of the person or runner, `variables` its environment, and `private` are folders that no
 * sandbox shows. A confined stage sees its home at the path of the real one, because some tools, such as Java's, ask
 * the system for the path instead of the environment.
 */
export function stageHome({
  realHome,
  variables,
  isolation,
  private: hiddenFolders,
  restored = null,
}: {
  realHome: string;
  variables: Readonly<Record<string, string | undefined>>;
  isolation: Pick<StageIsolation, "confines" | "overlays">;
  private: readonly string[];
  /** downloads of an install of the base that `saveDownloads` has saved on another machine */
  restored?: string | null;
}): StageHome {
  const toolchains = toolchainsIn(realHome);
  const existingPaths = (paths: readonly string[]) => paths.filter((path) => existsSync(join(realHome, path)));
  const {confines, overlays} = isolation;
  const restoredFrom = confines && overlays ? restored : null;
  const isRestored = (path: string) => layersOf({restored: restoredFrom}, join(real(realHome), path)).length > 0;
  const caches = SHARED_CACHES.filter((path) => existsSync(join(realHome, path)) || isRestored(path));
  const visibleHome = (home: string): string =>
    confines && realHome !== "/" && existsSync(realHome) ? realHome : home;
  const variablesOf: StageVariables = (options) => {
    const tmp = confines ? SANDBOX_TMP : foldersOfHome(options.home).tmp;
    return stageVariables({...options, home: visibleHome(options.home), tmp, source: variables, toolchains});
  };
  return {
    variables: variablesOf,
    populate: async (home) => {
      await mkdir(home, {recursive: true, mode: 0o700});
      for (const cache of confines ? [] : caches) {
        await mkdir(dirname(join(home, cache)), {recursive: true});
        await symlink(join(realHome, cache), join(home, cache));
      }
      const npmrc = await readFile(join(realHome, ".npmrc"), "utf8").catch(() => "");
      if (npmrc !== "") await writeFile(join(home, ".npmrc"), withoutCredentials(npmrc));
    },
    moveDownloads: async (home) => {
      const paths = DOWNLOADS.filter((one) => !caches.includes(one));
      if (confines && overlays) await moveLayers(home, real(visibleHome(home)), paths);
    },
    saveDownloads: async (home, folder) => {
      const seen = {home: real(visibleHome(home)), env: variablesOf({home, pathFirst: [], extra: {}})};
      if (confines && overlays) await saveLayers(home, folder, seen);
    },
    sandbox: (view) => {
      if (!confines) return null;
      const {baseHome = null} = view;
      const homeSeen = visibleHome(view.home);
      const downloads = DOWNLOADS.filter((one) => !caches.includes(one))
        .map((path) => join(real(homeSeen), path))
        .filter((at) => layersOf({baseHome, restored}, at).length > 0);
      const sharedCaches = caches.map((path) => join(realHome, path));
      const builds = overlays && view.readsBuildCaches === true ? existingPaths(BUILD_CACHES) : [];
      const buildCaches = builds.map((path) => join(realHome, path));
      const folders = {private: hiddenFolders, downloads, sharedCaches, buildCaches, restored};
      return sandboxOf({...view, ...folders, overlays, homeSeen});
    },
  };
}

async function moveLayers(home: string, seen: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const stat = await lstat(join(home, path)).catch(() => null);
    const target = cacheLayer(home, join(seen, path));
    // What was restored is an overlay already.
    if (stat?.isDirectory() !== true || existsSync(target)) continue;
    await mkdir(dirname(target), {recursive: true});
    await rename(join(home, path), target);
  }
}

async function saveLayers(home: string, folder: string, seen: {home: string; env: Readonly<Record<string, string>>}) {
  const ofHome = [...DOWNLOADS, ...SHARED_CACHES].map((path) => ({at: join(seen.home, path), own: join(home, path)}));
  const named = cacheFolders(seen.env).map((path) => ({at: real(path), own: ""}));
  await mkdir(folder, {recursive: true});
  for (const {at, own} of [...ofHome, ...named]) {
    const place = [cacheLayer(home, at), own].find(isRealFolder);
    const target = restoredLayer(folder, at);
    if (place !== undefined && !existsSync(target)) await rename(place, target);
  }
}

/** Settings of registries, certificates and proxies (npm-config(7)), including the registry of a scope. */
const NPM_SETTINGS =
  /^(?:(?:@[^:\s]+:)?registry|cafile|ca(?:\[\])?|strict-ssl|proxy|https?-proxy|noproxy|replace-registry-host)$/;

/**
 * The text of an `.npmrc` without anything that could be a credential: only the settings above, and none whose value
 * contains a user name, a token or a variable. Comments are removed.
 */
export function withoutCredentials(npmrc: string): string {
  const lines = npmrc.split(/\r?\n/).flatMap((line) => {
    const equals = line.indexOf("=");
    const name = line.slice(0, Math.max(0, equals)).trim();
    const value = line.slice(equals + 1).trim();
    return NPM_SETTINGS.test(name) && isPlain(value) ? [`${name}=${value}\n`] : [];
  });
  return lines.join("");
}

/** True if a value is not a secret: the certificate of an authority is public, although it looks like a key. */
function isPlain(value: string): boolean {
  if (/^"?-----BEGIN CERTIFICATE-----/.test(value)) return !value.includes("PRIVATE KEY");
  return !value.includes("${") && !looksLikeSecret("", value);
}
