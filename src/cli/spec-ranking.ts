/** Ranks the specs of a folder for `assay plan --task`: how relevant each is, and which ones the agent would get. */
import type {SpecRules} from "../detect/config/config.ts";
import type {Project} from "../detect/files/project.ts";
import type {SpecRanking} from "../record/specs.ts";
import {chooseSpecs} from "../specs/choose-specs.ts";
import {findSpecs} from "../specs/find-specs.ts";

const MAX_SHOWN = 10;

/** `rules` is null if specs are switched off. */
export function rankSpecs({
  task,
  project,
  rules,
}: {
  task: string;
  project: Project;
  rules: SpecRules | null;
}): SpecRanking {
  if (rules === null) return {scorer: "tf-idf", of: 0, always: [], given: [], others: [], noneBecause: "specs-off"};
  const {given, ranked} = chooseSpecs({task, specs: findSpecs(project, rules.paths), rules});
  const isGiven = new Set(given.given.map(({path}) => path));
  const otherSpecs = ranked.flatMap(({spec: {path, name}, score, words}) =>
    isGiven.has(path) ? [] : [{path, name, score: Math.round(score * 1_000) / 1_000, words: [...words], chars: 0}],
  );
  const emptyBecause = given.of > 0 ? "no-shared-words" : rules.paths === null ? "no-specs" : "no-match";
  return {...given, others: otherSpecs.slice(0, MAX_SHOWN), noneBecause: ranked.length > 0 ? null : emptyBecause};
}
