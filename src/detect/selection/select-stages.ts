/** Selects the stages: every check of CI as CI writes it, and what manifests name where CI has no such check. */
import type {Note} from "../../record/plan.ts";
import {memoize} from "../../shell/memoize.ts";
import {splitShell} from "../../shell/split.ts";
import {familyOf} from "../../tools/all-commands.ts";
import {unwrap} from "../../tools/command-name.ts";
import {kindOfWords} from "../../tools/stage-kind.ts";
import {membersOf} from "../ecosystems/node-workspaces.ts";
import {valueAt} from "../files/manifest-values.ts";
import {foldersUpFrom, inside, isBelow, type Project} from "../files/project.ts";
import {lastComparison} from "../proposals/compared-files.ts";
import {type CandidateStage, EVIDENCE} from "../proposals/ecosystem.ts";
import {screen} from "../proposals/screen.ts";
import type {Dropped} from "./dropped.ts";
import {skipNote} from "./place.ts";
import {finalTools, startedTools} from "./stage-tools.ts";

interface SelectionContext {
  readonly project: Project;
  /** true if CI starts checks on a change, here or where Assay cannot */
  readonly hasCi: boolean;
}

interface StageSelection {
  stages: CandidateStage[];
  /** the candidates that other stages replace */
  drops: Dropped[];
  /** on the other skipped ones */
  notes: Note[];
}

/**
 * CI's checks come first, in CI's order. What replaces a candidate is a stage, or is itself replaced by one: no later
 * step removes a check of CI.
 */
export function selectStages(
  candidates: readonly CandidateStage[],
  {project, hasCi}: SelectionContext,
): StageSelection {
  const isSeparate = separateFolders(project);
  const notes: Note[] = [];
  const drops: Dropped[] = [];
  const numbered = candidates.map((candidate, id) => ({...candidate, id}));
  const safe = numbered.filter((candidate) => {
    const reason = whyUnsafe(candidate);
    if (reason !== null) notes.push(skipNote(candidate, reason));
    return reason === null;
  });
  const fromCi = dropCopies(safe.filter(isOfCi), drops);
  const gaps = safe.filter((candidate) => {
    const by = isOfCi(candidate) ? [] : coveringStages(candidate, fromCi, isSeparate);
    if (by.length > 0) drops.push({kind: "in CI", candidate, by});
    return !isOfCi(candidate) && by.length === 0;
  });
  const distinct = dropRepeats(resolveAlternatives(gaps, drops), isSeparate, drops);
  const apart = dropCombined(distinct, drops);
  const fromManifests = hasCi ? apart.map(asGap) : apart;
  return {stages: dropLastResorts([...fromCi, ...fromManifests], drops), drops, notes};
}

const isOfCi = ({evidence}: CandidateStage): boolean => evidence === "ci";

/** A check that CI does not run has not been seen to work. */
const asGap = (candidate: CandidateStage): CandidateStage => ({
  ...candidate,
  optional: true,
  unproved: true,
  origin: {...candidate.origin, why: `${candidate.origin.why}; no line of CI is known to run it`},
});

/** One of several commands that are equal in folder, words and variables. */
function dropCopies(candidates: readonly CandidateStage[], drops: Dropped[]): CandidateStage[] {
  const first = new Map<string, CandidateStage>();
  for (const candidate of candidates) {
    const {cwd, command, env = {}} = candidate;
    const key = JSON.stringify([cwd, command, Object.entries(env).sort()]);
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, candidate);
    else drops.push({kind: "repeated", candidate, by: [earlier]});
  }
  return [...first.values()];
}

/**
 * The stages of CI that cover a candidate, in its folder or above it: tests, type checks and builds of its kind, unless
 * they read another language; else those that together start each of its tools, because two linters find different
 * things.
 */
function coveringStages(
  candidate: CandidateStage,
  fromCi: readonly CandidateStage[],
  isSeparate: IsSeparate,
): CandidateStage[] {
  const inReach = fromCi.filter(
    ({cwd, about = cwd}) => isBelow(candidate.cwd, about) && (about !== "." || !isSeparate(candidate.cwd)),
  );
  if (inReach.length === 0) return [];
  const languages = languagesOf(candidate);
  const ofKind = inReach.filter((stage) => {
    const others = languagesOf(stage);
    const isOther = languages.length > 0 && others.length > 0 && !others.some((one) => languages.includes(one));
    return BY_KIND.has(candidate.kind) && stage.kind === candidate.kind && stage.optional !== true && !isOther;
  });
  if (ofKind.length > 0) return ofKind;
  const tools = [...finalTools(candidate)];
  const byTool = tools.map((tool) => inReach.filter((stage) => startedTools(stage).has(tool)));
  return byTool.every((stages) => stages.length > 0) ? [...new Set(byTool.flat())] : [];
}

/**
 * The test for a folder that no command of the root reads: `./...` of Go ends at a `go.mod`, cargo at another workspace,
 * and a package manager reads the members of its workspace.
 */
function separateFolders(project: Project): IsSeparate {
  const members = new Set(membersOf(project, "."));
  const isOwn = (folder: string): boolean =>
    ["go.mod", "Cargo.lock"].some((name) => project.has(inside(folder, name))) ||
    valueAt(project.toml(inside(folder, "Cargo.toml")), "workspace") !== undefined ||
    (project.has(inside(folder, "package.json")) && !members.has(folder));
  return (folder) => foldersUpFrom(folder).some((one) => one !== "." && isOwn(one));
}

type IsSeparate = (folder: string) => boolean;

/** Kinds of which one stage of CI is enough. */
const BY_KIND = new Set(["test", "typecheck", "build"]);

/** The languages whose projects the tools of a candidate read; empty if they are unknown, or read any. */
const languagesOf = ({command, runs = []}: CandidateStage): string[] => [command, ...runs].flatMap(languagesOfLine);

const languagesOfLine = memoize((line): string[] =>
  (splitShell(line) ?? []).flatMap(
    ({words}) => familyOf(unwrap(words)) ?? (["npm", "pnpm", "yarn", "bun"].includes(words[0] ?? "") ? "node" : []),
  ),
);

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

/** Keeps the first candidate of each slot. */
function resolveAlternatives(candidates: readonly CandidateStage[], drops: Dropped[]): CandidateStage[] {
  const firstOfSlot = new Map<string, CandidateStage>();
  return candidates.filter((candidate) => {
    if (candidate.slot === undefined) return true;
    const key = `${candidate.cwd} ${candidate.slot}`;
    const best = firstOfSlot.get(key);
    if (best === undefined) firstOfSlot.set(key, candidate);
    else drops.push({kind: "alternative", candidate, by: [best]});
    return best === undefined;
  });
}

/**
 * Drops what a stronger candidate of its kind and folder covers. Of two equal ones, the earlier is stronger. A task without
 * a test runner covers no tests: `make test` of DaveGamble/cJSON only starts a demo.
 */
function dropRepeats(
  candidates: readonly CandidateStage[],
  isSeparate: IsSeparate,
  drops: Dropped[],
): CandidateStage[] {
  const rankOf = ({priority, evidence}: CandidateStage): number =>
    priority === "last-resort" ? EVIDENCE.length : EVIDENCE.indexOf(evidence);
  const kept = new Map<string, CandidateStage[]>();
  for (const candidate of [...candidates].sort((a, b) => rankOf(a) - rankOf(b))) {
    const {kind, cwd} = candidate;
    const alike = kept.get(`${kind} ${cwd}`) ?? [];
    const mayCover = (other: CandidateStage) => kind !== "test" || !startsTests(candidate) || startsTests(other);
    const others = alike.filter((other) => !haveSameSource(other, candidate) && mayCover(other));
    const by = coveringStages(candidate, others, isSeparate);
    if (by.length === 0) kept.set(`${kind} ${cwd}`, [...alike, candidate]);
    else drops.push({kind: BY_KIND.has(kind) ? "same kind" : "repeated", candidate, by});
  }
  return candidates.filter((candidate) => kept.get(`${candidate.kind} ${candidate.cwd}`)?.includes(candidate));
}

/** True for a stage that starts a test runner, itself or behind a task; also where nobody knows what is behind it. */
function startsTests({command, runs = []}: CandidateStage): boolean {
  const lines = runs.length > 0 ? runs : [command];
  const words = lines.flatMap((line) => splitShell(line) ?? []).map((one) => one.words);
  return runs.length === 0 || words.some((one) => kindOfWords(one) === "test");
}

const haveSameSource = (one: CandidateStage, other: CandidateStage): boolean =>
  one.origin.file === other.origin.file && one.evidence === other.evidence;

/** A combined command runs only if its checks are not separate stages. */
function dropCombined(candidates: readonly CandidateStage[], drops: Dropped[]): CandidateStage[] {
  return candidates.filter((candidate) => {
    const {kind, cwd} = candidate;
    if (kind !== "check") return true;
    const parts = candidates.filter((other) => other.cwd === cwd && other.kind !== "check" && other.kind !== "build");
    if (parts.length > 0) drops.push({kind: "parts", candidate, by: parts});
    return parts.length === 0;
  });
}

/** Drops last resorts if another stage has their kind. */
function dropLastResorts(candidates: readonly CandidateStage[], drops: Dropped[]): CandidateStage[] {
  return candidates.filter((candidate, i) => {
    if (candidate.priority !== "last-resort") return true;
    const better = candidates.find(
      (other, j) =>
        other !== candidate &&
        other.kind === candidate.kind &&
        // A last resort of the root covers every folder, so one regular check in any folder replaces it.
        (other.cwd === candidate.cwd || candidate.cwd === ".") &&
        (other.priority !== "last-resort" || j < i),
    );
    if (better !== undefined) drops.push({kind: "same kind", candidate, by: [better]});
    return better === undefined;
  });
}
