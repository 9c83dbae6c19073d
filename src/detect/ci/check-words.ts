/** What the words and scripts of a command show whose tool is not known: `bin/console lint:yaml`. */
import {plainPath} from "../../git/paths.ts";
import type {StageKind} from "../../record/words.ts";
import {CHECK_WORD} from "../../tools/command-name.ts";
import {inside, type Project} from "../files/project.ts";
import type {CiCommand} from "../scripts/shell-lines.ts";

const INTERPRETERS =
  /^(python[\d.]*|node|ruby|php|bash|sh|deno|bun|tsx|ts-node|pwsh|lua|Rscript|nu|elixir|julia|go|swift)$/;
export const isInterpreter = (program: string): boolean => INTERPRETERS.test(program);

/** Folders that builds fill, and that a fresh checkout lacks. */
const BUILT_FOLDER =
  /^(?:\.\/)?((?:dist|build|out|target|tmp|artifacts?|wheelhouse|_build|_site|public|site|pkg|result)\/\S*|dist)$/;
/** Parts of a script that need a pull request, which a checkout does not have. */
const NEEDS_PULL_REQUEST =
  /\borigin\/(main|master)\b|\bGITHUB_(EVENT|REF|HEAD|BASE|TOKEN|SHA|STEP|OUTPUT)|\bgit (--no-pager )?(clone|fetch|push|log)\b|\bgh (pr|api)\b|\b(merge-base|rev-list)\b/;

/** Variables that only the machines of CI set. */
const SET_BY_CI = /\$\{?(JAVA_HOME_\d\w*|RUNNER_\w+|ANDROID_\w*HOME|AGENT_\w+)\b(?!:?[-+=])/;

/** A variable that a script of the tree uses, and that only CI sets; null if there is none. */
export const findCiVariable = (project: Project, path: string): string | null =>
  SET_BY_CI.exec(project.text(path) ?? "")?.[1] ?? null;

/** The kind that a compound name suggests: `lint:yaml`, `check-docs`, `test-ns`. */
export function kindByCheckWord(name: string): StageKind | null {
  const parts = name
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[^a-z]+/);
  // `prepare_tests` and `generate-test-matrix` prepare something for tests.
  if (["prepare", "setup", "install", "generate", "download", "clean"].includes(parts[0] ?? "")) return null;
  if (parts.some((part) => ["lint", "linter"].includes(part))) return "lint";
  if (parts.some((part) => ["typecheck", "typing", "types"].includes(part))) return "typecheck";
  if (parts.some((part) => /^(tests?|specs?|unittests?|cukes?)$/.test(part))) return "test";
  return parts.some((part) => CHECK_WORD.test(part)) ? "check" : null;
}

/**
 * The argument of a command that a checkout lacks, such as a file in a folder of build results, or a program at a path;
 * null if there is none.
 */
export function readsMadeFile(project: Project, {words, cwd}: Pick<CiCommand, "words" | "cwd">): string | null {
  const isThere = (path: string): boolean =>
    project.has(inside(cwd, path)) || project.below(inside(cwd, path)).length > 0;
  const result = words
    .slice(1)
    .map((word) => BUILT_FOLDER.exec(word)?.[1]?.replace(/\/$/, ""))
    .find((path) => path !== undefined && !isThere(plainPath(path.replace(/\*.*$/, ""))));
  return result ?? null;
}

/** Why a script of the tree works only on a pull request or on another repository; null for others. */
export function whyOfPullRequest(project: Project, path: string): string | null {
  const used = NEEDS_PULL_REQUEST.exec(project.text(path) ?? "")?.[0].replace("--no-pager ", "");
  if (used === undefined) return null;
  if (["git clone", "git fetch"].includes(used)) return `its script runs \`${used}\`, which downloads`;
  if (used === "git push") return "its script runs `git push`, which needs an account";
  const isHistory = /^(git log|origin\/\w+|merge-base|rev-list)$/.test(used);
  return `its script uses \`${used}\`, ${isHistory ? "which a fresh checkout may lack" : "which only CI has"}`;
}
