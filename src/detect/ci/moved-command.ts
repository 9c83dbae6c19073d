/** Finds the folder and the program of a command: by a folder option, a package of a workspace, or a checkout into a folder. */
import {plainPath} from "../../git/paths.ts";
import {kindOfWords} from "../../tools/stage-kind.ts";
import {textAt} from "../files/manifest-values.ts";
import {foldersUpFrom, inside, type Project, within} from "../files/project.ts";
import {foldersBelow} from "../proposals/candidate-stages.ts";
import type {CiCommand} from "../scripts/shell-lines.ts";
import {enter} from "../scripts/shell-values.ts";

/** A command as it runs in the tree. `checkout` is the folder into which CI checks the tree out. */
export function placeCommand(project: Project, command: CiCommand, checkout: string): CiCommand {
  return withoutNpx(project, installed(project, inCheckout(inWorkspace(command, checkout), checkout)));
}

/** The same command without its option for a folder or for one package of a workspace, in the folder that it names. */
export function aboutOf(project: Project, command: CiCommand): CiCommand {
  return inPackage(project, inFolderOption(command));
}

function inFolderOption(command: CiCommand): CiCommand {
  const {words, raws, trouble} = command;
  if (!["npm", "pnpm", "yarn", "make", "bun"].includes(words[0] ?? "")) return command;
  const separate = words.findIndex((word) => FOLDER_OPTION.has(word));
  const start = separate < 0 ? words.findIndex((word) => FOLDER_OPTION.has(word.split("=")[0] ?? "")) : separate;
  if (start < 0) return command;
  const end = separate < 0 ? start + 1 : start + 2;
  const cwd = enter(command.cwd, (separate < 0 ? words[start]?.split("=")[1] : words[start + 1]) ?? "");
  return {
    ...command,
    words: words.toSpliced(start, end - start),
    raws: raws.toSpliced(start, end - start),
    cwd: cwd ?? command.cwd,
    trouble: trouble ?? (cwd === null ? "it runs in a folder that only CI knows" : null),
  };
}

const FOLDER_OPTION = new Set(["-C", "--prefix", "--cwd", "--dir", "--directory"]);

/** Options that name a package. */
const PACKAGE_OPTION = /^(?:--workspace|-w|--filter|-F)(?:=(.+))?$/;
/** The name or folder of one package, without its dependencies or dependents. */
const ONE_PACKAGE = /^(?:\.\/)?@?[\w-][\w./-]*$/;

function inPackage(project: Project, command: CiCommand): CiCommand {
  const {words, raws, cwd} = command;
  const [manager = "", verb = "", named = ""] = words;
  if (!["npm", "pnpm", "yarn", "bun"].includes(manager) || command.trouble !== null) return command;
  // What follows the name of a script is for the script, except in npm.
  const script =
    manager === "npm"
      ? -1
      : words.findIndex(
          (word, i) =>
            i > 0 &&
            /^[a-z][\w:.-]*$/i.test(word) &&
            !["run", "run-script", "exec", "workspace"].includes(word) &&
            !PACKAGE_OPTION.test(words[i - 1] ?? ""),
        );
  const at = words.flatMap((word, i) => (PACKAGE_OPTION.test(word) && (script < 0 || i < script) ? [i] : []));
  const isYarn = manager === "yarn" && verb === "workspace";
  const [start = isYarn ? 1 : -1] = at;
  const own = PACKAGE_OPTION.exec(words[start] ?? "")?.[1];
  const name = isYarn ? named : (own ?? words[start + 1] ?? "");
  // pnpm's `-w` is the root of the workspace.
  const isRoot = manager !== "npm" && words[start] === "-w";
  if (start < 0 || at.length > 1 || isRoot || !ONE_PACKAGE.test(name) || name.includes("...")) return command;
  const folder = folderOfPackage(project, cwd, name);
  if (folder === null) return command;
  const length = own === undefined ? 2 : 1;
  return {...command, cwd: folder, words: words.toSpliced(start, length), raws: raws.toSpliced(start, length)};
}

function folderOfPackage(project: Project, root: string, name: string): string | null {
  // A package may contain further manifests with its name, for its builds.
  const folders = foldersBelow(project, root, ["package.json"]).sort((a, b) => a.length - b.length);
  const path = plainPath(name);
  const byPath = folders.find((folder) => within(root, folder) === path);
  if (byPath !== undefined) return byPath;
  return folders.find((folder) => textAt(project.json(inside(folder, "package.json")), "name") === name) ?? null;
}

const IN_WORKSPACE = /\$(?:GITHUB_WORKSPACE\b|\{GITHUB_WORKSPACE\})\/(?=[\w./-])/g;

/** Resolves paths below `$GITHUB_WORKSPACE`, which is CI's checkout, relative to the command's folder. */
function inWorkspace(command: CiCommand, checkout: string): CiCommand {
  const {words, raws, cwd} = command;
  if (![...words, ...raws].some((word) => word.search(IN_WORKSPACE) >= 0)) return command;
  const toRoot = cwd === "." ? "" : "../".repeat(cwd.split("/").length);
  const relative = (word: string): string => word.replace(IN_WORKSPACE, toRoot);
  const trouble = command.trouble ?? (checkout === "." ? null : "it uses a folder outside of the checkout of CI");
  return {...command, words: words.map(relative), raws: raws.map(relative), trouble};
}

/** Programs that are started by any path, and programs that a build creates. */
const WRAPPERS = new Set(["gradlew", "mvnw", "mill", "sbt", "configure", "autogen"]);
/** Folders where setup steps put programs, and builds put their results. */
const BUILT_OR_INSTALLED = /^(\.\/)?(node_modules|vendor|\.?venv|bin|build|target|dist|out|\.build)\//;

/** If CI checks the tree out into a folder, that folder is the root. */
function inCheckout(command: CiCommand, checkout: string): CiCommand {
  const {cwd} = command;
  if (checkout === "." || (cwd !== checkout && !cwd.startsWith(`${checkout}/`))) return command;
  return {...command, cwd: cwd.slice(checkout.length + 1) || "."};
}

/** An untracked `./shfmt` was downloaded by CI. Where Assay runs, the program is on the PATH or missing. */
function installed(project: Project, command: CiCommand): CiCommand {
  const [, path, name = ""] = /^((?:\.\/)?(?:[\w.-]+\/)?([\w-]+))$/.exec(command.words[0] ?? "") ?? [];
  if (path === undefined || path === name || BUILT_OR_INSTALLED.test(path) || WRAPPERS.has(name)) return command;
  if (project.has(inside(command.cwd, plainPath(path)))) return command;
  if (kindOfWords([name, ...command.words.slice(1)]) === null) return command;
  return {...command, words: [name, ...command.words.slice(1)], raws: [name, ...command.raws.slice(1)]};
}

/** `npx` starts a tool that a package.json of its folder, or of one above it, declares without a download. */
function withoutNpx(project: Project, command: CiCommand): CiCommand {
  const {words, raws, cwd} = command;
  const [launcher, name = ""] = words;
  if (launcher !== "npx" || !/^[\w-]+$/.test(name)) return command;
  const isDeclared = foldersUpFrom(cwd).some((folder) => declaresPackage(project, folder, name));
  return isDeclared ? {...command, words: words.slice(1), raws: raws.slice(1)} : command;
}

/** True if the package.json of a folder declares this package for itself or for its development. */
export const declaresPackage = (project: Project, folder: string, name: string): boolean =>
  ["dependencies", "devDependencies"].some(
    (key) => textAt(project.json(inside(folder, "package.json")), key, name) !== null,
  );

/** Arguments after a script's name go to the last command of its body: `npm run fmt -- --check`. */
export function withArguments(runs: string[] | null, raws: readonly string[]): string[] | null {
  const [manager = "", ...words] = raws;
  const lastRun = runs?.at(-1);
  if (lastRun === undefined || !["npm", "pnpm", "yarn", "bun"].includes(manager)) return runs;
  const scriptWords = words.filter((word) => !["run", "run-script"].includes(word));
  const scriptArguments = scriptWords.slice(1).filter((word, i) => word !== "--" || i > 0);
  // Only options: another word may be part of the script's name.
  const options =
    /^\w/.test(scriptWords[0] ?? "") && scriptArguments.every((word) => word.startsWith("-")) ? scriptArguments : [];
  return [...(runs ?? []).slice(0, -1), [lastRun, ...options].join(" ")];
}
