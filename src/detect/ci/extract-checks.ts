/** Extracts candidate stages from the scripts of any CI file: the commands that are checks, with the commands behind them. */
import type {Note} from "../../record/plan.ts";
import type {StageKind} from "../../record/words.ts";
import {memoize} from "../../shell/memoize.ts";
import {assignments} from "../../shell/quote.ts";
import {splitShell} from "../../shell/split.ts";
import {COMMANDS} from "../../tools/all.ts";
import {toolOf, unwrap} from "../../tools/command-name.ts";
import {kindOfName, kindOfWords, kindsOf} from "../../tools/stage-kind.ts";
import {inside, type Project} from "../files/project.ts";
import {findFirst, hasFileBelow} from "../proposals/candidate-stages.ts";
import type {CandidateStage, Ecosystem} from "../proposals/ecosystem.ts";
import {isSampleFolder} from "../proposals/project-roots.ts";
import {safeVariant, screenName} from "../proposals/screen.ts";
import {MAKEFILES} from "../scripts/makefile.ts";
import {scriptPath, shellCommands} from "../scripts/shell-file.ts";
import {type CiCommand, commandsOf, enter, isPlain} from "../scripts/shell-lines.ts";
import {bodyOf} from "./bodies.ts";

/** One piece of shell text that a CI file runs on a change. */
export interface CiScript {
  readonly file: string;
  /** text that finds the place in the file: the name of a job or step */
  readonly key: string;
  readonly text: string;
  readonly cwd: string;
  /** what the CI file sets, as far as the values are plain */
  readonly env: Readonly<Record<string, string>>;
}

const MAX_SCRIPTS = 500;
const MAX_TEXT = 1_000_000;
const MAX_DRAFTS = 200;
const MAX_NOTES = 60;
/** Variables that change the result of a check; the others control CI itself. */
const MATTERS =
  /^(RUSTFLAGS|RUSTDOCFLAGS|CARGO_INCREMENTAL|NODE_ENV|GOFLAGS|GOEXPERIMENT|CGO_ENABLED|GO111MODULE|PYTHONPATH|PYTHONWARNINGS|PYTHONDEVMODE|DJANGO_SETTINGS_MODULE|MIX_ENV|RAILS_ENV|RACK_ENV|APP_ENV|TZ|LANG|LC_ALL|TEST_SUITE)$/;
/** Programs that are started by any path, and programs that a build creates. */
const WRAPPERS = /^(gradlew|mvnw|mill|sbt|configure|autogen)$/;
/** Folders where setup steps put programs, and builds put their results. */
const MADE = /^(\.\/)?(node_modules|vendor|\.?venv|bin|build|target|dist|out|\.build)\//;
/** Parts of a script's path that show its requirements. */
const ASKS_FOR = new Set(["service", "browser", "release", "server"]);
/** Build tools that work in a folder that an earlier command has made. */
const COMPILES_NATIVE = COMMANDS.flatMap(({compiles}) => (compiles?.family === "native" ? [compiles.commands] : []));
/** Folders with the project's documentation, whose checks do not check the code. */
const TOLD = /(^|\/)(docs?|documentation|website|site|www)(\/|$)/;

/** The detection of one CI system, whose files belong to the root of the tree: `readScripts` gives what they run on a change. */
export function detectScripts(readScripts: (project: Project, notes: Note[]) => CiScript[]): Ecosystem["detect"] {
  return ({project, root}) => {
    if (root !== ".") return {};
    const notes: Note[] = [];
    const extracted = extractChecks(project, readScripts(project, notes));
    return {checks: extracted.checks, notes: [...notes, ...extracted.notes]};
  };
}

/** The candidates of these scripts, each command once, with notes on the checks that cannot become stages. */
function extractChecks(project: Project, scripts: readonly CiScript[]): {checks: CandidateStage[]; notes: Note[]} {
  const candidates = new Map<string, CandidateStage>();
  const notes = new Map<string, Note>();
  // Folders are few, and searching a large tree for each command is not cheap.
  const whyMisplaced = memoize((cwd) => misplaced(project, cwd));
  let size = 0;
  for (const script of scripts.slice(0, MAX_SCRIPTS)) {
    size += script.text.length;
    if (size > MAX_TEXT) break;
    const values = new Map(Object.entries(script.env).filter(([, value]) => isPlain(value)));
    for (const ciCommand of commandsOf({text: script.text, cwd: script.cwd, values})) {
      const command = installed(project, moved(ciCommand));
      const kind = kindOf(project, command);
      if (kind === null) continue;
      const why = command.trouble ?? whyMisplaced(command.cwd) ?? unready(project, command);
      if (why === null) {
        for (const candidate of withParts({project, script, command, kind})) {
          const key = `${candidate.cwd}\0${candidate.command}`;
          if (!candidates.has(key) && candidates.size < MAX_DRAFTS) candidates.set(key, candidate);
        }
      } else {
        const text = `\`${command.raws.join(" ").slice(0, 200)}\` passed over: ${why}`;
        notes.set(`${script.file} ${script.key} ${text}`, {about: `${script.file} ${script.key}`, text});
      }
    }
  }
  const firstScript = scripts[0];
  if (firstScript !== undefined && (scripts.length > MAX_SCRIPTS || size > MAX_TEXT))
    notes.set("", {
      about: firstScript.file,
      text: `only a part of its ${scripts.length} scripts was looked at: there are too many`,
    });
  return {checks: [...candidates.values()], notes: [...notes.values()].slice(0, MAX_NOTES)};
}

/** A command with a folder option runs in that folder. */
function moved(command: CiCommand): CiCommand {
  const {words, raws, trouble} = command;
  if (!/^(?:npm|pnpm|yarn|make|bun)$/.test(words[0] ?? "")) return command;
  const separate = words.findIndex((word) => FOLDER_OPTION.test(word));
  const start = separate < 0 ? words.findIndex((word) => FOLDER_OPTION.test(word.split("=")[0] ?? "")) : separate;
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

const FOLDER_OPTION = /^(?:-C|--prefix|--cwd|--dir|--directory)$/;

/** An untracked `./shfmt` was downloaded by CI. Where Assay runs, the program is on the PATH or missing. */
function installed(project: Project, command: CiCommand): CiCommand {
  const [, path, name = ""] = /^((?:\.\/)?(?:[\w.-]+\/)?([\w-]+))$/.exec(command.words[0] ?? "") ?? [];
  if (path === undefined || path === name || MADE.test(path) || WRAPPERS.test(name)) return command;
  if (project.has(inside(command.cwd, path.replace(/^\.\//, "")))) return command;
  if (kindOfWords([name, ...command.words.slice(1)]) === null) return command;
  return {...command, words: [name, ...command.words.slice(1)], raws: [name, ...command.raws.slice(1)]};
}

/** Why a command cannot run alone in a fresh checkout: it uses a folder that an earlier step made, or its script shows a need. */
function unready(project: Project, {words, cwd}: CiCommand): string | null {
  const [program = ""] = words;
  const optionIndex = words.findIndex((word) => word === "-C" || word === "--build" || word === "--test-dir");
  const folder =
    COMPILES_NATIVE.some((commands) => commands.test(program)) && optionIndex > 0 ? words[optionIndex + 1] : undefined;
  const target = folder === undefined ? null : enter(cwd, folder);
  const isThere = target === null || target === "." || project.below(target).length > 0;
  if (folder !== undefined && !isThere) return "it goes on in a folder that an earlier step has made";
  if (/^g?make$/.test(program) && !words.includes("-f") && findFirst(project, cwd, MAKEFILES) === null)
    return "its makefile is made by an earlier step";
  const parts = scriptPath(project, cwd, words)?.split("/") ?? [];
  const asks = parts.map(screenName).find((result) => ASKS_FOR.has(result.kind));
  return asks !== undefined && "why" in asks ? asks.why : null;
}

/** The kind, by the tool, by the started name, or by the commands behind it; null if the command is not a check. */
function kindOf(project: Project, command: CiCommand): StageKind | null {
  const {words, cwd} = command;
  if (words.slice(1).some((word) => /^(--?version|--?help|-V|help|version)$/.test(word))) return null;
  const tool = toolOf(words);
  if (words[0] === "npm" && words[1] === "ci") return null;
  if (tool === "make" || tool === "make all") return isMadeC(project, cwd) ? "build" : null;
  const ownKind = kindOfWords(words);
  if (ownKind !== null && !/^(script|make|just|task|composer) /.test(tool)) return ownKind;
  if (/^(script|make|just|task|composer) /.test(tool) || scriptPath(project, cwd, words) !== null) {
    const name = (scriptPath(project, cwd, words) ?? tool)
      .replace(/^.*[/ ]/, "")
      .replace(/\.\w+$/, "")
      .replace(/^cibuild$/, "ci");
    const promised = kindOfName(name);
    const kinds = new Set((bodyOf({project, cwd, words}) ?? []).flatMap(kindsOf));
    const [only] = kinds;
    if (promised === "check" || promised === null) return kinds.size === 1 && only !== undefined ? only : promised;
    return promised;
  }
  return null;
}

/** `make` alone is a build only in a C project; in others its default target may be anything. */
function isMadeC(project: Project, cwd: string): boolean {
  return findFirst(project, cwd, MAKEFILES) !== null && hasFileBelow(project, cwd, /\.(c|cc|cpp|cxx)$/);
}

function misplaced(project: Project, cwd: string): string | null {
  if (cwd === ".") return null;
  if (isSampleFolder(cwd)) return "its folder holds examples, fixtures or the like";
  if (TOLD.test(cwd)) return "its folder holds documentation";
  return project.below(cwd).length > 0 ? null : "its folder is not in the tree";
}

/** Arguments after a script's name go to the last command of its body: `npm run fmt -- --check`. */
function withArguments(runs: string[] | null, raws: readonly string[]): string[] | null {
  const [manager = "", ...words] = raws;
  const lastRun = runs?.at(-1);
  if (lastRun === undefined || !/^(npm|pnpm|yarn|bun)$/.test(manager)) return runs;
  const scriptWords = words.filter((word) => !/^(run|run-script)$/.test(word));
  const scriptArguments = scriptWords.slice(1).filter((word, i) => word !== "--" || i > 0);
  // Only options: another word may be part of the script's name.
  const options =
    /^\w/.test(scriptWords[0] ?? "") && scriptArguments.every((word) => word.startsWith("-")) ? scriptArguments : [];
  return [...(runs ?? []).slice(0, -1), [lastRun, ...options].join(" ")];
}

interface Mined {
  readonly project: Project;
  readonly script: CiScript;
  readonly command: CiCommand;
  readonly kind: StageKind;
}

/**
 * A command with the linters and type checkers of the shell script that it starts; each can run alone if nothing else runs
 * it. A script that is named a check and holds nothing else is replaced by its parts.
 */
function withParts(mined: Mined): CandidateStage[] {
  const {project, command, kind} = mined;
  const wholeScript = candidateOf(mined);
  const path = kind === "test" || kind === "build" ? null : scriptPath(project, command.cwd, command.words);
  const inner = path === null ? [] : (shellCommands(project, path, command.cwd) ?? []);
  const parts = inner.flatMap((part) => {
    const partKind = part.trouble === null ? kindOfWords(part.words) : null;
    if (partKind !== "lint" && partKind !== "typecheck") return [];
    const candidate = candidateOf({...mined, command: part, kind: partKind});
    return [{...candidate, origin: {...candidate.origin, why: `CI runs it in \`${path}\``}}];
  });
  return kind === "check" && parts.length > 0 && parts.length === inner.length ? parts : [wholeScript, ...parts];
}

function candidateOf({project, script, command, kind}: Mined): CandidateStage {
  const {words, cwd} = command;
  const {file, key} = script;
  const line = [...assignments(command.env), ...command.raws].join(" ");
  const safe = safeVariant(line);
  const [started] = splitShell(safe) ?? [];
  const runs = withArguments(bodyOf({project, cwd, words}), started?.raws ?? []);
  const program = started?.words[0] ?? "";
  const hint = `install ${program} in a step before Assay, as ${file} does`;
  const tool = toolOf(words);
  const label = kind === "lint" || kind === "typecheck" ? (unwrap(words)[0] ?? "") : "";
  const isTool = /^[a-z][\w-]+$/.test(label) && !/^(npm|pnpm|yarn|bun|make|composer|just|task)$/.test(label);
  return {
    kind,
    command: safe,
    cwd,
    origin: {file, key, why: `CI runs it${safe === line ? "" : ", in a form that ends and rewrites nothing"}`},
    evidence: "ci",
    tools: /^[\w.+-]+$/.test(program) ? [{name: program, hint}] : [],
    env: Object.fromEntries(Object.entries(script.env).filter(([name, value]) => MATTERS.test(name) && isPlain(value))),
    ...(runs !== null && {runs: tool.startsWith("script ") ? [tool.replace("script", "npm run"), ...runs] : runs}),
    ...(isTool && {label}),
  };
}
