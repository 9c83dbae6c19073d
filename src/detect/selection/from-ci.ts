/** Adds the commands of CI whose checks no other stage runs to the plan. */
import type {Note} from "../../record/plan.ts";
import {plainWords} from "../../shell/split.ts";
import {COMMANDS, programsWith} from "../../tools/all-commands.ts";
import {SELECTS_BUILD, toolOf, unwrap} from "../../tools/command-name.ts";
import {kindOf} from "../../tools/stage-kind.ts";
import type {ToolCommand} from "../../tools/tool-command.ts";
import type {IsSeparate} from "../coverage/separate-projects.ts";
import {folderOf, isBelow} from "../files/project.ts";
import type {CandidateStage} from "../proposals/ecosystem.ts";
import {startsSameInAll} from "./all-packages.ts";
import {STRICTER} from "./ci-options.ts";
import {skipNote} from "./place.ts";
import {finalTools, startedTools} from "./stage-tools.ts";

const factsOf = (pick: (tool: ToolCommand) => RegExp | undefined): ReadonlyMap<string, RegExp> =>
  new Map(
    COMMANDS.flatMap((tool) => {
      const pattern = pick(tool);
      return pattern === undefined ? [] : (tool.programs ?? []).map((name) => [name, pattern] as const);
    }),
  );
const OVERRIDES = factsOf(({overrides}) => overrides);
const WIDEST = factsOf(({widest}) => widest);
const SELECTS_TARGET = factsOf(({selectsTarget}) => selectsTarget);

/** At most this many commands are named in one note. */
const MAX_NAMED = 5;
/** The most commands that CI adds to one folder, and the most of one tool. */
const MAX_ADDED = 24;
const MAX_OF_TOOL = 4;
const HIDE_TOOLS = programsWith("hides tools");
/** Options that need another machine or toolchain than the default. */
const OTHER_MACHINE = /^(\+[^+\s=/]+|--target(=.*)?|--rust-version|--activate-profiles|-Z\S*)$/;

/** Adds the commands of CI whose checks no other stage runs. */
export function addMissingFromCi(
  fromCi: readonly CandidateStage[],
  {planned, isSeparate}: {planned: readonly CandidateStage[]; isSeparate: IsSeparate},
): {added: CandidateStage[]; notes: Note[]} {
  const addedStages: CandidateStage[] = [];
  const surplus: CandidateStage[] = [];
  for (const candidate of plainestFirst(fromCi)) {
    // A check of the root is assumed to cover the folders below it, unless it names other projects.
    const isCovering = (other: CandidateStage): boolean =>
      other.cwd === candidate.cwd ||
      (other.cwd === "." &&
        !namesOtherProjects(other, candidate.cwd) &&
        !isSeparate(candidate.cwd, candidate.runs?.[0] ?? candidate.command));
    const knownTools = new Set(planned.filter(isCovering).flatMap((other) => [...startedTools(other)]));
    const addedHere = addedStages.filter(isCovering);
    if (startsSameInAll(candidate, [...planned.filter(isCovering), ...addedHere])) continue;
    const tools = checkTools(candidate);
    const directTools = [...startedTools({...candidate, runs: []})];
    const isKnown = [tools, directTools].some((set) => set.every((tool) => knownTools.has(tool)));
    const others = [...planned, ...addedStages];
    if (isKnown && !usesOtherConfig(candidate, others) && !readsOtherProject(candidate, others, isSeparate)) continue;
    const rivals = addedHere.filter((other) => checkTools(other).some((tool) => tools.includes(tool)));
    if (rivals.some((other) => runsTheSame(candidate, other))) continue;
    // Two linters find different things. A type checker behind a runner is usually the one of the other stage.
    const isHidden = tools.every(hidesTools);
    const isLint = candidate.kind === "lint" || (candidate.kind === "typecheck" && !isHidden);
    const hasKind = [...planned, ...addedHere].some(
      ({cwd, kind}) => (cwd === candidate.cwd || cwd === ".") && kind === candidate.kind,
    );
    // A check that CI only runs after the merge, in addition to the checks that it runs before.
    const isLate = candidate.isOnPushOnly === true && candidate.kind === "check" && planned.length > 0;
    const isVariant =
      isLate ||
      (hasKind &&
        (overridesProject(candidate) ||
          (!isLint && (candidate.isOnPushOnly === true || !isOwnCheck(candidate, tools, knownTools)))));
    const sameKind = rivals.filter(({kind}) => kind === candidate.kind);
    const isTooMuch = addedHere.length >= MAX_ADDED || sameKind.length >= MAX_OF_TOOL;
    (isVariant || isTooMuch ? surplus : addedStages).push(candidate);
  }
  const inOrder = fromCi.filter((candidate) => addedStages.includes(candidate));
  return {added: inOrder, notes: noteSurplus(surplus)};
}

/** True for a type check that is given projects, none of which contains this folder. */
function namesOtherProjects({kind, command, runs = []}: CandidateStage, folder: string): boolean {
  if (kind !== "typecheck") return false;
  const projects = [command, ...runs].flatMap((line) => {
    const words = line.split(" ");
    return words.filter((_, i) => /^(-p|--project)$/.test(words[i - 1] ?? ""));
  });
  const folders = projects.map((path) => (path.endsWith(".json") ? folderOf(path) : path.replace(/^\.\/|\/$/g, "")));
  return folders.length > 0 && !folders.some((path) => isBelow(folder, path === "" ? "." : path));
}

function overridesProject({command, runs = []}: CandidateStage): boolean {
  return [command, ...runs].some((line) => {
    const words = unwrap(line.split(" "));
    const options = OVERRIDES.get(words[0] ?? "");
    return options !== undefined && words.some((word) => options.test(word));
  });
}

const programOf = (tool: string): string => tool.split(" ", 1)[0] ?? "";

const hidesTools = (tool: string): boolean => HIDE_TOOLS.has(programOf(tool)) || HIDE_TOOLS.has(tool);

/**
 * False for a second way to run checks that stages already run: through a runner that hides them, or for another
 * machine.
 */
function isOwnCheck(
  {kind, command, runs = []}: CandidateStage,
  tools: readonly string[],
  knownTools: ReadonlySet<string>,
): boolean {
  const isHidden = tools.every(hidesTools);
  // If the tasks of a runner are stages, another task of it is another check.
  const isOtherTask =
    [...knownTools].some((tool) => tool.startsWith("rake ") && programOf(tools[0] ?? "") === "rake") ||
    /^rake \S*cuke/.test(tools[0] ?? "");
  // `mvn` alone runs the goals that the project names.
  if (isHidden && !isOtherTask && !/^(\.\/)?mvnw? /.test(runs.length > 0 ? command : "")) return false;
  if (kind === "build" && tools.every((tool) => kindOf(tool) === null)) return false;
  return ![command, ...runs].some(runsElsewhere);
}

/** The target or build that a line selects; undefined if it selects none that its tool runs here. */
const selectedTarget = (line: string): string | undefined =>
  SELECTS_TARGET.get(unwrap(line.split(" "))[0] ?? "")?.exec(line)?.[0];

const runsElsewhere = (line: string): boolean =>
  selectedTarget(line) === undefined && line.split(" ").some((word) => OTHER_MACHINE.test(word));

/** Options that name a configuration. */
const CONFIG_OPTION = /^(-c|--config|-p|--project)$/;
/** A configuration other than the usual one of a tool: `jest.config.build.js`, `test/tsconfig.json`. */
const SPECIAL_CONFIG = /^(?!\.|.*\.dist$)([\w-]+\.[\w-]+\.[\w.-]+|[\w-]+\/[\w./-]+)$/;

/** Options that select code, tests or checks that the tool leaves out by default. */
const SELECTS_MORE =
  /^(-F|--features|--no-default-features|--all-features|--no-optional-deps|--disable-default-traits|-tags|--type-coverage|--typecheck(?:\.only)?|--run-skipped|--ignored|--include-ignored|--run-ignored)(=|$)/;
/** Options that select a part of what the tool runs by default. */
const SELECTS_PART = /^(--project|--filter|--testsuite)(=|$)/;

/** True for a command that reads another configuration than the others, or selects other code or tests. */
function usesOtherConfig({command, runs = []}: CandidateStage, others: readonly CandidateStage[]): boolean {
  const lines = others.flatMap((other) => [other.command, ...(other.runs ?? [])]);
  return [command, ...runs].some((line) => {
    const words = line.split(" ");
    if (runsElsewhere(line)) return false;
    if (isSecondRun(line, lines)) return true;
    if (words[0] === "!") return !lines.includes(line);
    const similar = lines.filter(
      (other) =>
        toolOf(other.split(" ")) === toolOf(words) &&
        kindOf(other) === kindOf(line) &&
        (words[0] !== "cd" || other.startsWith(`cd ${words[1]} `)),
    );
    const isNew = (text: string): boolean => !similar.some((other) => other.includes(text));
    const target = selectedTarget(line);
    if (target !== undefined) return isNew(target);
    const widest = WIDEST.get(unwrap(words)[0] ?? "");
    const isWide = (other: string): boolean => other.split(" ").some((word) => widest?.test(word));
    if (isWide(line) && similar.length > 0 && !similar.some(isWide)) return true;
    return words.some((word, i) => {
      const isConfig =
        CONFIG_OPTION.test(words[i - 1] ?? "") ||
        (i > 1 && /^(-b|--build)$/.test(words[i - 1] ?? "") && /\.json$/.test(word));
      if (isConfig && SPECIAL_CONFIG.test(word.replace(/^\.\//, ""))) return isNew(word);
      const [selection = word] = /^\S+( "[^"]*"| [\w,./@]\S*)?/.exec(words.slice(i).join(" ")) ?? [];
      if (SELECTS_MORE.test(word)) return isNew(selection);
      const option = SELECTS_PART.exec(word)?.[1];
      return option !== undefined && similar.every((other) => other.includes(option)) && isNew(selection);
    });
  });
}

/** An option that names the manifest of a project, which may be outside of the root's workspace. */
const MANIFEST = / --manifest-path[ =](\S+\/)[\w.]+/;

/** True for a command on a project that no other command reads: `--manifest-path examples/Cargo.toml`. */
function readsOtherProject(
  {cwd, command}: CandidateStage,
  others: readonly CandidateStage[],
  isSeparate: IsSeparate,
): boolean {
  const [option = "", path = ""] = MANIFEST.exec(command) ?? [];
  const folder = path.replace(/^\.\/|\/$/g, "");
  const similar = others.filter((other) => toolOf(other.command.split(" ")) === toolOf(command.split(" ")));
  return (
    option !== "" && cwd === "." && isSeparate(folder, command) && !similar.some((one) => one.command.includes(option))
  );
}

/** True for a command that CI runs a second time, with other variables. */
function isSecondRun(line: string, others: readonly string[]): boolean {
  const plainLine = line.replace(/^(\w+=\S+ )+/, "");
  return plainLine !== line && others.includes(plainLine) && !others.includes(line);
}

/** Of several ways to start a tool, the one with the fewest words depends least on CI; options of a stricter check are free. */
function plainestFirst(candidates: readonly CandidateStage[]): CandidateStage[] {
  const lengthOf = ({command}: CandidateStage): number => {
    const options = command.split(" ").filter((word) => /^-/.test(word));
    return options.length - 1.5 * options.filter((word) => STRICTER.test(word)).length;
  };
  return [...candidates].sort((a, b) => lengthOf(a) - lengthOf(b));
}

/** The tools of a candidate that are known checks; all of its tools if none is. */
function checkTools(candidate: CandidateStage): string[] {
  const tools = [...finalTools(candidate)];
  const checks = tools.filter((tool) => kindOf(tool) !== null);
  return checks.length > 0 ? checks : tools;
}

/**
 * True if two commands start a tool on the same files with the same configuration, and only differ in other options.
 */
function runsTheSame(a: CandidateStage, b: CandidateStage): boolean {
  const subjectOf = ({command, runs}: CandidateStage): string =>
    (runs ?? [command]).flatMap((line) => [...subjects(line), selectedTarget(line)]).join("\0");
  return a.cwd === b.cwd && subjectOf(a) === subjectOf(b);
}

/** Options whose value changes how a check runs, but not which files it reads. */
const TUNES =
  /^(--(configuration|framework|runtime|jobs|profile|log-level|reporter|coverage-reporter|output|verbosity|timeout|concurrency|parallel)|-[joDP])$/;

/** A variable that selects a compiler, its options or a machine. */
const TOOLCHAIN = /^(CC|CXX|C(XX|PP)?FLAGS|LDFLAGS|TOOLSET|TOOLCHAIN|COMPILER|ARCH|PLATFORM|V|VERBOSE)=/;

function subjects(line: string): string[] {
  const words = unwrap(plainWords(line) ?? line.split(" "));
  return words.filter((word, i) =>
    TOOLCHAIN.test(word) || SELECTS_BUILD.test(word)
      ? false
      : word.startsWith("-")
        ? /^--(config|project|file)=|^-P\w+$/.test(word) || SELECTS_MORE.test(word)
        : !TUNES.test(words[i - 1] ?? ""),
  );
}

/** One note per file with several commands: a workflow may run one kind of check in a dozen ways. */
function noteSurplus(surplus: readonly CandidateStage[]): Note[] {
  return [...new Set(surplus.map(({origin}) => origin.file))].flatMap((about) => {
    const candidates = surplus.filter(({origin}) => origin.file === about);
    const commands = [...new Set(candidates.map(({command}) => `\`${command}\``))];
    if (commands.length <= 2) return candidates.map((one) => skipNote(one, "the plan has another stage of this kind"));
    const suffix = commands.length > MAX_NAMED ? ` and ${commands.length - MAX_NAMED} more` : "";
    const list = commands.slice(0, MAX_NAMED).join(", ");
    return [{about, text: `${list}${suffix} skipped: the plan has other stages of these kinds`}];
  });
}
