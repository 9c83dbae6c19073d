/** The home folder of setup and stages: empty but for what package managers need, and never the runner's own with its credentials. */
import {existsSync} from "node:fs";
import {mkdir, readFile, symlink, writeFile} from "node:fs/promises";
import {dirname, join} from "node:path";
import type {Isolation} from "../../record/verification.ts";
import {type StageEnvironment, stageEnvironment, TOOLCHAIN_FOLDERS} from "./environment.ts";
import {withoutCredentials} from "./npmrc.ts";
import {SANDBOX_TMP, type StageSandbox, sandboxOf} from "./sandbox-view.ts";

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

export interface StageHome {
  readonly environment: StageEnvironment;
  /** puts into a new home what package managers need: settings without credentials, download caches */
  readonly furnish: (home: string) => Promise<void>;
  readonly sandbox: StageSandbox;
}

/**
 * `realHome` is the home of the person or runner whose machine this is; `variables` its environment; `private` folders that
 * no sandbox shows. In a sandbox a stage finds its own home where the real one is, because some tools (Java's) ask the
 * system for it and not the environment.
 */
export function stageHome(o: {
  realHome: string;
  variables: Readonly<Record<string, string | undefined>>;
  isolation: Isolation;
  private: readonly string[];
}): StageHome {
  const {realHome, variables} = o;
  const existing = Object.keys(TOOLCHAIN_FOLDERS).filter((name) => existsSync(join(realHome, name)));
  const toolchains = {realHome, existing};
  const caches = SHARED_CACHES.filter((path) => existsSync(join(realHome, path)));
  const isSandboxed = o.isolation === "sandbox";
  const seenAs = (home: string): string => (isSandboxed && realHome !== "/" && existsSync(realHome) ? realHome : home);
  return {
    environment: (wanted) => {
      const tmp = isSandboxed ? SANDBOX_TMP : wanted.tmp;
      return stageEnvironment({...wanted, home: seenAs(wanted.home), tmp, source: variables, toolchains});
    },
    furnish: async (home) => {
      await mkdir(join(home, ".assay-tmp"), {recursive: true, mode: 0o700});
      for (const cache of isSandboxed ? [] : caches) {
        await mkdir(dirname(join(home, cache)), {recursive: true});
        await symlink(join(realHome, cache), join(home, cache));
      }
      const npmrc = await readFile(join(realHome, ".npmrc"), "utf8").catch(() => "");
      if (npmrc !== "") await writeFile(join(home, ".npmrc"), withoutCredentials(npmrc));
    },
    sandbox: (view) => {
      if (!isSandboxed) return null;
      const tmp = join(view.home, ".assay-tmp");
      const sharedCaches = caches.map((path) => join(realHome, path));
      return sandboxOf({...view, tmp, homeSeen: seenAs(view.home), private: o.private, sharedCaches});
    },
  };
}
