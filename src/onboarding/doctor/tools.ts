/** Whether the programs that a plan starts are on this machine. */
import type {Plan} from "../../record/plan.ts";
import {type Finding, fine} from "./finding.ts";

/** Where a program is, and what it says of its version; null for a version that it would not tell. */
export interface FoundProgram {
  readonly path: string;
  readonly version: string | null;
}

interface Need {
  readonly name: string;
  readonly hint: string;
  readonly stages: readonly string[];
  readonly isOptional: boolean;
}

/** Each program once, with the stages that need it; a program that only optional stages need is advice. */
export function needsOf(plan: Plan): Need[] {
  const needs = new Map<string, Need>();
  const all = [
    ...plan.setup.map((step) => ({tools: step.tools, by: "set-up", isOptional: false})),
    ...plan.stages.map((stage) => ({tools: stage.tools, by: stage.name, isOptional: stage.optional})),
  ];
  for (const {tools, by, isOptional} of all)
    for (const {name, hint} of tools) {
      const before = needs.get(name) ?? {name, hint, stages: [], isOptional: true};
      const stages = before.stages.includes(by) ? before.stages : [...before.stages, by];
      needs.set(name, {...before, stages, isOptional: before.isOptional && isOptional});
    }
  return [...needs.values()];
}

/** One finding per program. `find` looks on PATH; what the set-up installs later cannot be there yet. */
export async function toolFindings(o: {
  plan: Plan;
  find: (name: string) => Promise<FoundProgram | null>;
}): Promise<Finding[]> {
  const found = await Promise.all(needsOf(o.plan).map(async (need) => ({need, at: await o.find(need.name)})));
  // One of the machine is no news: with an environment of the project only that one's tools count.
  const isOfProject = ({hint}: Need) => o.plan.setup.length > 0 && /\bset-up (?:installs|reads)\b/.test(hint);
  return found.map(({need, at}) => {
    const stages = need.stages.slice(0, 5).join(", ") + (need.stages.length > 5 ? ", …" : "");
    if (at !== null && !isOfProject(need))
      return fine(need.name, `${at.version ?? "version unknown"} (${at.path}), for ${stages}`);
    if (o.plan.setup.length > 0 && /\bset-up installs\b/.test(need.hint))
      return {
        about: need.name,
        state: "unknown",
        text: `comes with the set-up, for ${stages}`,
        next: "run `assay verify`: it installs, and says when it is still missing",
      };
    return {
      about: need.name,
      state: need.isOptional ? "advice" : "missing",
      text: `not installed${need.isOptional ? "; only optional stages need it" : ""}: ${stages} would be unavailable`,
      next: need.hint,
    };
  });
}

/** Stages whose command cannot fail, or whose output is rewritten, in the words of the plan's notes. */
export function weaknessFindings({stages, notes}: Plan): Finding[] {
  const weak = stages.filter(({swallowedIn, rewrittenBy}) => swallowedIn !== undefined || rewrittenBy !== undefined);
  return notes
    .filter(({about, text}) => weak.some(({name, command}) => name === about && text.includes(`\`${command}\``)))
    .map(({about, text}) => ({
      about,
      state: "advice",
      text,
      next: "let the command end with the exit code of its check, and print what its runner prints",
    }));
}
