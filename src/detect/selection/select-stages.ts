/** From all drafts to those that run: screens them, settles alternatives, and drops what another one already runs. */
import type {Note} from "../../record/plan.ts";
import {memoize} from "../../shell/memoize.ts";
import {toolOf} from "../../shell/program.ts";
import {splitShell} from "../../shell/split.ts";
import {kindOf} from "../../shell/stage-kind.ts";
import {type CandidateStage, EVIDENCE} from "../proposals/ecosystem.ts";
import {screen} from "../proposals/screen.ts";
import {addMissingFromCi, applyCiOptions, PROJECT_SCRIPT} from "./from-ci.ts";
import {formatPlace} from "./place.ts";

/** What stands around a check in a script, and checks nothing. */
const ACCOMPANIES =
  /^(for|case|esac|fi|done|\}|\[|\[\[|test|echo|printf|cd|export|eval|set|mkdir|rm|cp|mv|cat|exit|true|false|:|trap|shopt|unset|local|return|wait|sleep|tee|grep|sed|awk|tail|head|touch|ls|which)$/;
/** Tools that are another one's way to start. */
const STARTS: ReadonlyMap<string, readonly string[]> = new Map([
  ["artisan test", ["phpunit", "pest"]],
  ["pest", ["phpunit"]],
  ["gotestsum", ["go test"]],
  ["richgo test", ["go test"]],
  ["cargo nextest", ["cargo test"]],
  ["react-scripts test", ["jest"]],
  ["prek run", ["pre-commit run"]],
]);

interface Chosen {
  readonly stages: readonly CandidateStage[];
  readonly notes: readonly Note[];
}

/** Gives the drafts that run, in no new order, and a note for each that was passed over. */
export function selectStages(drafts: readonly CandidateStage[]): Chosen {
  const notes: Note[] = [];
  const hints = new Set(
    drafts
      .filter((draft) => draft.priority === "hint")
      .flatMap((draft) => [...startedTools(draft)].map((tool) => `${draft.cwd} ${tool}`)),
  );
  // People are told to run all at once; a plan has the parts.
  const hinted = (draft: CandidateStage): boolean =>
    hints.size > 0 &&
    (draft.runs ?? []).every((line) => [null, draft.kind].includes(kindOf(line))) &&
    [...startedTools(draft)].some((tool) => PROJECT_SCRIPT.test(tool) && hints.has(`${draft.cwd} ${tool}`));
  const candidates = drafts.filter((draft) => draft.priority !== "hint");
  const safe = candidates.filter((draft) => {
    const why = unsafety(draft);
    if (why !== null) notes.push(passedOver(draft, why));
    return why === null;
  });
  const fromCi = safe.filter((draft) => draft.evidence === "ci");
  const others = safe.filter((draft) => draft.evidence !== "ci");
  // A script that CI starts and that may not run as it is (it watches, it fixes) still tells which one is meant.
  const ofCi = candidates.filter((draft) => draft.evidence === "ci");
  const required = new Set(ofCi.flatMap((draft) => [...startedTools(draft)].map((tool) => `${draft.cwd} ${tool}`)));
  const inCi = (draft: CandidateStage): boolean =>
    [...startedTools(draft)].some((tool) => required.has(`${draft.cwd} ${tool}`));

  // The very script that CI starts is a better choice than another one that starts the same tool.
  const byName = (draft: CandidateStage): boolean =>
    [...startedTools(draft)].some((tool) => PROJECT_SCRIPT.test(tool) && required.has(`${draft.cwd} ${tool}`));
  const settled = settleSlots(others, [byName, inCi, hinted], notes);
  // What CI starts in so many words is stronger than a target of that name which it does not start.
  const started = new Set(ofCi.flatMap(inSoManyWords));
  const kept = dropRepeats(settled, {
    notes,
    ciStarts: (draft) => inSoManyWords(draft).some((tool) => started.has(tool)),
  });
  const firm = kept.filter((draft) => draft.priority !== "last-resort");
  const filled = addMissingFromCi({
    fromCi,
    kept: firm,
    tools: {all: startedTools, leaves: finalTools},
    passOver: passedOver,
  });
  notes.push(...filled.notes);
  const told = firm.map((draft) => (inCi(draft) ? confirmed(applyCiOptions(draft, fromCi)) : draft));
  const claimed = settleClaims([...told, ...filled.added, ...kept.filter((draft) => !firm.includes(draft))], notes);
  return {stages: dropAllInOne(claimed, {byName, notes}).map((draft) => withNeighbours(draft, safe)), notes};
}

/** What the safety screen has against a draft, be it in its command or in what that comes down to; null for nothing. */
function unsafety(draft: CandidateStage): string | null {
  const runs = (draft.runs ?? []).map((line) => screen(line));
  const onlySays = runs.length > 0 && runs.every((found) => found.kind === "placeholder");
  const command = screen(draft.command);
  if (command.kind === "placeholder") return command.why;
  for (const found of [command, ...runs]) {
    if (
      found.kind === "ok" ||
      found.kind === "unknown" ||
      (found.kind === "placeholder" && runs.length > 0 && !onlySays)
    )
      continue;
    // A target called `fmt` whose recipe is known to write nothing is a check.
    if (found.kind === "mutates" && found.byName && runs.length > 0) continue;
    return found.why;
  }
  return null;
}

/** The tools that a draft starts, seen through scripts and targets where their bodies are known. */
export function startedTools(draft: CandidateStage): ReadonlySet<string> {
  const before = toolsOfDraft.get(draft);
  if (before !== undefined) return before;
  const started = [draft.command, ...(draft.runs ?? [])].flatMap(startedBy);
  const telling = started.filter((tool) => !ACCOMPANIES.test(tool));
  const tools = new Set(
    (telling.length > 0 ? telling : started).flatMap((tool) => [tool, ...(STARTS.get(tool) ?? [])]),
  );
  toolsOfDraft.set(draft, tools);
  return tools;
}

/** Each draft is compared with many others. */
const toolsOfDraft = new WeakMap<CandidateStage, ReadonlySet<string>>();

const startedBy = memoize((line): readonly string[] =>
  (splitShell(line) ?? []).filter(({words}) => words.length > 0).map(({words}) => toolOf(words)),
);

/** The tools in the command itself, as places in a folder. */
const inSoManyWords = (draft: CandidateStage): string[] =>
  startedBy(draft.command).map((tool) => `${draft.cwd} ${tool}`);

/** The tools at the very end: without the script or target names on the way. */
export function finalTools(draft: CandidateStage): ReadonlySet<string> {
  if (draft.runs === undefined || draft.runs.length === 0) return startedTools(draft);
  const leaves = startedTools({...draft, command: ""});
  const own = startedBy(draft.command);
  const further = [...leaves].filter((tool) => !PROJECT_SCRIPT.test(tool) || !own.includes(tool));
  return further.length > 0 ? new Set(further) : leaves;
}

function settleSlots(
  drafts: readonly CandidateStage[],
  preferred: readonly ((draft: CandidateStage) => boolean)[],
  notes: Note[],
): CandidateStage[] {
  const slots = new Map<string, CandidateStage[]>();
  drafts.forEach((draft, i) => {
    const key = draft.slot === undefined ? `#${i}` : `${draft.cwd} ${draft.slot}`;
    slots.set(key, [...(slots.get(key) ?? []), draft]);
  });
  return [...slots.values()].flatMap((alternatives) => {
    const best =
      preferred.map((fits) => alternatives.find(fits)).find((draft) => draft !== undefined) ?? alternatives[0];
    for (const draft of alternatives)
      if (draft !== best && best) notes.push(passedOver(draft, `\`${best.command}\` does this job`));
    return best ? [best] : [];
  });
}

/** A draft goes when stronger ones (earlier ones, where equal) of the same folder start all that it starts. */
function dropRepeats(
  drafts: readonly CandidateStage[],
  o: {notes: Note[]; ciStarts: (draft: CandidateStage) => boolean},
): CandidateStage[] {
  const strength = (draft: CandidateStage): number => {
    if (draft.priority === "last-resort") return EVIDENCE.length;
    return o.ciStarts(draft) ? 0 : EVIDENCE.indexOf(draft.evidence);
  };
  const strengths = new Map(drafts.map((draft) => [draft, strength(draft)]));
  const strongestFirst = [...drafts].sort((a, b) => (strengths.get(a) ?? 0) - (strengths.get(b) ?? 0));
  const kept = new Set<CandidateStage>();
  const keptOf = new Map<string, CandidateStage[]>();
  for (const draft of strongestFirst) {
    const place = `${draft.kind} ${draft.cwd}`;
    const leaves = [...finalTools(draft)];
    const itself = startedBy(draft.command);
    // A target that also lints is no second run of the tests.
    const own = leaves.filter((tool) => kindOf(tool) === draft.kind);
    const ways = [leaves, itself, ...(own.length > 0 && draft.kind === "test" ? [own] : [])];
    const rivals = keptOf.get(place) ?? [];
    const covering = rivals.find(
      (other) =>
        !sameSource(other, draft) &&
        (isOpaque(other) || ways.some((tools) => tools.every((tool) => startedTools(other).has(tool)))),
    );
    if (covering === undefined) {
      kept.add(draft);
      keptOf.set(place, [...rivals, draft]);
    } else o.notes.push(passedOver(draft, alreadyRunBy(covering, draft)));
  }
  return drafts.filter((draft) => kept.has(draft));
}

/** A script or target of the project whose body nobody could read is taken at its name. */
function isOpaque(draft: CandidateStage): boolean {
  return draft.evidence === "named" && (draft.runs === undefined || draft.runs.length === 0);
}

function sameSource(a: CandidateStage, b: CandidateStage): boolean {
  return a.origin.file === b.origin.file && a.command !== b.command && a.evidence === b.evidence;
}

/** Drafts that are only there in case of need go where there is none, and others where a whole list already runs them. */
function settleClaims(drafts: readonly CandidateStage[], notes: Note[]): CandidateStage[] {
  const lists = drafts.filter((draft) => draft.priority === "everything");
  return drafts.filter((draft) => {
    const list = lists.find(
      (other) =>
        other !== draft &&
        other.cwd === draft.cwd &&
        [...finalTools(draft)].every((tool) => startedTools(other).has(tool)),
    );
    const better =
      draft.priority === "last-resort"
        ? drafts.find(
            (other) =>
              other !== draft &&
              other.kind === draft.kind &&
              // What would look into every folder is not needed where one of them has such a check.
              (other.cwd === draft.cwd || draft.cwd === ".") &&
              (other.priority !== "last-resort" || drafts.indexOf(other) < drafts.indexOf(draft)),
          )
        : undefined;
    if (list !== undefined) notes.push(passedOver(draft, alreadyRunBy(list, draft)));
    else if (better !== undefined) notes.push(passedOver(draft, `\`${better.command}\` does this job`));
    return list === undefined && better === undefined;
  });
}

/** A command of a task runner or of CI finds the tools that the projects of its folder install. */
function withNeighbours(draft: CandidateStage, all: readonly CandidateStage[]): CandidateStage {
  if (draft.path !== undefined) return draft;
  const path = new Set(all.filter((other) => other.cwd === draft.cwd).flatMap((other) => other.path ?? []));
  return path.size === 0 ? draft : {...draft, path: [...path]};
}

/** An all-in-one command is for projects whose checks are not found one by one, and where CI starts it, for what is not found so. */
function dropAllInOne(
  drafts: readonly CandidateStage[],
  o: {byName: (draft: CandidateStage) => boolean; notes: Note[]},
): CandidateStage[] {
  return drafts.filter((draft) => {
    if (draft.kind !== "check" || draft.evidence === "ci" || draft.priority === "everything") return true;
    const parts = drafts.filter((other) => other.cwd === draft.cwd && other.kind !== "check" && other.kind !== "build");
    const known = new Set(parts.flatMap((part) => [...startedTools(part)]));
    const adds = o.byName(draft) && [...finalTools(draft)].some((tool) => !known.has(tool));
    const needless = parts.length > 0 && !adds;
    if (needless) o.notes.push(passedOver(draft, "its parts run one by one"));
    return !needless;
  });
}

function confirmed(draft: CandidateStage): CandidateStage {
  return {...draft, origin: {...draft.origin, why: `${draft.origin.why}; CI runs it too`}};
}

function alreadyRunBy(other: CandidateStage, draft: CandidateStage): string {
  return other.command === draft.command
    ? `${formatPlace(other.origin)} has it too`
    : `\`${other.command}\` already runs it`;
}

function passedOver(draft: CandidateStage, why: string): Note {
  return {about: formatPlace(draft.origin), text: `\`${draft.command}\` passed over: ${why}`};
}
