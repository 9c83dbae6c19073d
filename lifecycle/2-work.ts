/** Second step: the agent works, the bot looks at what it left and verifies it, until a verdict or the last attempt. */
import {join} from "node:path";
import {freshPrompt} from "../src/agent/fresh-prompt.ts";
import {fixPrompt, taskPrompt} from "../src/agent/prompts.ts";
import {openSession, type Session} from "../src/agent/session.ts";
import {decideTrigger} from "../src/changes/document-readers.ts";
import type {OnEvent} from "../src/record/events.ts";
import type {Failure} from "../src/record/failure.ts";
import type {Verdict} from "../src/record/verification.ts";
import {isVerified, ok, type Result} from "../src/record/words.ts";
import {runAutofix} from "../src/run/autofix.ts";
import {turnsSpent, turnTime} from "../src/run/budget.ts";
import {captureCandidate} from "../src/run/capture-candidate.ts";
import {confineAgent} from "../src/run/confine-agent.ts";
import {type Look, solve} from "../src/run/fix-loop.ts";
import {unfinished} from "../src/run/job-time.ts";
import {prepareAgentWorkspace} from "../src/run/prepare-workspace.ts";
import {agentFolder} from "../src/run/run-context.ts";
import type {RunSetup} from "../src/run/run-setup.ts";
import {resumeSession} from "../src/run/saved-session.ts";
import {readThread} from "../src/run/thread.ts";
import {type CheckedCandidate, openVerifier} from "../src/run/verifier.ts";
import type {AdmittedRun} from "./1-admit.ts";

/**
 * Runs agent and gate until a verdict stands in the record. Returns the file with the agent's conversation, or the failure that
 * kept the agent from starting.
 */
export async function work(o: {
  run: AdmittedRun;
  ground: RunSetup;
  onEvent: OnEvent;
}): Promise<Result<CheckedCandidate & {session: string}, Failure>> {
  const {run, ground, onEvent} = o;
  const {record} = run;
  const base = ground.base.commit;
  const folder = await prepareAgentWorkspace(o);
  if (!folder.ok) return folder;
  const {leftovers, resumed} = folder.value;
  const opened = await startSession({...o, isFresh: false});
  if (!opened.ok) return opened;
  let session = opened.value;

  const [gate, thread] = await Promise.all([
    openVerifier({...o, compareWith: base}),
    readThread({run, ground, resumed}),
  ]);
  const prompt = taskPrompt(thread);
  const {stopped} = await solve({
    prompt,
    maxFixAttempts: ground.config.maxFixAttempts,
    ports: {
      ask: async ({prompt: words, attempt, isFresh}) => {
        onEvent({kind: "turn-started", attempt, prompt: words});
        const fresh = isFresh ? await startSession({...o, isFresh}) : null;
        if (fresh?.ok) session = fresh.value;
        // The machine is idle while the agent thinks: install on the base, and run its stages.
        if (ground.plan.stages.length > 0) gate.baseline?.begin();
        const turn = await session.ask(words);
        await gate.baseline?.pause();
        onEvent({kind: "turn-finished", attempt, turn});
        return turn;
      },
      look: () => look({run, ground, leftovers}),
      verify: ({mayFix, ...seen}) => gate.verify({...seen, only: [], mayLookFirst: mayFix}),
      autofix: (attempt) => runAutofix({run, ground, gate, attempt, look: () => look({run, ground, leftovers})}),
      fixPrompt,
      freshPrompt: (attempts) => freshPrompt({task: prompt, attempts}),
      spent: (attempts) => turnsSpent(ground.config.budget, {...limitsNow(ground), attempts}),
      onAttempt: async (attempt) => {
        record.update({attempts: [...record.current().attempts, attempt], verdict: attempt.verdict});
        onEvent({kind: "attempt-finished", attempt});
      },
    },
  });
  if (stopped !== null) record.update({verdict: stopped});
  noteBrokenTurn(run);
  return ok({session: session.file, kept: gate.kept, close: gate.dispose});
}

function limitsNow({plan, job}: RunSetup) {
  const stagesMs = [...plan.setup, ...plan.stages].reduce((sum, {timeout}) => sum + timeout * 1_000, 0);
  return {elapsedMs: performance.now(), job, stagesMs};
}

/** Goes on with the kept session, unless it is to be a fresh one. */
async function startSession(o: {
  run: AdmittedRun;
  ground: RunSetup;
  isFresh: boolean;
}): Promise<Result<Session, Failure>> {
  const {world} = o.run;
  const {inputs, context} = world;
  const own = agentFolder(o.run);
  const file = join(own, o.isFresh ? "fresh-session.jsonl" : "session.jsonl");
  if (!o.isFresh) await resumeSession({...o, file});
  const fence = await confineAgent(o);
  if (!fence.ok) return fence;
  const mostMs = inputs["agent-timeout-minutes"] * 60_000;
  return openSession({
    agent: inputs.agent,
    provider: inputs.provider,
    model: inputs.model,
    thinking: inputs.thinking,
    extraArguments: inputs["agent-args"],
    variables: world.variables,
    folder: context.workspace,
    file,
    home: world.realHome,
    scratch: own,
    ...(inputs["agent-config"] !== "" && {configFolder: inputs["agent-config"]}),
    timeoutMs: () => turnTime(o.ground.config.budget, {...limitsNow(o.ground), mostMs}),
    ...fence.value,
    onProgress: world.log,
    signal: world.signal,
  });
}

/** What the bot itself sees after a turn: the candidate, and whether there is anything to verify. */
async function look(o: {run: AdmittedRun; ground: RunSetup; leftovers: string}): Promise<Look> {
  const {run, ground, leftovers} = o;
  const {repository, config} = ground;
  const {protectedPaths} = config;
  const made = await captureCandidate({run, repository, base: ground.base.commit, leftovers, protectedPaths});
  const detail = "the agent's work could not be made into a commit";
  const gateError: Verdict = {kind: "unverified", why: "gate-error", detail};
  if (!made.ok) {
    run.record.addFailure(made.failure);
    return {candidate: null, changes: [], settled: gateError};
  }
  const {candidate, changes, refused} = made.value;
  if (refused !== null) {
    run.record.addFailure(refused);
    return {
      candidate,
      changes,
      settled: {...gateError, detail: `${detail} as a whole; what can be taken of it is parked`},
    };
  }
  return {candidate, changes, settled: await settledWithoutStages({run, ground, changes})};
}

/** The verdict where no stage needs to run, or none may; null where the stages are to say. */
export async function settledWithoutStages(o: {
  run: AdmittedRun;
  ground: RunSetup;
  changes: Look["changes"];
}): Promise<Verdict | null> {
  const {config, configFailure, repository, base, plan, wholePlan = plan} = o.ground;
  if (o.run.world.signal.aborted) {
    return unfinished({...o, job: o.ground.job, detail: "the run was cancelled before its work could be verified"});
  }
  if (o.changes.length === 0) {
    const aside = o.run.record.current().setAside ?? null;
    return {kind: "nothing-to-verify", why: aside === null ? "no-change" : "only-set-aside", detail: ""};
  }
  if (configFailure !== null) {
    return {kind: "unverified", why: "gate-error", detail: "verify.json of the base has mistakes; see below"};
  }
  if (!config.enabled) return {kind: "nothing-to-verify", why: "disabled", detail: ""};
  const trigger = await decideTrigger({
    git: repository.git,
    commit: base.commit,
    changes: o.changes,
    rules: config,
    stages: wholePlan.stages,
  });
  return trigger.kind === "skip" ? {kind: "nothing-to-verify", why: trigger.why, detail: trigger.detail} : null;
}

/** A turn that broke is reported. It makes the run red unless a later turn, or the stages, made good for it. */
function noteBrokenTurn(run: AdmittedRun): void {
  const {attempts, verdict} = run.record.current();
  const [first, last] = [attempts[0]?.turn, attempts.at(-1)?.turn];
  const isGood = isVerified(verdict);
  const broke = [first, isGood ? null : last].find((turn) => turn && turn.end.kind !== "answered");
  if (broke && broke.end.kind !== "cancelled") run.record.addFailure({kind: "agent-broke", end: broke.end});
}
