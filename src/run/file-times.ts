/** The times of test files: kept on a ref from one run to the next, to divide slow checks between machines. */
import {scriptsAt} from "../engine/commands/expand-scripts.ts";
import {type HiddenRef, hiddenRef, refCommits, saveOnRef} from "../git/hidden-ref.ts";
import type {Repository} from "../git/repository.ts";
import {shareOf} from "../handover/shards.ts";
import {type DividedPlan, divideChecks, fileTimesOf, readFileTimes} from "../handover/split-checks.ts";
import type {Plan, Stage} from "../record/plan.ts";
import {isVerified} from "../record/words.ts";
import type {PackageScripts} from "../shell/started-script.ts";
import type {AdmittedRun} from "./admitted-run.ts";

type RunWithRepository = Pick<AdmittedRun, "context" | "record"> & {readonly repository: Repository};

const TIMES_REF: HiddenRef = hiddenRef("file-times");
const FILE = "file-times.json";
const MAX_BYTES = 1_000_000;

/** The commit that all machines of a run divide their checks by; null with one machine, or without times. */
export async function findFileTimes({context, repository}: RunWithRepository) {
  if (context.inputs.shard.of === 1) return null;
  const refs = await refCommits(repository, TIMES_REF);
  return refs.ok ? refs.value.hidden : null;
}

type DividedRun = Pick<AdmittedRun, "context" | "admission" | "record">;
interface PlanSource {
  readonly repository: Repository;
  readonly plan: Plan;
  /** the commit of the scripts */
  readonly source: string;
}

/** The plan of all machines, the same in each of their jobs, and this machine's share of it. */
export async function plansForMachines(run: DividedRun, options: PlanSource) {
  const divided = await divideForMachines(run, options);
  const {job, shard} = run.context.inputs;
  return {divided, plan: job === "verify" ? shareOf(divided.plan, shard) : options.plan};
}

/** A request for single checks divides none. */
async function divideForMachines(
  {context, admission, record}: DividedRun,
  {repository, plan, source}: PlanSource,
): Promise<DividedPlan> {
  const whole = {plan, partOf: new Map<string, Stage>()};
  const commit = admission?.fileTimes;
  const {request} = record.current();
  const isOfSome = request?.kind === "verify" && request.only.length > 0;
  if (commit === undefined || isOfSome) return whole;
  const machines = Math.max(context.inputs.shard.of, context.inputs.digest.length);
  const fetched = machines > 1 ? await repository.fetch(commit, {signal: context.signal}) : null;
  const text = fetched?.ok ? await repository.readText(commit, FILE, {maxBytes: MAX_BYTES}) : null;
  if (!text?.ok || text.value === null) return whole;
  const scripts = new Map<string, PackageScripts>();
  for (const stage of plan.stages)
    scripts.set(stage.name, await scriptsAt({repository, commit: source, cwd: stage.cwd}));
  return divideChecks({
    plan,
    machines,
    times: readFileTimes(text.value),
    scriptsOf: ({name}) => scripts.get(name) ?? {},
  });
}

/** Keeps the times of a verified run. Only the publishing job of several machines does; it runs no code of the change. */
export async function saveFileTimes({context, record, repository}: RunWithRepository): Promise<void> {
  const {attempts, verdict} = record.current();
  const times = fileTimesOf(attempts);
  const isWanted = context.inputs.digest.length > 1 && context.withheld === null && isVerified(verdict);
  if (!isWanted || Object.keys(times).length === 0) return;
  const files = async () => ({[FILE]: `${JSON.stringify(times)}\n`});
  const saved = await saveOnRef({
    ...{repository, to: TIMES_REF, message: "Save the times of test files", files},
  });
  if (!saved.ok) context.log("The times of the test files could not be saved. The next run divides by older ones.");
}
