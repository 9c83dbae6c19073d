/** Chooses the specs for a task, and fits their constraints into a prompt. */
import type {SpecRules} from "../detect/config/config.ts";
import {keepVisibleText} from "../markdown/visible-text.ts";
import type {GivenSpecs} from "../record/specs.ts";
import type {Spec} from "./find-specs.ts";
import {fitAlways, fitConstraints, type SpecText} from "./fit-constraints.ts";
import {FORMATS} from "./formats/all.ts";
import type {SpecFormat} from "./formats/format.ts";
import {specSync} from "./formats/spec-sync.ts";
import {scoreByNames} from "./scorers/names.ts";
import type {Scored, Scorer} from "./scorers/scorer.ts";
import {scoreByTfIdf} from "./scorers/tf-idf.ts";

const SCORERS: Readonly<Record<SpecRules["scorer"], Scorer>> = {"tf-idf": scoreByTfIdf, names: scoreByNames};

/** Only this much of the task is used. The rest of a long issue hardly changes the ranking. */
const TASK_CHARS = 20_000;
/** Only this much of a chosen spec is read. */
const SPEC_BYTES = 256 * 1024;
/** Among more specs, the right one is often not among the first three. */
const MANY_SPECS = 100;
const [FEW, MORE] = [3, 5];
/** A fourth or fifth spec with this share of the third one's score is hardly less relevant. */
const CLOSE_SCORE_SHARE = 0.8;
/** A spec with a smaller share of the best score shares only common words with the task. */
const MIN_RELATIVE_SCORE = 0.35;

/** The specs that an agent gets. */
export interface ChosenSpecs {
  /** for the record */
  readonly given: GivenSpecs;
  /** for the prompts: files that every run gets, then the specs for the task, best first */
  readonly texts: readonly SpecText[];
  readonly drift: SpecRules["drift"];
  /** the path of a new module's spec, if it has to be written first; else null */
  readonly newSpec: string | null;
}

/** Chooses the specs that are relevant for the task. Hidden text is removed from the task and from the specs (T6). */
export function chooseSpecs(options: {
  task: string;
  specs: readonly Spec[];
  rules: SpecRules;
}): ChosenSpecs & {ranked: Scored<Spec>[]} {
  const {rules} = options;
  const task = keepVisibleText(options.task.slice(0, TASK_CHARS)).text;
  const candidates = options.specs.filter(({isAlways}) => !isAlways);
  const rankedSpecs = SCORERS[rules.scorer](task, candidates).filter(({spec}) => spec.isText());
  const count = candidates.filter((spec) => spec.isText()).length;
  const chosenSpecs = takeRelevant({ranked: rankedSpecs, top: rules.top, isMany: count > MANY_SPECS});
  const always = fitAlways(options.specs.filter(({isAlways}) => isAlways).flatMap(readValidText));
  const specs = fitConstraints({task, specs: chosenSpecs, maxChars: rules.maxChars});
  const givenSpecs = specs.flatMap(({path, text}) => {
    const one = chosenSpecs.find(({spec}) => spec.path === path);
    if (one === undefined) return [];
    const score = Math.round(one.score * 1_000) / 1_000;
    return {path, name: one.spec.name, score, words: [...one.words], chars: text.length};
  });
  return {
    ranked: rankedSpecs,
    given: {scorer: rules.scorer, of: count, always: always.map(({path}) => path), given: givenSpecs},
    texts: [...always, ...specs],
    drift: rules.drift,
    newSpec: rules.writeFirst ? newSpecOf(options.specs) : null,
  };
}

/** The name of the format that most specs have. */
function newSpecOf(specs: readonly Spec[]): string {
  const countOf = (format: SpecFormat) => specs.filter((spec) => spec.format === format).length;
  return FORMATS.reduce((most, one) => (countOf(one) > countOf(most) ? one : most), specSync).newSpec;
}

/** A spec with the text that applies. */
interface ReadSpec extends Scored<Spec> {
  readonly text: string;
}

function takeRelevant(options: {ranked: readonly Scored<Spec>[]; top: number | null; isMany: boolean}): ReadSpec[] {
  const chosenSpecs: ReadSpec[] = [];
  const best = options.ranked[0]?.score ?? 0;
  for (const one of options.ranked) {
    const third = chosenSpecs[FEW - 1]?.score ?? 0;
    const isWanted =
      options.top === null
        ? chosenSpecs.length < FEW || options.isMany || one.score >= CLOSE_SCORE_SHARE * third
        : true;
    if (chosenSpecs.length === (options.top ?? MORE) || !isWanted || one.score < MIN_RELATIVE_SCORE * best) break;
    chosenSpecs.push(...readValidText(one.spec).map(({text}) => ({...one, text})));
  }
  return chosenSpecs;
}

/** Empty for a spec that no longer applies, and for one without text. */
function readValidText(spec: Spec): {spec: Spec; text: string}[] {
  const wholeText = Buffer.from(spec.read(SPEC_BYTES)).toString();
  if (spec.format.isInForce?.(wholeText) === false) return [];
  const {text} = keepVisibleText(spec.format.textOf?.(spec.path, wholeText) ?? wholeText);
  return text.trim() === "" ? [] : [{spec, text}];
}
