/** Builds the judge's context: the request at the start, diff and answer at the end, all within one budget. */
import {share} from "../markdown/blocks.ts";
import {keepVisibleText, showInvisible, stripInvisible} from "../markdown/visible-text.ts";
import type {Attempt} from "../record/attempt.ts";
import type {JudgedOpinion} from "../record/opinion.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {oneLine} from "./criteria.ts";
import {showLineBreaks} from "./diff-parts.ts";
import {encloseParts, type PromptPart} from "./enclose.ts";
import {chooseHunks} from "./hunks.ts";
import type {QuotableTexts} from "./quotes.ts";

/** The whole prompt of a call, with the instructions. */
export const CONTEXT_CHARS = 32_000;
/** The request is never cut. A longer one leaves too little room for the change. */
const REQUEST_CHARS = 16_000;
const RULES_CHARS = 8_000;
const COMMENTS = 5;
const FACTS_CHARS = 3_000;
const PREVIOUS_CHARS = 2_000;
/** Without a diff, only the answer can be judged. */
const ANSWER_CHARS = {alone: 12_000, withDiff: 5_000};
/** A diff of this size is never cut if the request has at most 9,000 characters: all other texts are cut first. */
const DIFF_CHARS = 14_000;
/** A longer request takes its room from the diff, but not from the facts and the answer. */
const MIN_REPORT_CHARS = 1_500;
/** Nor from all rules and specs. */
const MIN_RULES_CHARS = 1_800;
/** The parts of a diff have headers. */
const DIFF_HEADERS = 1.03;
/** Reserved for tags, line ends and the list of cut parts. */
const FRAME_CHARS = 1_200;
const CUT_NAMES = 20;
const CUT_NAME_CHARS = 200;

/** What was requested, and what the project requires of every change. Everything except the request may be empty. */
export interface JudgedRequest {
  readonly request: string;
  readonly issue: string;
  /** oldest first */
  readonly comments: readonly string[];
  /** files such as AGENTS.md, from the base commit */
  readonly rules: string;
  readonly specs: string;
}

/** The result of the agent's work. */
export interface JudgedWork {
  /** the output of `git diff`; empty if there is no change, or git failed */
  readonly diff: string;
  /** true if `diff` is only its beginning */
  readonly isDiffCut?: boolean;
  readonly attempt: Attempt;
  readonly previous: JudgedOpinion | null;
}

interface JudgeContext {
  readonly text: string;
  readonly texts: QuotableTexts;
  /** the names of parts that were left out or cut */
  readonly cut: string[];
}

/** The parts of the first call, within the budget. Fails if the request alone is too long. */
export function requestParts(request: JudgedRequest, overhead: number): Result<PromptPart[], string> {
  const parts = visibleParts(request);
  const requestChars = parts.request.length;
  if (requestChars > REQUEST_CHARS)
    return refused(`the request has ${requestChars} characters, more than the ${REQUEST_CHARS} that fit`);
  const room = CONTEXT_CHARS - overhead - requestChars - FRAME_CHARS;
  return ok(surroundings(parts, room).parts);
}

/** The context of the second call: `overhead` characters of the budget are instructions and points. */
export function judgeContext(options: {
  request: JudgedRequest;
  work: JudgedWork;
  points: readonly string[];
  overhead: number;
}): JudgeContext {
  const {work} = options;
  const parts = visibleParts(options.request);
  const diff = showInvisible(showLineBreaks(work.diff));
  const wholeRoom = CONTEXT_CHARS - options.overhead - parts.request.length - FRAME_CHARS;
  const shownDiffChars = Math.ceil(Math.min(diff.length, DIFF_CHARS) * DIFF_HEADERS);
  const rulesChars = Math.min(parts.rules.length + parts.specs.length, MIN_RULES_CHARS);
  const diffChars = Math.max(0, Math.min(shownDiffChars, wholeRoom - MIN_REPORT_CHARS - rulesChars));
  const {facts, answer, previous, cut} = reportOf(work, {
    hasDiff: diff !== "",
    room: wholeRoom - diffChars - rulesChars,
  });
  const room = wholeRoom - facts.length - answer.length - previous.length;
  const surroundingTexts = surroundings(parts, Math.max(0, room - diffChars));
  const usedChars = surroundingTexts.parts.reduce((sum, {text}) => sum + text.length, 0) - parts.request.length;
  const excerpt = chooseHunks({diff, points: options.points, max: Math.max(0, room - usedChars)});
  const cutOfDiff = [...unreadParts(work), ...excerpt.cut];
  const cutParts = [...surroundingTexts.cut, ...cut, ...cutOfDiff];
  const note = cutOfDiff.length === 0 ? "" : cutTail(`Left out of the diff:\n${cutOfDiff.join("\n")}`, 600);
  const text = encloseParts(
    [
      ...surroundingTexts.parts,
      {name: "facts", text: [facts, note].filter(Boolean).join("\n")},
      {name: "previous-opinion", text: previous},
      {name: "diff", text: excerpt.text},
      {name: "answer", text: answer},
    ].filter((part) => part.text !== ""),
  );
  return {text, texts: {diff: excerpt.text, facts, answer}, cut: capNames(cutParts)};
}

/** The names of the parts of the change that are not in the diff at all. */
function unreadParts({diff, isDiffCut = false, attempt}: JudgedWork): string[] {
  if (diff === "") return attempt.changes.length > 0 ? ["the whole diff"] : [];
  return isDiffCut ? ["the end of the diff"] : [];
}

/** The agent chooses the names of its files, and the names go into the outputs between jobs. */
function capNames(names: readonly string[]): string[] {
  const shownNames = names.slice(0, CUT_NAMES).map((name) => oneLine(name, CUT_NAME_CHARS));
  return names.length > CUT_NAMES ? [...shownNames, `${names.length - CUT_NAMES} more`] : shownNames;
}

/** What Assay, the agent and the judge have said about the work. The three texts share `room`. */
function reportOf(work: JudgedWork, {hasDiff, room}: {hasDiff: boolean; room: number}) {
  const factsText = factsOf(work.attempt);
  const answerText = stripInvisible(work.attempt.turn?.answer ?? "").text.trim();
  const previousText = work.previous === null ? "" : previousOf(work.previous);
  const [factsChars = 0, answerChars = 0, previousChars = 0] = share(
    [
      Math.min(factsText.length, FACTS_CHARS),
      Math.min(answerText.length, hasDiff ? ANSWER_CHARS.withDiff : ANSWER_CHARS.alone),
      Math.min(previousText.length, PREVIOUS_CHARS),
    ],
    room,
  );
  return {
    facts: cutTail(factsText, factsChars),
    answer: cutTail(answerText, answerChars),
    previous: cutTail(previousText, previousChars),
    cut: [
      ...(factsChars < factsText.length ? ["the end of the facts"] : []),
      ...(answerChars < answerText.length ? ["the end of the agent's answer"] : []),
    ],
  };
}

type VisibleParts = Readonly<Record<"request" | "issue" | "rules" | "specs", string>> & {readonly comments: string[]};

function visibleParts(options: JudgedRequest): VisibleParts {
  const visible = (text: string) => keepVisibleText(text).text.trim();
  return {
    request: visible(options.request),
    issue: visible(options.issue),
    rules: stripInvisible(options.rules).text.trim(),
    specs: stripInvisible(options.specs).text.trim(),
    comments: options.comments.slice(-COMMENTS).map(visible),
  };
}

/** Includes the whole request; issue, rules, specs and comments share `room`. The oldest comments are dropped first. */
function surroundings(options: VisibleParts, room: number): {parts: PromptPart[]; cut: string[]} {
  const rulesChars = Math.min(options.rules.length, RULES_CHARS);
  const commentsChars = options.comments.join("\n\n").length;
  const [rulesFirst = 0, specsFirst = 0] = share([rulesChars, options.specs.length], Math.min(room, MIN_RULES_CHARS));
  const [issue = 0, moreRules = 0, moreSpecs = 0, comments = 0] = share(
    [options.issue.length, rulesChars - rulesFirst, options.specs.length - specsFirst, commentsChars],
    room - rulesFirst - specsFirst,
  );
  const [rules, specs] = [rulesFirst + moreRules, specsFirst + moreSpecs];
  const newestComments = newestWithin(options.comments, comments);
  const parts = [
    {name: "request", text: options.request},
    {name: "issue", text: cutTail(options.issue, issue)},
    {name: "rules", text: cutTail(options.rules, rules)},
    {name: "specs", text: cutTail(options.specs, specs)},
    {name: "comments", text: newestComments.join("\n\n")},
  ];
  const cutParts = [
    ...(issue < options.issue.length ? ["the end of the issue"] : []),
    ...(rules < options.rules.length ? ["the end of the rules"] : []),
    ...(specs < options.specs.length ? ["the end of the specs"] : []),
    ...(newestComments.length < options.comments.length ? ["the oldest comments"] : []),
  ];
  return {parts: parts.filter(({text}, at) => at === 0 || text !== ""), cut: cutParts};
}

function newestWithin(comments: readonly string[], max: number): string[] {
  let length = 0;
  const lastLeftOutIndex = comments.findLastIndex((text) => {
    length += text.length + 2;
    return length - 2 > max;
  });
  return comments.slice(lastLeftOutIndex + 1);
}

/** Facts that Assay has observed itself: the verdict, the results of the checks, and the changed paths. */
function factsOf({verdict, verification, changes}: Attempt): string {
  const stages = (verification?.stages ?? []).map(({name, outcome, optional, tests}) => {
    const counts = tests === null ? "" : ` (${tests.passed} tests passed, ${tests.failed} failed)`;
    return `check ${name}${optional ? " (optional)" : ""}: ${outcome}${counts}`;
  });
  const paths = changes.map(
    ({path, status, from}) => `${status}: ${quotePath(path)}${from === undefined ? "" : ` (was ${quotePath(from)})`}`,
  );
  const files = paths.length === 0 ? ["No file changed."] : ["Changed files:", ...paths];
  return showInvisible([`verdict of the checks: ${verdict.kind}`, ...stages, ...files].join("\n"));
}

/** A path on one line, as JSON unless it is plain: the agent chooses it, and could write further facts into it. */
function quotePath(path: string): string {
  if (/^[\w./@+~-]+$/.test(path)) return path;
  return JSON.stringify(path).replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function previousOf({points, objections}: JudgedOpinion): string {
  const open = points.filter(({answer}) => answer === "not-met");
  const lines = [
    ...open.map(({text, reason}) => `- not met: ${text} (${reason})`),
    ...objections.map(({category, reason}) => `- ${category}: ${reason}`),
  ];
  return [
    "An earlier review of this work objected. The agent was told, and answered with the work below.",
    ...lines,
  ].join("\n");
}

const CUT_NOTE = "\n[… the rest is left out]";

function cutTail(text: string, max: number): string {
  if (text.length <= max) return text;
  return max <= CUT_NOTE.length
    ? ""
    : `${text.slice(0, max - CUT_NOTE.length).replace(/[\uD800-\uDBFF]$/, "")}${CUT_NOTE}`;
}
