/** Classifies one command of CI: the kind of stage it would be, and why it cannot run by itself in a fresh checkout. */

import {plainPath} from "../../git/paths.ts";
import type {StageKind} from "../../record/words.ts";
import {COMMANDS, programsWith} from "../../tools/all-commands.ts";
import {BUILDS_CONFIGURED} from "../../tools/cmake.ts";
import {toolOf, unwrap} from "../../tools/command-name.ts";
import {TESTS_CONFIGURED} from "../../tools/ctest.ts";
import {isCommandIn} from "../../tools/names.ts";
import {kindOf, kindOfName, kindOfWords, kindsOf} from "../../tools/stage-kind.ts";
import {inside, type Project} from "../files/project.ts";
import {findFirst, hasFileBelow} from "../proposals/candidate-stages.ts";
import {checksGenerated} from "../proposals/compared-files.ts";
import {screenName} from "../proposals/screen-name.ts";
import {MAKEFILES} from "../scripts/makefile.ts";
import {scriptPath} from "../scripts/shell-file.ts";
import type {CiCommand} from "../scripts/shell-lines.ts";
import {enter} from "../scripts/shell-values.ts";
import {bodyOf} from "./bodies.ts";
import {findCiVariable, kindByCheckWord, readsMadeFile, whyOfPullRequest} from "./check-words.ts";

/** Parts of a script's path that show its requirements. */
const ASKS_FOR = new Set(["service", "browser", "release", "server"]);
/** Build tools that work in a folder that an earlier command has made. */
const COMPILES_NATIVE = COMMANDS.flatMap(({compiles}) => (compiles?.family === "native" ? [compiles.commands] : []));
/** A package that an earlier step has built. */
const ARCHIVE = /^(?!-)[\w./-]+\.(tgz|whl|nupkg|gem)$/;
/** A program at a path of the tree, outside of the folders that an install fills. */
const BUILT_PROGRAM = /^(?:\.\/)?(?!node_modules\/|bin\/|vendor\/|\.?venv\/|\.tox\/|\.\.\/)[\w.-]+\/[\w./-]+$/;
/** A branch of the remote repository. */
const REMOTE_BRANCH = /(?<![\w/-])origin\/[\w-]+/;
/** A folder outside the tree, which only a mount, a service or a user of CI's machine provides. */
const OUTSIDE_FOLDER = /^\/(?:mnt|media|srv|export|home|Users)\/\S*/;
/** Commands that show what earlier commands changed. In a fresh checkout, that is nothing. */
export const COMPARES_FILES = /^(! ?)?git (diff|status)\b/;

/**
 * Why a command cannot run alone in a fresh checkout: it uses a folder that an earlier step made, or its script shows a
 * need.
 */
export function findUnreadiness(project: Project, {words, cwd}: CiCommand): string | null {
  const [program = ""] = words;
  const optionIndex = words.findIndex((word) => word === "-C" || word === "--build" || word === "--test-dir");
  const folder =
    COMPILES_NATIVE.some((commands) => isCommandIn(commands, program)) && optionIndex > 0
      ? words[optionIndex + 1]
      : undefined;
  const target = folder === undefined ? null : enter(cwd, folder);
  const isThere = target === null || target === "." || project.below(target).length > 0;
  // akheron/jansson configures in the root of its tree. A `-C` may name a configuration.
  const call = words.join(" ");
  const needsConfigured = isCommandIn(BUILDS_CONFIGURED, call) || TESTS_CONFIGURED.test(call);
  if (needsConfigured && (isThere || words.includes("-C")))
    return "it runs in a folder that an earlier step configures";
  if (folder !== undefined && !isThere) return "it runs in a folder that an earlier step creates";
  if (BUILT_PROGRAM.test(program) && !project.has(inside(cwd, plainPath(program))))
    return `it starts \`${program}\`, which an earlier step creates`;
  if (["make", "gmake"].includes(program) && !words.includes("-f") && findFirst(project, cwd, MAKEFILES) === null)
    return "an earlier step creates its makefile";
  const archive = words.find((word) => ARCHIVE.test(word) && !project.has(inside(cwd, plainPath(word))));
  const madePath = (kindOfWords(words) === null ? readsMadeFile(project, {words, cwd}) : null) ?? archive;
  if (madePath !== undefined) return `it needs \`${madePath}\`, which an earlier step creates or downloads`;
  const outside = words.map((word) => OUTSIDE_FOLDER.exec(word)?.[0]).find((path) => path !== undefined);
  if (outside !== undefined) return `it needs \`${outside}\`, which is not in the tree`;
  const script = scriptPath(project, cwd, words);
  const isNamed = script === null || kindOfName(nameOfScript(script)) !== null;
  const whyPullRequest = isNamed ? null : whyOfPullRequest(project, script);
  if (whyPullRequest !== null) return whyPullRequest;
  const variable = script === null ? null : findCiVariable(project, script);
  if (variable !== null) return `its script uses \`${variable}\`, which only CI sets`;
  const lines = [words.join(" "), ...(bodyOf({project, cwd, words}) ?? [])];
  const reference = lines.map((line) => REMOTE_BRANCH.exec(line)?.[0]).find((name) => name !== undefined);
  if (reference !== undefined) return `it compares with \`${reference}\`, which a fresh checkout may lack`;
  const parts = script?.split("/") ?? [];
  // `bin/console lint:yaml` does not start the server that `bin/console` may be.
  const isNamedCheck = kindByCheckWord(words[1] ?? "") !== null;
  const asks = parts.map(screenName).find(({kind}) => ASKS_FOR.has(kind) && !(isNamedCheck && kind === "server"));
  return asks !== undefined && "why" in asks ? asks.why : null;
}

const STARTS_SESSION = /^(tox|nox|poe|pdm|test)( |$)/;

/** What a session runs decides, then its name. An environment of tox with another name may do anything. */
function kindOfSession(words: readonly string[], tool: string, body: readonly string[]): StageKind | null {
  const byName = kindOfWords(words);
  return kindOfBody(body) ?? kindOfName(tool.replace(/^\S+ /, "")) ?? (byName === "check" ? byName : null);
}

/** Starts a task of the project, whose name or commands show the kind. */
const STARTS_TASK =
  /^(script|make|just|task|composer|rake|deno task|mise(?: run| r)?|melos(?: run)?|poe|invoke|pdm(?: run)?) /;

const nameOfScript = (path: string): string =>
  path
    .replace(/^.*[/ ]/, "")
    .replace(/\.\w+$/, "")
    .replace(/^cibuild$/, "ci");

/** The kind of a command by its tool, by the name that it starts, or by the commands behind it; null if none shows it. */
export function kindOfCiCommand(project: Project, {words, cwd}: CiCommand): StageKind | null {
  if (words.slice(1).some((word) => ["-version", "--version", "-help", "--help"].includes(word))) return null;
  // `ctest -V` with more arguments only prints more.
  if (words.length === 2 && ["-V", "help", "version"].includes(words[1] ?? "")) return null;
  // A linter's `-v` alone shows its version (terraform-linters/tflint); that of a test runner prints more.
  if (words.length === 2 && words[1] === "-v" && kindOfWords(words) === "lint") return null;
  const tool = toolOf(words);
  if (words[0] === "npm" && words[1] === "ci") return null;
  const body = bodyOf({project, cwd, words}) ?? [];
  if (body.length > 0 && body.every((line) => COMPARES_FILES.test(line))) return null;
  if (tool === "make" || tool === "make all") return isMadeC(project, cwd) ? "build" : kindOfBody(body);
  if (body.length > 0 && (STARTS_SESSION.test(tool) || words.join(" ").startsWith("hatch run ")))
    return kindOfSession(words, tool, body);
  const path = scriptPath(project, cwd, words);
  const ownKind = kindOfList(words) ?? kindOfWords(words) ?? (tool === "mvn " ? kindOf(body.join()) : null);
  if (ownKind !== null && !/^(script|make|just|task|composer) /.test(tool)) return ownKind;
  if (!STARTS_TASK.test(tool) && path === null) return checksGenerated(body) ? "check" : null;
  const name = nameOfScript(path ?? tool);
  const byName = kindOfName(name);
  const byBody = kindOfBody(body);
  if (byName !== null && byName !== "check") return byName;
  return (
    (byBody === "check" ? null : byBody) ??
    byName ??
    kindOfWords([name]) ??
    byBody ??
    (checksGenerated(body) ? "check" : null)
  );
}

/** The kind of the commands behind a task: a check if there are several. */
function kindOfBody(body: readonly string[]): StageKind | null {
  const [first, ...others] = new Set(body.flatMap(kindsOf));
  return first === undefined ? null : others.length > 0 ? "check" : first;
}

const HAVE_TARGETS = programsWith("targets by -t");
const TAKE_COMMANDS = programsWith("commands as arguments");

/** The kind of several targets or commands in one line, `nx run-many -t lint test` or `sbt fmtCheck test`: tests decide. */
function kindOfList(words: readonly string[]): StageKind | null {
  const [program = "", ...rest] = unwrap(words);
  const [verb = "", ...targets] = toolOf(words).split(" ").slice(1);
  const isRun = HAVE_TARGETS.has(program) && ["run-many", "affected"].includes(verb);
  const kinds = isRun
    ? targets.flatMap((target) => target.split(",")).map((target) => kindOfName(target) ?? kindByCheckWord(target))
    : TAKE_COMMANDS.has(program)
      ? rest.filter((word) => !word.startsWith("-")).map((word) => kindOfWords([program, word]))
      : [];
  return kinds.includes("test") ? "test" : (kinds.find((kind) => kind !== null) ?? null);
}

/** `make` alone is a build only in a C project; in others its default target may be anything. */
function isMadeC(project: Project, cwd: string): boolean {
  return findFirst(project, cwd, MAKEFILES) !== null && hasFileBelow(project, cwd, [".c", ".cc", ".cpp", ".cxx"]);
}

/** True if a file of the tree is in a folder. */
export const isFolder = (project: Project, cwd: string): boolean => cwd === "." || project.below(cwd).length > 0;

/** Why a bare program that no tool file knows, and that starts no task of the project, runs only in the image of a container. */
export function findImageProgram(words: readonly string[]): string | null {
  const isUnknown = kindOfWords(words) === null && /^[a-z][\w-]*$/.test(words[0] ?? "") && toolOf(words) === words[0];
  return isUnknown ? `\`${words[0]}\` comes with the image of the container that CI runs it in` : null;
}
