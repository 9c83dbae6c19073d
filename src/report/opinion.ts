/** The second opinion in a report. Its texts come from a model, so they are inert and never look like a verdict. */
import {clip, codeSpan, inline} from "../markdown/escape.ts";
import {withoutVerdictSigns} from "../markdown/verdict-signs.ts";
import {lastOpinion} from "../record/last-opinion.ts";
import {
  type JudgedOpinion,
  NO_OPINION,
  type NotJudgedReason,
  type Opinion,
  type OpinionPoint,
} from "../record/opinion.ts";
import type {RunRecord} from "../record/record.ts";
import {capLength, type DetailLimits} from "./fit-size.ts";
import {joinWords, withCount} from "./format.ts";
import {details} from "./stages.ts";

const NOT_JUDGED = {
  "missing-key": "the key of its model is missing",
  unavailable: "its model could not be started",
  "timed-out": "its model gave no answer in time",
  "model-failed": "the call to its model failed",
  malformed: "its answer does not have the required form",
  "too-long": "the request does not fit into its context",
  "out-of-budget": "the budget of the run is used up",
  "judge-failed": "Assay's own code failed while judging",
  "no-judge-job": "no job `judge` gave an opinion",
  cancelled: "the run was cancelled",
} satisfies Record<NotJudgedReason, string>;

/** What the reader can do about it. */
const NEXT_STEPS = {
  "missing-key": "Pass the key to the job that asks the judge; `assay doctor` shows the line to add.",
  unavailable: "Name another `provider` and `model` for `judge` in `verify.json`.",
  "timed-out": "Raise `timeoutSeconds` of `judge` in `verify.json`.",
  "model-failed": "Check the model, the key and the address of `judge`, also with `assay doctor`.",
  malformed: "If this happens often, name another model for `judge` in `verify.json`.",
  "too-long": "Make the request shorter.",
  "out-of-budget": "Raise `budget` in `verify.json`.",
  "judge-failed": "Report this with the log.",
  "no-judge-job":
    "If the workflow has none, remove the workflow, run `assay init` again, and repeat your changes to it.",
  cancelled: "",
} satisfies Record<NotJudgedReason, string>;
const ASK_AGAIN = "`/review` on the pull request asks again.";
/** Reasons for which a second try would fail in the same way. */
const NOT_AGAIN: ReadonlySet<NotJudgedReason> = new Set(["too-long", "judge-failed"]);

const ANSWERS = {
  "not-met": "Not met",
  split: "Split: the samples disagree",
  void: "Not counted: the judge's quote does not exist",
  "cannot-tell": "Cannot tell",
  met: "Met",
} satisfies Record<OpinionPoint["answer"], string>;

/** One plain line, for logs. */
export function opinionLine(opinion: Opinion): string {
  if (opinion.kind === "not-judged") return `not judged: ${NOT_JUDGED[opinion.why]}`;
  const {points, objections} = opinion;
  const metCount = points.filter(({answer}) => answer === "met").length;
  return [
    ...(points.length === 0 ? [] : [`${metCount} of ${withCount(points.length, "point")} met`]),
    ...(objections.length === 0 ? [] : [withCount(objections.length, "objection")]),
  ].join(", ");
}

/** The opinion below the result. It is never part of the headline. */
export function opinionPart({attempts, notes}: RunRecord, limits: DetailLimits): string {
  const opinion = lastOpinion(attempts);
  const note = notes.find(({about}) => about === NO_OPINION);
  if (opinion === null) return note === undefined ? "" : `**Second opinion:** ${inline(clip(note.text, limits.line))}.`;
  const advisory = opinion.isAdvisory ? ["advisory: it comes from the agent's own job"] : [];
  if (opinion.kind === "not-judged") {
    const detail = opinion.detail === "" ? "" : ` (${foreignText(opinion.detail, limits)})`;
    const askAgain = NOT_AGAIN.has(opinion.why) ? "" : ASK_AGAIN;
    const reason = `not judged, because ${NOT_JUDGED[opinion.why]}${detail}.`;
    return [`**Second opinion${inBrackets(advisory)}:** ${reason}`, NEXT_STEPS[opinion.why], askAgain]
      .filter(Boolean)
      .join(" ");
  }
  const model = opinion.model === "" ? [] : [codeSpan(clip(opinion.model, limits.line))];
  const family = opinion.isSameFamily ? ["the same family as the agent's model"] : [];
  const head = `**Second opinion${inBrackets([...model, ...family, ...advisory])}:** ${summary(opinion)}`;
  const open = opinion.points.filter(({answer}) => answer !== "met");
  const {shown, left} = capLength(open, limits.list);
  const lines = [
    ...shown.map((point) => `- ${pointLine(point, limits)}`),
    ...(left > 0 ? [`- …and ${left} more`] : []),
    ...opinion.objections.map((one) => `- **${OBJECTIONS[one.category]}:** ${evidence(one, limits)}`),
  ];
  return [[head, ...lines].join("\n"), metPoints(opinion, limits), cutPart(opinion, limits)]
    .filter(Boolean)
    .join("\n\n");
}

const OBJECTIONS = {
  goal_missed: "Goal missed",
  incomplete: "Incomplete",
  rule_violation: "Rule not followed",
  tone_mismatch: "Tone",
  refusal: "Refused",
  unrelated_change: "Unrelated change",
  overclaim: "Claim without evidence",
  test_special_case: "Written for the tests only",
} satisfies Record<JudgedOpinion["objections"][number]["category"], string>;

function summary(opinion: JudgedOpinion): string {
  const sentence = opinion.points.length === 0 ? "" : `${opinionLine({...opinion, objections: []})}. `;
  return `${sentence}It does not change the verdict.`;
}

function pointLine(point: OpinionPoint, limits: DetailLimits): string {
  const category = point.category === null ? "" : ` (${OBJECTIONS[point.category].toLowerCase()})`;
  return `**${ANSWERS[point.answer]}${category}:** ${foreignText(point.text, limits)} – ${evidence(point, limits)}`;
}

function evidence({reason, quote}: Pick<OpinionPoint, "reason" | "quote">, limits: DetailLimits): string {
  const line = quote.replace(/\s+/g, " ").trim();
  return `${foreignText(reason, limits)}${line === "" ? "" : ` ${codeSpan(clip(line, limits.line))}`}`;
}

function metPoints({points}: JudgedOpinion, limits: DetailLimits): string {
  const met = points.filter(({answer}) => answer === "met");
  if (met.length === 0 || limits.list < 3) return "";
  return details(withCount(met.length, "met point"), [
    met.map((point) => `- ${foreignText(point.text, limits)} – ${evidence(point, limits)}`).join("\n"),
  ]);
}

function cutPart({cut}: JudgedOpinion, limits: DetailLimits): string {
  if (cut.length === 0) return "";
  const {shown, left} = capLength(cut, Math.min(limits.list, 10));
  const names = [...shown.map((name) => foreignText(name, limits)), ...(left > 0 ? [`${left} more`] : [])];
  return `The judge did not see ${joinWords(names)}: they did not fit into its context.`;
}

const inBrackets = (parts: readonly string[]): string => (parts.length === 0 ? "" : ` (${parts.join(", ")})`);

const foreignText = (text: string, limits: DetailLimits): string =>
  inline(clip(withoutVerdictSigns(text), limits.line));
