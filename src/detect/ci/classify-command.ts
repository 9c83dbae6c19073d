/** Classifies one command of CI: the kind of stage it would be, and why it cannot run by itself in a fresh checkout. */
import type {StageKind} from "../../record/words.ts";
import {COMMANDS} from "../../tools/all-commands.ts";
import {toolOf} from "../../tools/command-name.ts";
import {kindOf, kindOfName, kindOfWords, kindsOf} from "../../tools/stage-kind.ts";
import {inside, type Project} from "../files/project.ts";
import {findFirst, hasFileBelow} from "../proposals/candidate-stages.ts";
import {isSampleFolder} from "../proposals/project-roots.ts";
import {screenName} from "../proposals/screen.ts";
import {MAKEFILES} from "../scripts/makefile.ts";
import {scriptPath} from "../scripts/shell-file.ts";
import {type CiCommand, enter} from "../scripts/shell-lines.ts";
import {bodyOf} from "./bodies.ts";
import {isOfPullRequest, kindByCheckWord, kindByUse, readsMadeFile} from "./check-words.ts";

/** Parts of a script's path that show its requirements. */
const ASKS_FOR = new Set(["service", "browser", "release", "server"]);
/** Build tools that work in a folder that an earlier command has made. */
const COMPILES_NATIVE = COMMANDS.flatMap(({compiles}) => (compiles?.family === "native" ? [compiles.commands] : []));
/** A package that an earlier step has built. */
const ARCHIVE = /^(?!-)[\w./-]+\.(tgz|whl|nupkg|gem)$/;
/** Folders with the project's documentation, whose checks do not check the code. */
const TOLD = /(^|\/)(docs?|documentation|website|site|www)(\/|$)/;

/**
 * Why a command cannot run alone in a fresh checkout: it uses a folder that an earlier step made, or its script shows a
 * need.
 */
export function findUnreadiness(project: Project, {words, cwd}: CiCommand): string | null {
  const [program = ""] = words;
  const optionIndex = words.findIndex((word) => word === "-C" || word === "--build" || word === "--test-dir");
  const folder =
    COMPILES_NATIVE.some((commands) => commands.test(program)) && optionIndex > 0 ? words[optionIndex + 1] : undefined;
  const target = folder === undefined ? null : enter(cwd, folder);
  const isThere = target === null || target === "." || project.below(target).length > 0;
  if (folder !== undefined && !isThere) return "it goes on in a folder that an earlier step has made";
  if (/^g?make$/.test(program) && !words.includes("-f") && findFirst(project, cwd, MAKEFILES) === null)
    return "its makefile is made by an earlier step";
  const archive = words.find((word) => ARCHIVE.test(word) && !project.has(inside(cwd, word.replace(/^\.\//, ""))));
  const madePath = (kindOfWords(words) === null ? readsMadeFile(project, {words, cwd}) : null) ?? archive;
  if (madePath !== undefined) return `it needs \`${madePath}\`, which an earlier step makes or downloads`;
  const script = scriptPath(project, cwd, words);
  const isNamed = script === null || kindOfName(nameOfScript(script)) !== null;
  if (!isNamed && isOfPullRequest(project, script)) return "its script uses the pull request, which only CI has";
  const parts = script?.split("/") ?? [];
  // `bin/console lint:yaml` is not the server that `bin/console` may be.
  const isNamedCheck = kindByCheckWord(words[1] ?? "") !== null;
  const asks = parts.map(screenName).find(({kind}) => ASKS_FOR.has(kind) && !(isNamedCheck && kind === "server"));
  return asks !== undefined && "why" in asks ? asks.why : null;
}

const nameOfScript = (path: string): string =>
  path
    .replace(/^.*[/ ]/, "")
    .replace(/\.\w+$/, "")
    .replace(/^cibuild$/, "ci");

/** The kind, by the tool, by the started name, or by the commands behind it; null if the command is not a check. */
export function kindOfCiCommand(project: Project, command: CiCommand): StageKind | null {
  const {words, cwd} = command;
  if (words.slice(1).some((word) => /^(--?version|--?help|-V|help|version)$/.test(word))) return null;
  const tool = toolOf(words);
  if (words[0] === "npm" && words[1] === "ci") return null;
  if (tool === "make" || tool === "make all") return isMadeC(project, cwd) ? "build" : null;
  const ownKind = kindOfWords(words) ?? (tool === "mvn " ? kindOf(bodyOf({project, cwd, words})?.join() ?? "") : null);
  if (ownKind !== null && !/^(script|make|just|task|composer) /.test(tool)) return ownKind;
  if (/^(script|make|just|task|composer|rake|deno task) /.test(tool) || scriptPath(project, cwd, words) !== null) {
    const name = nameOfScript(scriptPath(project, cwd, words) ?? tool);
    const promised = kindOfName(name);
    const kinds = new Set((bodyOf({project, cwd, words}) ?? []).flatMap(kindsOf));
    const [only] = kinds;
    if (promised === "check" || promised === null)
      return kinds.size === 1 && only !== undefined
        ? only
        : (promised ??
            kindOfWords([name]) ??
            kindByCheckWord(name) ??
            kindOfBuild(name) ??
            kindByUse(project, command));
    return promised;
  }
  return kindByUse(project, command);
}

/** A task called `build-docs` or `www:build` builds. */
const kindOfBuild = (name: string): StageKind | null => (/^build[-:_]|[-:_]build$/.test(name) ? "build" : null);

/** `make` alone is a build only in a C project; in others its default target may be anything. */
function isMadeC(project: Project, cwd: string): boolean {
  return findFirst(project, cwd, MAKEFILES) !== null && hasFileBelow(project, cwd, /\.(c|cc|cpp|cxx)$/);
}

export function findMisplacement(project: Project, cwd: string): string | null {
  if (cwd === ".") return null;
  if (project.below(cwd).length === 0) return "its folder is not in the tree";
  if (isSampleFolder(cwd)) return "its folder holds examples, fixtures or the like";
  return TOLD.test(cwd) ? "its folder holds documentation" : null;
}
