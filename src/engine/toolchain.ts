/** Records the machine's programs and settings that a plan's commands use, and detects changes to them. */
import {createHash} from "node:crypto";
import {type BigIntStats, readdirSync, readFileSync, realpathSync, statSync} from "node:fs";
import {join} from "node:path";
import type {Plan} from "../record/plan.ts";
import type {ToolVersion} from "../record/verification.ts";
import {splitShell} from "../shell/split.ts";
import {stageHome} from "./isolation/home.ts";
import {installedVersions} from "./program-versions.ts";

/** Programs that commands start indirectly: interpreters, compilers and package managers. */
const INTERPRETERS = [
  ...["sh", "bash", "env", "git", "make", "perl", "node", "npm", "npx", "pnpm", "yarn", "bun", "deno"],
  ...["python", "python3", "pip", "uv", "java", "javac", "mvn", "gradle", "cargo", "rustc", "rustup", "rustdoc"],
  ...["go", "gcc", "cc", "g++", "c++", "clang", "ld", "ruby", "bundle", "php", "composer", "dotnet"],
];
/** The interpreter or compiler of a program that starts another one. */
const BEHIND: Readonly<Record<string, readonly string[]>> = {
  ...{npm: ["node"], npx: ["node"], pnpm: ["node"], yarn: ["node"], pip: ["python3"], uv: ["python3"]},
  ...{mvn: ["java"], gradle: ["java"], cargo: ["rustc"], make: ["cc"], bundle: ["ruby"], composer: ["php"]},
};
/** Settings of toolchains below the folder that a variable names. A folder means the files in it. */
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
 * Settings in the real home. They are copied into the separate home of the stages, or read by Java, which asks the
 * system for the home. No stage reads `.gitconfig` and others that agents may legitimately write, so these are left
 * out.
 */
const HOME_SETTINGS = [
  ...[".npmrc", ".m2/settings.xml", ".m2/toolchains.xml", ".mavenrc", ".gradle/gradle.properties"],
  ...[".gradle/init.gradle", ".gradle/init.gradle.kts", ".gradle/init.d", ".sbt/repositories", ".sbt/1.0"],
];
/** Settings next to a program, relative to the program's folder. */
const PROGRAM_SETTINGS: Readonly<Record<string, readonly string[]>> = {node: ["../etc/npmrc", "../etc/npmignore"]};
/** The programs that a version manager's shims start; each `*` is a version. */
const BEHIND_SHIMS: Readonly<Record<string, string>> = {
  RUSTUP_HOME: "toolchains/*/bin",
  PYENV_ROOT: "versions/*/bin",
  RBENV_ROOT: "versions/*/bin",
  NVM_DIR: "versions/node/*/bin",
};
/** Larger programs are identified by path, size and times. */
const MAX_HASHED_BYTES = 1024 * 1024;
const FIELDS = ["dev", "ino", "size", "mtimeNs", "ctimeNs"] as const;
const INSTALLS = /\b(?:install|add|get|enable|sync|restore)\b/;

export interface Toolchain {
  /** A sentence for each program or setting that has changed; cheap, and never throws. */
  changed(): string[];
  /** The versions of the programs that the plan's commands start; asks each of them once. */
  versions(): Promise<ToolVersion[]>;
}

interface RecordedFile {
  readonly path: string;
  /** the path with links resolved */
  readonly real: string;
  readonly stat: BigIntStats;
  /** true if the plan's own commands may create it */
  readonly mayAppear: boolean;
}

/** Records the machine's current state, for the user with this home and these variables. */
export function recordToolchain({
  plan,
  folder,
  realHome,
  variables,
}: {
  plan: Plan;
  /** the repository, none of whose programs are started */
  folder: string;
  realHome: string;
  variables: Readonly<Record<string, string | undefined>>;
}): Toolchain {
  const home = stageHome({realHome, variables, isolation: {confines: false, overlays: false}, private: []});
  const environment = home.variables({home: realHome, pathFirst: [], extra: {}});
  const commands = [...plan.setup, ...plan.stages];
  const names = namesIn(commands);
  // The setup may install a missing tool.
  const mayInstall = plan.setup.length > 0 || commands.some(({command}) => INSTALLS.test(command));
  const scan = () => scanMachine({names, environment, realHome, installs: mayInstall});
  const filesBefore = scan();
  let versions: Promise<ToolVersion[]> | null = null;
  const hashes = new Map([...filesBefore].map(([key, {path, stat}]) => [key, hashOf(path, stat)]));
  return {
    changed() {
      const current = scan();
      const removedFiles = [...filesBefore].flatMap(([key, {path}]) =>
        current.has(key) ? [] : [`${key} is gone (it was ${path})`],
      );
      const changedFiles = [...current].flatMap(([key, file]) => {
        const recordedFile = filesBefore.get(key);
        if (recordedFile === undefined) return file.mayAppear ? [] : [`${key} is new (${file.path})`];
        return isSame(file, recordedFile, hashes.get(key) ?? null) ? [] : [`${key} has changed (${file.path})`];
      });
      return [...removedFiles, ...changedFiles];
    },
    versions() {
      versions ??= installedVersions(startedBy(commands), {folder, variables}).then((found) =>
        [...found].map(([name, version]) => ({name, version})).sort((one, other) => (one.name < other.name ? -1 : 1)),
      );
      return versions;
    },
  };
}

type StartedLines = readonly Pick<Plan["stages"][number], "command" | "tools">[];

/** Programs that are called by name. A path leads into the checkout, which the commit or the setup controls. */
function namesIn(commands: StartedLines): Set<string> {
  return new Set([...INTERPRETERS, ...calledIn(commands)].filter((name) => /^[\w.+-]+$/.test(name)));
}

const firstWords = (command: string): string[] => (splitShell(command) ?? []).flatMap(({words}) => words.slice(0, 1));

const calledIn = (commands: StartedLines): string[] =>
  commands.flatMap(({command, tools}) => [...tools.map(({name}) => name), ...firstWords(command)]);

/** The tools of these commands, their interpreters and compilers, and those behind them. */
function startedBy(commands: StartedLines): Set<string> {
  const called = commands.flatMap(({command, tools}) => [
    ...tools.map(({name}) => name),
    ...firstWords(command).filter((name) => INTERPRETERS.includes(name)),
  ]);
  return new Set(called.flatMap((name) => [name, ...(BEHIND[name] ?? [])]));
}

function isSame(file: RecordedFile, recorded: RecordedFile, hash: string | null): boolean {
  if (file.path !== recorded.path || file.real !== recorded.real) return false;
  const differ = FIELDS.filter((field) => recorded.stat[field] !== file.stat[field]);
  if (differ.length === 0) return true;
  if (hash !== null) return hash === hashOf(file.path, file.stat);
  // Package managers share large programs by hard links, and each created or removed link changes ctime.
  return differ.every((field) => field === "ctimeNs") && recorded.stat.nlink !== file.stat.nlink;
}

function hashOf(path: string, {size}: BigIntStats): string | null {
  if (size > MAX_HASHED_BYTES) return null;
  try {
    return createHash("sha256").update(readFileSync(path)).digest("hex");
  } catch {
    return null; // a program may not be readable; then its times are compared
  }
}

function scanMachine({
  names,
  environment,
  realHome,
  installs,
}: {
  names: ReadonlySet<string>;
  environment: Readonly<Record<string, string>>;
  realHome: string;
  installs: boolean;
}): Map<string, RecordedFile> {
  const files = new Map<string, RecordedFile>();
  const add = (key: string, file: string, mayAppear: boolean): boolean => {
    const recordedFile = files.has(key) ? undefined : recordFile(file, mayAppear);
    if (recordedFile !== undefined) files.set(key, recordedFile);
    return recordedFile !== undefined;
  };
  const folders = (environment["PATH"] ?? "").split(":");
  for (const name of names) {
    const folder = folders.find((one) => add(`\`${name}\``, join(one, name), installs));
    if (folder === undefined) continue;
    for (const path of PROGRAM_SETTINGS[name] ?? []) add(join(folder, path), join(folder, path), false);
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
  return files;
}

function recordFile(path: string, mayAppear: boolean): RecordedFile | undefined {
  try {
    const stat = statSync(path, {bigint: true, throwIfNoEntry: false});
    return stat?.isFile() ? {path, real: realpathSync(path), stat, mayAppear} : undefined;
  } catch {
    return undefined; // a file that Assay cannot access, no stage can access
  }
}

/** The file itself, or the files in the folder. */
function filesAt(path: string): string[] {
  return [path, ...namesAt(path).map((name) => join(path, name))];
}

/** The folders that match a pattern with one `*`. */
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
