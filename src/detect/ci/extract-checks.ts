/** Extracts candidate stages from the scripts of any CI file: each command of a job for pull requests that may run here. */
import type {Note} from "../../record/plan.ts";
import type {StageKind} from "../../record/words.ts";
import {assignments} from "../../shell/quote.ts";
import {splitShell} from "../../shell/split.ts";
import {hasPassingOption} from "../../tools/integrity-names.ts";
import {mayBeMissing} from "../../tools/stage-kind.ts";
import type {Project} from "../files/project.ts";
import type {CandidateStage, CiCall, Ecosystem, InstallRow} from "../proposals/ecosystem.ts";
import {safeVariant} from "../proposals/screen.ts";
import {allCommandsOf, type CiCommand, IN_BACKGROUND, type ScriptCommand, wholeLine} from "../scripts/shell-lines.ts";
import {isPlain} from "../scripts/shell-values.ts";
import {bodyOf} from "./bodies.ts";
import {COMPARES_FILES, findImageProgram, findUnreadiness, isFolder, kindOfCiCommand} from "./classify-command.ts";
import {candidateOf} from "./command-stage.ts";
import {generatedCheck} from "./generated-check.ts";
import {installsOfJobs, providedBy} from "./job-installs.ts";
import type {CiScript} from "./jobs.ts";
import {aboutOf, placeCommand} from "./moved-command.ts";
import {isElsewhere, systemsOf, withoutContradictions} from "./other-systems.ts";
import {copyOf, type OrderedCommand, setUpSteps} from "./set-up-steps.ts";
import {effectiveCommands, isCondition, whyPrepares} from "./set-up-words.ts";
import {shellOfCommand} from "./shell-changes.ts";
import {whyDownloaded, whyNotTried} from "./unknown-command.ts";
import {plainCommand} from "./unpack-command.ts";

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
  /** the jobs, and the scripts without one, that check something here */
  readonly checking: Set<string>;
  /** the first command of a job that gives what comes after it another set-up */
  readonly altered: Map<string, string>;
}

/** The candidates, each command once, with notes on the checks that cannot become stages. */
function extractChecks(project: Project, scripts: readonly CiScript[]): ExtractedChecks {
  const extraction: Extraction = {
    project,
    candidates: new Map(),
    calls: new Map(),
    notes: new Map(),
    ordered: [],
    checking: new Set(),
    altered: new Map(),
  };
  const {candidates, calls, notes} = extraction;
  const comparing = comparingPlaces(scripts.slice(0, MAX_SCRIPTS));
  let size = 0;
  for (const script of scripts.slice(0, MAX_SCRIPTS)) {
    size += script.text.length;
    if (size > MAX_TEXT) break;
    extractFrom(extraction, script, comparing.has(placeOf(script)));
  }
  const installs = installsOfJobs(project, installsIn(extraction));
  for (const {row, from} of installs)
    for (const {cwd, text} of from) {
      const key = callKey(cwd, lineOf(text));
      const call = calls.get(key);
      if (call !== undefined) calls.set(key, {...call, safeForm: row.command});
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
    installs: [...installs.map(({row}) => row), ...setUpSteps(project, extraction.ordered)],
  };
}

/** What the jobs with checks run without a condition, and nothing of which keeps it from running here. */
const installsIn = ({ordered, checking}: Extraction): OrderedCommand[] =>
  ordered.filter(
    ({command, script, isDependent}) =>
      checking.has(placeOf(script)) && !isDependent && command.trouble === null && (script.blocked ?? null) === null,
  );

/** The jobs, and the scripts without one, in which git compares files: what runs before it may rewrite them. */
const comparingPlaces = (scripts: readonly CiScript[]): ReadonlySet<string> =>
  new Set(scripts.filter(({text}) => COMPARES_IN_TEXT.test(text)).map(placeOf));

const placeOf = ({job, file, key}: Pick<CiScript, "job" | "file" | "key">): string => job ?? `${file} ${key}`;

const COMPARES_IN_TEXT = /\bgit (?:-\S+ )*(?:diff|status) /;

function extractFrom(extraction: Extraction, script: CiScript, isCompared: boolean): void {
  const {text, cwd, blocked = null} = script;
  if (script.isOpaque) {
    extraction.checking.add(placeOf(script));
    record(extraction, script, {
      text,
      cwd,
      runs: [],
      candidates: [],
      safeForm: text,
      why: blocked,
      isCheck: true,
      role: "check",
    });
    return;
  }
  const values = fillableValues(script);
  for (const ciCommand of allCommandsOf({text, cwd, values}))
    extractCommand(extraction, script, {ciCommand, isCompared});
}

function extractCommand(
  extraction: Extraction,
  script: CiScript,
  {ciCommand, isCompared}: {ciCommand: ScriptCommand; isCompared: boolean},
): void {
  const {project, candidates, notes} = extraction;
  const {trouble: shellTrouble, ...shell} = shellOfCommand(project, ciCommand);
  const started = {...plainCommand(ciCommand), ...shell};
  const command = placeCommand(project, started, script.checkout ?? ".");
  const about = aboutOf(project, command);
  const known = knownKind({project, script, command, about});
  const entry = {command, kind: known, script, isDependent: ciCommand.isDependent === true};
  const generated = (script.blocked ?? null) === null ? generatedCheck(project, extraction.ordered, entry) : null;
  extraction.ordered.push(entry);
  const alteredBy = alteredBefore(extraction, script, {...ciCommand, ...command});
  if (generated !== null) candidates.set(keyOf(generated), generated);
  const runs = runsOf(project, about, command);
  const prepares = known === null ? whyPrepares(command.text, runs) : null;
  if (isCondition(command.text) || (runs.length > 0 && runs.flatMap(effectiveCommands).length === 0)) return;
  const isUnknown = known === null && prepares === null;
  const why =
    troubleOf({project, script, command, about}, known) ??
    prepares ??
    shellTrouble ??
    whyWithOther(alteredBy) ??
    findUnreadiness(project, about) ??
    (isUnknown ? whyNotTried(project, about, {script, isCompared}) : null);
  const prepared = serviceFor(script, known) ?? (known === "test" || isUnknown ? script.prepared : undefined);
  // Its program, or the subcommand, may not be installed where Assay runs. As with `--target` (BurntSushi/jiff), the target may not be installed.
  const isOptional = mayBeMissingBehind(project, about) || script.env["CARGO_BUILD_TARGET"] !== undefined;
  const isUnproved = isUnknown || prepared !== undefined;
  const kind = known ?? "check";
  const candidate =
    why !== null || ciCommand.isDependent
      ? null
      : candidateOf({project, script, command, about, kind, isOptional, isUnproved, prepared});
  if (candidate !== null) addCandidate(extraction, candidate);
  const safeForm = wholeLine(command, safeVariant([...assignments(command.env), ...command.raws].join(" ")));
  record(extraction, script, {
    text: command.text,
    cwd: command.cwd,
    runs,
    candidates: candidate === null ? [] : [candidate],
    safeForm,
    why,
    isCheck: known !== null,
    role: prepares === null ? "check" : "setup",
    ...(alteredBy !== undefined && prepares === null && {alteredBy}),
  });
  if (candidate !== null) extraction.checking.add(placeOf(script));
  if (known === null || ciCommand.isDependent || why === null || generated !== null) return;
  const note = `\`${command.raws.join(" ").slice(0, 200)}\` skipped: ${why}`;
  const key = keyOf({cwd: command.cwd, command: safeForm});
  notes.set(`${script.file} ${script.key} ${note}`, {key, about: `${script.file} ${script.key}`, text: note});
}

/**
 * Of equal candidates, the first one counts that no run has to prove. A line that may be no check counts once: each row
 * of BurntSushi/byteorder prints its machine with `lscpu`.
 */
function addCandidate({candidates}: Extraction, candidate: CandidateStage): void {
  const {cwd, command, unproved} = candidate;
  if (unproved === true && [...candidates.values()].some((one) => one.cwd === cwd && one.command === command)) return;
  const key = keyOf(candidate);
  const isBetter = candidates.get(key)?.unproved === true && candidate.unproved !== true;
  if (isBetter || (!candidates.has(key) && candidates.size < MAX_DRAFTS)) candidates.set(key, candidate);
}

/** The service of the job, for a command that may not need it. Tests do, and linters do not. */
const serviceFor = ({blocked = null}: CiScript, kind: StageKind | null): string | undefined =>
  ["null", "build", "check"].includes(String(kind)) && blocked !== null && WITH_SERVICE.test(blocked)
    ? blocked
    : undefined;

/** A command of CI, as it runs and in the folder that it is about. */
interface PlacedCommand {
  readonly project: Project;
  readonly script: CiScript;
  readonly command: CiCommand;
  readonly about: CiCommand;
}

/** The kind of a command. */
function knownKind({project, script, command, about}: PlacedCommand): StageKind | null {
  // The shell ignores a negated command unless it is the last one.
  const isLast = command.text.trim() === script.text.trim();
  const isNegated = command.words[0] === "!" && isLast && !COMPARES_FILES.test(command.text.trim());
  // A test of what another command prints, such as `test -z "$(gofmt -l .)"` (lycheeverse/lychee), is no set-up.
  const isTest = ["test", "[", "[["].includes(command.words[0] ?? "") && command.text.includes("$(");
  return isNegated || isTest ? "check" : kindOfCiCommand(project, about);
}

/** Why a command cannot run here, whatever it is; null if it may. */
function troubleOf({project, script, command, about}: PlacedCommand, kind: StageKind | null): string | null {
  const {blocked = null} = script;
  return (
    (command.trouble === IN_BACKGROUND ? IN_BACKGROUND : null) ??
    (isFalseAlarm(blocked, kind) ? null : blocked) ??
    (kind !== "test" && hasPassingOption(command.text) ? "its option lets it pass whatever it finds" : null) ??
    command.trouble ??
    about.trouble ??
    (kind === "test" && command.words[0] === "xvfb-run" ? "CI gives it a screen with `xvfb-run`" : null) ??
    (script.isInContainer && kind !== null ? findImageProgram(command.words) : null) ??
    whyDownloaded(script, command.words) ??
    (isFolder(project, about.cwd) ? null : "its folder is not in the tree")
  );
}

/** Candidates are equal if they are so in folder, words and variables. */
const keyOf = ({cwd, command, env = {}}: Pick<CandidateStage, "cwd" | "command" | "env">): string =>
  [cwd, command, ...assignments(env)].join("\0");

/** The plain commands that a command of CI finally runs, with its variables. */
function runsOf(project: Project, {words, cwd}: CiCommand, {text, raws, env}: CiCommand): string[] {
  const isPiped = (splitShell(text) ?? []).some(({joint}) => joint === "|");
  const lines = words.length === 0 ? [] : (bodyOf({project, cwd, words}) ?? [isPiped ? text : raws.join(" ")]);
  return lines.map((line) => [...assignments(env), line].join(" "));
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

/** True if its program, or each program that it starts, may be missing. */
function mayBeMissingBehind(project: Project, {words, cwd}: CiCommand): boolean {
  const body = bodyOf({project, cwd, words}) ?? [];
  return mayBeMissing(words) || (body.length > 0 && body.every((line) => mayBeMissing(line.split(" "))));
}

/** A linter needs no server. Of what is no test, one run shows whether it needs a service (prometheus/alertmanager, `make`). */
function isFalseAlarm(blocked: string | null, kind: StageKind | null): boolean {
  const isServer =
    kind !== null && !["build", "check", "test"].includes(kind) && (blocked ?? "").startsWith("CI starts ");
  return isServer || (kind !== "test" && WITH_SERVICE.test(blocked ?? ""));
}

/** A job whose inputs, not its text, say what it checks. */
const CALLS_WORKFLOW = /^uses: [\w.-]+\/.*\.github\/workflows\//;

/** The reason of a job with services. */
const WITH_SERVICE = /^CI starts .* next to it$/;

type PlacelessCall = Omit<CiCall, "file" | "key"> & {readonly alteredBy?: string};

/** Commands that change what is installed: pydantic/pydantic-settings and dtolnay/anyhow run their tests again after them. */
const ALTERS_INSTALL = /^(?:(?:uv )?pip uninstall|cargo (?:\+\S+ )?(?:generate-lockfile|update))\b/;

/** An install without the packages for development, which the set-up has. */
const LEAVES_OUT = /^(?:npm|pnpm|yarn|bun|composer) (?:\S+ )*(?:--omit[= ]dev|--prod(?:uction)?|--no-dev)(?=[\s=]|$)/;

/** Removes what an install has filled, as koel/koel does before its release. */
const REMOVES_INSTALL = /^rm (?:\S+ )*(?:\.\/)?(?:node_modules|vendor|\.venv)\/?(?: |$)/;

/** Why a check after such a command cannot run here: it has other packages or files there. */
function whyWithOther(alteredBy: string | undefined): string | null {
  if (alteredBy === undefined) return null;
  if (LEAVES_OUT.test(alteredBy)) return `CI runs it after \`${alteredBy}\`, without the packages for development`;
  if (REMOVES_INSTALL.test(alteredBy)) return `CI runs it after \`${alteredBy}\`, without the packages`;
  return alteredBy.startsWith("cp ") ? `CI runs it after \`${alteredBy}\`, which replaces a file of the tree` : null;
}

/** The first command of the job that gave what comes after it another set-up. */
function alteredBefore({altered, project}: Extraction, script: CiScript, command: ScriptCommand): string | undefined {
  const place = placeOf(script);
  if (REMOVES_INSTALL.test(altered.get(place) ?? "") && providedBy(command.words) !== null) altered.delete(place);
  const before = altered.get(place);
  if (script.job !== undefined && before === undefined && altersSetUp(project, command))
    altered.set(place, lineOf(command.text).slice(0, 100));
  return before;
}

/** True for a command that changes an install, or writes a manifest: rubocop/rubocop-rspec tests with another `Gemfile.local`. */
const altersSetUp = (project: Project, {text, words, cwd}: ScriptCommand): boolean =>
  copyOf(project, {words, cwd}) === "replaced" ||
  ALTERS_INSTALL.test(text) ||
  LEAVES_OUT.test(text) ||
  REMOVES_INSTALL.test(text) ||
  (splitShell(text) ?? []).some(({writes}) =>
    writes.some((path) => /^[\w./-]*(?:Gemfile|\.toml|\.json|\.lock|\.txt)[\w.-]*$/.test(path)),
  );

/** The text of a command in one line. */
function lineOf(text: string): string {
  const line = text.replace(/\\\n/g, " ").replace(/\s+/g, " ").trim();
  return line.length > MAX_CALL ? `${line.slice(0, MAX_CALL)}…` : line;
}

/** `place` tells apart what is the same line, and yet another check. */
const callKey = (cwd: string, text: string, place = ""): string => `${cwd}\0${text}\0${place}`;

/** Records a command, once for each set of variables that its stage gets. */
function record({calls}: Extraction, script: CiScript, {alteredBy, ...called}: PlacelessCall): void {
  if (calls.size >= MAX_CALLS) return;
  const isAlso = alteredBy !== undefined && calls.get(callKey(called.cwd, lineOf(called.text)))?.why === null;
  const after = `CI runs it again after \`${alteredBy}\`, with another set-up`;
  const call = isAlso ? {...called, candidates: [], why: after} : called;
  const ownText = lineOf(call.text);
  const [candidate] = call.candidates;
  const isOtherRun = calls
    .get(callKey(call.cwd, ownText))
    ?.candidates.some((one) => candidate !== undefined && keyOf(one) !== keyOf(candidate));
  const text = [...(isOtherRun === true ? assignments(candidate?.env ?? {}) : []), ownText].join(" ");
  // The same tests with a database are another check, and so is each job that a reusable workflow runs.
  const place = CALLS_WORKFLOW.test(text)
    ? script.key
    : isAlso || WITH_SERVICE.test(call.why ?? "")
      ? (call.why ?? "")
      : "";
  const key = callKey(call.cwd, text, place);
  const earlierCall = calls.get(key);
  // A job that Assay can run is a better place than one that it cannot, and the need of a job on Linux a truer reason.
  const isBetter = typeof earlierCall?.why === "string" && (call.why === null || isElsewhere(earlierCall.why));
  if (text !== "" && (earlierCall === undefined || isBetter))
    calls.set(key, {...call, text, file: script.file, key: script.key, why: systemsOf(earlierCall?.why, call.why)});
}
