/** Reserves what a run may cost before the first call to a model, and replaces that by its cost at the end. */
import {join} from "node:path";
import type {Config, PeriodLimits} from "../detect/config/config.ts";
import {changeOnRef} from "../git/hidden-ref.ts";
import {deleteRef} from "../git/push.ts";
import {openRepository, type Repository} from "../git/repository.ts";
import {saveState} from "../github/runner.ts";
import type {Failure} from "../record/failure.ts";
import type {RunRecord} from "../record/record.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {runUsage} from "../report/run-details.ts";
import type {AdmittedRun} from "./admitted-run.ts";
import {openOwnRepository, type PreparedRun} from "./prepare-run.ts";
import {requestRules} from "./request-rules.ts";
import {parseSpending, reserve, type Spending, type SpendingLimit, settle} from "./spending.ts";

/** One ref for each month, so that nothing has to remain of old ones. */
const REFS = "refs/assay/spending/";
const FILE = "spending.json";
/** The job that admits has ten minutes. */
const PATIENCE_MS = 8 * 60_000;

type Scope = SpendingLimit["scope"];

const hasPeriods = ({usdPerDay, usdPerMonth}: PeriodLimits) => usdPerDay !== null || usdPerMonth !== null;

/** True if the dollars of several runs are limited, so that no call may have an unknown cost. */
export const limitsPeriods = ({budget, allRepositories}: Pick<Config, "budget" | "allRepositories">): boolean =>
  hasPeriods(budget) || hasPeriods(allRepositories);

/** Null if the run may start: it has reserved its limit, or none of its limits needs that. */
export async function reserveSpending(run: PreparedRun): Promise<Failure | null> {
  const {record, config, context} = run;
  const {task, isReview} = requestRules(run);
  if ((task === null && !isReview) || context.clone !== null) return null;
  const token = context.inputs["policy-token"];
  const limited: [Scope, PeriodLimits][] = [];
  if (hasPeriods(config.budget)) limited.push(["repository", config.budget]);
  if (hasPeriods(config.allRepositories) && token !== "") limited.push(["organization", config.allRepositories]);
  if (hasPeriods(config.allRepositories) && token === "") record.addNotes([{about: UNLIMITED, text: NO_TOKEN}]);
  const key = runKey(run);
  const usd = config.budget.usd ?? 0;
  const now = new Date(context.now());
  const month = now.toISOString().slice(0, 7);
  const scopes: Scope[] = [];
  for (const [scope, limits] of limited) {
    const reserved = await change(run, {scope, month}, (spending) => reserve(spending, {key, usd, now, limits, scope}));
    if (!reserved.ok) return reserved.failure;
    scopes.push(scope);
    record.update({reservation: {key, usd, month, scopes: [...scopes]}});
  }
  return null;
}

/** The subject of the note about a limit that does not hold. */
export const UNLIMITED = "allRepositories";
export const NO_TOKEN = "does not limit this run: its workflow has no input `policy-token`";

const runKey = ({context, marker}: AdmittedRun): string => context.runner.runUrl ?? marker.run;

/** Why a repeated job must not ask a model: the reservation of the attempt that admitted the run may be settled. */
export function isReservedElsewhere(run: AdmittedRun): Failure | null {
  const {reservation} = run.record.current();
  if (reservation === undefined || reservation.key === runKey(run)) return null;
  const message = "is from an earlier attempt, which reserved what that attempt may cost";
  const mistakes = [{path: "admission", message, hint: "choose `Re-run all jobs`"}];
  return {kind: "config-invalid", file: "the workflow's inputs", mistakes};
}

/** Books the run's cost in place of its reservation. If that fails, the reservation counts for its day and month. */
export async function settleSpending(run: AdmittedRun): Promise<void> {
  const {record, context} = run;
  const {reservation} = record.current();
  if (reservation === undefined) return;
  const {key, month, scopes} = reservation;
  const usd = costToBook(record.current(), reservation.usd);
  for (const scope of scopes) {
    const settled = await change(run, {scope, month}, (spending) => ok(settle(spending, {key, usd})));
    if (!settled.ok) context.log(`The cost was not booked for this ${scope}, so the whole reservation counts.`);
  }
  saveState("booked", "true");
}

/**
 * The whole reservation if the cost is not known, or the known part if that is more. A turn can cost more than the rest of
 * the limit, but agents report the cost: no report uses up the limits of all other runs.
 */
export const costToBook = (record: CountedRecord, reserved: number): number =>
  Math.min(costOfRun(record) ?? Math.max(reserved, runUsage(record)?.costUsd ?? 0), MOST_RESERVATIONS * reserved);
const MOST_RESERVATIONS = 10;

/** Dollars; null if they are not known. What a call costs that was ended early, or in a lost job, is not known. */
function costOfRun(record: CountedRecord): number | null {
  const {attempts, reservation} = record;
  const usage = runUsage(record);
  if (usage === null && reservation?.isUnused) return 0;
  if (mayHaveLostTurns(record)) return null;
  if (usage === null) return 0;
  const isEndKnown = attempts.every(({turn}) => !turn || turn.end.kind === "answered" || turn.usage.costUsd > 0);
  return usage.hasUnknownCost || !isEndKnown ? null : usage.costUsd;
}

type CountedRecord = Pick<RunRecord, "attempts" | "failures" | "heldOut" | "reservation" | "tries">;

/** A run that ended so may have asked a model after its last recorded attempt. */
export const mayHaveLostTurns = ({failures}: Pick<RunRecord, "failures">): boolean =>
  failures.some((failure) =>
    failure.kind === "job-without-result" ? failure.job === "work" : LOSES_TURNS.has(failure.kind),
  );

const LOSES_TURNS: ReadonlySet<Failure["kind"]> = new Set(["interrupted", "internal", "handover-refused"] as const);

/** The first run of a month deletes the months before the last one. A ref that remains does no harm. */
async function dropOldMonths(repository: Repository, month: string): Promise<void> {
  const last = new Date(Date.parse(`${month}-01`) - 1).toISOString().slice(0, 7);
  const refs = await repository.remoteRefs(REFS);
  for (const {ref, commit} of refs.ok ? refs.value : [])
    if (ref < `${REFS}${last}`) await deleteRef({repository, ref, at: commit});
}

async function change(
  run: AdmittedRun,
  {scope, month}: {scope: Scope; month: string},
  next: (spending: Spending) => Result<Spending | null, Failure>,
): Promise<Result<null, Failure>> {
  const repository = await repositoryOf(run, scope);
  if (!repository.ok) return repository;
  const ref = `${REFS}${month}`;
  let isFirst = false;
  const result = await changeOnRef({
    ...{repository: repository.value, ref, file: FILE, message: "Count what runs cost", patienceMs: PATIENCE_MS},
    change(text) {
      isFirst = text === null;
      const spending = parseSpending(text);
      if (spending === null) return refused({kind: "git-refused", message: `${ref} has another form than expected`});
      const changed = next(spending);
      return changed.ok ? ok(changed.value && `${JSON.stringify(changed.value, null, 1)}\n`) : changed;
    },
  });
  if (isFirst && result.ok) await dropOldMonths(repository.value, month);
  return result;
}

/** The run's own repository, or the one with the organization's policy. */
async function repositoryOf(run: AdmittedRun, scope: Scope): Promise<Result<Repository, Failure>> {
  const own = await openOwnRepository(run);
  if (scope === "repository" || !own.ok) return own;
  const {context, policy, folder} = run;
  const {runner, inputs, variables} = context;
  const [place = ""] = policy?.place.split("@") ?? [];
  return openRepository({
    folder: join(folder, "organization"),
    source: {kind: "remote", url: `${runner.serverUrl}/${place}.git`, token: inputs["policy-token"]},
    variables,
    withholdPush: own.value.withholdPush,
  });
}
