/** Decides which entries of a proposed `verify.json` hold: those that one run on the base proves, and that remove nothing of CI. */
import {isDeepStrictEqual} from "node:util";
import {composeProposal, entriesOf, stageEntries} from "../../detect/config/compose-proposal.ts";
import {weakerSettings} from "../../integrity/settings/own-settings.ts";
import type {Failure} from "../../record/failure.ts";
import type {Plan, SetupStep, Stage} from "../../record/plan.ts";
import type {LineProof} from "../../record/proof.ts";
import type {ProposalRow, SetupProposal} from "../../record/proposal.ts";
import {ok, type Result} from "../../record/words.ts";
import {kindOf} from "../../tools/stage-kind.ts";
import {neededBy} from "./candidates.ts";
import {wordProof} from "./proof-outcome.ts";
import type {ProofLine, ProvedLines} from "./prove-lines.ts";

export interface ProposalOptions {
  readonly file: string;
  /** the present file, null if there is none, and the plan with it */
  readonly base: {readonly text: string | null; readonly plan: Plan};
  /** `parseConfig` must accept the text */
  readonly proposed: {readonly text: string; readonly plan: Plan};
  /** runs each line once on the base, after this set-up */
  readonly prove: (lines: readonly ProofLine[], setup: readonly SetupStep[]) => Promise<Result<ProvedLines, Failure>>;
}

/** Lines of one proposal that are run. An owner's file has fewer. */
const MAX_LINES = 50;

/** Runs each new or changed entry once, and decides about each. */
export async function judgeProposal(
  options: ProposalOptions,
): Promise<Result<Pick<SetupProposal, "rows" | "weaker">, Failure>> {
  const {file, base, proposed, prove} = options;
  const {settled, undecided} = screenEntries(options);
  const lines = undecided.slice(0, MAX_LINES).map(({stage}) => lineOf(stage, proposed.plan));
  const [before, after] = [entriesOf(base.text ?? "{}"), entriesOf(proposed.text)];
  const required = base.plan.stages.filter(({optional}) => !optional).map((stage) => lineOf(stage, base.plan));
  const hasSetup = !isDeepStrictEqual(before.setup, after.setup);
  const withSetup = hasSetup ? await prove([...lines, ...required], proposed.plan.setup) : null;
  if (withSetup?.ok === false) return withSetup;
  const setupRow = withSetup && judgeSetup(proposed.plan.setup, withSetup.value, required);
  const proved = withSetup && setupRow?.isKept ? withSetup : await prove(lines, base.plan.setup);
  if (!proved.ok) return proved;
  const seen = undecided.map((_, i) => seenIn(proved.value.proofs[i], lines[i]));
  const isDropped = (need: string) =>
    undecided.some(({part, stage}, i) => part === "new check" && stage.name === need && !seen[i]?.isKept);
  const decided = undecided.map(({stage, part}, i): ProposalRow => {
    const need = lines[i]?.before.find(({name}) => isDropped(name))?.name;
    return rowOf(part, stage, need === undefined ? seen[i] : {seen: `it needs ${need}, which is not kept`});
  });
  const direct = {name: "publish", command: "direct"};
  const rows = [
    ...[...decided, ...settled, ...(setupRow ? [setupRow] : [])],
    ...(after.publish === "direct" ? [rowOf("setting", direct, {seen: "a proposal does not decide this"})] : []),
  ];
  const text = composeProposal({base: base.text, text: proposed.text, rows});
  return ok({rows, weaker: weakerSettings(file, {before: base.text, after: text})});
}

type Decision = Pick<ProposalRow, "isKept" | "seen">;

const rowOf = (
  part: ProposalRow["part"],
  {name, command}: Pick<Stage, "name" | "command">,
  {isKept = false, seen = ""}: Partial<Decision> = {},
): ProposalRow => ({part, name, command, isKept, seen});

interface UndecidedEntry {
  readonly part: ProposalRow["part"];
  readonly stage: Stage;
}

/** Settles what needs no run: entries that remove or replace an existing stage, or that run already. */
function screenEntries({base, proposed}: ProposalOptions): {settled: ProposalRow[]; undecided: UndecidedEntry[]} {
  const [before, after] = [entriesOf(base.text ?? "{}"), entriesOf(proposed.text)];
  const current = new Map(base.plan.stages.map((stage) => [stage.name, stage]));
  const ofCi = stagesOfCi(base.plan);
  const settled: ProposalRow[] = [];
  const undecided: UndecidedEntry[] = [];
  for (const stage of proposed.plan.stages) {
    const old = current.get(stage.name);
    const entry = stageEntries(after).find(({name}) => name === stage.name);
    const twin = base.plan.stages.find((one) => one.command === stage.command && one.cwd === stage.cwd);
    if (entry === undefined) {
      const change = after.overrides?.[stage.name];
      if (isDeepStrictEqual(change, before.overrides?.[stage.name])) continue;
      if (old && ofCi.has(stage.name) && !runsTheSame(old, stage))
        settled.push(rowOf("change to", stage, {seen: STAYS}));
      else undecided.push({part: "change to", stage});
    } else if (stageEntries(before).some((one) => isDeepStrictEqual(one, entry))) continue;
    else if (twin !== undefined) settled.push(rowOf("new check", stage, {seen: `it already runs as ${twin.name}`}));
    else if (old !== undefined) settled.push(rowOf("new check", stage, {seen: "another check has this name"}));
    else undecided.push({part: "new check", stage});
  }
  const isThere = (stage: Stage) =>
    proposed.plan.stages.some(({name, command}) => name === stage.name || command === stage.command);
  for (const stage of base.plan.stages.filter((one) => !isThere(one))) {
    const isKept = !ofCi.has(stage.name) && after.overrides?.[stage.name] === false;
    settled.push(rowOf("removal of", stage, {isKept, seen: isKept ? "not run any more" : STAYS}));
  }
  return {settled, undecided};
}

const STAYS = "it stays as it is: a proposal removes and replaces no check of CI or of the owner's list";

const runsTheSame = (one: Stage, other: Stage): boolean =>
  (["command", "cwd", "env", "kind", "when"] as const).every((key) => isDeepStrictEqual(one[key], other[key]));

/** The stages that run a command of CI. */
const stagesOfCi = ({ci = []}: Plan): ReadonlySet<string> =>
  new Set(ci.flatMap(({outcome}) => ("stage" in outcome ? [outcome.stage] : "by" in outcome ? outcome.by : [])));

/** A test runner has to count tests, whatever kind the entry gives it. */
const lineOf = (stage: Stage, plan: Plan): ProofLine => ({
  stage: kindOf(stage.command) === "test" ? {...stage, kind: "test"} : stage,
  before: neededBy(stage, plan),
  mayUseNetwork: false,
});

/** A passing test stage is only a proof if its tests were counted: the author of the line is an agent. */
function seenIn(proof: LineProof | undefined, line: ProofLine | undefined): Decision {
  if (proof === undefined || line === undefined) return {isKept: false, seen: `not run: only ${MAX_LINES} entries are`};
  const {outcome, tests} = proof;
  const passedTests = tests?.passed ?? 0;
  if (outcome.kind !== "proved") return {isKept: false, seen: wordProof(outcome)};
  if (line.stage.kind === "test" && passedTests === 0) return {isKept: false, seen: "passed, but no test was counted"};
  return {isKept: true, seen: tests === null ? "passed" : `passed, ${passedTests} tests`};
}

/** A set-up holds if it passes, and each required stage passes with it. */
function judgeSetup(
  steps: readonly SetupStep[],
  {setup, proofs}: ProvedLines,
  required: readonly ProofLine[],
): ProposalRow {
  const failedStep = setup.find(({outcome}) => outcome !== "passed");
  const results = proofs.slice(proofs.length - required.length).map((proof, i) => seenIn(proof, required[i]));
  const broken = results.findIndex(({isKept}) => !isKept);
  const seen =
    failedStep !== undefined
      ? `${failedStep.command}: ${failedStep.reason}`
      : broken >= 0
        ? `with it, ${required[broken]?.stage.name}: ${results[broken]?.seen}`
        : "";
  const command = steps.map((step) => step.command).join(" && ");
  const isKept = seen === "" && proofs.length > 0;
  return rowOf("set-up", {name: "setup", command}, {isKept, seen: seen || (isKept ? "passed" : "no check uses it")});
}
