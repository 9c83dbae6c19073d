/** Decides which changed paths are not published, such as workflows and agent configuration, and which are flagged. */
import {Minimatch} from "minimatch";
import {compilePattern} from "../changes/gitignore-pattern.ts";
import {type Change, changedPaths} from "../record/verification.ts";
import {STEERING_FILES} from "./steering-files.ts";

/** GitHub refuses most tokens that push these, so they are removed from the candidate before it is verified. */
const WORKFLOWS: readonly string[] = ["/.github/workflows/**", "/.github/actions/**"];
/** An entry is a person's sentence, which an agent cannot write. */
const SET_ASIDE: readonly string[] = [...WORKFLOWS, "/.assay/memory/**"];

const steeringGlobs = (...levels: string[]): readonly string[] =>
  STEERING_FILES.filter(({level}) => levels.includes(level)).flatMap(({files}) => files.map(globOf));

/** Assay's own rules, the attributes by which git runs programs, and the blocked files of the table. */
const BLOCKED: readonly string[] = [
  ...["/verify.json", "/.github/verify.json", "/.assay/**", ".gitattributes"],
  ...steeringGlobs("blocked"),
];

/** Files that add dependencies, or decide how code is built and checked: published, and named in the report. */
const FLAGGED: readonly string[] = [
  ...["package.json", "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "pnpm-workspace.yaml"],
  ...["bun.lock", "bun.lockb", "deno.json", "deno.jsonc", "deno.lock"],
  ...["pyproject.toml", "setup.py", "setup.cfg", "requirements*.txt", "constraints*.txt", "Pipfile"],
  ...["Pipfile.lock", "poetry.lock", "uv.lock", "pdm.lock", "environment.y*ml", "Cargo.toml", "Cargo.lock", "build.rs"],
  ...["**/.cargo/**", "go.mod", "go.sum", "go.work", "go.work.sum", "Gemfile", "Gemfile.lock", "*.gemspec"],
  ...["composer.json", "composer.lock", "pom.xml", "*.gradle", "*.gradle.kts", "gradle-wrapper.*", "gradlew", "mvnw"],
  ...["gradle.lockfile", "*.csproj", "*.fsproj", "*.vbproj", "*.props", "*.targets", "packages.lock.json"],
  ...["nuget.config", "Package.swift", "Package.resolved", "pubspec.yaml", "pubspec.lock", "mix.exs", "mix.lock"],
  ...["flake.nix", "flake.lock", "Dockerfile*", "docker-compose*.y*ml", "compose*.y*ml", "/action.y*ml"],
  ...[
    ".gitlab-ci.yml",
    "**/.circleci/**",
    "azure-pipelines*.y*ml",
    ".travis.yml",
    "**/.buildkite/**",
    "buildkite.y*ml",
    "Jenkinsfile*",
  ],
  ...[".pre-commit-config.yaml", "lefthook.y*ml", ".lefthook.y*ml", "**/.vscode/**", "**/.devcontainer/**"],
  ...steeringGlobs("flagged"),
];

/** How a changed path is handled. */
export type Level = "free" | "flagged" | "blocked" | "set-aside";

/**
 * Returns a function that gives the level of a path. `protectedPaths` are the owner's patterns of gitignore(5): they block,
 * or with a leading `!` allow; the last match counts. Case is ignored. A workflow file that the owner blocks is still set
 * aside.
 */
export function levelsOf(protectedPaths: readonly string[]): (path: string) => Level {
  const builtIn = [
    ...compileGlobs(FLAGGED, "flagged"),
    ...compileGlobs(BLOCKED, "blocked"),
    ...compileGlobs(SET_ASIDE, "set-aside"),
  ];
  const rules = protectedPaths
    .flatMap((glob) => [glob, ...folderOf(glob)])
    .map((glob) => compilePattern(glob, {ignoreCase: true}));
  return (path) => {
    const level = builtIn.findLast(({glob}) => glob.match(path))?.level ?? "free";
    const verdicts = rules.map((rule) => rule.test(path));
    const last = verdicts.findLast(({ignored, unignored}) => ignored || unignored);
    if (last?.unignored) return "free";
    return last?.ignored && level !== "set-aside" ? "blocked" : level;
  };
}

/**
 * A renamed file counts with both names. A path that should have been set aside, and is still in the change, is
 * blocked.
 */
export function judgePaths(
  changes: readonly Change[],
  protectedPaths: readonly string[],
): {blocked: string[]; flagged: string[]} {
  const levelOf = levelsOf(protectedPaths);
  const paths = changedPaths(changes);
  const pathsWith = (...levels: Level[]) => paths.filter((path) => levels.includes(levelOf(path)));
  return {blocked: pathsWith("blocked", "set-aside"), flagged: pathsWith("flagged")};
}

const STEERING_GLOBS = compileGlobs(steeringGlobs("blocked", "flagged"), "blocked");

/** True for files in the agent's folder that control the agent, the tools that it calls, or who may do what (T4). */
export function steersAgents(path: string): boolean {
  return STEERING_GLOBS.some(({glob}) => glob.match(path));
}

/** Returns a function that is true for paths that one of the globs matches, by the same rules. */
export function matcherOf(globs: readonly string[]): (path: string) => boolean {
  const compiledGlobs = compileGlobs(globs, "free");
  return (path) => compiledGlobs.some(({glob}) => glob.match(path));
}

/** The pattern of the folder itself, such as `lib` for `lib/`: a submodule, or a link in its place, is one path. */
function folderOf(glob: string): string[] {
  const isContents = glob.endsWith("/**");
  if (glob.startsWith("!") || (!isContents && !glob.endsWith("/"))) return [];
  const folder = glob.slice(0, isContents ? -3 : -1);
  const name = folder.slice(folder.lastIndexOf("/") + 1);
  if (name === "" || /[*?[{]/.test(name)) return [];
  return [isContents && !folder.includes("/") ? `/${folder}` : folder];
}

/** A file of the table as a glob. One with a slash inside matches in any folder, too. */
function globOf(file: string): string {
  const glob = file.endsWith("/") ? `${file}**` : file;
  return glob.startsWith("/") || !glob.includes("/") ? glob : `**/${glob}`;
}

/** A glob for the contents of a folder also matches a link or file in place of the folder. */
function compileGlobs(globs: readonly string[], level: Level): {glob: Minimatch; level: Level}[] {
  const expandedGlobs = globs.flatMap((glob) => (glob.endsWith("/**") ? [glob, glob.slice(0, -3)] : [glob]));
  return expandedGlobs.map((glob) => {
    const isAnchored = glob.startsWith("/");
    const options = {dot: true, nocase: true, nocomment: true, nonegate: true, matchBase: !isAnchored};
    return {glob: new Minimatch(isAnchored ? glob.slice(1) : glob, options), level};
  });
}
