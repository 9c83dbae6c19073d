/** Candidates that other stages replace. Their reason is data, so that each reason names a stage of the plan. */
import type {Note, Plan, Stage} from "../../record/plan.ts";
import type {CandidateStage} from "../proposals/ecosystem.ts";
import {formatPlace, skipNote} from "./place.ts";

/** Why stages replace a candidate. */
type DropKind = "in CI" | "repeated" | "alternative" | "parts" | "same kind";

export interface Dropped {
  readonly kind: DropKind;
  readonly candidate: CandidateStage;
  /** the candidates that run instead; what replaces one of them replaces this one too */
  readonly by: readonly CandidateStage[];
}

/** The stages of a selection, and the candidates that they replace. */
interface Selected {
  readonly stages: readonly CandidateStage[];
  readonly drops: readonly Dropped[];
}

/** The selected stages that are the reason for a drop. */
function stagesBehind({by}: Dropped, {stages, drops}: Selected): CandidateStage[] {
  const seen = new Set<CandidateStage["id"]>();
  const behind = (candidate: CandidateStage): CandidateStage[] => {
    if (seen.has(candidate.id)) return [];
    seen.add(candidate.id);
    const own = stages.filter(({id}) => id === candidate.id);
    return own.length > 0 ? own : drops.filter((drop) => drop.candidate.id === candidate.id).flatMap(replacing);
  };
  const replacing = (drop: Dropped): CandidateStage[] => drop.by.flatMap(behind);
  return by.flatMap(behind);
}

/**
 * The notes on dropped candidates. Nothing is said of one whose reason verify.json disables or changes, or that is not
 * affected by the change. `named` has the stages of the selection by the ids of their candidates.
 */
export function noteDrops(
  selected: Selected,
  {named, planned}: {named: ReadonlyMap<CandidateStage["id"], Stage>; planned: readonly Stage[]},
): Note[] {
  return selected.drops.flatMap((dropped) => {
    const behind = stagesBehind(dropped, selected).map(({id}) => named.get(id));
    const isBehind = ({name, command}: Stage): boolean =>
      behind.some((stage) => stage?.name === name && stage.command === command);
    const [first, ...others] = planned.filter(isBehind);
    return first === undefined ? [] : [noteDrop(dropped, [first, ...others])];
  });
}

function noteDrop({kind, candidate}: Dropped, behind: readonly [Stage, ...Stage[]]): Note {
  const [stage] = behind;
  const why: Readonly<Record<DropKind, string>> = {
    "in CI": `CI runs \`${stage.command}\``,
    repeated:
      stage.command === candidate.command
        ? `${formatPlace(stage.origin)} defines it too`
        : `\`${stage.command}\` already runs it`,
    alternative: `\`${stage.command}\` runs instead`,
    parts: "its parts run as separate checks",
    "same kind": `\`${stage.command}\` is already a check of the kind \`${stage.kind}\``,
  };
  return {...skipNote(candidate, why[kind]), by: behind.map(({name}) => name)};
}

/** The reasons in a plan that name no stage of it. There must be none. */
export function unfoundedReasons({stages, setup, ci = [], notes}: Omit<Plan, "schema">): string[] {
  const names = new Set([...stages.map(({name}) => name), ...(setup.length > 0 ? ["setup"] : [])]);
  const reasons = [
    ...notes.map(({about, text, by}) => ({text: `${about}: ${text}`, by})),
    ...ci.map(({file, command, outcome}) => ({
      text: `${file}: ${command}`,
      by: outcome.kind === "stage" ? [outcome.stage] : outcome.kind === "covered" ? outcome.by : undefined,
    })),
  ];
  return reasons.filter(({by}) => by?.length === 0 || by?.some((name) => !names.has(name))).map(({text}) => text);
}

/** The plan, if each of its reasons names a stage of it. Anything else is a bug: nothing might run a check. */
export function withFoundedReasons(plan: Plan): Plan {
  const unfounded = unfoundedReasons(plan);
  if (unfounded.length > 0) throw new Error(`a reason of the plan names no stage of it: ${unfounded.join("; ")}`);
  return plan;
}
