/** Says what a stage's sandbox contains: its checkout and home, the toolchains that its environment names, and nothing else of anyone's home. */
import {cpSync, existsSync, mkdirSync, readdirSync, realpathSync, statSync, writeFileSync} from "node:fs";
import {basename, dirname, join, relative, resolve} from "node:path";
import type {Overlay, Sandbox} from "../../process/sandbox.ts";
import {pinSettings} from "./home-settings.ts";

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
  /** the runner's temporary folder, the agent's working folder */
  readonly private: readonly string[];
  /** below the real home: download caches to be shared */
  readonly sharedCaches: readonly string[];
  /** below the home, as it is seen: what the base's install downloaded, for this home to read */
  readonly downloads: readonly string[];
  /** below the real home: what the machine has compiled before, under what the stage's own home has of it */
  readonly buildCaches: readonly string[];
  /** elsewhere, to be read: the install that the dependencies were copied from and may point to */
  readonly alsoShown: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** folders of ours beside the checkout that it may write */
  readonly alsoWritable: readonly string[];
  /** what it may not write in its home: the set-up may write all, an agent programs of its own, a stage neither them nor settings */
  readonly pins: "nothing" | "settings" | "settings and programs";
  /** the home of the base's install, with the downloads that it made */
  readonly baseHome: string | null;
  /** false where the machine cannot mount overlays: caches start empty then */
  readonly overlays: boolean;
  readonly network: boolean;
  /** true where nothing in the base makes the keys of a build cache say too little */
  readonly readsBuildCaches?: boolean;
}

/** Gives null where the machine offers no sandbox. */
export type StageSandbox = (
  o: Pick<
    View,
    "checkout" | "home" | "alsoShown" | "alsoWritable" | "env" | "pins" | "baseHome" | "network" | "readsBuildCaches"
  >,
) => Sandbox | null;

/** Folders of ours that belong to a home. They are beside it, where no command can put a link in their place. */
export const besideHome = (home: string) => ({tmp: `${home}-tmp`, caches: `${home}-caches`, scratch: `${home}-view`});

/** Where commands with this home have written what they put into the cache that they see at `at`. */
export const asideOf = (home: string, at: string): string =>
  join(besideHome(home).caches, encodeURIComponent(at), "upper");

/** Makes the folders of caches and settings that do not exist yet; changes nothing else. */
export function sandboxOf(view: View): Sandbox {
  const {env, homeSeen, home, pins} = view;
  const {tmp, scratch} = besideHome(home);
  mkdirSync(tmp, {recursive: true, mode: 0o700});
  const replaced = [homeSeen, ...TEMPORARY, "/run"].map(real);
  const covered = [...replaced, ...view.private.map(real)];
  const own = [view.checkout, view.home, ...view.alsoWritable];
  const isOwn = (path: string): boolean => own.some((folder) => isBelow(path, folder));
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
  const caches = [...within(CACHES), ...within(INSTALLED), ...view.sharedCaches];
  const mayInstall = pins === "settings";
  const pinned = pins === "nothing" ? [] : pinSettings({home, seen: real(homeSeen), mayInstall});
  return {
    hidden: view.private.map(real).filter((path) => isFolder(path) && !replaced.some((one) => isBelow(path, one))),
    placed: {[real(homeSeen)]: view.home, ...Object.fromEntries(TEMPORARY.map((path) => [path, tmp]))},
    shown,
    writable: [view.checkout, ...view.alsoWritable],
    overlaid: [
      ...[...new Set(caches)].filter(isMade).map((path) => overlay(view, real(path))),
      ...view.downloads.map((path) => downloadOverlay(view, path)),
      ...view.buildCaches.map((path) => buildOverlay(view, path)),
    ],
    pinned: pinned.filter(({at}) => !shown.some((path) => isBelow(at, path))),
    blanked: within(CREDENTIALS),
    scratch,
    network: view.network,
  };
}

/** Two commands that run at once must not work in the same folder. */
let started = 0;

/**
 * A cache as the base's install left it, over the machine's own. What a command writes there stays in a folder of its
 * checkout: tools believe what they have unpacked once, and the next candidate, or the next job, would believe it too.
 */
function overlay({home, baseHome, overlays}: View, at: string): Overlay {
  const own = dirname(asideOf(home, at));
  const base = baseHome === null ? null : asideOf(baseHome, at);
  const isNew = !existsSync(own);
  const work = `work-${++started}`;
  for (const folder of ["upper", work]) mkdirSync(join(own, folder), {recursive: true});
  const layers = base !== null && existsSync(base) ? [base] : [];
  // Options of a mount are parted by these.
  if (overlays && ![own, at].some((path) => /[:,\s\\]/.test(path))) return {at, own, work, lower: [...layers, at]};
  if (isNew) for (const layer of layers) cpSync(layer, join(own, "upper"), {recursive: true, verbatimSymlinks: true});
  return {at, own, work, lower: []};
}

/** Downloads of the base's install alone: what the machine has there is nobody's business. */
function downloadOverlay(view: View, at: string): Overlay {
  const over = overlay(view, at);
  return {...over, lower: over.lower.filter((path) => path !== at)};
}

/** A build cache. What its home has of it was kept of the base's stages, and lies over the machine's. */
function buildOverlay(view: View, at: string): Overlay {
  const laid = join(view.home, relative(view.homeSeen, at));
  const over = overlay(view, real(at));
  const expires = join(over.own, "upper", GO_TESTS_EXPIRE);
  if (!existsSync(expires)) writeFileSync(expires, `${Date.now()}000000\n`);
  const isLaid = existsSync(laid) && readdirSync(laid).length > 0;
  return isLaid ? {...over, lower: [laid, ...over.lower]} : over;
}

/** Go takes no test's result from its cache that is older than the nanoseconds in this file (cmd/go/internal/test). */
const GO_TESTS_EXPIRE = "testexpire.txt";

/** Where commands with this home have written what they put into a cache below it. */
export function writtenCache(home: string, path: string): string {
  const {caches} = besideHome(home);
  const names = existsSync(caches) ? readdirSync(caches) : [];
  const name = names.find((one) => decodeURIComponent(one).endsWith(`/${path}`));
  return name === undefined ? join(home, path) : join(caches, name, "upper");
}

/** Programs look for their parts beside the `bin` that they are in; `~/.local` holds more than programs. */
export function toolchainOf(path: string): string[] {
  const parent = dirname(path);
  return /^\.?bin$/.test(basename(path)) && basename(parent) !== ".local" ? [parent, path] : [path];
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

export function real(path: string): string {
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
