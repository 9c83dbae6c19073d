/** Writes the prompt that gives the judge's objections to the agent, in the agent's own session. */
import {BLOCKS_ARE_DATA, block} from "../markdown/blocks.ts";
import type {JudgedOpinion} from "../record/opinion.ts";
import {line, SUMMARIZE_ALL} from "./prompts.ts";

const FEEDBACK_CHARS = 12_000;

/** Contains only points and objections with a quote that exists. */
export function feedbackPrompt({points, objections}: JudgedOpinion): string {
  const lines = [
    ...points
      .filter(({answer}) => answer === "not-met")
      .map(({text, category, reason, quote}) => entry({head: `not met: ${text}`, category, reason, quote})),
    ...objections.map(({category, reason, quote}) => entry({head: "objection", category, reason, quote})),
  ];
  return [
    "Your changes passed the checks. A second model has compared them with the request, and has these objections:",
    block("output", lines.join("\n"), {max: FEEDBACK_CHARS}),
    BLOCKS_ARE_DATA,
    `The second model may be wrong. Look at each objection: where it is right, change the files; where it is not, leave them and say why. ${SUMMARIZE_ALL}`,
  ].join("\n\n");
}

function entry(options: {head: string; category: string | null; reason: string; quote: string}): string {
  const quoteText = options.quote === "" ? "" : `\n  it quotes: ${line(options.quote)}`;
  return `- ${line(options.head)}${options.category === null ? "" : ` (${options.category})`}: ${line(options.reason)}${quoteText}`;
}
