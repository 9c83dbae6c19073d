/** Plants faults into scratch commits, one at a time, and observes which stages and findings notice them. */
import {overlayCommit} from "../../changes/overlay.ts";
import {DEFAULT_CONFIG} from "../../detect/config/config.ts";
import {ECOSYSTEMS} from "../../detect/ecosystems/index.ts";
import {isBelow, type Project} from "../../detect/files/project.ts";
import {plan as makePlan} from "../../detect/plan.ts";
import {wholeText} from "../../engine/stage/stage.ts";
import {entriesAt} from "../../git/private-index.ts";
import type {Repository} from "../../git/repository.ts";
import type {StageResult} from "../../record/evidence.ts";
import type {GateProof, LanguageState, PlantKind, ProvedLanguage, TriedPlant} from "../../record/gate-proof.ts";
import type {Plan} from "../../record/plan.ts";
import type {Candidate, Change, Verification} from "../../record/verification.ts";
import {loadGrammars} from "../../test-code/grammars.ts";
import {faultOutcome} from "../sensitivity/fault-outcome.ts";
import {choosePlants, filesWithTests, type Plant, type TestsOfLanguage} from "./choose-plants.ts";

export interface GateProofOptions {
  readonly project: Project;
  readonly repository: Repository;
  readonly plan: Plan;
  /** the commit to plant faults into */
  readonly base: string;
  /** the stages without a fault */
  readonly onBase: readonly StageResult[];
  /** verifies a scratch commit; with findings if `isInspected` */
  readonly verify: (tried: {
    candidate: Candidate;
    changes: readonly Change[];
    isInspected: boolean;
  }) => Promise<Verification>;
  /** true if no other fault may be tried */
  readonly isOver: () => boolean;
  readonly onStart: (plant: Plant) => void;
}

const MAX_NOT_NOTICED = 2;
const MAX_TRIES = 4;

export async function proveGate(options: GateProofOptions): Promise<GateProof> {
  await loadGrammars(filesWithTests(options.project.files));
  const chosen = choosePlants(options.project);
  const tried: TriedPlant[] = [];
  const languages: ProvedLanguage[] = [];
  const tryPlant = async (plant: Plant): Promise<TriedPlant | null> => {
    options.onStart(plant);
    const result = await observe(options, plant);
    if (result !== null) tried.push(result);
    return result;
  };
  for (const one of chosen.languages) {
    const state = await proveLanguage(options, one, tryPlant);
    const missing = state === "nobody" ? missingStages(options, one) : [];
    languages.push({title: one.language.title, tests: [...one.tests], state, missing});
  }
  const notTried = new Set<PlantKind>();
  for (const plant of chosen.others) {
    const isNoticed = tried.some(({kind, outcome}) => kind === plant.kind && outcome === "noticed");
    if (!isNoticed && options.isOver()) notTried.add(plant.kind);
    else if (!isNoticed) await tryPlant(plant);
  }
  return {commit: options.base, languages, tried, notTried: [...notTried]};
}

async function proveLanguage(
  options: GateProofOptions,
  {faults, broken}: TestsOfLanguage,
  tryPlant: (plant: Plant) => Promise<TriedPlant | null>,
): Promise<LanguageState> {
  let notNoticed = 0;
  for (const fault of faults.slice(0, MAX_TRIES)) {
    if (options.isOver() || notNoticed === MAX_NOT_NOTICED) break;
    const outcome = (await tryPlant(fault))?.outcome;
    if (outcome === "noticed") return "noticed";
    if (outcome === "not-noticed") notNoticed += 1;
  }
  if (options.isOver()) return "not-tried";
  const seen = await tryPlant(broken);
  if (seen?.outcome === "noticed") return "run";
  const mayRunTests = options.plan.stages.filter(({name}) => {
    const before = options.onBase.find((one) => one.name === name);
    return before === undefined || mayCountTests(before);
  });
  return mayRunTests.every(({name}) => seen?.stages[name] === "passed") ? "nobody" : "unknown";
}

const mayCountTests = ({kind, tests}: StageResult): boolean => kind === "test" || kind === "check" || tests !== null;

/** Null if the scratch commit could not be made. */
async function observe(options: GateProofOptions, plant: Plant): Promise<TriedPlant | null> {
  const {repository, base, onBase} = options;
  const commit = await commitPlant(options, plant);
  if (commit === null) return null;
  const changes = await repository.changes(base, commit.commit);
  if (!changes.ok) return null;
  const isInspected = plant.kind === "skipped-test" || plant.kind === "deleted-test";
  const verification = await options.verify({candidate: {...commit, base}, changes: changes.value, isInspected});
  const results = verification.stages.flatMap((result) => {
    const before = onBase.find(({name}) => name === result.name);
    return before === undefined ? [] : [{result, before}];
  });
  const failing = results.filter(({result, before}) => failsAnew(result, before));
  const findings = (verification.findings ?? []).filter(({level}) => level !== "note").map(({check}) => check);
  const stages = results.map(
    ({result}) => [result.name, failing.some((one) => one.result === result) ? "noticed" : stateOf(result)] as const,
  );
  const {edits: _, ...about} = {...plant, stages: Object.fromEntries(stages), findings: [...new Set(findings)]};
  const isNoticed =
    plant.kind === "fault" || plant.kind === "broken-tests"
      ? failing.some(failsInTests)
      : failing.length + findings.length > 0;
  if (isNoticed) return {...about, outcome: "noticed"};
  if (failing.length > 0) return {...about, outcome: "invalid"};
  return {...about, outcome: stages.some(([, state]) => state === "passed") ? "not-noticed" : "not-run"};
}

const stateOf = ({outcome}: StageResult) => (outcome === "passed" ? "passed" : "not-run");

interface ComparedResult {
  readonly result: StageResult;
  /** without the fault */
  readonly before: StageResult;
}

const failsAnew = (result: StageResult, before: StageResult): boolean =>
  ["failed", "timed-out", "flaky"].includes(result.outcome) &&
  (before.outcome === "passed" || result.baseline?.outcome === "new");

/** A stage that counts no tests has failed for another reason if the fault only broke a lint rule. */
function failsInTests({result, before}: ComparedResult): boolean {
  if (!mayCountTests(before)) return false;
  if (result.output !== null && wholeText(result.output).includes("planted fault")) return true;
  return faultOutcome(result, before) === "noticed";
}

async function commitPlant({repository, base}: GateProofOptions, plant: Plant) {
  const entries = await entriesAt({git: repository.git, commit: base});
  if (!entries.ok) return null;
  const edited = entries.value.flatMap(({mode, path}) => {
    const text = plant.edits.get(path);
    if (text === undefined || !mode.startsWith("100")) return [];
    const content = {kind: "text" as const, text: text ?? ""};
    return [{path, mode: text === null ? "000000" : mode, content}];
  });
  const commit = await overlayCommit({repository, onto: base, entries: edited});
  return commit.ok && edited.length > 0 ? commit.value : null;
}

/** The stages with which the language's own ecosystems would run these tests. */
function missingStages(
  {project, plan}: GateProofOptions,
  {language, tests}: TestsOfLanguage,
): ProvedLanguage["missing"] {
  const ecosystems = ECOSYSTEMS.filter(({name}) => language.ecosystems.includes(name));
  const detected = makePlan({project, config: DEFAULT_CONFIG, ecosystems});
  const stages = detected.ok ? detected.value.stages : [];
  const names = new Set(plan.stages.map(({name}) => name));
  return stages
    .filter(({kind, cwd}) => kind === "test" && tests.some((path) => isBelow(path, cwd)))
    .map(({name, kind, command, cwd}) => {
      const ownName = names.has(name) ? `${name}-${language.title.toLowerCase().replaceAll(" ", "-")}` : name;
      return {name: ownName, kind, command, cwd};
    });
}
