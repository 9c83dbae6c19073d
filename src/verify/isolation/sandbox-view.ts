/** Says what a stage's sandbox contains: its checkout and home, the toolchains that its environment names, and nothing else of anyone's home. */
import {existsSync, mkdirSync, realpathSync, statSync} from "node:fs";
import {basename, dirname, join, resolve} from "node:path";
import type {Sandbox} from "../../process/sandbox.ts";

/** Where every stage finds its temporary folder; short, so that sockets in it have names of legal length (unix(7)). */
export const SANDBOX_TMP = "/tmp";
const TEMPORARY = [SANDBOX_TMP, "/var/tmp"];

/** What tools fill while they work, in the folders that these variables name: downloads that are checked when used. */
const CACHES: Readonly<Record<string, readonly string[]>> = {
  CARGO_HOME: ["registry", "git"],
  GOPATH: ["pkg"],
  GOMODCACHE: ["."],
  BUN_INSTALL: ["install/cache"],
  PNPM_HOME: ["store"],
};
/** What an install adds to, such as the toolchain that a `rust-toolchain.toml` asks for. */
const INSTALLED: Readonly<Record<string, readonly string[]>> = {RUSTUP_HOME: ["."], VOLTA_HOME: ["."], GEM_HOME: ["."]};
/** In folders that are shown for the toolchain in them (Cargo's manual, "Credentials"). */
const CREDENTIALS: Readonly<Record<string, readonly string[]>> = {CARGO_HOME: ["credentials", "credentials.toml"]};

export interface View {
  readonly checkout: string;
  /** the stage's own home, and where it sees it: in the place of the real one */
  readonly home: string;
  readonly homeSeen: string;
  readonly tmp: string;
  /** the runner's temporary folder, the agent's working folder */
  readonly private: readonly string[];
  /** below the real home: download caches to be shared */
  readonly sharedCaches: readonly string[];
  /** elsewhere, to be read: the install that the dependencies were copied from and may point to */
  readonly alsoShown: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly installs: boolean;
  readonly network: boolean;
}

/** Gives null where the machine offers no sandbox. */
export type StageSandbox = (
  o: Pick<View, "checkout" | "home" | "alsoShown" | "env" | "installs" | "network">,
) => Sandbox | null;

/** Makes the caches that do not exist yet; changes nothing else. */
export function sandboxOf(view: View): Sandbox {
  const {env, homeSeen} = view;
  const replaced = [homeSeen, ...TEMPORARY, "/run"].map(real);
  const covered = [...replaced, ...view.private.map(real)];
  const isOwn = (path: string): boolean => [view.checkout, view.home].some((folder) => isBelow(path, folder));
  const isCovered = (path: string): boolean => covered.some((folder) => isBelow(path, folder));
  const named = Object.entries(env).flatMap(([name, value]) =>
    value.split(":").flatMap((path) => (name === "PATH" ? toolchainOf(path) : [path])),
  );
  const shown = [...named, "/etc/resolv.conf", ...view.alsoShown]
    .filter((path) => path.startsWith("/") && existsSync(path))
    .flatMap((path) => [resolve(path), real(path)])
    // A folder above something private would bring it back.
    .filter((path) => isCovered(path) && !isOwn(path) && !covered.some((folder) => isBelow(folder, path)));
  const within = (table: Readonly<Record<string, readonly string[]>>): string[] =>
    Object.entries(table).flatMap(([name, inner]) => {
      const folder = env[name]?.split(":")[0];
      return folder?.startsWith("/") ? inner.map((path) => join(folder, path)) : [];
    });
  const caches = [...within(CACHES), ...(view.installs ? within(INSTALLED) : []), ...view.sharedCaches];
  return {
    hidden: view.private.map(real).filter((path) => isFolder(path) && !replaced.some((one) => isBelow(path, one))),
    placed: {[real(homeSeen)]: view.home, ...Object.fromEntries(TEMPORARY.map((path) => [path, view.tmp]))},
    shown,
    writable: [view.checkout, ...caches.filter(isMade)],
    blanked: within(CREDENTIALS),
    network: view.network,
  };
}

/** Programs look for their parts beside the `bin` that they are in; `~/.local` holds more than programs. */
function toolchainOf(path: string): string[] {
  const parent = dirname(path);
  return /^\.?bin$/.test(basename(path)) && basename(parent) !== ".local" ? [parent, path] : [path];
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

function real(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}

function isFolder(path: string): boolean {
  return statSync(path, {throwIfNoEntry: false})?.isDirectory() ?? false;
}

/** A cache that cannot be made is one that the tool could not have written either. */
function isMade(path: string): boolean {
  try {
    mkdirSync(path, {recursive: true});
    return true;
  } catch {
    return false;
  }
}
