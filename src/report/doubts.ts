/** The table of the agent's sentences that do not agree with the change or the checks. */
import {clip, inline} from "../markdown/escape.ts";
import {withoutVerdictSigns} from "../markdown/verdict-signs.ts";
import type {RunRecord} from "../record/record.ts";
import {capLength, type DetailLimits} from "./fit-size.ts";

export const DOUBTS = "Parts of the agent's answer do not agree with the change or the checks:";

/** Empty without any. */
export function doubtsPart({doubts = []}: RunRecord, limits: DetailLimits): string {
  if (doubts.length === 0) return "";
  const cell = (text: string) => inline(withoutVerdictSigns(clip(text, limits.line)), {table: true});
  const {shown, left} = capLength(doubts, limits.list);
  const rows = shown.map(({claim, observed}) => `| ${cell(claim)} | ${cell(observed)} |`);
  if (left > 0) rows.push(`| …and ${left} more | |`);
  return [`**${DOUBTS}**\n`, "| The agent's answer | Observed |", "|---|---|", ...rows].join("\n");
}
