/** Extracts candidate stages from the scripts of any CI file: the commands that are checks. */
import type {Note} from "../../record/plan.ts";
import type {StageKind} from "../../record/words.ts";
import {memoize} from "../../shell/memoize.ts";
import {assignments} from "../../shell/quote.ts";
import {splitShell} from "../../shell/split.ts";
import {toolOf, unwrap} from "../../tools/command-name.ts";
import {kindOfName, kindOfWords} from "../../tools/stage-kind.ts";
import {inside, type Project} from "../files/project.ts";
import type {CandidateStage, CiCall, Ecosystem} from "../proposals/ecosystem.ts";
import {safeVariant, screen} from "../proposals/screen.ts";
import {scriptPath, shellCommands} from "../scripts/shell-file.ts";
import {allCommandsOf, type CiCommand, enter, isPlain} from "../scripts/shell-lines.ts";
import {bodyOf} from "./bodies.ts";
import {kindByCheckWord} from "./check-words.ts";
import {findMisplacement, findUnreadiness, kindOfCiCommand} from "./classify-command.ts";
import {commandsOfTargets, plainCommand} from "./unpack-command.ts";

/** One piece of shell text that a CI file runs on a change. */
export interface CiScript {
  readonly file: string;
  /** text that finds the place in the file: the name of a job or step */
  readonly key: string;
  readonly text: string;
  readonly cwd: string;
  /** the variables that the CI file sets to literal values */
  readonly env: Readonly<Record<string, string>>;
  /** why none of its commands becomes a stage; null if they may */
  readonly blocked?: string | null;
  /** false if only a push runs it */
  readonly isRequired?: boolean;
  /** it is no shell text */
  readonly isOpaque?: true;
  /** the folder into which CI checks the tree out */
  readonly checkout?: string;
}

const MAX_SCRIPTS = 500;
const MAX_TEXT = 1_000_000;
const MAX_DRAFTS = 200;
const MAX_NOTES = 60;
/** A plan accounts for at most this many commands of CI, and for commands of at most this length. */
const MAX_CALLS = 1000;
const MAX_CALL = 1000;
/** Variables that change the result of a check; the others control CI itself. */
const MATTERS =
  /^(RUSTFLAGS|RUSTDOCFLAGS|CARGO_INCREMENTAL|NODE_ENV|GOFLAGS|GOEXPERIMENT|CGO_ENABLED|GO111MODULE|PYTHONPATH|PYTHONWARNINGS|PYTHONDEVMODE|DJANGO_SETTINGS_MODULE|MIX_ENV|RAILS_ENV|RACK_ENV|APP_ENV|TZ|LANG|LC_ALL|TEST_SUITE)$/;
/** Programs that are started by any path, and programs that a build creates. */
const WRAPPERS = /^(gradlew|mvnw|mill|sbt|configure|autogen)$/;
/** A reason that holds only on another operating system. */
const ELSEWHERE = /on (Windows|macOS) only$|says `(windows|macos)`$/;
/** Folders where setup steps put programs, and builds put their results. */
const MADE = /^(\.\/)?(node_modules|vendor|\.?venv|bin|build|target|dist|out|\.build)\//;
/**
 * The detection of one CI system, whose files belong to the root of the tree: `readScripts` gives what they run on a
 * change.
 */
export function detectScripts(readScripts: (project: Project, notes: Note[]) => CiScript[]): Ecosystem["detect"] {
  return ({project, root}) => {
    if (root !== ".") return {};
    const notes: Note[] = [];
    const extracted = extractChecks(project, readScripts(project, notes));
    return {...extracted, notes: [...notes, ...extracted.notes]};
  };
}

interface ExtractedChecks {
  readonly checks: CandidateStage[];
  readonly notes: Note[];
  readonly ciCalls: CiCall[];
}

/** The candidates and calls found in the scripts so far. */
interface Extraction {
  readonly project: Project;
  readonly candidates: Map<string, CandidateStage>;
  readonly calls: Map<string, CiCall>;
  readonly notes: Map<string, Note>;
  /** Folders are few, and searching a large tree for each command is not cheap. */
  readonly whyMisplaced: (folder: string) => string | null;
}

/** The candidates of these scripts, each command once, with notes on the checks that cannot become stages. */
function extractChecks(project: Project, scripts: readonly CiScript[]): ExtractedChecks {
  const extraction: Extraction = {
    project,
    candidates: new Map(),
    calls: new Map(),
    notes: new Map(),
    whyMisplaced: memoize((cwd) => findMisplacement(project, cwd)),
  };
  const {candidates, calls, notes} = extraction;
  let size = 0;
  for (const script of scripts.slice(0, MAX_SCRIPTS)) {
    size += script.text.length;
    if (size > MAX_TEXT) break;
    extractFrom(extraction, script);
  }
  const firstScript = scripts[0];
  if (firstScript !== undefined && (scripts.length > MAX_SCRIPTS || size > MAX_TEXT || calls.size >= MAX_CALLS))
    notes.set("", {
      about: firstScript.file,
      text: `only a part of its ${scripts.length} scripts was looked at: there are too many`,
    });
  return {
    checks: [...candidates.values()],
    notes: [...notes.values()].slice(0, MAX_NOTES),
    ciCalls: [...calls.values()],
  };
}

function extractFrom(extraction: Extraction, script: CiScript): void {
  const {project, candidates, notes} = extraction;
  const {text, cwd, blocked = null} = script;
  if (script.isOpaque) {
    record(extraction, script, {text, cwd, runs: [], candidates: [], safeForm: text, why: blocked, isCheck: true});
    return;
  }
  const values = new Map(Object.entries(script.env).filter(([, value]) => isPlain(value)));
  for (const ciCommand of allCommandsOf({text, cwd, values})) {
    const command = installed(project, inCheckout(moved(plainCommand(ciCommand)), script.checkout ?? "."));
    const targets = commandsOfTargets(command);
    // The shell ignores a negated command unless it is the last one.
    const isNegated = command.words[0] === "!" && command.text.trim() === text.trim();
    const ownKind = isNegated ? "check" : kindOfCiCommand(project, command);
    const kind = targets === null ? ownKind : "check";
    // The name of a step with several targets may describe one of them.
    const isOfTargets = targets !== null && targets.length > 0 && blocked?.startsWith("the step's name") === true;
    const trouble =
      (isOfTargets || isFalseAlarm(blocked, kind, command.text) ? null : blocked) ??
      command.trouble ??
      extraction.whyMisplaced(command.cwd);
    const why = trouble ?? (kind === null ? null : findUnreadiness(project, command));
    const proposedStages = why !== null ? [] : stagesOf({project, script, command, kind, targets});
    record(extraction, script, callOf({project, command, candidates: proposedStages, why, isCheck: kind !== null}));
    if (kind === null || ciCommand.isDependent) continue;
    for (const candidate of proposedStages) {
      const key = `${candidate.cwd}\0${candidate.command}`;
      if (!candidates.has(key) && candidates.size < MAX_DRAFTS) candidates.set(key, candidate);
    }
    if (why === null) continue;
    const note = `\`${command.raws.join(" ").slice(0, 200)}\` passed over: ${why}`;
    notes.set(`${script.file} ${script.key} ${note}`, {about: `${script.file} ${script.key}`, text: note});
  }
}

/** A linter needs no database, and what neither builds nor rewrites packages nothing and fixes nothing. */
function isFalseAlarm(blocked: string | null, kind: StageKind | null, text: string): boolean {
  if (kind === null || kind === "build" || kind === "check" || blocked === null) return false;
  if (kind !== "test" && blocked.startsWith("CI starts ")) return true;
  return /says `(packages?|autofix)`$/.test(blocked) && screen(text).kind === "ok";
}

function stagesOf(
  mined: Omit<Mined, "kind"> & {kind: StageKind | null; targets: readonly CiCommand[] | null},
): CandidateStage[] {
  const {targets, kind, ...rest} = mined;
  if (targets === null) return kind === null ? [] : withParts({...rest, kind});
  return targets.flatMap((target) => {
    const name = target.words[target.words.indexOf("-t") + 1] ?? "";
    const ownKind = kindOfName(name) ?? kindByCheckWord(name);
    return ownKind === null ? [] : [candidateOf({...rest, command: target, kind: ownKind})];
  });
}

type PlacelessCall = Omit<CiCall, "file" | "key">;

function callOf(
  options: {project: Project; command: CiCommand} & Pick<CiCall, "candidates" | "why" | "isCheck">,
): PlacelessCall {
  const {project, command, ...rest} = options;
  const {text, cwd, words, raws, env} = command;
  const runs = words.length === 0 ? [] : (bodyOf({project, cwd, words}) ?? [raws.join(" ")]);
  return {text, cwd, runs, safeForm: safeVariant([...assignments(env), ...raws].join(" ")), ...rest};
}

/** Records a command of a job for pull requests, once. */
function record({calls}: Extraction, script: CiScript, call: PlacelessCall): void {
  if (script.isRequired === false || calls.size >= MAX_CALLS) return;
  const text = call.text.replace(/\\\n/g, " ").replace(/\s+/g, " ").trim().slice(0, MAX_CALL);
  const key = `${call.cwd}\0${text}`;
  const known = calls.get(key);
  // A job that Assay can run is a better place than one that it cannot, and the need of a job on Linux a truer reason.
  const isBetter = known !== undefined && known.why !== null && (call.why === null || ELSEWHERE.test(known.why));
  if (text !== "" && (known === undefined || isBetter))
    calls.set(key, {...call, text, file: script.file, key: script.key});
}

/** Where CI checks the tree out into a folder, that folder is the root. */
function inCheckout(command: CiCommand, checkout: string): CiCommand {
  const {cwd} = command;
  if (checkout === "." || (cwd !== checkout && !cwd.startsWith(`${checkout}/`))) return command;
  return {...command, cwd: cwd.slice(checkout.length + 1) || "."};
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
 * A command with the linters and type checkers of the shell script that it starts; each can run alone if nothing else
 * runs it. A script with the name of a check and no other commands is replaced by its parts.
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
  const safeLine = safeVariant(line);
  const [named] = splitShell(safeLine) ?? [];
  const body = withArguments(bodyOf({project, cwd, words}), named?.raws ?? []);
  const [only = ""] = body ?? [];
  // A script that only watches is replaced by its command, in a form that ends.
  const isWatching = toolOf(words).startsWith("script ") && body?.length === 1 && screen(only).kind === "watch";
  const safe = isWatching ? safeVariant(only) : safeLine;
  const runs = isWatching ? [safe] : body;
  const [started] = splitShell(safe) ?? [];
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
    ...(script.isRequired === false && {isOnPushOnly: true}),
    tools: /^[\w.+-]+$/.test(program) ? [{name: program, hint}] : [],
    env: Object.fromEntries(Object.entries(script.env).filter(([name, value]) => MATTERS.test(name) && isPlain(value))),
    ...(runs !== null && {runs: tool.startsWith("script ") ? [tool.replace("script", "npm run"), ...runs] : runs}),
    ...(isTool && {label}),
  };
}
