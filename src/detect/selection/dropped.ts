/** Candidates that other stages replace. Their reason is data, so that each reason names a stage of the plan. */
import type {Note, Plan, Stage} from "../../record/plan.ts";
import type {CandidateStage} from "../proposals/ecosystem.ts";
import {formatPlace, skipNote} from "./place.ts";
import {finalTools, startedTools} from "./stage-tools.ts";

/** Why stages replace a candidate. Who replaces the stage of the first two also replaces the candidate. */
type DropKind = "repeated" | "alternative" | "other in CI" | "parts" | "same kind";

export interface Dropped {
  readonly kind: DropKind;
  readonly candidate: CandidateStage;
  /** the candidates that run instead; one that becomes a stage is enough */
  readonly by: readonly CandidateStage[];
}

/** The stages of a selection, and the candidates that they replace. */
interface Selected {
  readonly stages: readonly CandidateStage[];
  readonly drops: readonly Dropped[];
}

/** The selected stages that are the reason for a drop; empty if there are none, so that the candidate must come back. */
export function stagesBehind({by}: Dropped, {stages, drops}: Selected): CandidateStage[] {
  const seen = new Set<CandidateStage["id"]>();
  const behind = (candidate: CandidateStage): CandidateStage[] => {
    const drop = drops.find((other) => other.candidate.id === candidate.id);
    const own = stages.filter(({id}) => id === candidate.id);
    if (seen.has(candidate.id) || own.length > 0) return own;
    seen.add(candidate.id);
    if (drop !== undefined) return /^(repeated|alternative)$/.test(drop.kind) ? drop.by.flatMap(behind) : [];
    // A command of CI is not added if stages start its tools already.
    const tools = [...finalTools(candidate)];
    const inReach = stages.filter(({cwd}) => cwd === candidate.cwd || cwd === ".");
    return inReach.filter((stage) => tools.some((tool) => startedTools(stage).has(tool)));
  };
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

function noteDrop({kind, candidate, by}: Dropped, behind: readonly [Stage, ...Stage[]]): Note {
  const [stage] = behind;
  const why: Readonly<Record<DropKind, string>> = {
    repeated:
      stage.command === candidate.command
        ? `${formatPlace(stage.origin)} defines it too`
        : `\`${stage.command}\` already runs it`,
    alternative: `\`${stage.command}\` runs instead`,
    "other in CI": `CI runs \`${by[0]?.command}\`, and not this`,
    parts: "its parts run as separate stages",
    "same kind": `\`${stage.command}\` is already a stage of the kind \`${stage.kind}\``,
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
