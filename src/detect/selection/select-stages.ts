/** Selects the stages that run: screens candidates, resolves alternatives, and drops repetitions. */
import type {Note} from "../../record/plan.ts";
import {kindOf} from "../../tools/stage-kind.ts";
import type {IsSeparate} from "../coverage/separate-projects.ts";
import {lastComparison} from "../proposals/compared-files.ts";
import {type CandidateStage, type CiCall, EVIDENCE} from "../proposals/ecosystem.ts";
import {screen} from "../proposals/screen.ts";
import {applyCiOptions} from "./ci-options.ts";
import {withCiVariables} from "./ci-variables.ts";
import {dropUnusedTests, type IsPreferred} from "./drop-unused.ts";
import {type Dropped, stagesBehind} from "./dropped.ts";
import {addMissingFromCi} from "./from-ci.ts";
import {skipNote} from "./place.ts";
import {finalTools, PROJECT_SCRIPT, startedTools, toolsOfLine} from "./stage-tools.ts";

interface SelectionContext {
  readonly calls: readonly CiCall[];
  readonly isSeparate: IsSeparate;
}

interface StageSelection {
  stages: CandidateStage[];
  /** the candidates that other stages replace */
  drops: Dropped[];
  /** on the other skipped ones */
  notes: Note[];
}

/**
 * Keeps the order of the candidates. If the stage that replaces a candidate is itself dropped, two rules would cancel
 * each other. So the selection is repeated without it, and a candidate that is still dropped without a reason comes back.
 */
export function selectStages(candidates: readonly CandidateStage[], context: SelectionContext): StageSelection {
  const numbered = candidates.map((candidate, id) => ({...candidate, id}));
  const earlierDrops = new Map<CandidateStage["id"], Dropped>();
  for (;;) {
    const remaining = numbered.filter(({id}) => !earlierDrops.has(id));
    const {stages, drops: newDrops, notes} = selectOnce(remaining, context);
    const drops = [...newDrops, ...earlierDrops.values()];
    const unfounded = new Set(drops.filter((dropped) => stagesBehind(dropped, {stages, drops}).length === 0));
    const missing = new Set([...unfounded].flatMap(({by}) => by.map(({id}) => id)));
    const cancelling = newDrops.filter((dropped) => missing.has(dropped.candidate.id) && !unfounded.has(dropped));
    for (const dropped of cancelling) earlierDrops.set(dropped.candidate.id, dropped);
    if (cancelling.length > 0) continue;
    stages.push(...[...unfounded].map(({candidate}) => candidate));
    return {stages, drops: drops.filter((dropped) => !unfounded.has(dropped)), notes};
  }
}

function selectOnce(candidates: readonly CandidateStage[], {calls, isSeparate}: SelectionContext): StageSelection {
  const notes: Note[] = [];
  const drops: Dropped[] = [];
  const hints = new Set(candidates.filter(({priority}) => priority === "hint").flatMap(toolPlaces));
  const runnable = candidates.filter(({priority}) => priority !== "hint");
  const safe = runnable.filter((candidate) => {
    const reason = whyUnsafe(candidate);
    if (reason !== null) notes.push(skipNote(candidate, reason));
    return reason === null;
  });
  const fromCi = safe.filter(({evidence}) => evidence === "ci");
  const notFromCi = safe.filter(({evidence}) => evidence !== "ci");
  // An unsafe script that CI starts, such as a watcher or a fixer, still shows which alternative CI uses.
  const allFromCi = runnable.filter(({evidence}) => evidence === "ci");
  const ciPlaces = new Set(allFromCi.flatMap(toolPlaces));
  const isInCi: IsPreferred = (candidate) => toolPlaces(candidate).some((place) => ciPlaces.has(place));
  // The script that CI starts is preferred to another script that starts the same tool.
  const isScriptOfCi: IsPreferred = (candidate) => scriptPlaces(candidate).some((place) => ciPlaces.has(place));
  // A guide may name one script for all checks whose parts are in the plan, so only a script of one kind counts.
  const isHinted: IsPreferred = (candidate) =>
    scriptPlaces(candidate).some((place) => hints.has(place)) &&
    (candidate.runs ?? []).every((line) => [null, candidate.kind].includes(kindOf(line)));
  // A command that CI starts is preferred to a target of the same name that CI does not start.
  const ciCommands = new Set(allFromCi.flatMap(commandPlaces));
  const isCommandOfCi: IsPreferred = (candidate) => commandPlaces(candidate).some((place) => ciCommands.has(place));
  const isOwnScriptOfCi: IsPreferred = (candidate) =>
    isCommandOfCi(candidate) && PROJECT_SCRIPT.test(toolsOfLine(candidate.command)[0] ?? "");
  // A command that CI runs where Assay cannot, such as on another system, still shows which alternative CI uses.
  const calledPlaces = new Set(
    calls.flatMap(({cwd, runs}) => runs.flatMap(toolsOfLine).map((tool) => `${cwd} ${tool}`)),
  );
  const isCalled: IsPreferred = (candidate) => toolPlaces(candidate).some((place) => calledPlaces.has(place));
  const isCalledItself: IsPreferred = (candidate) => commandPlaces(candidate).some((place) => calledPlaces.has(place));
  const preferences = [isOwnScriptOfCi, isScriptOfCi, isCalledItself, isInCi, isHinted];
  const resolvedStages = resolveAlternatives(notFromCi, {preferences, isInCi: isAllIn(ciPlaces), drops});
  const distinct = dropRepeats(resolvedStages, isCommandOfCi, drops);
  const regular = distinct.filter(({priority}) => priority !== "last-resort");
  const lastResort = distinct.filter(({priority}) => priority === "last-resort");
  const neededTests = dropUnusedTests(regular, {fromCi, isInCi: (one) => isInCi(one) || isCalled(one), drops});
  const apart = dropCombined(neededTests, isCommandOfCi, drops);
  const missingChecks = addMissingFromCi(fromCi, {planned: apart, isSeparate});
  const neededStages = dropCoveredDefaults(apart, missingChecks.added, drops);
  const isAllInCi: IsPreferred = (candidate) => isCommandOfCi(candidate) || isAllIn(ciPlaces)(candidate);
  const confirmedStages = neededStages.map((candidate) => {
    if (!isInCi(candidate)) return candidate;
    const withOptions = withCiVariables(withCiArguments(applyCiOptions(candidate, fromCi), fromCi), fromCi);
    return isAllInCi(candidate) ? confirm(withOptions) : withOptions;
  });
  const isConfirmed = ({cwd, command}: CandidateStage): boolean =>
    confirmedStages.some((other) => other.cwd === cwd && other.command === command);
  const addedStages = missingChecks.added.filter((candidate) => !isConfirmed(candidate));
  const prioritizedStages = applyPriorities([...confirmedStages, ...addedStages, ...lastResort], drops);
  return {stages: dropCombined(prioritizedStages, isInCi, drops), drops, notes: [...notes, ...missingChecks.notes]};
}

const isAllIn =
  (places: ReadonlySet<string>): IsPreferred =>
  (candidate) =>
    [...finalTools(candidate)].every((tool) => places.has(`${candidate.cwd} ${tool}`));

/** Tools are compared within one folder. */
const toolPlaces = (candidate: CandidateStage): string[] =>
  [...startedTools(candidate)].map((tool) => `${candidate.cwd} ${tool}`);

const scriptPlaces = (candidate: CandidateStage): string[] =>
  [...startedTools(candidate)].filter((tool) => PROJECT_SCRIPT.test(tool)).map((tool) => `${candidate.cwd} ${tool}`);

const commandPlaces = ({command, cwd}: CandidateStage): string[] =>
  toolsOfLine(command).map((tool) => `${cwd} ${tool}`);

/** Why the safety screen rejects the command, or a line that it runs; null if it is safe. */
export function whyUnsafe(candidate: CandidateStage): string | null {
  const {command, runs = [], evidence} = candidate;
  const commandScreening = screen(command);
  if (commandScreening.kind === "placeholder") return commandScreening.why;
  const screenings = runs.map((line) => screen(line));
  const compared = lastComparison(runs);
  const doesNothing = runs.length > 0 && screenings.every(({kind}) => kind === "placeholder");
  for (const [i, screening] of [commandScreening, ...screenings].entries()) {
    if (screening.kind === "ok" || screening.kind === "unknown") continue;
    if (screening.kind === "placeholder" && !doesNothing) continue;
    // What is rewritten before git compares the files fails the check.
    if (screening.kind === "mutates" && i <= compared) continue;
    // A target called `fmt` whose known recipe writes nothing is a check, and so is `test:integration` of CI.
    const isByName = screening.kind !== "placeholder" && screening.byName === true && runs.length > 0;
    if (isByName && (screening.kind === "mutates" || (evidence === "ci" && NEEDS_BY_NAME.has(screening.kind))))
      continue;
    return screening.why;
  }
  return null;
}

/** Needs that a name suggests, and that the commands behind the name would show. */
const NEEDS_BY_NAME = new Set(["service", "browser"]);

/** Keeps one candidate of each slot: the first that the first possible preference accepts, otherwise the first. */
function resolveAlternatives(
  candidates: readonly CandidateStage[],
  {preferences, isInCi, drops}: {preferences: readonly IsPreferred[]; isInCi: IsPreferred; drops: Dropped[]},
): CandidateStage[] {
  const slots = new Map<string | CandidateStage, CandidateStage[]>();
  for (const candidate of candidates) {
    const key = candidate.slot === undefined ? candidate : `${candidate.cwd} ${candidate.slot}`;
    slots.set(key, [...(slots.get(key) ?? []), candidate]);
  }
  return [...slots.values()].flatMap((alternatives) => {
    const preferredOnes = preferences.map((isPreferred) => alternatives.find(isPreferred));
    const best = preferredOnes.find((candidate) => candidate !== undefined) ?? alternatives[0];
    if (best === undefined) return [];
    const started = startedTools(best);
    // CI may run several alternatives of a linter or type checker, each with its own tools.
    const isOther: IsPreferred = (candidate) =>
      (candidate.kind === "lint" || candidate.kind === "typecheck") &&
      isInCi(candidate) &&
      [...finalTools(candidate)].every((tool) => !started.has(tool));
    const others = preferredOnes.includes(best) ? alternatives.filter((one) => one !== best && isOther(one)) : [];
    for (const candidate of alternatives)
      if (candidate !== best && !others.includes(candidate)) drops.push({kind: "alternative", candidate, by: [best]});
    return [best, ...others];
  });
}

/**
 * Drops a candidate if a stronger one of its kind and folder starts all of its tools. Of two equal candidates, the
 * earlier is stronger.
 */
function dropRepeats(
  candidates: readonly CandidateStage[],
  isCommandOfCi: IsPreferred,
  drops: Dropped[],
): CandidateStage[] {
  const rankOf = (candidate: CandidateStage): number => {
    if (candidate.priority === "last-resort") return EVIDENCE.length;
    return isCommandOfCi(candidate) ? 0 : EVIDENCE.indexOf(candidate.evidence);
  };
  const ranks = new Map(candidates.map((candidate) => [candidate, rankOf(candidate)]));
  const strongestFirst = [...candidates].sort((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
  const keptByPlace = new Map<string, CandidateStage[]>();
  const droppedOnes = new Set<CandidateStage>();
  for (const candidate of strongestFirst) {
    const place = `${candidate.kind} ${candidate.cwd}`;
    const tools = [...finalTools(candidate)];
    // A target that also lints does not run the tests a second time.
    const testTools = candidate.kind === "test" ? tools.filter((tool) => kindOf(tool) === "test") : [];
    const toolSets = [tools, toolsOfLine(candidate.command), ...(testTools.length > 0 ? [testTools] : [])];
    const stronger = keptByPlace.get(place) ?? [];
    const repetition = stronger.find(
      (other) =>
        !haveSameSource(other, candidate) &&
        (hasUnknownBody(other) || toolSets.some((set) => set.every((tool) => startedTools(other).has(tool)))),
    );
    if (repetition === undefined) keptByPlace.set(place, [...stronger, candidate]);
    else {
      droppedOnes.add(candidate);
      drops.push({kind: "repeated", candidate, by: [repetition]});
    }
  }
  return candidates.filter((candidate) => !droppedOnes.has(candidate));
}

/** A script or target with an unknown body is assumed to do what its name suggests. */
function hasUnknownBody({evidence, runs = []}: CandidateStage): boolean {
  return evidence === "named" && runs.length === 0;
}

function haveSameSource(a: CandidateStage, b: CandidateStage): boolean {
  return a.origin.file === b.origin.file && a.command !== b.command && a.evidence === b.evidence;
}

/** Drops last resorts if a regular stage exists, and stages that an `everything` stage already runs. */
function applyPriorities(candidates: readonly CandidateStage[], drops: Dropped[]): CandidateStage[] {
  const allInOneStages = candidates.filter(({priority}) => priority === "everything");
  return candidates.filter((candidate, i) => {
    const tools = [...finalTools(candidate)];
    const list = allInOneStages.find(
      (other) =>
        other !== candidate && other.cwd === candidate.cwd && tools.every((tool) => startedTools(other).has(tool)),
    );
    const better = candidates.find(
      (other, j) =>
        candidate.priority === "last-resort" &&
        other !== candidate &&
        other.kind === candidate.kind &&
        // A last resort of the root covers every folder, so one regular check in any folder replaces it.
        (other.cwd === candidate.cwd || candidate.cwd === ".") &&
        (other.priority !== "last-resort" || j < i),
    );
    if (list !== undefined) drops.push({kind: "repeated", candidate, by: [list]});
    else if (better !== undefined) drops.push({kind: "same kind", candidate, by: [better]});
    return list === undefined && better === undefined;
  });
}

/** A combined command runs only if its checks are not separate stages, or if CI starts it and it adds a tool. */
function dropCombined(candidates: readonly CandidateStage[], isInCi: IsPreferred, drops: Dropped[]): CandidateStage[] {
  return candidates.filter((candidate) => {
    const {kind, evidence, priority, cwd} = candidate;
    if (kind !== "check" || evidence === "ci" || priority === "everything") return true;
    const parts = candidates.filter((other) => other.cwd === cwd && other.kind !== "check" && other.kind !== "build");
    const tools = new Set(parts.flatMap((part) => [...startedTools(part)]));
    const addsTool = isInCi(candidate) && [...finalTools(candidate)].some((tool) => !tools.has(tool));
    const isNeeded = parts.length === 0 || addsTool;
    if (!isNeeded) drops.push({kind: "parts", candidate, by: parts});
    return isNeeded;
  });
}

/**
 * Drops the default command of an ecosystem if CI runs a command that includes it, such as Gradle's `build`, which
 * includes `assemble`.
 */
function dropCoveredDefaults(
  candidates: readonly CandidateStage[],
  added: readonly CandidateStage[],
  drops: Dropped[],
): CandidateStage[] {
  return candidates.filter((candidate) => {
    if (candidate.evidence !== "default") return true;
    const tools = [...finalTools(candidate)];
    const widerStage = added.find(
      (other) =>
        other.kind === candidate.kind &&
        other.cwd === candidate.cwd &&
        // A run of the same tool with other features or tests does not include this check.
        !tools.every((tool) => [other.command, ...(other.runs ?? [])].flatMap(toolsOfLine).includes(tool)) &&
        tools.every((tool) => startedTools(other).has(tool)),
    );
    if (widerStage !== undefined) drops.push({kind: "repeated", candidate, by: [widerStage]});
    return widerStage === undefined;
  });
}

/** A script with the arguments that CI always gives it, because without them it may prompt for them. */
function withCiArguments(candidate: CandidateStage, fromCi: readonly CandidateStage[]): CandidateStage {
  const [tool = ""] = toolsOfLine(candidate.command);
  const ofScript = fromCi.filter(({cwd, command}) => cwd === candidate.cwd && toolsOfLine(command)[0] === tool);
  const commands = new Set(ofScript.map(({command}) => command));
  const [command = ""] = commands;
  const name = tool.replace(/^script /, "");
  const words = command.split(" ");
  const hasArguments = /^[a-z][\w-]*$/.test(words[words.indexOf(name) + 1] ?? "");
  return tool.startsWith("script ") && commands.size === 1 && hasArguments ? {...candidate, command} : candidate;
}

function confirm(candidate: CandidateStage): CandidateStage {
  return {...candidate, origin: {...candidate.origin, why: `${candidate.origin.why}; CI runs it too`}};
}
