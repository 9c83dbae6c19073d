/** Finds the folders that CI and task runners mention. A nested project that none of them mentions is not checked. */

import {plainPath} from "../../git/paths.ts";
import {baseName} from "../../shell/program.ts";
import {nameSet, namesTest} from "../../tools/names.ts";
import {folderOf, type Project} from "../files/project.ts";
import {isOwnWorkflow} from "./candidate-stages.ts";
import {notACheck} from "./other-jobs.ts";

const CI_FILES = namesTest(
  ".github/workflows/*.yml .github/workflows/*.yaml .gitlab-ci.yml .circleci/config.yml",
  "azure-pipelines.yml azure-pipelines.yaml .azure-pipelines/*.yml .azure-pipelines/*.yaml .travis.yml",
  ".buildkite/*.yml .buildkite/*.yaml buildkite.yml buildkite.yaml .cirrus.yml appveyor.yml .drone.yml",
  "Jenkinsfile",
);
const CI_FOLDERS = [".", ".github/workflows", ".circleci", ".azure-pipelines", ".buildkite"];
/** Files at the root that start checks in other folders. */
const RUNNERS = nameSet(
  "GNUmakefile Makefile makefile Justfile justfile .Justfile .justfile Taskfile.yml Taskfile.yaml",
  "package.json composer.json Rakefile tox.ini noxfile.py pyproject.toml mise.toml dune-project build.sh",
  "build.ps1 build.zig",
);
const RUNNER_FOLDERS = ["script", "scripts", "ci", ".ci"];
const MAX_FILES = 80;
/** A command that searches for manifests, or runs in each folder, covers all folders. */
const COVERS_ALL_FOLDERS =
  /\b(find|ls-files|fd)\b[^\n]{0,120}(go\.mod|package\.json|Cargo\.toml|pom\.xml|pyproject\.toml|\*\.csproj)|\bfor \w+ in [^\n;]*\*\//;

export interface Mentions {
  /** true if the tree has a CI file */
  readonly ci: boolean;
  /** true if a folder or a path in it is mentioned, or if a command runs in all folders */
  has(folder: string): boolean;
}

/** Files of the root, other than CI and task runners, in which maintainers name their tools. */
const NAMES_TOOLS = nameSet(
  ".pre-commit-config.yml .pre-commit-config.yaml lefthook.yml lefthook.yaml .lefthook.yml",
  ".lefthook.yaml CONTRIBUTING.md CONTRIBUTING.rst .github/CONTRIBUTING.md .github/CONTRIBUTING.rst",
);

/** Actions that commit the changes of a workflow. */
const COMMITS = /\b(git-auto-commit-action|add-and-commit|create-pull-request)@/;

interface MentionTexts {
  readonly ci: boolean;
  /** the texts of CI files, local actions and the root's task runners, each with its path */
  readonly texts: readonly {readonly path: string; readonly text: string}[];
}

/** Every ecosystem may ask for them, and the answer for a tree does not change. */
const mentionTexts = new WeakMap<Project, MentionTexts>();

/** Reads the CI files and the root's task runners once. */
function mentionTextsOf(project: Project): MentionTexts {
  const cached = mentionTexts.get(project);
  if (cached !== undefined) return cached;
  const ciFiles = CI_FOLDERS.flatMap((folder) => project.inFolder(folder)).filter(
    (path) => CI_FILES(path) && !isOwnWorkflow(project.text(path) ?? ""),
  );
  const runners = [
    ...project.inFolder(".").filter((path) => RUNNERS.has(path)),
    ...RUNNER_FOLDERS.flatMap((folder) => project.inFolder(folder)).filter((path) =>
      /\/[^.]+(\.(sh|bash|py|m?js))?$/.test(path),
    ),
  ];
  const checks = ciFiles.filter((path) => !onlyCommits(baseName(path), project.text(path) ?? ""));
  const actions = project.named("action.yml").filter((path) => path.startsWith(".github/"));
  const texts = [...checks, ...actions, ...runners]
    .slice(0, MAX_FILES)
    .map((path) => ({path, text: project.text(path) ?? ""}));
  const mentions = {ci: ciFiles.length > 0, texts};
  mentionTexts.set(project, mentions);
  return mentions;
}

/** True for a workflow that only updates and commits files, such as `update-assets.yml`. */
const onlyCommits = (name: string, text: string): boolean => COMMITS.test(text) && notACheck(name) !== null;

/**
 * True if CI, a task runner, a hook or the contributing guide names this tool, or if there is no CI. A manifest's
 * list does not count.
 */
export function isMentioned(project: Project, tool: string): boolean {
  const {ci, texts} = mentionTextsOf(project);
  if (!ci) return true;
  const word = new RegExp(`(^|[^\\w-])${tool}($|[^\\w-])`);
  const tells = [...project.inFolder("."), ...project.inFolder(".github")].filter((path) => NAMES_TOOLS.has(path));
  return (
    texts.some(
      ({path, text}) => !["pyproject.toml", "package.json", "composer.json"].includes(path) && word.test(text),
    ) || tells.some((path) => word.test(project.text(path) ?? ""))
  );
}

/** The folders that CI and the task runners mention. Comments count, because in doubt a project is kept. */
export function readMentions(project: Project): Mentions {
  const {ci, texts: files} = mentionTextsOf(project);
  const texts = files.map(({text}) => text);
  const mentionedFolders = new Set(texts.flatMap(foldersIn));
  const sweeps = texts.some((text) => COVERS_ALL_FOLDERS.test(text));
  return {
    ci,
    has: (folder) => {
      const [parent, last] = [folderOf(folder), baseName(folder)];
      // `packages/${{ matrix.package }}` takes its names from a list elsewhere.
      return (
        sweeps ||
        mentionedFolders.has(folder) ||
        (parent !== "." && mentionedFolders.has(parent) && mentionedFolders.has(last))
      );
    },
  };
}

/** Every word of a text that may be a path, with the folders on the way to it. */
function foldersIn(text: string): string[] {
  return [...new Set(text.split(/[^\w./@+-]+/))].flatMap((word) => {
    const parts = plainPath(word)
      .split("/")
      .filter((part) => part !== "");
    return parts.slice(0, 12).map((_, i) => parts.slice(0, i + 1).join("/"));
  });
}
