/** Recognizes a check by its place: a plain, safe command that a required job ends with, or whose step is named after a check. */
import type {StageKind} from "../../record/words.ts";
import {baseName} from "../../shell/program.ts";
import {splitShell} from "../../shell/split.ts";
import {COMMANDS} from "../../tools/all-commands.ts";
import {startsTask, unwrap} from "../../tools/command-name.ts";
import {onlyPrepares} from "../../tools/stage-kind.ts";
import {inside, type Project} from "../files/project.ts";
import {screen} from "../proposals/screen.ts";
import {scriptPath} from "../scripts/shell-file.ts";
import {allCommandsOf, type CiCommand} from "../scripts/shell-lines.ts";
import {bodyOf} from "./bodies.ts";
import {isInterpreter, kindByCheckWord, NOT_A_CHECKER} from "./check-words.ts";
import {COMPARES_FILES} from "./classify-command.ts";
import type {CiScript} from "./jobs.ts";

/** Programs that a tool file knows. A subcommand that it does not know still needs no other program. */
const KNOWN_PROGRAMS = new Set(
  COMMANDS.flatMap(({programs = [], kinds = {}}) => [
    ...programs,
    ...Object.values(kinds).flatMap((commands) => commands.map((command) => command.split(" ", 1)[0] ?? "")),
  ]),
);
/** Parts of a program's name, or of a subcommand, that show another purpose than a check. */
const OTHER_PURPOSE =
  /^(deploy\w*|publish\w*|upload\w*|push|log(in|out|s)?|auth\w*|serv(e|er|es|ice)|daemon\w*|migrat\w*|watch\w*|releas\w*|(un)?install\w*|deps?|setup|set|init\w*|bootstrap|prepare\w*|configure|config|generat\w*|gen|codegen|updat\w*|upgrade|fix\w*|write|clean\w*|start\w*|stop|run|dev|develop|exec|eval|shell|console|repl|add|remove|delete|destroy|rm|creat\w*|new|apply|send|notify|comment|report\w*|cov\w*|\w*cov|coverall\w*|badge|bench\w*|profile|stats?|summary|download\w*|fetch|get|pull|clone|sync\w*|restore|save|cache|export|import|dump|backup|seed|reset|drop|print|show|list|ls|info|status|env|version|help|doctor|self|use|enable|disable|register|tag|sign\w*|bump|changelog|commit|open|connect|tunnel|proxy|listen|up|down|invoke|plan|tree|outdated|audit|snapshots?|tools?|cert|make)$/;
/** Options that write, send or stay. */
const OTHER_OPTION =
  /^--?(o|w|i|u|d|out|output|write|save|export|dest|deploy|publish|upload|push|token|password|passwd|user|username|daemon|detach|background|port|host|listen|serve|watch|install|update|fix|overwrite|inplace|in-place|force|yes|report|record|server|url|remote|registry|delete|clean|apply|version|help|list|init)(?![a-z]+\b(?<!-)\w*$)(?=$|[=-])/;
/** A file that an unknown program may run, or the end of its own words. */
const STARTS_OTHER = /^--$|\.(d|py|[cm]?[jt]sx?|sh|rb|pl|lua|jl|nim|cr|exs?|ps1|php|go|rs)$/i;
/** A place outside of the tree, or on the network. */
const OUTSIDE = /^[/~]|(^|[=/])\.\.(\/|$)|:\/\/|@[\w-]+\.[a-z]|=[/~]/;
/** Words of a name that show a step or job that prepares, reports or publishes. */
const OTHER_NAME =
  /install|set[ -]?up|prepare|download|upload|publish|deploy|releas|start|generat|configur|create|report|coverage|cache|login|push|comment|notify|init|bench|changelog|nightly|sync|update|stale|label|triage|preview|snapshot|docker|image|migrat|fuzz|mutation|e2e|browser|android|\bios\b|emulator/i;
/** What a file would contain that uses the network, an account or git, or that keeps running. */
const FILE_ACTS =
  /https?:\/\/|\bsockets?\b|\brequests\b|\bfetch\(|\burllib|\bgit (push|commit|tag|clone|fetch|checkout)|publish|deploy|upload|\bdocker|\btoken\b|password|\bsecret|\blisten\(|server|rm -rf|rmtree|unlink|sudo/i;
const WITHOUT_EFFECT = /^(echo|printf|cat|ls|true|exit|:|\[|\[\[|test|set|fi|done|esac|\})$/;

/** A script with the scripts that follow it in its job. */
export interface JobPlace {
  readonly script: CiScript;
  readonly later: () => readonly CiScript[];
}

/** The kind of a command that no tool file knows as a check; null if its place or its words show another purpose. */
export function kindByPlace(project: Project, command: CiCommand, place: JobPlace): StageKind | null {
  const {script} = place;
  const {stepName = "", jobNames = []} = script;
  if (
    script.isOfPlainJob !== true ||
    script.isRequired === false ||
    (script.blocked ?? null) !== null ||
    command.trouble !== null
  )
    return null;
  if (!isPlainCheck(project, command)) return null;
  const isNamed = kindByCheckWord(stepName) !== null;
  const names = [stepName, ...(isNamed ? [] : jobNames)];
  if (names.some((name) => OTHER_NAME.test(name))) return null;
  const [ownCommands, laterCommands] = followingCommands(command, place);
  const program = programOf(command);
  const isOther = (other: CiCommand): boolean => programOf(other) !== program;
  if ([...ownCommands, ...laterCommands].some(({text}) => COMPARES_FILES.test(text))) return null;
  if (ownCommands.some(isOther) || (!isNamed && laterCommands.some(isOther))) return null;
  return command.words.some((word) => word === "lint") ? "lint" : "check";
}

const programOf = ({words}: Pick<CiCommand, "words">): string => baseName(unwrap(words)[0] ?? "");

/** The commands after this one in its script, and those of the later scripts of its job, that do something. */
function followingCommands(command: CiCommand, {script, later}: JobPlace): [CiCommand[], CiCommand[]] {
  const isEffective = ({words}: CiCommand): boolean => !WITHOUT_EFFECT.test(words[0] ?? "");
  const commandsIn = ({text, cwd}: CiScript): CiCommand[] =>
    allCommandsOf({text, cwd, values: new Map()}).filter(isEffective);
  const own = commandsIn(script);
  const at = own.findIndex(({text}) => text === command.text);
  // A step whose failure CI ignores, such as a report, needs nothing that is checked here.
  const decisive = later().filter(({blocked}) => blocked !== "CI continues when it fails");
  return [at < 0 ? [] : own.slice(at + 1), decisive.flatMap(commandsIn)];
}

function isPlainCheck(project: Project, command: CiCommand): boolean {
  const {words, text, cwd} = command;
  const started = unwrap(words);
  const [program = "", ...rest] = started;
  if (/[|<>&;`$\n]/.test(text) || splitShell(text)?.length !== 1 || screen(text).kind !== "ok") return false;
  if (onlyPrepares(words) || words.some((word) => OUTSIDE.test(word))) return false;
  const path = scriptPath(project, cwd, words);
  const isKnown = KNOWN_PROGRAMS.has(program);
  if (!isKnown && (path !== null || startsTask(words))) {
    const body = bodyOf({project, cwd, words}) ?? [];
    if (body.length === 0 || !body.every((line) => screen(line).kind === "ok")) return false;
  } else if (isInterpreter(program)) return startsPlainFile(project, cwd, rest);
  else if (words[0]?.includes("/") === true && !isKnown) return false;
  if (!/^[A-Za-z][\w.+-]*$/.test(program) || (path === null && NOT_A_CHECKER.test(program))) return false;
  if (!isKnown && rest.some((word) => STARTS_OTHER.test(word))) return false;
  const options = rest.filter((word) => word.startsWith("-"));
  if (options.some((word) => OTHER_OPTION.test(word) && !(isKnown && /^-\w$/.test(word)))) return false;
  const names = rest.filter((word) => !word.startsWith("-") && !word.includes("/"));
  return rest.length > 0 && ![isKnown ? "" : program, ...names].some(hasOtherPurpose);
}

const hasOtherPurpose = (word: string): boolean =>
  word
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((part) => OTHER_PURPOSE.test(part));

/** True for a file of the tree with one word that says what it does, and with no sign of another effect. */
function startsPlainFile(project: Project, cwd: string, [file = "", ...words]: readonly string[]): boolean {
  const text = project.text(inside(cwd, file.replace(/^\.\//, "")));
  const [task = ""] = words;
  // `run` only says that the word is a task.
  const name = baseName(file).replace(/\.\w+$|^run(?=\.)/g, "");
  return (
    text !== null &&
    words.length === 1 &&
    /^[a-z][\w-]*$/.test(task) &&
    !FILE_ACTS.test(text) &&
    ![name, task].some(hasOtherPurpose)
  );
}
