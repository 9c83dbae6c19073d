/** Combines the samples of a judgement. A point on which they disagree is split: it is shown, and never acted on. */
import type {JudgedOpinion, Objection, OpinionPoint} from "../record/opinion.ts";
import type {Judgement} from "./judgement.ts";

/** The order of the points in a sample: the first as given, the second reversed, then the same with rotated points. */
export function orderOfSample(count: number, sample: number): number[] {
  const order = Array.from({length: count}, (_, at) => (at + Math.floor(sample / 2)) % Math.max(1, count));
  return sample % 2 === 1 ? order.reverse() : order;
}

/** Unanimous answers stay, others are `split`. An objection counts only if every sample has one of its category. */
export function combineSamples(
  samples: readonly Judgement[],
): Pick<JudgedOpinion, "outcome" | "points" | "objections"> {
  const [first, ...others] = samples;
  const points = (first?.points ?? []).map((point, at): OpinionPoint => {
    const isSame = others.every((sample) => sample.points[at]?.answer === point.answer);
    return isSame ? point : {...point, answer: "split", category: null};
  });
  const objections = (first?.objections ?? []).filter(({category}) =>
    others.every((sample) => sample.objections.some((one) => one.category === category)),
  );
  return {outcome: outcomeOf(points, objections), points, objections};
}

function outcomeOf(points: readonly OpinionPoint[], objections: readonly Objection[]): JudgedOpinion["outcome"] {
  if (objections.length > 0 || points.some(({answer}) => answer === "not-met")) return "not-met";
  if (points.some(({answer}) => answer === "split")) return "split";
  return points.every(({answer}) => answer === "met") ? "met" : "unclear";
}
