/** Describes the failures of a run: what happened, the next step, and the message of the program or server. */

import {clip, codeSpan, fence, inline} from "../markdown/escape.ts";
import {branchOf} from "../publish/target.ts";
import type {TurnEnd} from "../record/attempt.ts";
import type {Failure} from "../record/failure.ts";
import type {RunRecord} from "../record/record.ts";
import {capLength, type DetailLimits} from "./fit-size.ts";
import {retryPlace} from "./headline.ts";
import {explanationLink, link, repositoryPage} from "./link.ts";
import {FAILURES, RETRY, TURN_END} from "./wording.ts";

/** One failure as Markdown: its headline, the next step with the lines to paste, and its facts. */
export function failurePart(failure: Failure, record: RunRecord, limits: DetailLimits): string {
  const {headline} = FAILURES[failure.kind];
  const {about, message, items} = failureFacts(failure);
  const next = `${withoutComments(nextStep(failure, record), record)} ${explanationLink("Failure", failure.kind)}`;
  const quote = messagePart(message, limits);
  if (failure.kind === "agent-broke") return `**${headline}.** ${about}${quote}\n\n${next}`;
  const {shown, left} = capLength(items, limits.list);
  const lines = shown.map(({where, text}) => {
    const place = where === "" ? "" : `${codeSpan(clip(where, limits.line))}: `;
    return `- ${place}${inline(clip(text, limits.line))}`;
  });
  if (left > 0) lines.push(`- …and ${left} more`);
  const context = about === "" ? "" : ` (${codeSpan(clip(about, limits.line))})`;
  const list = lines.length === 0 ? "" : `\n\n${lines.join("\n")}`;
  return `**${headline}**${context}. ${next}${quote}${list}`.trimEnd();
}

/** The message of a program or server: one line stays in the sentence, several become a block. */
export function messagePart(message: string, limits: DetailLimits): string {
  const text = clip(message.trim(), limits.line * 3);
  if (text === "") return "";
  return text.includes("\n") ? `\n\n${fence(text, "text")}` : ` ${codeSpan(text)}`;
}

/** The texts are for threads. A run without a thread is restarted from its workflow. */
const withoutComments = (text: string, record: RunRecord): string =>
  retryPlace(record) === "workflow"
    ? text.replaceAll("comment again", RETRY.workflow).replaceAll("Comment again", "Start the workflow again")
    : text;

/** The next step of the table, with the page to open and the lines to paste if a setting is missing. */
function nextStep(failure: Failure, {run, rules}: RunRecord): string {
  const {next} = FAILURES[failure.kind];
  if (failure.kind === "missing-key" && /^[A-Z][A-Z0-9_]*$/.test(failure.variable)) {
    const page = repositoryPage(run.url);
    const menu = "Settings → Secrets and variables → Actions";
    const settings = link(menu, page === null ? null : `${page}/settings/secrets/actions/new`) || menu;
    const line = `${failure.variable}: \${{ secrets.${failure.variable} }}`;
    return `Add the secret \`${failure.variable}\` under ${settings}. ${next}\n\n${fence(line, "yaml")}\n\n`;
  }
  if (failure.kind === "config-invalid" && rules !== null && /verify\.jsonc?$/.test(failure.file))
    return `Fix ${codeSpan(failure.file)} on ${codeSpan(clip(branchOf(rules.ref), 200))}, then comment again.`;
  if (failure.kind !== "missing-permission") return next;
  const lines = ["permissions:", ...failure.permissions.map((name) => `  ${name}: write`)];
  return `${next}\n\n${fence(lines.join("\n"), "yaml")}\n\n`;
}

/** All of it is foreign text. */
interface FailureFacts {
  /** one line of context, or empty */
  readonly about: string;
  /** the message of a program or server, or empty */
  readonly message: string;
  /** the problems to fix */
  readonly items: readonly {readonly where: string; readonly text: string}[];
}

const NO_FACTS: FailureFacts = {about: "", message: "", items: []};

/** The facts of one failure. */
export function failureFacts(failure: Failure): FailureFacts {
  switch (failure.kind) {
    case "config-invalid":
      return {
        ...NO_FACTS,
        about: failure.file,
        items: failure.mistakes.map(({path, message, hint}) => ({
          where: path,
          text: hint === "" ? message : `${message}${punctuationBefore(message, hint)} ${hint}`,
        })),
      };
    case "missing-key":
      return {...NO_FACTS, about: `${failure.provider}: ${failure.variable}`};
    case "missing-permission":
      return {...NO_FACTS, about: `${failure.workflow}, job ${failure.job}`};
    case "agent-broke":
      return {...NO_FACTS, about: TURN_END[failure.end.kind], message: turnMessage(failure.end)};
    case "candidate-refused":
    case "handover-refused":
      return {...NO_FACTS, items: failure.problems.map((text) => ({where: "", text}))};
    case "job-without-result":
      return {...NO_FACTS, about: `job \`${failure.job}\``};
    case "judge-objects":
      return {...NO_FACTS, items: failure.objections.map((text) => ({where: "", text}))};
    case "protected-paths":
      return {...NO_FACTS, items: failure.paths.map((text) => ({where: "", text}))};
    case "could-not-search": {
      const hiddenCount = failure.count - failure.paths.length;
      const remainder = hiddenCount > 0 ? [{where: "", text: `and ${hiddenCount} more`}] : [];
      return {...NO_FACTS, items: [...failure.paths.map((text) => ({where: "", text})), ...remainder]};
    }
    case "secret-in-change":
      return {
        ...NO_FACTS,
        items: failure.places.map(({path, line, what}) => ({
          where: line === null ? path : `${path}:${line}`,
          text: what,
        })),
      };
    case "undo-refused":
      return {...NO_FACTS, message: failure.message, items: failure.paths.map((text) => ({where: "", text}))};
    case "push-refused":
    case "push-lost":
      return {...NO_FACTS, about: failure.ref, message: failure.message};
    case "github-refused":
      return {...NO_FACTS, about: `${failure.request} (${failure.status})`, message: failure.message};
    case "agent-unavailable":
    case "approval-refused":
    case "change-too-large":
    case "git-refused":
    case "head-moved":
    case "interrupted":
    case "no-sandbox":
    case "internal":
    case "signing-refused":
      return {...NO_FACTS, message: failure.message};
  }
}

/** The punctuation between a mistake and its hint. Each is a fragment or a sentence. */
function punctuationBefore(message: string, hint: string): string {
  if (/[.?!]$/.test(message)) return "";
  return /^[A-Z]/.test(hint) ? "." : ";";
}

/** The message of a turn that did not end normally, in one line; may be empty. */
export function turnMessage(end: TurnEnd): string {
  switch (end.kind) {
    case "answered":
    case "cancelled":
      return "";
    case "model-failed":
    case "no-answer":
    case "not-started":
      return end.message;
    case "exited":
      return `exit code ${end.code}${end.message === "" ? "" : `: ${end.message}`}`;
    case "timed-out":
      return `after ${Math.round(end.afterMs / 1000)} s`;
    case "killed":
      return end.signal;
  }
}
