/** Runs the agent and verifies its changes, until a verdict or the last attempt. */
import {rename, rm} from "node:fs/promises";
import {join} from "node:path";
import {freshPrompt} from "../../agent/fresh-prompt.ts";
import {fixPrompt, type PromptTask, taskPrompt} from "../../agent/prompts.ts";
import {openSession, type Session} from "../../agent/session.ts";
import {setupPrompt} from "../../agent/setup-prompt.ts";
import {withSpecs} from "../../agent/spec-prompt.ts";
import {testsPrompt} from "../../agent/tests-prompt.ts";
import {crossCheck} from "../../proof/cross-check.ts";
import type {Attempt} from "../../record/attempt.ts";
import type {Failure} from "../../record/failure.ts";
import {isNotMet} from "../../record/last-opinion.ts";
import type {RunRecord} from "../../record/record.ts";
import type {Candidate, Verdict} from "../../record/verification.ts";
import {claimsSomething, ok, type Result} from "../../record/words.ts";
import type {AdmittedRun} from "../admitted-run.ts";
import {runAutofix} from "../autofix.ts";
import {budgetAfter, budgetNotes, turnsSpent, turnTime} from "../budget.ts";
import {captureCandidate} from "../capture-candidate.ts";
import {confineAgent} from "../confine-agent.ts";
import {type FaultPort, type Look, solve} from "../fix-loop.ts";
import {afterHeldOut, heldOutInLoop, recordHeldOut, writeHeldOut} from "../held-out.ts";
import {judgeInLoop} from "../judge.ts";
import type {PreparedRun} from "../prepare-run.ts";
import {type AgentWorkspace, prepareAgentWorkspace} from "../prepare-workspace.ts";
import {priceOf, withPrice} from "../prices.ts";
import {requestRules} from "../request-rules.ts";
import {agentFolder, conversationFolder} from "../run-context.ts";
import {resumeSession, writeConversation} from "../saved-session.ts";
import {settledWithoutStages} from "../settled-without-stages.ts";
import {readThread} from "../thread.ts";
import {forTry, runTries, triesOf, withShareOfBudget} from "../tries.ts";
import {settledByConflicts} from "../update-branch.ts";
import {type CheckedCandidate, openVerifier, type Verifier} from "../verifier.ts";
import {configPath, PROPOSED} from "./setup.ts";

/** The work of an earlier job of this run that failed on the machine which verifies. */
export interface FailedWork {
  readonly attempts: readonly Attempt[];
  readonly candidate: Candidate;
  /** null if it cannot be continued */
  readonly conversation: string | null;
}

/**
 * Runs agent and verifier until the record has a verdict. Returns the file with the agent's conversation, or the
 * failure that prevented the agent's start.
 */
export async function runAgent(
  given: PreparedRun,
  {task, failed}: {task: string; failed: FailedWork | null},
): Promise<Result<CheckedCandidate & {session: string}, Failure>> {
  const run = failed === null ? given : withTimeLeft(given, failed);
  const {record, config} = run;
  const failedWork = failed && {candidate: failed.candidate, conflicts: []};
  const firstWorkspace = await prepareAgentWorkspace(run, null, failedWork);
  if (!firstWorkspace.ok) return firstWorkspace;
  let workspace = firstWorkspace.value;
  const {isSetup} = requestRules(run);
  const own = run.context.inputs.try;
  const firstSession = await startSession(forTry(run, own || 1), {isFresh: isSetup || own > 1, failed});
  if (!firstSession.ok) return firstSession;
  if (run.context.inputs["protect-key"] && !firstSession.value.isKeyProtected)
    run.context.log("The agent has the model's key, because Assay cannot set its provider's address here.");

  const {resumed} = workspace;
  const [verifier, thread] = await Promise.all([openVerifier(run, run.base.commit), readThread(run, {task, resumed})]);
  const mostMs = run.context.inputs["agent-timeout-minutes"] * 60_000;
  const timeoutMs = () => turnTime(config.budget, {...currentLimits(run), mostMs});
  if (failed === null) await writeHeldOut(run, {verifier, thread, timeoutMs});
  const spentRun = withShareOfBudget(afterHeldOut(run));
  const prompt = isSetup
    ? setupPrompt({file: configPath(run), plan: run.wholePlan})
    : failed === null
      ? taskPrompt(thread)
      : failuresPrompt(thread, failed);
  const worked = await runTries(spentRun, {
    work: async (number, earlier) => {
      const ownRun = forTry(spentRun, number);
      if (number === (own || 1))
        return runTry(ownRun, {verifier, thread, prompt, workspace, session: firstSession.value, earlier, failed});
      const nextWorkspace = await prepareAgentWorkspace(run, workspace);
      const session = await startSession(ownRun, {isFresh: true, number});
      if (!nextWorkspace.ok || !session.ok) return null;
      workspace = nextWorkspace.value;
      return runTry(ownRun, {verifier, thread, prompt, workspace, session: session.value, earlier, number});
    },
    measure: (attempt) => verifier.measureTests(null, attempt, true),
    compare: (tries) => crossCheck(tries, {...verifier, signal: run.context.signal}),
    limits: () => ({...currentLimits(run), attempts: []}),
  });
  noteBrokenTurn(run);
  // In separate jobs, the publishing job knows all costs.
  if (run.context.inputs.job !== "work") record.addNotes(budgetNotes(config.budget, record.current().attempts));
  const measureTests = () => verifier.measureTests(null);
  const session = await keptSession(run, worked?.session ?? firstSession.value.file);
  return ok({session, baseline: verifier.kept, measureTests, close: verifier.dispose});
}

/** The turns and checks of the earlier jobs count. Their cost is that of the attempts, which the loop knows. */
function withTimeLeft(run: PreparedRun, {attempts}: FailedWork): PreparedRun {
  const ms = attempts.reduce((sum, {turn, verification}) => {
    return sum + (turn?.durationMs ?? 0) + (verification?.durationMs ?? 0);
  }, 0);
  return {...run, config: {...run.config, budget: budgetAfter(run.config.budget, {minutes: ms / 60_000, usd: 0})}};
}

/** The first prompt of the second set of jobs. The failures come from a machine that ran the change. */
function failuresPrompt(thread: PromptTask, {attempts, conversation}: FailedWork): string {
  const failures = attempts.slice(-1).map((attempt) => withSpecs(fixPrompt(attempt), thread.specs));
  return [...(conversation === null ? [taskPrompt(thread)] : []), ...failures].join("\n\n");
}

interface OneTry {
  readonly verifier: Verifier;
  readonly thread: PromptTask;
  readonly prompt: string;
  readonly workspace: AgentWorkspace;
  readonly session: Session;
  /** the attempts of earlier tries */
  readonly earlier: readonly Attempt[];
  readonly failed?: FailedWork | null;
  readonly number?: number;
}

/** One try: the agent's turns and their verifications. Its attempts and its verdict are in the record; null if it had no turn. */
async function runTry(run: PreparedRun, options: OneTry): Promise<{session: string} | null> {
  const {verifier, thread, prompt, workspace, earlier, number, failed} = options;
  const {record, config, onEvent} = run;
  const {isSetup, isUpdate} = requestRules(run);
  const {leftovers, resumed} = workspace;
  let {session} = options;
  const lookAtWork = () => captureWork(run, {leftovers, conflicts: resumed?.conflicts ?? []});
  const judge = isSetup || isUpdate ? null : judgeInLoop(run, thread);
  const heldOut = heldOutInLoop(run, verifier, thread);
  let afterVerified = captureResults(run);
  let isRecorded = failed != null;
  // The same files give the same result.
  const known = new Map(
    earlier.flatMap(({candidate, verification}) => (candidate && verification ? [[candidate.tree, verification]] : [])),
  );
  const {attempts, stopped} = await solve(
    {
      ask: async ({prompt: words, attempt, isFresh, reason}) => {
        const ofTry = {number: run.context.inputs.try || (number ?? 1), of: triesOf(run).count};
        onEvent({kind: "turn-started", attempt, prompt: words, reason, ...(ofTry.of > 1 && {ofTry})});
        const freshSession = isFresh ? await startSession(run, {isFresh, number}) : null;
        if (freshSession?.ok) session = freshSession.value;
        // The machine is idle while the agent thinks: install on the base, and run its stages.
        if (run.plan.stages.length > 0 && !isSetup) verifier.baseline?.begin();
        const asked = await session.ask(words);
        const price = priceOf(config.prices, run.context.inputs.model, asked.model);
        const turn = {...asked, usage: withPrice(asked.usage, price)};
        await verifier.baseline?.pause();
        onEvent({kind: "turn-finished", attempt, turn});
        return turn;
      },
      look: lookAtWork,
      verify: async ({mayFix, before, ...seen}) =>
        known.get(seen.candidate.tree) ??
        verifier.verify({...seen, previous: before, only: [], mayRunAffectedFirst: mayFix}),
      autofix: (attempt) => runAutofix(run, {verifier, attempt, look: lookAtWork}),
      fixPrompt: (attempt) => withSpecs(fixPrompt(attempt), thread.specs),
      freshPrompt: (attempts) => freshPrompt({task: prompt, attempts}),
      spent: (attempts) => turnsSpent(config.budget, {...currentLimits(run), attempts: [...earlier, ...attempts]}),
      onAttempt: async (attempt) => {
        // Until then, the record has the work of the earlier try, for a run that crashes (P8).
        const own = isRecorded ? record.current().attempts : [];
        isRecorded = true;
        record.update({attempts: [...own, attempt], verdict: attempt.verdict});
        if (claimsSomething(attempt.verdict)) afterVerified = captureResults(run);
        onEvent({kind: "attempt-finished", attempt});
      },
      ...(judge && {judge}),
      ...(heldOut && {heldOut}),
      ...(config.integrity.sensitivity === "ask" && {faults: faultsInLoop(run, verifier)}),
    },
    {prompt, maxFixAttempts: isSetup ? 0 : config.maxFixAttempts, before: failed?.attempts ?? []},
  );
  if (!isRecorded && earlier.length > 0) return null;
  if (stopped !== null) record.update({verdict: stopped});
  else keepOrder(run, {attempts, afterVerified});
  await recordHeldOut(run, verifier);
  if (judge !== null) logOpenObjections(run, {attempts, maxPrompts: judge.maxPrompts});
  return {session: session.file};
}

/** The conversation of a later try takes the name under which the next steps look for it. */
async function keptSession(run: PreparedRun, file: string): Promise<string> {
  if (!/-\d+\.jsonl$/.test(file)) return file;
  const name = join(conversationFolder(run), "fresh-session.jsonl");
  return rename(file, name).then(
    () => name,
    () => file,
  );
}

function faultsInLoop({record}: PreparedRun, {measureTests}: Verifier): FaultPort {
  const measure = async (attempt: Attempt) => {
    const {sensitivity} = await measureTests(null, attempt);
    const {attempts} = record.current();
    if (sensitivity)
      record.update({attempts: attempts.map((one) => (one.number === attempt.number ? {...one, sensitivity} : one))});
    return sensitivity;
  };
  return {measure, prompt: testsPrompt};
}

/** Logs that the judge still objects after the last opinion that a run may have. */
function logOpenObjections(
  {onEvent}: PreparedRun,
  {attempts, maxPrompts}: {attempts: readonly Attempt[]; maxPrompts: number},
): void {
  const opinions = attempts.flatMap(({opinion}) => (opinion?.kind === "judged" ? [opinion] : []));
  if (opinions.length > maxPrompts && opinions.every(isNotMet))
    onEvent({kind: "objections-exhausted", opinions: opinions.length});
}

/** The parts of the record that capturing an attempt's work may change. */
type CaptureResults = Pick<RunRecord, "failures" | "setAside">;

function captureResults({record}: PreparedRun): CaptureResults {
  const {failures, setAside} = record.current();
  return {failures, setAside};
}

/**
 * Puts the attempts of the record into the order of the loop: the work of the last one counts. A later attempt's work
 * that could not be captured does not keep it from being published.
 */
function keepOrder(
  {record}: PreparedRun,
  {attempts, afterVerified}: {attempts: readonly Attempt[]; afterVerified: CaptureResults},
): void {
  const lastAttempt = attempts.at(-1);
  const recorded = record.current().attempts;
  if (lastAttempt === undefined || recorded.at(-1)?.number === lastAttempt.number) return;
  const ordered = attempts.flatMap(({number}) => recorded.filter((one) => one.number === number));
  const text = `the work after attempt ${lastAttempt.number} did not pass, so the work of attempt ${lastAttempt.number} counts`;
  record.update({attempts: ordered, verdict: lastAttempt.verdict, ...afterVerified});
  record.addNotes([{about: "attempts", text}]);
}

function currentLimits({plan, jobTime: job, record}: PreparedRun) {
  const stagesMs = [...plan.setup, ...plan.stages].reduce((sum, {timeout}) => sum + timeout * 1_000, 0);
  return {elapsedMs: performance.now(), job, stagesMs, isReserved: record.current().reservation !== undefined};
}

/** Continues the saved session of the issue, or starts a new one if `isFresh`. */
async function startSession(
  run: PreparedRun,
  {isFresh, number = 1, failed}: {isFresh: boolean; number?: number | undefined; failed?: FailedWork | null},
): Promise<Result<Session, Failure>> {
  const {context, config} = run;
  const {inputs, runner} = context;
  const scratch = agentFolder(run);
  const suffix = number === 1 ? "" : `-${number}`;
  const file = join(conversationFolder(run), isFresh ? `fresh-session${suffix}.jsonl` : "session.jsonl");
  // A fresh session within a later try starts without what that try has said.
  if (isFresh) await rm(file, {force: true});
  if (failed?.conversation) await writeConversation(file, failed.conversation);
  else if (!isFresh && !failed) await resumeSession(run, file);
  const fence = await confineAgent(run, {checkout: runner.workspace, home: `${scratch}-home`});
  if (!fence.ok) return fence;
  const mostMs = inputs["agent-timeout-minutes"] * 60_000;
  return openSession({
    agent: inputs.agent,
    provider: inputs.provider,
    model: inputs.model,
    thinking: inputs.thinking,
    extraArguments: inputs["agent-args"],
    variables: context.variables,
    folder: runner.workspace,
    file,
    home: context.realHome,
    scratch: scratch,
    ...(inputs["agent-config"] !== "" && {configFolder: inputs["agent-config"]}),
    protectsKey: inputs["protect-key"],
    timeoutMs: () => turnTime(config.budget, {...currentLimits(run), mostMs}),
    ...fence.value,
    onProgress: (line, usage) => run.onEvent({kind: "agent-acted", line: context.redact(line), usage}),
    signal: context.signal,
  });
}

/** Captures the candidate after a turn, and decides whether it needs a verification. */
async function captureWork(
  run: PreparedRun,
  {leftovers, conflicts}: {leftovers: string; conflicts: readonly string[]},
): Promise<Look> {
  const {repository, config, base} = run;
  const {protectedPaths} = config;
  const capture = await captureCandidate(run, {repository, base: base.commit, leftovers, protectedPaths});
  const detail = "no commit could be created from the agent's work";
  const gateError: Verdict = {kind: "unverified", why: "gate-error", detail};
  if (!capture.ok) {
    run.record.addFailure(capture.failure);
    return {candidate: null, changes: [], settled: gateError};
  }
  const {candidate, changes, refused} = capture.value;
  if (refused !== null) {
    run.record.addFailure(refused);
    const settled = {...gateError, detail: `${detail} as a whole; the accepted files are saved`};
    return {candidate, changes, settled};
  }
  const unsolved = await settledByConflicts(run, {commit: candidate.commit, files: conflicts});
  if (!unsolved.ok) run.record.addFailure(unsolved.failure);
  if (!unsolved.ok || unsolved.value !== null)
    return {candidate, changes, settled: unsolved.ok ? unsolved.value : gateError};
  const isProposal = requestRules(run).isSetup && changes.length > 0;
  return {candidate, changes, settled: isProposal ? PROPOSED : await settledWithoutStages(run, changes)};
}

/** Reports a broken first turn, and a broken last turn unless the change is verified. */
function noteBrokenTurn(run: AdmittedRun): void {
  const {attempts, verdict} = run.record.current();
  const [first, last] = [attempts[0]?.turn, attempts.at(-1)?.turn];
  const isGood = claimsSomething(verdict);
  const brokenTurn = [first, isGood ? null : last].find((turn) => turn && turn.end.kind !== "answered");
  if (brokenTurn && brokenTurn.end.kind !== "cancelled")
    run.record.addFailure({kind: "agent-broke", end: brokenTurn.end});
}
