/** A proposed `verify.json` in reports: the title of its pull request, and the table of what was seen of each entry. */
import {clip, codeSpan, inline, plainLine} from "../markdown/escape.ts";
import type {SetupProposal} from "../record/proposal.ts";
import type {RunRecord} from "../record/record.ts";
import {capLength, type DetailLimits} from "./fit-size.ts";
import {withCount} from "./format.ts";
import {pathList} from "./publication-section.ts";

/** GitHub refuses longer titles. */
const MAX_TITLE = 250;
/** More entries than these are counted, so that the title has room for weaker values. */
const MAX_NAMED = 3;

/** Names each value that checks less than before. */
export function proposalTitle({file, rows, weaker}: SetupProposal): string {
  const kept = rows.filter(({isKept}) => isKept).map(({part, name}) => `${part} ${name}`);
  const entries = kept.length > MAX_NAMED ? withCount(kept.length, "change") : kept.join(", ");
  const values = weaker.length === 0 ? "" : `; ${withCount(weaker.length, "weaker value")}: ${weaker.join(", ")}`;
  return plainLine(`Propose ${file}: ${entries}${values}`, MAX_TITLE);
}

export function proposalPart({proposal}: RunRecord, limits: DetailLimits): string {
  if (proposal === undefined) return "";
  const {weaker, otherPaths} = proposal;
  const {shown, left} = capLength(
    proposal.rows.toSorted((one, other) => Number(other.isKept) - Number(one.isKept)),
    limits.list,
  );
  const code = (text: string) => codeSpan(clip(text, limits.line), {table: true});
  const rows = shown.map(({part, name, command, isKept, seen}) => {
    const result = inline(clip(`${isKept ? "kept" : "dropped"}: ${seen}`, limits.line), {table: true});
    return `| ${isKept ? "✅" : "➖"} | ${part} ${code(name)} | ${code(command)} | ${result} |`;
  });
  const remainder = left === 0 ? [] : [`| | …and ${left} more | | |`];
  return [
    rows.length > 0 && ["| | Entry | Command | What was seen |", "|---|---|---|---|", ...rows, ...remainder].join("\n"),
    weaker.length > 0 && `**Checks less than before:** ${weaker.map(code).join(", ")}.`,
    otherPaths.length > 0 &&
      `The agent also changed these files, which are not proposed: ${pathList(otherPaths, limits.list, limits)}.`,
  ]
    .filter(Boolean)
    .join("\n\n");
}
