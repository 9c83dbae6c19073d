/** Names the selected stages, and sorts them. */
import type {Stage} from "../../record/plan.ts";
import {STAGE_KINDS} from "../../record/words.ts";
import {TIMEOUTS} from "../config/default-timeouts.ts";
import type {CandidateStage} from "../proposals/ecosystem.ts";

/** Each stage with the id of its candidate. */
export function nameStages(candidates: readonly CandidateStage[]): [id: CandidateStage["id"], Stage][] {
  const names = new Set<string>();
  // The plain name goes to a candidate of CI, and to one without a label.
  const rankOf = ({label, evidence}: CandidateStage): number => (label ? 1 : 0) + (evidence === "ci" ? 0 : 2);
  const unlabelledFirst = [...candidates].sort((a, b) => rankOf(a) - rankOf(b));
  return unlabelledFirst.map((candidate) => {
    const {id, kind, command, cwd, tools, origin} = candidate;
    const base = cwd === "." ? kind : `${cwd}:${kind}`;
    const options = [base, ...(candidate.label ? [`${base}:${candidate.label}`] : [])];
    let name = options.find((option) => !names.has(option));
    for (let n = 2; name === undefined; n++) if (!names.has(`${options.at(-1)}-${n}`)) name = `${options.at(-1)}-${n}`;
    names.add(name);
    const stage: Stage = {
      name,
      kind,
      command,
      cwd,
      timeout: candidate.timeout ?? TIMEOUTS[kind],
      optional: candidate.optional ?? kind === "lint",
      ...(candidate.unproved && {unproved: true}),
      env: {...candidate.env},
      when: [],
      needs: [],
      path: [...(candidate.path ?? [])],
      tools,
      origin,
    };
    return [id, stage];
  });
}

/** By kind in the order of `STAGE_KINDS`, then the root before nested projects. */
export function sortStages(stages: readonly Stage[]): Stage[] {
  const depthOf = ({cwd}: Stage): number => (cwd === "." ? 0 : cwd.split("/").length);
  return [...stages].sort(
    (a, b) =>
      STAGE_KINDS.indexOf(a.kind) - STAGE_KINDS.indexOf(b.kind) ||
      depthOf(a) - depthOf(b) ||
      (a.cwd < b.cwd ? -1 : Number(a.cwd > b.cwd)),
  );
}
