/** Remembers the machine's programs and settings that a plan's commands use, and says which of them have changed. */
import {createHash} from "node:crypto";
import {type BigIntStats, readdirSync, readFileSync, realpathSync, statSync} from "node:fs";
import {join} from "node:path";
import type {Plan} from "../record/plan.ts";
import {splitShell} from "../shell/split.ts";
import {stageHome} from "./isolation/home.ts";

/** What commands start without naming it: interpreters, compilers and package managers. */
const INTERPRETERS = [
  ...["sh", "bash", "env", "git", "make", "perl", "node", "npm", "npx", "pnpm", "yarn", "bun", "deno"],
  ...["python", "python3", "pip", "uv", "java", "javac", "mvn", "gradle", "cargo", "rustc", "rustup", "rustdoc"],
  ...["go", "gcc", "cc", "g++", "c++", "clang", "ld", "ruby", "bundle", "php", "composer", "dotnet"],
];
/** Below the folder that a variable names: what tells a toolchain what to run. A folder stands for the files in it. */
const SETTINGS: Readonly<Record<string, readonly string[]>> = {
  CARGO_HOME: ["config", "config.toml"],
  RUSTUP_HOME: ["settings.toml"],
  GOROOT: ["go.env"],
  PYENV_ROOT: ["version"],
  RBENV_ROOT: ["version"],
  NVM_DIR: ["alias"],
  VOLTA_HOME: ["tools/user/platform.json"],
  MAVEN_HOME: ["conf"],
  M2_HOME: ["conf"],
  GRADLE_HOME: ["init.d"],
};
/**
 * In the real home. Stages have a home of their own; these are copied into it, or read by Java, which asks the system for the
 * home. `.gitconfig` and others that no stage reads are left out: agents write them for good reasons.
 */
const HOME_SETTINGS = [
  ...[".npmrc", ".m2/settings.xml", ".m2/toolchains.xml", ".mavenrc", ".gradle/gradle.properties"],
  ...[".gradle/init.gradle", ".gradle/init.gradle.kts", ".gradle/init.d", ".sbt/repositories", ".sbt/1.0"],
];
/** Settings beside a program, from its folder. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {node: ["../etc/npmrc", "../etc/npmignore"]};
/** Where the programs behind a version manager's shims are: each `*` is a version. */
const BEHIND_SHIMS: Readonly<Record<string, string>> = {
  RUSTUP_HOME: "toolchains/*/bin",
  PYENV_ROOT: "versions/*/bin",
  RBENV_ROOT: "versions/*/bin",
  NVM_DIR: "versions/node/*/bin",
};
/** Larger programs are known by their place, size and times. */
const MOST_HASHED_BYTES = 1024 * 1024;
const FIELDS = ["dev", "ino", "size", "mtimeNs", "ctimeNs"] as const;
const INSTALLS = /\b(?:install|add|get|enable|sync|restore)\b/;

export interface Toolchain {
  /** A sentence for each program or setting that is not what it was; cheap, and never throws. */
  changed(): string[];
}

interface Seen {
  readonly path: string;
  /** where the path leads */
  readonly real: string;
  readonly stat: BigIntStats;
  /** what is new here may be the plan's own doing */
  readonly mayAppear: boolean;
}

/** Looks at the machine as it is now. `environment` is a stage's, `realHome` the home of the user that it runs as. */
export function recordToolchain(o: {
  plan: Plan;
  environment: Readonly<Record<string, string>>;
  realHome: string;
}): Toolchain {
  const commands = [...o.plan.setup, ...o.plan.stages];
  const names = namesIn(commands);
  // A tool that was missing may be what the set-up installs.
  const installs = o.plan.setup.length > 0 || commands.some(({command}) => INSTALLS.test(command));
  const look = () => lookAt({...o, names, installs});
  const before = look();
  const hashes = new Map([...before].map(([key, {path, stat}]) => [key, hashOf(path, stat)]));
  return {
    changed() {
      const now = look();
      const lost = [...before].flatMap(([key, {path}]) => (now.has(key) ? [] : [`${key} is gone (it was ${path})`]));
      const others = [...now].flatMap(([key, seen]) => {
        const was = before.get(key);
        if (was === undefined) return seen.mayAppear ? [] : [`${key} is new (${seen.path})`];
        return isSame({seen, was, hash: hashes.get(key) ?? null}) ? [] : [`${key} has changed (${seen.path})`];
      });
      return [...lost, ...others];
    },
  };
}

/** The same for the user `realHome` with this environment. */
export function machineToolchain(o: {
  plan: Plan;
  realHome: string;
  variables: Readonly<Record<string, string | undefined>>;
}): Toolchain {
  const {realHome, variables} = o;
  const home = stageHome({realHome, variables, fence: {confines: false, overlays: false}, private: []});
  return recordToolchain({
    ...o,
    environment: home.environment({home: realHome, pathFirst: [], extra: {}}),
  });
}

/** Programs by their names: a path leads into the checkout, and what is there is the commit's or the set-up's. */
function namesIn(commands: readonly Pick<Plan["stages"][number], "command" | "tools">[]): Set<string> {
  const named = commands.flatMap(({command, tools}) => [
    ...tools.map(({name}) => name),
    ...(splitShell(command) ?? []).flatMap(({words}) => words.slice(0, 1)),
  ]);
  return new Set([...INTERPRETERS, ...named].filter((name) => /^[\w.+-]+$/.test(name)));
}

function isSame({seen, was, hash}: {seen: Seen; was: Seen; hash: string | null}): boolean {
  if (seen.path !== was.path || seen.real !== was.real) return false;
  const differ = FIELDS.filter((field) => was.stat[field] !== seen.stat[field]);
  if (differ.length === 0) return true;
  if (hash !== null) return hash === hashOf(seen.path, seen.stat);
  // Package managers share large programs by hard links, and each link made or removed sets the time.
  return differ.every((field) => field === "ctimeNs") && was.stat.nlink !== seen.stat.nlink;
}

function hashOf(path: string, {size}: BigIntStats): string | null {
  if (size > MOST_HASHED_BYTES) return null;
  try {
    return createHash("sha256").update(readFileSync(path)).digest("hex");
  } catch {
    return null; // a program may be executable only; its times tell then
  }
}

function lookAt(o: {
  names: ReadonlySet<string>;
  environment: Readonly<Record<string, string>>;
  realHome: string;
  installs: boolean;
}): Map<string, Seen> {
  const {names, environment, realHome, installs} = o;
  const all = new Map<string, Seen>();
  const add = (key: string, file: string, mayAppear: boolean): boolean => {
    const seen = all.has(key) ? undefined : lookAtFile(file, mayAppear);
    if (seen !== undefined) all.set(key, seen);
    return seen !== undefined;
  };
  const folders = (environment["PATH"] ?? "").split(":");
  for (const name of names) {
    const folder = folders.find((one) => add(`\`${name}\``, join(one, name), installs));
    if (folder === undefined) continue;
    for (const path of BESIDE[name] ?? []) add(join(folder, path), join(folder, path), false);
  }
  const below = (variable: string, find: (folder: string) => string[]) => {
    const folder = environment[variable];
    return folder === undefined ? [] : find(folder);
  };
  const settings = Object.entries(SETTINGS).flatMap(([variable, paths]) =>
    below(variable, (folder) => paths.map((path) => join(folder, path))),
  );
  for (const place of [...settings, ...HOME_SETTINGS.map((path) => join(realHome, path))])
    for (const file of filesAt(place)) add(file, file, false);
  const versions = Object.entries(BEHIND_SHIMS).flatMap(([variable, pattern]) =>
    below(variable, (folder) => versionsOf(folder, pattern)),
  );
  // A command may install the version that its project asks for.
  for (const bin of versions) for (const name of names) add(join(bin, name), join(bin, name), true);
  return all;
}

function lookAtFile(path: string, mayAppear: boolean): Seen | undefined {
  try {
    const stat = statSync(path, {bigint: true, throwIfNoEntry: false});
    return stat?.isFile() ? {path, real: realpathSync(path), stat, mayAppear} : undefined;
  } catch {
    return undefined; // what we cannot reach no stage can
  }
}

/** The file itself, or the files of the folder. */
function filesAt(path: string): string[] {
  return [path, ...namesAt(path).map((name) => join(path, name))];
}

/** The folders that a pattern with one `*` stands for. */
function versionsOf(folder: string, pattern: string): string[] {
  const [above = "", below = ""] = pattern.split("/*/");
  return namesAt(join(folder, above)).map((name) => join(folder, above, name, below));
}

function namesAt(folder: string): string[] {
  try {
    return statSync(folder, {throwIfNoEntry: false})?.isDirectory() ? readdirSync(folder) : [];
  } catch {
    return [];
  }
}
