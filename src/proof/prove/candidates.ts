/** Selects the lines of a plan that one run on the base can decide: stages that are not required, and listed lines. */
import {applyConfig} from "../../detect/config/apply-config.ts";
import {parseConfig} from "../../detect/config/parse-config.ts";
import type {CiCommandReport, Plan, Stage} from "../../record/plan.ts";
import {UNKNOWN_CHECK} from "../../record/words.ts";
import type {ProofLine} from "./prove-lines.ts";

/** `listed` is the command of CI that has no stage yet. */
export interface ProofCandidate extends Omit<ProofLine, "mayUseNetwork"> {
  readonly listed?: CiCommandReport;
}

/** In the plan's order, then in CI's. A required stage is run by each verification, so only the others are in question. */
export function proofCandidates(plan: Plan): ProofCandidate[] {
  const optional = plan.stages.filter((stage) => stage.optional);
  return [...optional.map((stage) => ({stage, before: neededBy(stage, plan)})), ...listedCandidates(plan)];
}

/** The stages that it needs, and those that they need, in the plan's order. */
export function neededBy(stage: Stage, plan: Plan): Stage[] {
  const needed = new Set(stage.needs);
  for (const earlier of plan.stages.toReversed())
    if (needed.has(earlier.name)) for (const name of earlier.needs) needed.add(name);
  return plan.stages.filter(({name}) => needed.has(name) && name !== stage.name);
}

/** The listed commands that may be checks, as the stages which their entries in verify.json would be. */
export function listedCandidates(plan: Plan): ProofCandidate[] {
  const commands = plan.ci ?? [];
  return commands.flatMap((listed, at) => {
    const entry = entryOf(listed, at);
    if (entry === null) return [];
    const before = buildsBefore(listed, {plan, earlier: commands.slice(0, at)});
    const sameFolder = plan.stages.filter(({cwd}) => cwd === entry.cwd);
    const stage: Stage = {
      ...entry,
      optional: false,
      // The job's environment, such as `.venv/bin`, is that of the other stages in its folder.
      path: [...new Set([...sameFolder.flatMap(({path}) => path), ...entry.path])],
      needs: before.map(({name}) => name),
      origin: {file: listed.file, key: listed.key, why: "CI requires it"},
    };
    return [{stage, before, listed}];
  });
}

/** Null for a command that is no check, and for one that only its owner can complete. */
function entryOf({command, cwd, outcome}: CiCommandReport, at: number): Stage | null {
  if (outcome.kind !== "listed" || outcome.role !== "check" || command.includes("${{")) return null;
  const isOffered = outcome.fix.startsWith('"extraStages"');
  if (!isOffered && outcome.why !== UNKNOWN_CHECK) return null;
  const name = `${command.match(/\w+/g)?.join("-").slice(0, 40)}-${at + 1}`;
  const entry = {name, command, ...(cwd !== "." && {cwd})};
  const text = isOffered ? outcome.fix : `"extraStages": [${JSON.stringify(entry)}]`;
  const config = parseConfig({file: "verify.json", text: `{${text}}`});
  const stages = config.ok ? applyConfig({config: config.value, stages: [], setup: []}) : config;
  return (stages.ok && stages.value.stages[0]) || null;
}

/** The builds that the same job of CI runs before. */
function buildsBefore(
  {file, key}: CiCommandReport,
  {plan, earlier}: {plan: Plan; earlier: readonly CiCommandReport[]},
): Stage[] {
  const names = earlier
    .filter((one) => one.file === file && one.key === key)
    .flatMap(({outcome}) => (outcome.kind === "stage" ? [outcome.stage] : []));
  return plan.stages.filter(({name, kind}) => kind === "build" && names.includes(name));
}
