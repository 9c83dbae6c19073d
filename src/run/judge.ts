/** Runs the judge: chooses its input and its model, and records its opinion. */

import {feedbackPrompt} from "../agent/feedback-prompt.ts";
import type {PromptTask} from "../agent/prompts.ts";
import type {Repository} from "../git/repository.ts";
import type {AskModel} from "../judge/ask-model.ts";
import type {JudgedRequest} from "../judge/context.ts";
import {createJudge, type Judge} from "../judge/judge.ts";
import {shouldBeJudged} from "../judge/pre-checks.ts";
import {askEndpoint} from "../judge/providers/http.ts";
import type {Attempt} from "../record/attempt.ts";
import {isNotMet} from "../record/last-opinion.ts";
import type {Opinion} from "../record/opinion.ts";
import {NO_USAGE} from "../record/usage.ts";
import {costOf, turnTime} from "./budget.ts";
import type {JudgePort} from "./fix-loop.ts";
import {askThroughAgent} from "./judge-agent.ts";
import {withinBudget} from "./judge-budget.ts";
import type {PreparedRun} from "./prepare-run.ts";
import {priceOf, withPrice} from "./prices.ts";

const RULES_BYTES = 64 * 1024;
/** The judge sees a small part of a change of 4 MB, more than may be published. Removed files have no limit. */
const DIFF_CHARS = 8_000_000;

type RequestThread = Pick<PromptTask, "request" | "quoted" | "code" | "issue" | "comments">;

/**
 * The judge between the agent's turns; null without one. In separate jobs it only guides the agent. There, the report
 * shows the opinion of the job `judge`, so with `show` no judge is needed here.
 */
export function judgeInLoop(run: PreparedRun, thread: RequestThread): JudgePort | null {
  const {enabled, effect, maxAttempts} = run.config.judge;
  const isSeparate = run.context.inputs.job === "work";
  if (!enabled || (isSeparate && effect === "show")) return null;
  return {
    judge: judgeAttempts(run, thread),
    prompt: feedbackPrompt,
    maxPrompts: effect === "show" ? 0 : maxAttempts - 1,
  };
}

/** The attempt as if its turn had ended normally. Otherwise the agent's job could decide whether its work is judged. */
export function asAnswered(attempt: Attempt): Attempt {
  const turn = attempt.turn ?? {answer: "", usage: NO_USAGE, model: "", durationMs: 0};
  return {...attempt, turn: {...turn, end: {kind: "answered"}}};
}

/**
 * Judges attempts of this run and puts each opinion into the record. Null for an attempt that should not be judged.
 * Call it before the agent's first turn.
 */
export function judgeAttempts(run: PreparedRun, thread: RequestThread): (attempt: Attempt) => Promise<Opinion | null> {
  const {record, context, config, onEvent} = run;
  const isAdvisory = context.inputs.job === "work";
  // The agent's job writes the costs of its turns, and could switch off the job `judge` with them.
  const countsTurns = context.inputs.job !== "judge";
  const earlierUsd = () => record.current().tries?.rows.reduce((sum, {usage}) => sum + usage.costUsd, 0) ?? 0;
  const turnsUsd = () =>
    countsTurns ? costOf(record.current().attempts.map((one) => ({...one, opinion: undefined}))) + earlierUsd() : 0;
  const askModel = modelOf(run);
  let open: Judge | null = null;
  return async (attempt) => {
    if (!shouldBeJudged(attempt, config.judge.when) || context.signal.aborted) return null;
    onEvent({kind: "judge-started", attempt: attempt.number});
    open ??= createJudge({
      request: await judgedRequest(run, thread),
      ask: withinBudget({budget: config.budget, job: run.jobTime, redact: context.redact, turnsUsd}, askModel),
      samples: config.judge.samples,
      redact: context.redact,
      agentModel: context.inputs.model,
    });
    const {diff, isCut: isDiffCut} = await diffOf(run.repository, attempt);
    const lastObjection = record.current().attempts.findLast(({opinion}) => isNotMet(opinion))?.opinion;
    const previous = isNotMet(lastObjection) ? lastObjection : null;
    const opinion = {...(await open({diff, isDiffCut, attempt, previous})), ...(isAdvisory && {isAdvisory})};
    const {attempts} = record.current();
    record.update({attempts: attempts.map((one) => (one.number === attempt.number ? {...one, opinion} : one))});
    onEvent({kind: "judged", attempt: attempt.number, opinion});
    return opinion;
  };
}

/** The request and its surroundings. The rules come from the commit that the whole configuration comes from (P4). */
async function judgedRequest(run: PreparedRun, thread: RequestThread): Promise<JudgedRequest> {
  const {rules} = run.record.current();
  const {code} = thread;
  const texts: string[] = [];
  for (const path of run.config.judge.rules) {
    const text = rules && (await run.repository.readText(rules.commit, path, {maxBytes: RULES_BYTES}));
    if (text?.ok && text.value !== null) texts.push(`# ${path}\n\n${text.value}`);
  }
  return {
    request: thread.request,
    issue: `${thread.issue.title}\n\n${thread.issue.body}`,
    comments: [
      ...(code === undefined ? [] : [`The request is a comment on ${code.path}:${code.line ?? ""}\n${code.hunk}`]),
      ...thread.comments.map(({author, body}) => `${author}: ${body}`),
      ...(thread.quoted === undefined ? [] : [`A quote below the request:\n${thread.quoted}`]),
    ],
    rules: texts.join("\n\n"),
    specs: (run.specs?.texts ?? []).map(({path, text}) => `# ${path}\n\n${text}`).join("\n\n"),
  };
}

/**
 * Empty if there is no change. A diff that git cannot make is empty too, and the judge then sees the changed paths
 * only.
 */
export async function diffOf(
  {git}: Repository,
  {candidate, changes}: Pick<Attempt, "candidate" | "changes">,
): Promise<{diff: string; isCut: boolean}> {
  if (candidate === null || changes.length === 0) return {diff: "", isCut: false};
  const show = ["--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none"];
  const diff = await git(["diff", ...show, "--find-renames", "--unified=5", candidate.base, candidate.commit]);
  if (!diff.ok) return {diff: "", isCut: false};
  return {diff: diff.value.slice(0, DIFF_CHARS), isCut: diff.value.length > DIFF_CHARS};
}

function modelOf(run: PreparedRun): AskModel {
  const {variables, signal, inputs} = run.context;
  const {provider, model} = run.config.judge;
  const timeoutMs = () => callTime(run);
  const ask =
    provider === "agent"
      ? askThroughAgent(run, timeoutMs)
      : askEndpoint({provider, model, variables, timeoutMs, signal});
  const price = priceOf(run.config.prices, model || inputs.model);
  return async (prompt) => {
    const reply = await ask(prompt);
    return {...reply, usage: withPrice(reply.usage, price)};
  };
}

/** The time limit of a call: the judge's own limit, or the remaining time of the run. */
function callTime({config, context, jobTime: job}: PreparedRun): number {
  const mostMs = config.judge.timeoutSeconds * 1_000;
  const limits = {elapsedMs: performance.now(), job, stagesMs: 0, mostMs};
  return context.signal.aborted ? 1 : turnTime(config.budget, limits);
}
