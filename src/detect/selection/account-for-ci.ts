/** Accounts for every command that CI runs on pull requests: a stage covers it, or it is listed with a reason. */
import {type CiCommandReport, type SetupStep, type Stage, UNKNOWN_CHECK} from "../../record/plan.ts";
import {baseName} from "../../shell/program.ts";
import {toolOf} from "../../tools/command-name.ts";
import {onlyPrepares} from "../../tools/stage-kind.ts";
import type {IsSeparate} from "../coverage/separate-projects.ts";
import type {CandidateStage, CiCall} from "../proposals/ecosystem.ts";
import {safeVariant, screen} from "../proposals/screen.ts";
import type {Screening} from "../proposals/screen-name.ts";
import {scriptInAll, scriptOf} from "./all-packages.ts";
import {commandsIn} from "./effective-commands.ts";
import {readyMadeStage} from "./ready-made-stage.ts";
import {whyUnsafe} from "./select-stages.ts";

/** Commands that prepare the machine for others. */
const PREPARES = new Set(
  "buildkite-agent 7z zip dpkg git mkdir cp mv rm ln chmod chown cat ls which tar unzip touch source . test [ [[ env df free uname gh jq sed awk grep find corepack tee date head tail nproc ulimit xargs locale-gen gzip pwd hash type".split(
    " ",
  ),
);
/** A condition of the shell, whose commands are accounted for by themselves. */
const CONDITION =
  /^(?:if|elif|while|until) (?:! )?(?:\[\[?|test)(?: |$)|^\S+ (?:==|!=|=~|-eq|-ne|-lt|-gt) |(?:^|\s)\]\]$/;
/** How a program shows its version, or what it has. */
const SHOWS = /^(--?version|-V|-v|version|--help|--list-\w+|doctor|info|env|list)$/;
/** How a program installs what others need. */
const INSTALLS =
  /^(install|restore|update|upgrade|fetch|download|add|sync|deps\.get|--install|--installdeps|self-update|dedupe|\+update|dump-autoload|clean)$/;
/** How a container is made ready, and looked at; or started for commands that are listed by themselves. */
const CONTAINER =
  /^(?:docker(?:-compose)?|podman|nerdctl) (?:compose )?(?:(?:pull|network|volume|cp|rm|rmi|stop|start|create|login|tag|images|ps|logs|info|up|down|kill)(?: |$)|.*'…'$)/;
/** Programs that install what they are given. */
const INSTALLERS = /^(cpanm|cpm|ghcup|sdkman|wget|curl|luarocks|opam|rosdep|vcpkg|conan|pecl|phive|pear)$/;

/** Installs an archive of this machine, which an earlier step of CI has built. */
const INSTALLS_BUILT =
  /^(?:\S+ )?(?:cpanm|pip3?|pipx|uv|npm|pnpm|yarn|gem|dotnet)(?= ).*\s(?!\S*:\/\/)["']?[\w.*/-]+\.(?:tar\.gz|tgz|whl|gem|nupkg)["']?(?=\s|$)/;
/** Fails if files, or what earlier steps of CI have written, contain something or not. */
const CHECKS_CONTENT = /^! (?:grep|egrep|rg|\[|test|diff|cmp) |^(?:grep|egrep|rg) -\w*q/;

interface Planned {
  readonly stages: readonly Stage[];
  readonly setup: readonly SetupStep[];
  /** the candidates that became stages, for the bodies of their scripts */
  readonly selected: readonly CandidateStage[];
  /** detected stages that are not in the plan */
  readonly leftOut: readonly {readonly stage: Stage; readonly why: string; readonly fix: string}[];
  readonly isSeparate: IsSeparate;
}

/** One entry for each command that does something, in the order of CI. */
export function accountForCi(calls: readonly CiCall[], planned: Planned): CiCommandReport[] {
  const runsOf = (stage: Stage): StageRuns => stageRuns(stage, planned.selected);
  const stages = planned.stages.map(runsOf);
  const leftOut = planned.leftOut.map((one) => ({...one, ...runsOf(one.stage)}));
  const setup = new Set(planned.setup.flatMap(({command, cwd}) => commandsIn(command).map((one) => `${cwd}\0${one}`)));
  const ofRoot = planned.stages.filter(({cwd}) => cwd === ".");
  const names = new Set(planned.stages.map(({name}) => name));
  return calls.flatMap((call): CiCommandReport[] => {
    const {text: command, cwd, file, key} = call;
    const bodyRuns = call.runs.flatMap(commandsIn);
    // A script of the tree may start everything in loops and functions.
    const runs = bodyRuns.length === 0 && /^\S*\//.test(command) ? commandsIn(command) : bodyRuns;
    const safeRuns = call.runs.map(safeVariant).flatMap(commandsIn);
    const isCondition = CONDITION.test(command) && !command.includes("$(");
    if ((call.runs.length > 0 && runs.length === 0) || isCondition) return [];
    const report = (outcome: CiCommandReport["outcome"]): CiCommandReport[] => [{command, cwd, file, key, outcome}];
    const inFolder = stages.filter(({stage}) => stage.cwd === cwd);
    const direct = inFolder.find(
      ({stage, own}) =>
        stage.command === call.safeForm ||
        [runs, safeRuns].some((lines) => lines.length === own.size && lines.every((one) => own.has(one))),
    );
    if (direct !== undefined) return report({kind: "stage", stage: direct.stage.name});
    const covering = inFolder.filter((one) => runs.some((line) => one.runs.has(line)));
    // The stages do without a folder that a script makes before its checks.
    const needed = runs.filter((line) => !/^(mkdir|touch) /.test(line));
    if (needed.length > 0 && needed.every((line) => covering.some((one) => one.runs.has(line))))
      return report({kind: "covered", by: covering.map(({stage}) => stage.name)});
    const widerStages = inFolder.filter((one) => runs.some((line) => one.runs.has(withoutNarrowing(line))));
    if (runs.length > 0 && runs.every((line) => widerStages.some((one) => one.runs.has(withoutNarrowing(line)))))
      return report({kind: "covered", by: widerStages.map(({stage}) => stage.name)});
    const fromRoot = commandsIn(command);
    const rootStage = stages.find(
      ({stage, runs: all}) =>
        stage.cwd === "." &&
        fromRoot.length > 0 &&
        fromRoot.every((line) => all.has(line) && !isOfFolder(cwd, line) && !planned.isSeparate(cwd, plain(line))),
    );
    if (rootStage !== undefined) return report({kind: "covered", by: [rootStage.stage.name]});
    const isInSetup = (lines: readonly string[]): boolean =>
      lines.length > 0 && lines.every((line) => setup.has(`${cwd}\0${line}`));
    if (isInSetup(runs) || isInSetup(commandsIn(command))) return report({kind: "covered", by: ["setup"]});
    const script = scriptInAll(call.safeForm) ?? (cwd === "." ? null : scriptOf(call.safeForm));
    const ofAll = stages.find(
      ({stage, lines}) =>
        stage.cwd === "." &&
        script !== null &&
        !planned.isSeparate(cwd, command) &&
        lines.some((line) => scriptInAll(line) === script),
    );
    if (ofAll !== undefined) return report({kind: "covered", by: [ofAll.stage.name]});
    const off = leftOut.find(({stage, runs: all}) => stage.cwd === cwd && runs.some((line) => all.has(line)));
    if (off !== undefined) return report({kind: "listed", role: "check", why: off.why, fix: off.fix});
    return report(listed(call, {runs, inFolder: inFolder.map(({stage}) => stage), ofRoot, names}));
  });
}

interface StageRuns {
  readonly stage: Stage;
  readonly lines: readonly string[];
  /** the commands of the stage itself */
  readonly own: ReadonlySet<string>;
  /** these and the commands behind them */
  readonly runs: ReadonlySet<string>;
}

function stageRuns(stage: Stage, selected: readonly CandidateStage[]): StageRuns {
  const candidate = selected.find(({cwd, command}) => cwd === stage.cwd && command === stage.command);
  const lines = [stage.command, ...(candidate?.runs ?? [])];
  const runs = new Set(lines.flatMap(commandsIn).flatMap(withMembers));
  return {stage, lines, own: new Set(commandsIn(stage.command)), runs};
}

/** A command for all members of a workspace also checks those that it would choose by itself, or in a member's folder. */
const withMembers = (line: string): string[] =>
  /^cargo [a-z]/.test(line) && / --workspace( |$)/.test(line)
    ? [line, line.replace(/ --workspace(?= |$)/, "")]
    : [line];

/** Options with which a runner runs a part of its tests or projects: without them it runs that part too. */
const NARROWS = / --(project|selectProjects|testPathPattern|testNamePattern|shard)[= ]\S+/g;

const withoutNarrowing = (line: string): string => line.replace(NARROWS, "");

const NAMES_FOLDER = /^PWD=| (?:-C|--prefix|--cwd|--dir)[ =]/;

/** True for a task of a sub-folder, whose file defines it: a task of that name in the root is another one. */
const isOfFolder = (cwd: string, line: string): boolean =>
  cwd !== "." &&
  !NAMES_FOLDER.test(line) &&
  /^(script|make|just|task|composer|rake) /.test(toolOf(plain(line).split(" ")));

/** A command of `commandsIn` without its variables. */
const plain = (line: string): string => line.replace(/^(?:\w+=\S* )+/, "");

interface ListedContext {
  readonly runs: readonly string[];
  readonly inFolder: readonly Stage[];
  readonly ofRoot: readonly Stage[];
}

function listed(
  call: CiCall,
  context: ListedContext & {names: Set<string>},
): Extract<CiCommandReport["outcome"], {kind: "listed"}> {
  const {text, cwd} = call;
  const role = roleOf(call, context.runs);
  const why = call.why ?? whyNot(call, role, context);
  // What a release would need in verify.json is not an advice that anyone should take.
  if (screen(text).kind === "release") return {kind: "listed", role, why, fix: ""};
  if (role === "setup")
    return {kind: "listed", role, why, fix: `"setup": [${JSON.stringify({command: text, ...inFolder(cwd)})}]`};
  return {kind: "listed", role, why, fix: readyMadeStage(call, context.names)};
}

const inFolder = (cwd: string): {cwd?: string} => (cwd === "." ? {} : {cwd});

/** The screen of a command; a launcher downloads no tool that is installed. */
const screenCall = ({text, safeForm, isInstalled}: CiCall): Screening => screen(isInstalled ? safeForm : text);

function roleOf(call: CiCall, runs: readonly string[]): "check" | "setup" {
  const {isCheck, text} = call;
  if (isCheck || INSTALLS_BUILT.test(text) || CHECKS_CONTENT.test(text)) return "check";
  if (CONTAINER.test(text)) return "setup";
  const words = runs.map((line) => plain(line).split(" "));
  const {kind} = screenCall(call);
  if (/ --(notest|only-dependencies)( |$)/.test(text)) return "setup";
  const prepares =
    runs.length > 0 &&
    words.every((started) => {
      const [program = "", first = "", second = ""] = started;
      if (onlyPrepares(started)) return true;
      const isCompared = program === "git" && first === "diff";
      const name = baseName(program.replace(/["']/g, ""));
      const isInstall =
        INSTALLS.test(first) || (/^(plugin|tool|global|pip|component|target)$/.test(first) && INSTALLS.test(second));
      const isInstaller = INSTALLERS.test(name) && !/test|lint|check|make|exec/.test(first);
      // `pdm run test` starts a task of that name.
      return (
        (PREPARES.has(name) && !isCompared && !(name === "test" && started.length === 1)) ||
        SHOWS.test(first) ||
        isInstall ||
        isInstaller
      );
    });
  const isDownload = kind === "download" && !IN_STORE.test(text);
  return prepares || ONLY_SHOWS.test(text) || isDownload || kind === "privileged" ? "setup" : "check";
}

const ONLY_SHOWS = /^\S+ (-v|-V|--?version|version)$|^\S+( [a-z]+)* --help$/;

function whyPrepares({text}: CiCall, runs: readonly string[]): string {
  const calls = runs.map((line) => plain(line).split(" "));
  const isShown = calls.length > 0 && calls.every(([, first = ""]) => SHOWS.test(first));
  if (ONLY_SHOWS.test(text) || isShown) return "it only shows versions or settings";
  return calls.length > 0 && calls.every(onlyPrepares)
    ? "it configures what later steps of CI build"
    : "it prepares the machine of CI";
}

/** Calls of Nix that build or run what the tree defines. */
const IN_STORE = /^nix(?:-build|-shell| (?:build|develop|run|shell|fmt|flake check))(?: |$)/;

/** Why a command that could run is not a stage. */
function whyNot(call: CiCall, role: "check" | "setup", context: ListedContext): string {
  const unsafe = call.candidates.map(whyUnsafe).find((why) => why !== null);
  if (unsafe !== undefined && unsafe !== null) return unsafe;
  if (INSTALLS_BUILT.test(call.text)) return "it installs what an earlier step of CI builds";
  if (CHECKS_CONTENT.test(call.text)) return "it checks files that earlier steps of CI may write";
  const screening = screenCall(call);
  if ("why" in screening && screening.kind !== "placeholder") return screening.why;
  if (role === "setup") return whyPrepares(call, context.runs);
  if ([call.text, ...context.runs.slice(0, 1)].some((line) => /^git (diff|status)\b/.test(line)))
    return "it checks the files that earlier steps of CI write";
  const tools = new Set(context.runs.map((line) => toolOf(plain(line).split(" "))));
  // A test that must fail says nothing about the others.
  const usesTool = ({command}: Stage): boolean =>
    !command.startsWith("! ") && commandsIn(command).some((line) => tools.has(toolOf(plain(line).split(" "))));
  const kinds = new Set(call.candidates.map(({kind}) => kind));
  const sameTool = context.inFolder.filter(usesTool);
  const similar = sameTool.find(({kind}) => kinds.has(kind)) ?? sameTool[0];
  if (similar !== undefined)
    return `the stage \`${similar.name}\` runs this tool in another way: \`${similar.command}\``;
  const above = context.ofRoot.find(usesTool);
  if (above !== undefined) return `the stage \`${above.name}\` of the root folder runs this tool: \`${above.command}\``;
  const [candidate] = call.candidates;
  if (candidate === undefined) return UNKNOWN_CHECK;
  const sameKind = context.inFolder.find(({kind}) => kind === candidate.kind);
  return sameKind === undefined
    ? `no stage of the kind \`${candidate.kind}\` was made from it`
    : `the plan has another stage of the kind \`${sameKind.kind}\`: \`${sameKind.command}\``;
}
