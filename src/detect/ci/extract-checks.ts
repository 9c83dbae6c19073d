/** Extracts candidate stages from the scripts of any CI file: the commands that are checks. */
import type {Note} from "../../record/plan.ts";
import type {StageKind} from "../../record/words.ts";
import {memoize} from "../../shell/memoize.ts";
import {assignments} from "../../shell/quote.ts";
import {kindOfName, kindOfWords, mayBeMissing} from "../../tools/stage-kind.ts";
import type {Project} from "../files/project.ts";
import type {CandidateStage, CiCall, Ecosystem, InstallRow} from "../proposals/ecosystem.ts";
import {safeVariant} from "../proposals/screen.ts";
import {allCommandsOf, type CiCommand, IN_BACKGROUND} from "../scripts/shell-lines.ts";
import {isPlain} from "../scripts/shell-values.ts";
import {bodyOf} from "./bodies.ts";
import {variablesOf} from "./check-variables.ts";
import {kindByCheckWord} from "./check-words.ts";
import {
  COMPARES_FILES,
  findImageProgram,
  findMisplacement,
  findUnreadiness,
  kindOfCiCommand,
} from "./classify-command.ts";
import {type CheckedCommand, candidateOf, withParts} from "./command-stage.ts";
import {generatedCheck} from "./generated-check.ts";
import type {CiScript} from "./jobs.ts";
import {logicCheckOf, stageOfLogic} from "./logic-check.ts";
import {placeCommand, withProgramPath} from "./moved-command.ts";
import {isElsewhere, systemsOf, withoutContradictions} from "./other-systems.ts";
import {whyOtherVariables, withOwnEnv} from "./repeated-command.ts";
import {kindByPlace} from "./required-command.ts";
import {type OrderedCommand, setUpSteps} from "./set-up-steps.ts";
import {commandsOfArguments, commandsOfTargets, plainCommand, targetsOfScript} from "./unpack-command.ts";

const MAX_SCRIPTS = 500;
const MAX_TEXT = 1_000_000;
const MAX_DRAFTS = 200;
const MAX_NOTES = 60;
/** A plan accounts for at most this many commands of CI, and for commands of at most this length. */
const MAX_CALLS = 1000;
const MAX_CALL = 4000;
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
  readonly installs: InstallRow[];
}

/** The candidates and calls found in the scripts so far. */
interface Extraction {
  readonly project: Project;
  readonly candidates: Map<string, CandidateStage>;
  readonly calls: Map<string, CiCall>;
  /** each with the place of its command in `candidates` */
  readonly notes: Map<string, Note & {readonly key: string}>;
  readonly ordered: OrderedCommand[];
  /** the variables of each command of a job where it runs first */
  readonly firstEnv: Map<string, CiScript["env"]>;
  /** the variables of the first run of each command that is tests and can run here */
  readonly plannedEnv: Map<string, CiScript["env"]>;
  readonly whyMisplaced: (folder: string, kind: StageKind | null) => string | null;
}

/** The candidates, each command once, with notes on the checks that cannot become stages. */
function extractChecks(project: Project, scripts: readonly CiScript[]): ExtractedChecks {
  const whyNoLint = memoize((cwd) => findMisplacement(project, cwd, "lint"));
  const whyNoStage = memoize((cwd) => findMisplacement(project, cwd, null));
  const extraction: Extraction = {
    project,
    candidates: new Map(),
    calls: new Map(),
    notes: new Map(),
    ordered: [],
    firstEnv: new Map(),
    plannedEnv: new Map(),
    whyMisplaced: (cwd, kind) => (kind === "lint" ? whyNoLint : whyNoStage)(cwd),
  };
  const {candidates, calls, notes} = extraction;
  let size = 0;
  for (const script of scripts.slice(0, MAX_SCRIPTS)) {
    size += script.text.length;
    if (size > MAX_TEXT) break;
    extractFrom(extraction, script, () => laterScripts(scripts, script));
  }
  const firstScript = scripts[0];
  if (firstScript !== undefined && (scripts.length > MAX_SCRIPTS || size > MAX_TEXT || calls.size >= MAX_CALLS))
    notes.set("", {
      key: "",
      about: firstScript.file,
      text: `only a part of its ${scripts.length} scripts was looked at: there are too many`,
    });
  return {
    checks: [...candidates.values()],
    // A command that another job can run is not skipped.
    notes: withoutContradictions([...notes.values()].filter(({key}) => !candidates.has(key)))
      .slice(0, MAX_NOTES)
      .map(({about, text}) => ({about, text})),
    ciCalls: [...calls.values()],
    installs: setUpSteps(project, extraction.ordered),
  };
}

const laterScripts = (scripts: readonly CiScript[], script: CiScript): CiScript[] =>
  scripts.slice(scripts.indexOf(script) + 1).filter(({job}) => job === script.job);

function extractFrom(extraction: Extraction, script: CiScript, later: () => readonly CiScript[]): void {
  const {project, candidates, notes} = extraction;
  const {text, cwd, blocked = null} = script;
  if (script.isOpaque) {
    record(extraction, script, {text, cwd, runs: [], candidates: [], safeForm: text, why: blocked, isCheck: true});
    return;
  }
  const values = fillableValues(script);
  const files = {
    has: (path: string) => project.has(path) || project.below(path).length > 0,
    text: (path: string) => project.text(path),
  };
  for (const ciCommand of allCommandsOf({text, cwd, values, files})) {
    const started = withProgramPath(project, plainCommand(ciCommand), script.programFolders ?? []);
    const placed = placeCommand(project, started, script.checkout ?? ".");
    const command = withOwnEnv(placed, script, extraction.firstEnv);
    const targets = commandsOfTargets(command) ?? targetsOfScript(project, command) ?? commandsOfArguments(command);
    // The shell ignores a negated command unless it is the last one.
    const isLast = command.text.trim() === text.trim();
    const isNegated = command.words[0] === "!" && isLast && !COMPARES_FILES.test(command.text.trim());
    const logic = logicCheckOf(project, command);
    const knownKind = isNegated ? "check" : (logic?.kind ?? kindOfCiCommand(project, command));
    const isAlone = targets === null && ciCommand.isDependent !== true;
    const placeKind = knownKind === null && isAlone ? kindByPlace(project, command, {script, later}) : null;
    const kind = targets === null ? (knownKind ?? placeKind) : "check";
    const trouble =
      (command.trouble === IN_BACKGROUND ? IN_BACKGROUND : null) ??
      (isFalseAlarm(blocked, kind, command.text) ? null : blocked) ??
      (logic === null ? command.trouble : logic.trouble) ??
      (kind === "test" && command.words[0] === "xvfb-run" ? "CI gives it a screen with `xvfb-run`" : null) ??
      (script.isInContainer && kind !== null && placeKind === null ? findImageProgram(command.words) : null) ??
      extraction.whyMisplaced(command.cwd, kind);
    const entry = {command, kind, script, isDependent: ciCommand.isDependent === true};
    const generated = blocked === null ? generatedCheck(project, extraction.ordered, entry) : null;
    extraction.ordered.push(entry);
    if (generated !== null) candidates.set(`${generated.cwd}\0${generated.command}`, generated);
    const why = trouble ?? (kind === null ? null : findUnreadiness(project, command));
    if (why === null && kind === "test" && recordOtherVariables(extraction, script, command)) continue;
    // Its program, or the subcommand, may not be installed where Assay runs.
    const isOptional = placeKind !== null || (kind !== null && mayBeMissingBehind(project, command));
    const proposedStages = why !== null ? [] : stagesOf({project, script, command, kind, targets, isOptional});
    record(extraction, script, {
      ...callOf({project, command, targets, candidates: proposedStages, why, isCheck: kind !== null}),
      ...(ciCommand.words[0] === "npx" && command.words[0] !== "npx" && {isInstalled: true}),
    });
    if (kind === null || ciCommand.isDependent) continue;
    for (const candidate of proposedStages) {
      const key = `${candidate.cwd}\0${candidate.command}`;
      if (!candidates.has(key) && candidates.size < MAX_DRAFTS) candidates.set(key, candidate);
    }
    if (why === null) continue;
    const note = `\`${command.raws.join(" ").slice(0, 200)}\` skipped: ${why}`;
    const key = `${command.cwd}\0${safeVariant([...assignments(command.env), ...command.raws].join(" "))}`;
    notes.set(`${script.file} ${script.key} ${note}`, {key, about: `${script.file} ${script.key}`, text: note});
  }
}

/** The variables that stand for plain words. What an earlier step has set may contain other variables. */
function fillableValues({env, setVariables = {}}: CiScript): Map<string, string> {
  const values = new Map(Object.entries(env).filter(([, value]) => isPlain(value)));
  for (const [name, value] of Object.entries(setVariables)) {
    if (value !== null && isPlain(value.replaceAll(/\$(?=\w)/g, ""))) values.set(name, value);
    else values.delete(name);
  }
  return values;
}

/** Records tests that another job runs, too, with other variables; false for other tests, which may become a stage. */
function recordOtherVariables(extraction: Extraction, script: CiScript, command: CiCommand): boolean {
  const why = whyOtherVariables(command, script, extraction.plannedEnv);
  if (why === null) return false;
  const variables = assignments(variablesOf(script));
  const text = [...variables, command.text].join(" ");
  const runs = [[...variables, ...command.raws].join(" ")];
  record(extraction, script, {text, cwd: command.cwd, runs, candidates: [], safeForm: text, why, isCheck: true});
  return true;
}

/** True if its program, or each program that it starts, may be missing. */
function mayBeMissingBehind(project: Project, {words, cwd}: CiCommand): boolean {
  const body = bodyOf({project, cwd, words}) ?? [];
  return mayBeMissing(words) || (body.length > 0 && body.every((line) => mayBeMissing(line.split(" "))));
}

/** A linter needs no database, and what neither builds nor rewrites packages nothing and fixes nothing. */
function isFalseAlarm(blocked: string | null, kind: StageKind | null, text: string): boolean {
  if (blocked === "CI installs a browser before it" && (kind !== "test" || /\bunit\b/.test(text))) return true;
  if (blocked?.includes("`Xvfb`") === true && kind !== "test") return true;
  return (
    blocked !== null &&
    kind !== null &&
    !/^(build|check|test)$/.test(kind) &&
    /^CI (starts|pulls|puts|downloads) /.test(blocked)
  );
}

function stagesOf(
  mined: Omit<CheckedCommand, "kind"> & {kind: StageKind | null; targets: readonly CiCommand[] | null},
): CandidateStage[] {
  const {targets, kind, ...rest} = mined;
  if (kind !== null && rest.command.within !== undefined) return [stageOfLogic(rest.command, rest.script, kind)];
  if (targets === null) return kind === null ? [] : withParts({...rest, kind});
  return targets.flatMap((target) => {
    const name = target.words.includes("-t") ? target.words[target.words.indexOf("-t") + 1] : target.words.at(-1);
    const ownKind = kindOfWords(target.words) ?? kindOfName(name ?? "") ?? kindByCheckWord(name ?? "");
    return ownKind === null ? [] : [candidateOf({...rest, command: target, kind: ownKind})];
  });
}

type PlacelessCall = Omit<CiCall, "file" | "key">;

function callOf(
  options: {project: Project; command: CiCommand; targets: readonly CiCommand[] | null} & Pick<
    CiCall,
    "candidates" | "why" | "isCheck"
  >,
): PlacelessCall {
  const {project, command, targets, ...rest} = options;
  const {text, cwd, words, raws, env} = command;
  const parts = targets?.map((target) => target.raws.join(" "));
  const lines =
    words.length === 0 ? [] : (command.within ?? parts ?? bodyOf({project, cwd, words}) ?? [raws.join(" ")]);
  const runs = lines.map((line) => [...assignments(env), line].join(" "));
  return {text, cwd, runs, safeForm: safeVariant([...assignments(env), ...raws].join(" ")), ...rest};
}

/** Records a command of a job for pull requests, once. */
function record({calls}: Extraction, script: CiScript, call: PlacelessCall): void {
  if (script.isRequired === false || calls.size >= MAX_CALLS) return;
  const line = call.text.replace(/\\\n/g, " ").replace(/\s+/g, " ").trim();
  const text = line.length > MAX_CALL ? `${line.slice(0, MAX_CALL)}…` : line;
  const key = `${call.cwd}\0${text}`;
  const earlierCall = calls.get(key);
  // A job that Assay can run is a better place than one that it cannot, and the need of a job on Linux a truer reason.
  const isBetter = typeof earlierCall?.why === "string" && (call.why === null || isElsewhere(earlierCall.why));
  if (text !== "" && (earlierCall === undefined || isBetter))
    calls.set(key, {...call, text, file: script.file, key: script.key, why: systemsOf(earlierCall?.why, call.why)});
}
