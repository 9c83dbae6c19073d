/** Which changed paths are not published: what steers workflows, agents or the gate itself; and which deserve a look. */
import {Minimatch} from "minimatch";
import {type Change, changedPaths} from "../record/verification.ts";

/** GitHub refuses a push of these for most tokens, so they are taken out of the candidate before it is verified. */
const WORKFLOWS: readonly string[] = ["/.github/workflows/**", "/.github/actions/**"];

/** Files that agents read as instructions, or run programs from. */
const AGENT_CONFIG: readonly string[] = [
  ...["AGENTS.md", "CLAUDE.md", "CLAUDE.local.md", "GEMINI.md", ".cursorrules", ".windsurfrules", ".clinerules"],
  ...[".mcp.json", ".claude.json", "opencode.json*", ".aider.conf.yml", ".ripgreprc"],
  ...["pi", "claude", "codex", "gemini", "cursor", "windsurf", "opencode", "agents"].map((name) => `**/.${name}/**`),
  ...["/.github/copilot-instructions.md", "/.github/instructions/**", "/.github/agents/**", "/.github/prompts/**"],
];

/** Files by which tools that an agent calls run programs of the folder, or fetch from elsewhere. */
const TOOL_CONFIG: readonly string[] = [".envrc", ".npmrc", ".yarnrc*", ".pnpmfile.cjs", "bunfig.toml"];

/** Folders of git hooks, which nothing here runs, but a developer's git does. */
const HOOKS: readonly string[] = ["**/.husky/**", "**/.githooks/**", "**/.git-hooks/**"];

/** Files that say who may do what, what is verified, which programs git runs, and how agents behave. */
const BLOCKED: readonly string[] = [
  ...["CODEOWNERS", "/verify.json", "/.github/verify.json", "/.assay/**", ".gitattributes", ".gitmodules"],
  ...HOOKS,
  ...AGENT_CONFIG,
];

/** Files that bring in code of others or decide how code is built and checked: published, and named. */
const FLAGGED: readonly string[] = [
  ...["package.json", "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "pnpm-workspace.yaml"],
  ...["bun.lock", "bun.lockb", "deno.json", "deno.jsonc", "deno.lock", ".npmrc", ".yarnrc*", ".pnpmfile.cjs"],
  ...["bunfig.toml", "pyproject.toml", "setup.py", "setup.cfg", "requirements*.txt", "constraints*.txt", "Pipfile"],
  ...["Pipfile.lock", "poetry.lock", "uv.lock", "pdm.lock", "environment.y*ml", "Cargo.toml", "Cargo.lock", "build.rs"],
  ...["**/.cargo/**", "go.mod", "go.sum", "go.work", "go.work.sum", "Gemfile", "Gemfile.lock", "*.gemspec"],
  ...["composer.json", "composer.lock", "pom.xml", "*.gradle", "*.gradle.kts", "gradle-wrapper.*", "gradlew", "mvnw"],
  ...["gradle.lockfile", "*.csproj", "*.fsproj", "*.vbproj", "*.props", "*.targets", "packages.lock.json"],
  ...["nuget.config", "Package.swift", "Package.resolved", "pubspec.yaml", "pubspec.lock", "mix.exs", "mix.lock"],
  ...["flake.nix", "flake.lock", "Dockerfile*", "docker-compose*.y*ml", "compose*.y*ml", "/action.y*ml"],
  ...[".gitlab-ci.yml", "**/.circleci/**", "azure-pipelines*.y*ml", ".travis.yml", "Jenkinsfile*"],
  ...[".pre-commit-config.yaml", "lefthook.y*ml", ".lefthook.y*ml", "**/.vscode/**", "**/.devcontainer/**", ".envrc"],
];

/** What becomes of a changed path. */
export type Level = "free" | "flagged" | "blocked" | "set-aside";

/**
 * Gives the level of a path. `own` is the owner's `protectedPaths`: globs that block, or with `!` in front allow; the last
 * that matches counts, as in a `.gitignore`. A pattern without a slash fits a name in any folder, one that begins with a
 * slash stands at the root. Case does not count. A workflow file that the owner blocks too is still set aside.
 */
export function levelsOf(own: readonly string[]): (path: string) => Level {
  const rules = [
    ...compiled(FLAGGED, "flagged"),
    ...compiled(BLOCKED, "blocked"),
    ...compiled(WORKFLOWS, "set-aside"),
    ...own.flatMap((glob) => (glob.startsWith("!") ? compiled([glob.slice(1)], "free") : compiled([glob], "blocked"))),
  ];
  const workflows = compiled(WORKFLOWS, "set-aside");
  return (path) => {
    const level = rules.findLast(({glob}) => glob.match(path))?.level ?? "free";
    const isWorkflow = level === "blocked" && workflows.some(({glob}) => glob.match(path));
    return isWorkflow ? "set-aside" : level;
  };
}

/**
 * The paths of a change that must not be published, and those to name. A rename counts under both of its names. What was
 * to be set aside and still is in the change is blocked: whoever publishes need not know who should have taken it out.
 */
export function judgePaths(changes: readonly Change[], own: readonly string[]): {blocked: string[]; flagged: string[]} {
  const levelOf = levelsOf(own);
  const paths = changedPaths(changes);
  const of = (...levels: Level[]) => paths.filter((path) => levels.includes(levelOf(path)));
  return {blocked: of("blocked", "set-aside"), flagged: of("flagged")};
}

const STEERING = compiled([...AGENT_CONFIG, ...TOOL_CONFIG, ...HOOKS, ".gitmodules"], "blocked");

/** True for what would steer an agent, or the tools that it calls, just by lying in its folder (T4). */
export function steersAgents(path: string): boolean {
  return STEERING.some(({glob}) => glob.match(path));
}

/** True for paths that one of the globs fits, by the same rules. */
export function matcherOf(globs: readonly string[]): (path: string) => boolean {
  const all = compiled(globs, "free");
  return (path) => all.some(({glob}) => glob.match(path));
}

/** A pattern for what is in a folder fits a link or file in the folder's place, too. */
function compiled(globs: readonly string[], level: Level): {glob: Minimatch; level: Level}[] {
  const all = globs.flatMap((glob) => (glob.endsWith("/**") ? [glob, glob.slice(0, -3)] : [glob]));
  return all.map((glob) => {
    const isAnchored = glob.startsWith("/");
    const options = {dot: true, nocase: true, nocomment: true, nonegate: true, matchBase: !isAnchored};
    return {glob: new Minimatch(isAnchored ? glob.slice(1) : glob, options), level};
  });
}
