/** Lists which paths are documentation, which are code, and which decide how code is built. Data only. */
import {COMMANDS} from "../tools/all-commands.ts";

const PROSE = "{md,mdx,markdown,rst,adoc,txt}";

/** Names that are documentation in any folder, alone, with an ending, or with a language: `README.zh-CN.md`. */
const DOCUMENTS = [
  ...["README", "Readme", "readme", "CHANGELOG", "Changelog", "changelog", "CHANGES", "HISTORY", "NEWS", "RELEASES"],
  ...["CONTRIBUTING", "contributing", "CONTRIBUTORS", "CODE_OF_CONDUCT", "GOVERNANCE", "MAINTAINERS", "AUTHORS"],
  ...["SECURITY", "SUPPORT", "ROADMAP", "UPGRADING", "LICENSE", "LICENCE", "License", "COPYING", "NOTICE"],
];

/**
 * Files that only people read, unless a file of the base names them. Code may read any other text file: a prompt, a
 * template, a word list. A pattern without a slash matches the file's name in any folder.
 */
export const DEFAULT_SKIP_PATTERNS: readonly string[] = [
  ...DOCUMENTS.map((name) => `${name}{,.${PROSE},[-_.]*.${PROSE}}`),
  "{LICENSE,LICENCE}-*",
  "COPYING.*",
  `{doc,docs}/**/*.${PROSE}`,
  "docs/**/*.{png,jpg,jpeg,gif,svg,webp,avif,pdf}",
  "CODEOWNERS",
  ".gitignore",
  ".mailmap",
  ".github/*.md",
  ".github/ISSUE_TEMPLATE/**",
  ".github/FUNDING.yml",
  ".assay/state/**",
];

/** File name endings of source code, with the dot, in lower case. */
export const DEFAULT_CODE_EXTENSIONS: readonly string[] = [
  ...[".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte", ".astro", ".html", ".css"],
  ...[".scss", ".sass", ".less", ".graphql", ".gql", ".proto", ".py", ".pyi", ".pyx", ".ipynb", ".rb", ".erb", ".rake"],
  ...[".php", ".go", ".rs", ".java", ".kt", ".kts", ".scala", ".groovy", ".clj", ".cljs", ".c", ".h", ".cc", ".cpp"],
  ...[".cxx", ".hh", ".hpp", ".hxx", ".m", ".mm", ".cs", ".fs", ".fsx", ".vb", ".razor", ".cshtml", ".swift", ".dart"],
  ...[".lua", ".hs", ".elm", ".ex", ".exs", ".erl", ".hrl", ".ml", ".mli", ".jl", ".r", ".pl", ".pm", ".sh", ".bash"],
  ...[".zsh", ".fish", ".ps1", ".bat", ".cmd", ".sql", ".tf", ".hcl", ".nix", ".zig", ".nim", ".cr", ".d", ".f90"],
  ...[".sol", ".wat", ".glsl", ".wgsl", ".prisma", ".gradle", ".cmake", ".bzl", ".bazel", ".mk", ".awk", ".sed"],
];

/**
 * Manifests, lock files, tool configurations and test data: their changes are always verified, even with the ending
 * `.md`.
 */
export const BUILD_PATTERNS: readonly string[] = [
  ...COMMANDS.flatMap(({buildFiles = []}) => buildFiles),
  ...["package.json", "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "pnpm-workspace.yaml"],
  ...["bun.lock", "bun.lockb", "bunfig.toml", "deno.json", "deno.jsonc", "deno.lock", ".npmrc", ".yarnrc*", ".nvmrc"],
  ...[".node-version", ".tool-versions", "mise.toml", "jsconfig*.json"],
  ...[],
  ...[".babelrc*", "babel.config.*", ".swcrc"],
  ...["vite.config.*", "*.toml", "requirements*.txt", "constraints*.txt", "setup.cfg", "Pipfile"],
  ...["Pipfile.lock", "poetry.lock", "uv.lock", "pdm.lock", "tox.ini", ".python-version"],
  ...[".coveragerc", "environment.y*ml", "Cargo.lock", "rust-toolchain*", "go.mod", "go.sum"],
  ...["go.work", "go.work.sum", "Gemfile", "Gemfile.lock", "*.gemspec", "Rakefile"],
  ...[".ruby-version", "composer.json", "composer.lock", "pom.xml"],
  ...["gradle.properties", "gradle-wrapper.properties", "gradle.lockfile", "mvnw", "gradlew", "*.csproj", "*.fsproj"],
  ...["*.vbproj", "*.sln", "*.slnx", "*.props", "*.targets", "global.json", "nuget.config", "packages.lock.json"],
  ...["Package.swift", "Package.resolved", "pubspec.yaml", "pubspec.lock", "analysis_options.yaml", "mix.lock"],
  ...["stack.yaml", "*.cabal", "cabal.project*", "dune", "dune-project", "*.opam", "flake.lock", "CMakeLists.txt"],
  ...["CMakePresets.json", "configure.ac", "Makefile", "makefile", "GNUmakefile"],
  ...["Makefile.*", "Justfile", "justfile", "Taskfile.y*ml", "BUILD", "WORKSPACE", "MODULE.bazel*", "Dockerfile*"],
  ...["Containerfile*", "docker-compose*.y*ml", "compose*.y*ml", ".dockerignore", ".editorconfig", ".gitattributes"],
  ...[".gitmodules", ".pre-commit-config.yaml", "lefthook.y*ml", "verify.json", ".env*"],
  ...[".github/workflows/**", ".github/actions/**", ".husky/**", ".cargo/**"],
];

/** Folders whose files tests read: a changed fixture can break a test, whatever its ending. */
export const TEST_PATTERNS: readonly string[] = [
  "**/{test,tests,__tests__,spec,specs,e2e,fixtures,__fixtures__,testdata,__snapshots__}/**",
  "*.snap",
];

/** Folders that a program copies as a whole, so that even a README in them is data. */
export const DATA_PATTERNS: readonly string[] = [
  "**/{template,templates,template-*,prompt,prompts,skeleton,skeletons,scaffold,boilerplate,assets,resources}/**",
];
