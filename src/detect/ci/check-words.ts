/** Recognizes checks of CI by their words if neither tool nor script name is known: `bin/console lint:yaml`. */
import type {StageKind} from "../../record/words.ts";
import {baseName} from "../../shell/program.ts";
import {CHECK_WORD, unwrap} from "../../tools/command-name.ts";
import {kindOfName} from "../../tools/stage-kind.ts";
import {textAt, textEntries, textsOf, valueAt} from "../files/manifest-values.ts";
import {inside, type Project} from "../files/project.ts";
import {screenName} from "../proposals/screen-name.ts";
import type {CiCommand} from "../scripts/shell-lines.ts";

/** Programs whose arguments are files, hosts or packages, and programs that install, move or publish something. */
export const NOT_A_CHECKER =
  /^(file|du|stat|nm|ldd|strip|dpkg\S*|git|gh|glab|docker\S*|podman|buildah|kubectl|kind|minikube|helmfile|curl|wget|tar|unzip|zip|cp|mv|rm|mkdir|cat|sed|awk|grep|find|ls|test|\[|\[\[|cd|echo|printf|sudo|apt\S*|brew|choco|dnf|yum|apk|pip\d?|pipx|npm|pnpm|yarn|bun|uv|gem|cpanm|opam|ghcup|rustup|aws|az|gcloud|ssh|scp|rsync|codecov|sleep|kill|pkill|touch|chmod|ln|tee|head|tail|sort|diff|cmp|wc|date|timeout|act|vault|ansible-galaxy|molecule|wait-on|snyk|trivy|grype|cosign|twine|nix\S*|dagger|earthly|mysql\S*|psql|pg_isready|redis-cli|mongosh|adb|systemctl|service|gpg|openssl|jq|yq|perl|xargs)$/;
const INTERPRETERS =
  /^(python[\d.]*|node|ruby|php|bash|sh|deno|bun|tsx|ts-node|pwsh|lua|Rscript|nu|elixir|julia|go|swift)$/;
export const isInterpreter = (program: string): boolean => INTERPRETERS.test(program);

/** Compilers that start the program after they have compiled it, if they are told to. */
const isStarted = ([program, ...rest]: readonly string[]): boolean =>
  program === "nim" && rest.some((word) => /^(r|-r|--run)$/.test(word));
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
  if (/^(prepare|setup|install|generate|download|clean)$/.test(parts[0] ?? "")) return null;
  if (parts.some((part) => /^(lint|linter)$/.test(part))) return "lint";
  if (parts.some((part) => /^(typecheck|typing|types)$/.test(part))) return "typecheck";
  if (parts.some((part) => /^(tests?|specs?|unittests?|cukes?)$/.test(part))) return "test";
  return parts.some((part) => CHECK_WORD.test(part)) ? "check" : null;
}

/** The kind of a command: by its subcommand, by its program's name, or by the tracked file that it starts. */
export function kindByUse(project: Project, {words, cwd}: Pick<CiCommand, "words" | "cwd">): StageKind | null {
  const started = unwrap(words);
  const [program = "", first = ""] = started;
  if (program === "" || (NOT_A_CHECKER.test(program) && !INTERPRETERS.test(program)) || /^nix/.test(words[0] ?? ""))
    return null;
  if (program === "dotnet" && first === "fsi") return kindOfBuildScript(started.slice(2));
  if (INTERPRETERS.test(program) || isStarted(started)) {
    // In `node Makefile lint`, Node adds the extension to the file name.
    const isFile = (word: string): boolean => /[/.]/.test(word) || project.has(inside(cwd, `${word}.js`));
    const at = started.findIndex((word, i) => i > 0 && !word.startsWith("-") && isFile(word));
    const file = at > 0 ? (started[at] ?? "") : "";
    const place = inside(cwd, file.replace(/^\.\//, ""));
    const path = project.has(place) ? place : `${place}.js`;
    if (file === "" || !project.has(path)) return null;
    const task = started[at + 1] ?? "";
    const byTask = /^[A-Za-z][\w:-]*$/.test(task) ? (kindOfName(task) ?? kindByCheckWord(task)) : null;
    if (byTask !== null || needsPullRequest(project, path)) return byTask;
    return kindByCheckWord(nameOf(file)) ?? kindByFolder(path);
  }
  const [path = ""] = words;
  const isInstalled = /^(\.\/)?(node_modules|vendor|\.?venv|bin)\//.test(path) || !path.includes("/");
  if (!isInstalled && !project.has(inside(cwd, path.replace(/^\.\//, "")))) return null;
  const bySubcommand = /^[a-z][\w:-]*$/.test(first) ? kindByCheckWord(first) : null;
  const byOption = started.some((word) => /^--(check|verify)(-[a-z]+)*$/.test(word)) ? "lint" : null;
  return bySubcommand ?? kindByCheckWord(nameOf(program)) ?? byOption;
}

/** A build script runs all checks of a project, or the pipeline that `-p` names. */
function kindOfBuildScript([file = "", option, pipeline = ""]: readonly string[]): StageKind | null {
  if (option === "-p" || option === "-t") return kindOfName(pipeline) ?? kindByCheckWord(pipeline);
  return /^(?:\.\/)?build\.fsx$/i.test(file) ? "check" : kindByCheckWord(nameOf(file));
}

const nameOf = (path: string): string => baseName(path).replace(/\.\w+$/, "");

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
    .find((path) => path !== undefined && !isThere(path.replace(/\*.*$/, "").replace(/\/$/, "")));
  return result ?? null;
}

/** True for a script of the tree that works on a pull request or another repository. */
const needsPullRequest = (project: Project, path: string): boolean => NEEDS_PULL_REQUEST.test(project.text(path) ?? "");

/** Why a script of the tree works only on a pull request or on another repository; null for others. */
export function whyOfPullRequest(project: Project, path: string): string | null {
  const used = NEEDS_PULL_REQUEST.exec(project.text(path) ?? "")?.[0].replace("--no-pager ", "");
  if (used === undefined) return null;
  if (/^git (clone|fetch)$/.test(used)) return `its script runs \`${used}\`, which downloads`;
  if (used === "git push") return "its script runs `git push`, which needs an account";
  const isHistory = /^(git log|origin\/\w+|merge-base|rev-list)$/.test(used);
  return `its script uses \`${used}\`, ${isHistory ? "which a fresh checkout may lack" : "which only CI has"}`;
}

/** The kind of a script in a folder for tests or linters; null if its name says that it only prepares others. */
export function kindByFolder(path: string | null): StageKind | null {
  const [, folder, name = ""] = /(?:^|\/)(tests?|lint|checks?)\/([^/]+)$/.exec(path ?? "") ?? [];
  const isHelper = /dep(s|endenc)|download|env|common|helper|util|lib|data|cert|fixture|mock|cover|entry/i.test(name);
  if (folder === undefined || isHelper || screenName(name).kind !== "ok") return null;
  return folder === "lint" ? "lint" : folder.startsWith("check") ? "check" : "test";
}

/** The kind of a program that the project itself provides, and that CI runs on files of the tree; null for others. */
export function kindOfOwnProgram(project: Project, {words, cwd}: Pick<CiCommand, "words" | "cwd">): StageKind | null {
  const [path = "", operand = ""] = INTERPRETERS.test(words[0] ?? "") ? words.slice(1) : words;
  const name = path.replace(/^\.\//, "");
  const isThere = (other: string): boolean =>
    project.has(inside(cwd, other)) || project.below(inside(cwd, other)).length > 0;
  const programs = [
    ...textsOf(valueAt(project.json(inside(cwd, "composer.json")), "bin")),
    ...textEntries(valueAt(project.json(inside(cwd, "package.json")), "bin")).values(),
    textAt(project.json(inside(cwd, "package.json")), "bin") ?? "",
  ].map((program) => program.replace(/^\.\//, ""));
  const isOwn = name !== "" && programs.includes(name) && project.has(inside(cwd, name));
  return isOwn && operand !== "" && isThere(operand.replace(/\/$/, "")) && screenName(name).kind === "ok"
    ? "check"
    : null;
}
