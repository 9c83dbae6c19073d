/** The judge of a run: asks a second model whether the work is what was requested. */
import type {JudgedOpinion, NotJudgedReason, Objection, Opinion} from "../record/opinion.ts";
import {addUsage} from "../record/usage.ts";
import type {Result} from "../record/words.ts";
import type {AskModel, ModelReply} from "./ask-model.ts";
import {combineSamples, orderOfSample} from "./combine.ts";
import {type JudgedRequest, type JudgedWork, judgeContext, requestParts} from "./context.ts";
import {type Criteria, criteriaPrompt, oneLine, readCriteria} from "./criteria.ts";
import {type Judgement, judgementOverhead, judgementPrompt, readJudgement} from "./judgement.ts";
import {isSameFamily} from "./model-family.ts";
import {objectToAnswer, objectToNoChange} from "./pre-checks.ts";

/**
 * Returns an opinion on the work of one attempt. Never rejects: without a usable answer the opinion is `not-judged`.
 */
export type Judge = (work: JudgedWork) => Promise<Opinion>;

const ERROR_CHARS = 300;

interface JudgeProblem {
  readonly why: NotJudgedReason;
  readonly detail: string;
}

/**
 * Creates the judge of a run. The criteria are requested once, before the judge sees a change, and apply to every
 * attempt. `samples` is how often each change is judged.
 */
export function createJudge(options: {
  request: JudgedRequest;
  ask: AskModel;
  samples: number;
  /** the redaction of `ask`: quotes are searched in the texts that the model saw */
  redact?: (text: string) => string;
  /** the agent's model, if it is configured; otherwise the agent's job names it */
  agentModel?: string;
}): Judge {
  let criteria: Criteria | null = null;
  return async (work) => {
    const replies: ModelReply[] = [];
    const ask = async (prompt: string): Promise<Result<string, JudgeProblem>> => {
      const reply = await options.ask(prompt);
      replies.push(reply);
      return reply.kind === "answered" ? {ok: true, value: reply.text} : {ok: false, failure: reply};
    };
    const close = (opinion: Pick<JudgedOpinion, "outcome" | "points" | "objections">, cut: string[] = []): Opinion => {
      const model = replies.findLast((reply) => reply.kind === "answered")?.model ?? "";
      const agentModel = options.agentModel || (work.attempt.turn?.model ?? "");
      const isSame = model === "" ? null : isSameFamily(model, agentModel);
      return {kind: "judged", ...opinion, model, isSameFamily: isSame, cut, ...sumUsage(replies)};
    };
    const object = (objection: Objection) => close({outcome: "not-met", points: [], objections: [objection]});
    const fail = ({why, detail}: JudgeProblem): Opinion => ({kind: "not-judged", why, detail, ...sumUsage(replies)});

    try {
      const answerObjection = objectToAnswer(work.attempt);
      if (answerObjection !== null) return object(answerObjection);
      if (criteria === null) {
        const criteriaResult = await askCriteria(options.request, ask);
        if (!criteriaResult.ok) return fail(criteriaResult.failure);
        criteria = criteriaResult.value;
      }
      const second = objectToNoChange(work.attempt, criteria.asksFor);
      if (second !== null) return object(second);
      const judgements = await askJudgements({...options, criteria, work, ask});
      return judgements.ok
        ? close(combineSamples(judgements.value.samples), judgements.value.cut)
        : fail(judgements.failure);
    } catch (error) {
      // A bug in the judge must not lose work that is verified.
      return fail({why: "judge-failed", detail: oneLine(String(error), ERROR_CHARS)});
    }
  };
}

type AskOnce = (prompt: string) => Promise<Result<string, JudgeProblem>>;

async function askCriteria(request: JudgedRequest, ask: AskOnce): Promise<Result<Criteria, JudgeProblem>> {
  const parts = requestParts(request, criteriaPrompt([]).length);
  if (!parts.ok) return {ok: false, failure: {why: "too-long", detail: parts.failure}};
  const answer = await ask(criteriaPrompt(parts.value));
  return answer.ok ? asProblem(readCriteria(answer.value)) : answer;
}

async function askJudgements(options: {
  request: JudgedRequest;
  criteria: Criteria;
  work: JudgedWork;
  samples: number;
  ask: AskOnce;
  redact?: (text: string) => string;
}): Promise<Result<{samples: Judgement[]; cut: string[]}, JudgeProblem>> {
  const {points} = options.criteria;
  const {redact = (text) => text} = options;
  const context = judgeContext({...options, points, overhead: judgementOverhead(points)});
  const {diff, facts, answer: agentAnswer} = context.texts;
  const texts = {diff: redact(diff), facts: redact(facts), answer: redact(agentAnswer)};
  const isChange = options.work.attempt.changes.length > 0;
  const samples: Judgement[] = [];
  for (let sample = 0; sample < options.samples; sample++) {
    const order = orderOfSample(points.length, sample);
    const answer = await options.ask(judgementPrompt({points, order, context: context.text}));
    const judgement = answer.ok
      ? asProblem(readJudgement({answer: answer.value, points, order, texts, isChange}))
      : answer;
    // A failed sample neither agrees nor disagrees, so the objection of the samples before it stays.
    if (!judgement.ok && combineSamples(samples).outcome !== "not-met") return judgement;
    if (!judgement.ok) break;
    samples.push(judgement.value);
  }
  return {ok: true, value: {samples, cut: context.cut}};
}

function asProblem<T>(read: Result<T, string>): Result<T, JudgeProblem> {
  return read.ok ? read : {ok: false, failure: {why: "malformed", detail: read.failure}};
}

function sumUsage(replies: readonly ModelReply[]) {
  return {
    usage: addUsage(replies.map(({usage}) => usage)),
    durationMs: replies.reduce((sum, {durationMs}) => sum + durationMs, 0),
  };
}
