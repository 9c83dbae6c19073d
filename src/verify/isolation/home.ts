/** The home folder of setup and stages: empty but for what package managers need, and never the runner's own with its credentials. */
import {existsSync} from "node:fs";
import {lstat, mkdir, readFile, rename, symlink, writeFile} from "node:fs/promises";
import {dirname, join} from "node:path";
import type {StageIsolation} from "./choose-sandbox.ts";
import {withoutCredentials} from "./npmrc.ts";
import {asideOf, besideHome, real, SANDBOX_TMP, type StageSandbox, sandboxOf} from "./sandbox-view.ts";
import {type StageVariables, stageVariables, TOOLCHAIN_FOLDERS} from "./stage-variables.ts";

/** Download caches that tools look for in the home folder only. Content-addressed or versioned; no settings, no secrets. */
const SHARED_CACHES = [
  ".m2/repository",
  ".gradle/wrapper",
  ".nuget/packages",
  ".ivy2/cache",
  ".cache/coursier",
  ".hex",
  ".pub-cache",
];

/**
 * Build caches that tools look for in the home folder only. Entries are named by the hash of all that they were made of; what
 * that hash leaves out is in `verify/checkout/caches.ts`. Read through an overlay or not at all: nothing is written to the machine's.
 */
const BUILD_CACHES = [".cache/go-build"];

/** What installs download into their home and read again later. No settings, and no programs that anything finds by `PATH`. */
const DOWNLOADS = [
  ...[".npm/_cacache", ".local/share/pnpm/store", ".cache/yarn", ".bun/install/cache"],
  ...[".cache/pip", ".cache/uv", ".cache/pypoetry/cache", ".cache/pypoetry/artifacts", ".cache/composer"],
];

export interface StageHome {
  readonly environment: StageVariables;
  /** puts into a new home what package managers need: settings without credentials, download caches */
  readonly furnish: (home: string) => Promise<void>;
  /** Moves what an install downloaded out of its home: every checkout with that install reads it there, without a copy. */
  readonly setAside: (home: string) => Promise<void>;
  readonly sandbox: StageSandbox;
}

/** The toolchains in somebody's home that a command with another home has to be told of. */
export function toolchainsIn(realHome: string): {realHome: string; existing: string[]} {
  return {realHome, existing: Object.keys(TOOLCHAIN_FOLDERS).filter((name) => existsSync(join(realHome, name)))};
}

/**
 * `realHome` is the home of the person or runner whose machine this is; `variables` its environment; `private` folders that
 * no sandbox shows. Where the fence confines a stage to its files, it finds its own home where the real one is, because some tools (Java's) ask the
 * system for it and not the environment.
 */
export function stageHome(o: {
  realHome: string;
  variables: Readonly<Record<string, string | undefined>>;
  fence: Pick<StageIsolation, "confines" | "overlays">;
  private: readonly string[];
}): StageHome {
  const {realHome, variables} = o;
  const toolchains = toolchainsIn(realHome);
  const existing = (paths: readonly string[]) => paths.filter((path) => existsSync(join(realHome, path)));
  const caches = existing(SHARED_CACHES);
  const {confines, overlays} = o.fence;
  const seenAs = (home: string): string => (confines && realHome !== "/" && existsSync(realHome) ? realHome : home);
  return {
    environment: (wanted) => {
      const tmp = confines ? SANDBOX_TMP : besideHome(wanted.home).tmp;
      return stageVariables({...wanted, home: seenAs(wanted.home), tmp, source: variables, toolchains});
    },
    furnish: async (home) => {
      await mkdir(home, {recursive: true, mode: 0o700});
      for (const cache of confines ? [] : caches) {
        await mkdir(dirname(join(home, cache)), {recursive: true});
        await symlink(join(realHome, cache), join(home, cache));
      }
      const npmrc = await readFile(join(realHome, ".npmrc"), "utf8").catch(() => "");
      if (npmrc !== "") await writeFile(join(home, ".npmrc"), withoutCredentials(npmrc));
    },
    setAside: async (home) => {
      for (const path of confines && overlays ? DOWNLOADS : []) {
        const found = await lstat(join(home, path)).catch(() => null);
        if (found?.isDirectory() !== true) continue;
        const aside = asideOf(home, join(real(seenAs(home)), path));
        await mkdir(dirname(aside), {recursive: true});
        await rename(join(home, path), aside);
      }
    },
    sandbox: (view) => {
      if (!confines) return null;
      const {baseHome} = view;
      const downloads = DOWNLOADS.map((path) => join(real(seenAs(view.home)), path)).filter(
        (at) => baseHome !== null && existsSync(asideOf(baseHome, at)),
      );
      const builds = overlays && view.readsBuildCaches === true ? existing(BUILD_CACHES) : [];
      const [sharedCaches, buildCaches] = [caches, builds].map((paths) => paths.map((path) => join(realHome, path)));
      const found = {sharedCaches: sharedCaches ?? [], buildCaches: buildCaches ?? []};
      return sandboxOf({...view, overlays, homeSeen: seenAs(view.home), private: o.private, downloads, ...found});
    },
  };
}
