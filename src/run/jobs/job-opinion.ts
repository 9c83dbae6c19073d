/** The opinion that the job `judge` passes on, and the choice of the opinion for a report of separate jobs. */

import {z} from "zod";
import {MAX_ENCODED_CHARS} from "../../github/inputs.ts";
import {decodeOutput, encodeOutput} from "../../handover/encode-output.ts";
import {oneLine} from "../../judge/criteria.ts";
import {shouldBeJudged} from "../../judge/pre-checks.ts";
import type {Attempt} from "../../record/attempt.ts";
import {isNotMet} from "../../record/last-opinion.ts";
import {type Opinion, opinionSchema} from "../../record/opinion.ts";
import {parseJson} from "../../record/parse-json.ts";
import {NO_USAGE} from "../../record/usage.ts";
import {objectId} from "../../record/verification.ts";
import {asAnswered} from "../judge.ts";
import type {PreparedRun} from "../prepare-run.ts";

/** An opinion, and the tree that it applies to. */
const jobOpinionSchema = z.strictObject({tree: objectId.nullable(), opinion: opinionSchema});

/** The limits of the texts of an opinion, tried in this order. */
const TEXT_CHARS = [Number.POSITIVE_INFINITY, 200, 60, 0];

/**
 * The output `opinion` of the job; empty without one. The texts of an opinion that does not fit are clipped, because
 * its outcome decides whether a change is published.
 */
export function encodeJobOpinion({candidate, opinion}: Attempt): string {
  if (opinion === undefined) return "";
  const tree = candidate?.tree ?? null;
  for (const max of TEXT_CHARS) {
    const output = encodeOutput(JSON.stringify({tree, opinion: clipTexts(opinion, max)}));
    if (output.length <= MAX_ENCODED_CHARS) return output;
  }
  return "";
}

function clipTexts(opinion: Opinion, max: number): Opinion {
  if (max === Number.POSITIVE_INFINITY) return opinion;
  const clip = (text: string) => oneLine(text, max);
  if (opinion.kind === "not-judged") return {...opinion, detail: clip(opinion.detail)};
  return {
    ...opinion,
    model: clip(opinion.model),
    points: opinion.points.map((point) => ({
      ...point,
      ...{text: clip(point.text), reason: clip(point.reason), quote: clip(point.quote)},
    })),
    objections: opinion.objections.map((one) => ({...one, reason: clip(one.reason), quote: clip(one.quote)})),
    cut: opinion.cut.length === 0 ? [] : [`${opinion.cut.length} parts`],
  };
}

/**
 * The attempts for the report. The last one has the opinion of the job `judge`, if that is about its tree. Opinions of
 * the agent's job are advisory, since that job can write anything; with `hold` they can only keep a change back.
 * Without a judge in verify.json, and on work that is not judged, they are dropped.
 */
export function withJobOpinion({config}: Pick<PreparedRun, "config">, attempts: Attempt[], output: string): Attempt[] {
  const {judge} = config;
  const jobOpinion = readJobOpinion(output);
  return attempts.map(({opinion: claimed, ...attempt}, at): Attempt => {
    if (!judge.enabled) return attempt;
    const isLast = at === attempts.length - 1;
    if (isLast && jobOpinion !== null && jobOpinion.tree === (attempt.candidate?.tree ?? null))
      return {...attempt, opinion: {...jobOpinion.opinion, isAdvisory: false}};
    const isJudged = shouldBeJudged(asAnswered(attempt), judge.when);
    const advisory = isJudged && claimed ? {...claimed, isAdvisory: true} : undefined;
    const isCounted = isNotMet(advisory) || (advisory !== undefined && judge.effect !== "hold");
    const isMissing = isLast && !isCounted && isJudged;
    const opinion = isMissing ? MISSING : advisory;
    return opinion === undefined ? attempt : {...attempt, opinion};
  });
}

const MISSING: Opinion = {kind: "not-judged", why: "no-judge-job", detail: "", usage: NO_USAGE, durationMs: 0};

function readJobOpinion(output: string): z.infer<typeof jobOpinionSchema> | null {
  return jobOpinionSchema.safeParse(parseJson(decodeOutput(output))).data ?? null;
}
