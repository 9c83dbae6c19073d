/** Describes the failures of a run: what happened, the next step, and the message of the program or server. */

import {clip, codeSpan, fence, inline} from "../markdown/escape.ts";
import type {Failure} from "../record/failure.ts";
import {isHeld, type RunRecord} from "../record/record.ts";
import {namesStep} from "./choose-next-step.ts";
import {claimAt} from "./claims.ts";
import {failureFacts} from "./failure-facts.ts";
import {FAILURES} from "./failure-words.ts";
import {capLength, type DetailLimits} from "./fit-size.ts";
import {explanationLink} from "./link.ts";
import {nextStepPart} from "./next-step.ts";

/** One failure as Markdown: what happened, its facts, and the next step in one bold sentence. */
export function failurePart(failure: Failure, record: RunRecord, limits: DetailLimits): string {
  const {headline} = FAILURES[failure.kind];
  const {about, message, items} = failureFacts(failure);
  const {shown, left} = capLength(items, limits.list);
  const lines = shown.map(({where, text}) => {
    const place = where === "" ? "" : `${codeSpan(clip(where, limits.line))}: `;
    return `- ${place}${inline(clip(text, limits.line))}`;
  });
  if (left > 0) lines.push(`- …and ${left} more`);
  const isSentence = failure.kind === "agent-broke";
  const context = about === "" || isSentence ? "" : ` (${codeSpan(clip(about, limits.line))})`;
  // The sentence below the first line of a held change says the same.
  const isRepeated = failure.kind === "protected-paths" && failure === record.failures[0] && isHeld(record);
  const title = isRepeated ? "" : `**${headline}**${context}.`;
  const texts = [title, isSentence ? about : "", effectOf(failure, record)].filter((text) => text !== "");
  const explanation = explanationLink("Failure", failure.kind);
  return [
    `${texts.join(" ")}${messagePart(message, limits)}`,
    lines.join("\n"),
    namesStep(failure, record) ? nextStepPart(failure, record, explanation) : explanation,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** What a failure means for the work of this run, and background. */
export function effectOf({kind}: Failure, record: RunRecord): string {
  const {effect, claim} = FAILURES[kind];
  return [claim && claimAt(claim, record), effect].filter(Boolean).join(" ");
}

/** The message of a program or server: one line stays in the sentence, several become a block. */
export function messagePart(message: string, limits: DetailLimits): string {
  const text = clip(message.trim(), limits.line * 3);
  if (text === "") return "";
  return text.includes("\n") ? `\n\n${fence(text, "text")}` : ` ${codeSpan(text)}`;
}
