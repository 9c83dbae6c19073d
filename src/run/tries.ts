/** Lets the agent start anew several times, and chooses one of the results. The others are saved on hidden refs. */
import {examineCandidate} from "../changes/candidate.ts";
import {diffStat} from "../git/diff-stat.ts";
import type {Repository} from "../git/repository.ts";
import type {TestMeasurements} from "../proof/after-verification.ts";
import type {ComparedTry, crossCheck, ForeignTests, foreignTests} from "../proof/cross-check.ts";
import {makeCommit} from "../publish/commit.ts";
import {park} from "../publish/park.ts";
import {matcherOf} from "../publish/protected-paths.ts";
import {scan} from "../publish/scan.ts";
import {type Attempt, keptAttempt} from "../record/attempt.ts";
import {countedTests} from "../record/held-out.ts";
import type {RunRecord} from "../record/record.ts";
import type {Try} from "../record/tries.ts";
import {addUsage} from "../record/usage.ts";
import type {Candidate} from "../record/verification.ts";
import {isVerified} from "../record/words.ts";
import {createSecretFinder} from "../secrets/redact.ts";
import {type AdmittedRun, workOwner} from "./admitted-run.ts";
import {turnsSpent} from "./budget.ts";
import {withAgent} from "./choose-agent.ts";
import {chooseTry, undecidedTries} from "./choose-try.ts";
import {commitFacts} from "./park-candidate.ts";
import type {PreparedRun} from "./prepare-run.ts";

/** The parts of the record that belong to one try. */
type TryResults = Pick<RunRecord, "attempts" | "verdict" | "failures" | "setAside" | "heldOut">;

interface FinishedTry {
  readonly row: Try;
  readonly results: TryResults;
  /** the file with the agent's conversation */
  readonly session: string;
}

export interface TryPorts {
  /** works from the base, and leaves attempts and verdict in the record. Null if it could not start */
  readonly work: (number: number, earlier: readonly Attempt[]) => Promise<{session: string} | null>;
  /** what the tests of a verified attempt run and notice */
  readonly measure: (attempt: Attempt) => Promise<TestMeasurements>;
  /** how many tests of the other attempts fail on each of these verified attempts */
  readonly compare: (tries: readonly ComparedTry[]) => ReturnType<typeof crossCheck>;
  readonly limits: () => Parameters<typeof turnsSpent>[1];
}

/** Only work on code has several tries: a proposal, an update and a fix for CI have one. */
export function triesOf({config, record}: PreparedRun): PreparedRun["config"]["tries"] {
  const {request} = record.current();
  if (request?.kind !== "work" && request?.kind !== "continue") return {count: 1, mode: "first", agents: []};
  return {...config.tries, ...("tries" in request && request.tries !== undefined && {count: request.tries})};
}

/**
 * Runs the tries one after another, or the one of this machine, with one budget for all. The record keeps the attempts
 * of the chosen one, and of the newest one if the run was cancelled. Returns the file with its conversation; null if no
 * try could start.
 */
export async function runTries(run: PreparedRun, ports: TryPorts): Promise<{session: string} | null> {
  const {record, context} = run;
  const {count, mode} = triesOf(run);
  const {failures, setAside} = record.current();
  const tries: FinishedTry[] = [];
  const own = context.inputs.try;
  for (let number = own || 1; number <= (own || count); number += 1) {
    const earlier = tries.flatMap(({results}) => results.attempts);
    if (tries.length > 0 && isOver(run, {...ports.limits(), attempts: earlier})) break;
    if (tries.length > 0) record.update({failures, setAside});
    const startMs = performance.now();
    const worked = await ports.work(number, earlier);
    if (worked === null) {
      const last = tries.at(-1);
      if (last !== undefined) record.update(last.results);
      break;
    }
    const {attempts, verdict, heldOut, ...left} = record.current();
    const row = await describeTry(run, {number, durationMs: performance.now() - startMs});
    const results = {attempts, verdict, heldOut, failures: left.failures, setAside: left.setAside};
    tries.push({row, results, ...worked});
    if (count > 1) record.update({tries: {mode, chosen: 0, ties: [], rows: tries.map((one) => one.row)}});
    const isDone = mode === "first" && (isVerified(verdict) || verdict.kind === "nothing-to-verify");
    if (isDone || context.signal.aborted) break;
  }
  return chooseWork(run, tries, ports);
}

/** The run with the agent and the model of this try. A request that names one of them decides for all tries. */
export function forTry(run: PreparedRun, number: number): PreparedRun {
  const {count, agents} = triesOf(run);
  const {request} = run.record.current();
  const isNamed = request?.kind === "work" && (request.agent ?? request.model) !== undefined;
  const choice = count === 1 || isNamed ? undefined : agents[(number - 1) % agents.length];
  if (choice === undefined) return run;
  return {...run, context: {...run.context, inputs: withAgent(run.context.inputs, choice)}};
}

/** Each try that has a machine gets an equal share of the dollars. */
export function withShareOfBudget(run: PreparedRun): PreparedRun {
  const {budget} = run.config;
  if (run.context.inputs.try === 0 || budget.usd === null) return run;
  return {...run, config: {...run.config, budget: {...budget, usd: budget.usd / triesOf(run).count}}};
}

/** The numbers of the tries that get a machine each. Tests of another session are the same for all tries, so these share one. */
export function triesWithMachine(run: PreparedRun): number[] {
  const {count, mode} = triesOf(run);
  const machines = mode === "best" && !run.config.heldOut ? count : 1;
  return Array.from({length: machines}, (_, at) => at + 1);
}

/** Records what the tests of the other tries and of this one say about the verified try of this machine. */
export async function compareTry(
  run: PreparedRun,
  ports: Pick<TryPorts, "measure"> & {compare: (attempt: Attempt) => ReturnType<typeof foreignTests>},
): Promise<void> {
  const {record, context} = run;
  const {attempts, verdict} = record.current();
  const attempt = keptAttempt(attempts);
  if (attempt === undefined || !isVerified(verdict)) return;
  const row = await describeTry(run, {number: context.inputs.try, durationMs: 0});
  const compared = withForeignTests(row, await ports.compare(attempt));
  const rows = [withMeasurements(compared, await ports.measure(attempt))];
  record.update({tries: {mode: triesOf(run).mode, chosen: row.number, ties: [], rows}});
}

const isOver = ({config}: PreparedRun, limits: Parameters<typeof turnsSpent>[1]) =>
  turnsSpent(config.budget, limits) !== null;

/** A cancelled run publishes nothing that was verified before, so its newest work counts. */
async function chooseWork(
  run: PreparedRun,
  tries: readonly FinishedTry[],
  {measure, compare}: TryPorts,
): Promise<{session: string} | null> {
  const {record, context} = run;
  const last = tries.at(-1);
  const {mode} = triesOf(run);
  if (tries.length < 2 || last === undefined || context.signal.aborted) {
    const current = record.current().tries;
    if (last !== undefined && current) record.update({tries: {...current, chosen: last.row.number}});
    return last ?? null;
  }
  const attemptsOf = (undecided: readonly Try[]) =>
    tries.flatMap(({row, results}) => {
      const attempt = undecided.some(({number}) => number === row.number) ? keptAttempt(results.attempts) : undefined;
      return attempt === undefined ? [] : [{number: row.number, attempt}];
    });
  const compared = attemptsOf(undecidedTries(tries.map(({row}) => row)));
  const foreign = compared.length < 2 ? null : await compare(compared);
  let rows = tries.map(({row}) => {
    const tests = foreign?.[compared.findIndex(({number}) => number === row.number)];
    return withForeignTests(row, tests);
  });
  for (const {number, attempt} of attemptsOf(undecidedTries(rows))) {
    const measured = await measure(attempt);
    rows = rows.map((row) => (row.number === number ? withMeasurements(row, measured) : row));
  }
  const choice = chooseTry(rows);
  const chosen = tries.find(({row}) => row.number === choice.chosen) ?? last;
  record.update({...chosen.results, tries: {mode, ...choice, rows}});
  return chosen;
}

export async function describeTry(run: PreparedRun, about: Pick<Try, "number" | "durationMs">): Promise<Try> {
  const {attempts, verdict} = run.record.current();
  const {candidate = null, changes = [], verification = null} = keptAttempt(attempts) ?? {};
  const work = changes.length === 0 ? null : candidate;
  const stat = work && (await diffStat(run.repository, work.base, work.commit));
  const counted = countedTests(run.record.current().heldOut ?? {tests: []});
  const part = counted.filter(({onCandidate}) => onCandidate === "passes").length;
  const isRun = counted.some(({onCandidate}) => onCandidate !== undefined);
  const isChosen = triesOf(run).agents.length > 0;
  const model = attempts.find(({turn}) => turn?.model)?.turn?.model;
  const usages = attempts.flatMap(({turn, opinion}) => [turn?.usage ?? [], opinion?.usage ?? []].flat());
  const findings = (verification?.findings ?? []).filter(({level}) => level !== "note").length;
  const lines = stat?.reduce((sum, {added, removed}) => sum + (added ?? 0) + (removed ?? 0), 0) ?? null;
  return {
    ...about,
    candidate: work,
    verdict,
    findings,
    lines,
    usage: addUsage(usages),
    ...(isChosen && model && {model}),
    ...(isRun && {heldOut: {part, all: counted.length}}),
  };
}

const withForeignTests = (row: Try, tests: ForeignTests | null | undefined): Try =>
  tests == null
    ? row
    : {...row, foreignFailed: {part: tests.failed.length, all: tests.all}, failsTestsOf: tests.failed};

function withMeasurements(row: Try, {executedLines, sensitivity}: TestMeasurements): Try {
  const all = sensitivity === null ? 0 : sensitivity.noticed + sensitivity.notNoticed.length;
  return {
    ...row,
    ...(executedLines?.kind === "measured" && {executed: {part: executedLines.run, all: executedLines.all}}),
    ...(sensitivity !== null && {noticed: {part: sensitivity.noticed, all}}),
  };
}

interface OtherWork {
  readonly repository: Repository;
  /** see `SearchedWork` */
  readonly exampleSecrets: readonly string[];
}

/**
 * The unsaved work of the other tries that may leave this machine: without a secret, and of the form of a candidate. The
 * record gets the reason why another one may not.
 */
export async function otherTries(
  run: AdmittedRun,
  {repository, exampleSecrets}: OtherWork,
): Promise<{row: Try; candidate: Candidate}[]> {
  const {tries, attempts, base} = run.record.current();
  const find = createSecretFinder({secrets: run.context.secrets});
  const isExample = matcherOf(exampleSecrets);
  const chosenTree = keptAttempt(attempts)?.candidate?.tree;
  const found: {row: Try; candidate: Candidate}[] = [];
  for (const row of tries?.rows ?? []) {
    if (row.candidate === null || base === null || row.number === tries?.chosen || row.candidate.tree === chosenTree)
      continue;
    if ((row.ref ?? row.unsaved) !== undefined) continue;
    const examined = await examineCandidate({repository, base: base.commit, commit: row.candidate.commit});
    const candidate = examined.ok ? examined.value.candidate : null;
    const search = candidate && (await scan({repository, candidate, find, isExample}));
    if (candidate === null || !search?.ok) updateRow(run, row, {unsaved: "refused"});
    else if (search.value.secrets.length > 0) updateRow(run, row, {unsaved: "secret"});
    else if (search.value.unsearched.length > 0) updateRow(run, row, {unsaved: "unsearched"});
    else found.push({row, candidate});
  }
  return found;
}

function updateRow({record}: AdmittedRun, {number}: Try, change: Pick<Try, "ref" | "unsaved">): void {
  const {tries} = record.current();
  const rows = tries?.rows.map((one) => (one.number === number ? {...one, ...change} : one));
  if (tries && rows) record.update({tries: {...tries, rows}});
}

/**
 * Saves the work of the other tries on hidden refs, unless it is saved already. They expire after a week. A recorded
 * reason is kept, because a later step may know fewer secrets.
 */
export async function saveOtherTries(run: AdmittedRun, work: OtherWork): Promise<void> {
  const {folder, event, context} = run;
  if (context.withheld !== null) return;
  for (const {row, candidate} of await otherTries(run, work)) {
    const facts = commitFacts(run);
    // In separate jobs, only the chosen work is verified by a job without an agent.
    const about = {...facts, request: `Try ${row.number}: ${facts.request}`, otherTry: row.number, verified: false};
    const commit = await makeCommit({...work, candidate, facts: about});
    // A cancelled run has only seconds left, so it does not retry.
    const pausesMs = context.signal.aborted ? {pausesMs: []} : {};
    const issue = workOwner(event);
    const parked = commit.ok
      ? await park({...work, ...commit.value, issue, folder, isHidden: true, ...pausesMs})
      : {publication: null};
    const {publication} = parked;
    updateRow(run, row, publication?.kind === "parked" ? {ref: publication.ref} : {unsaved: "refused"});
  }
}
