/** The comment's other bodies: what it says while a run goes on, and short answers that need no run. */

import {type Marker, runMarker} from "../github/marker.ts";
import {clip, codeSpan, inline} from "../markdown/escape.ts";
import {link} from "./link.ts";
import {SUPERSEDED} from "./wording.ts";

/** What a run is doing now. Numbers count from 1. */
export type Phase =
  | {readonly kind: "starting"}
  | {readonly kind: "working"; readonly attempt: number}
  | {readonly kind: "installing"; readonly command: string}
  | {readonly kind: "verifying"; readonly stage: string; readonly index: number; readonly of: number}
  | {readonly kind: "publishing"};

/** The comment of a run that is still going on. */
export function renderProgress(o: {phase: Phase; marker: Marker; runUrl: string | null}): string {
  const log = link("Follow the log", o.runUrl);
  return `${runMarker(o.marker)}\n⏳ ${phaseWords(o.phase)}${log === "" ? "" : ` ${log}.`}\n`;
}

/** True for the body of such a comment. */
export const isProgress = (body: string): boolean => /^<!--[^\n]*-->\n⏳ /.test(body);

function phaseWords(phase: Phase): string {
  switch (phase.kind) {
    case "starting":
      return "Getting ready.";
    case "working":
      return phase.attempt === 1
        ? "The agent is working."
        : `The agent is mending what failed (attempt ${phase.attempt}).`;
    case "installing":
      return `Installing: ${codeSpan(clip(phase.command, 200))}.`;
    case "verifying":
      return `Verifying: stage ${phase.index} of ${phase.of}, ${inline(clip(phase.stage, 100))}.`;
    case "publishing":
      return "Publishing what was verified.";
  }
}

/** The answer to someone who may not ask, or to a request that cannot be served: one line. */
export function renderRefusal(o: {line: string; marker: Marker}): string {
  return `${runMarker(o.marker)}\n💬 ${inline(clip(o.line, 500))}\n`;
}

/** What a comment says whose run never came to its turn. */
export function renderSuperseded(marker: Marker): string {
  return `${runMarker(marker)}\n💬 ${SUPERSEDED}\n`;
}

/** What `/help` answers. */
export function renderHelp(o: {marker: Marker; phrase: string}): string {
  const call = o.phrase.trim().split(/\s+/)[0] ?? "";
  const rows = [
    `| ${codeSpan(`${call} <request>`.trim(), {table: true})} | has an agent do the work, verifies it, and opens a pull request |`,
    "| `/continue [hint]` | goes on with the work that was parked here, in the same session |",
    "| `/verify` | runs the stages on the current head, or on an issue's parked work, which is published if it passes; no agent, no model |",
    "| `/verify <stage>…` | runs only these stages |",
    "| `/help` | shows this |",
  ];
  return [
    runMarker(o.marker),
    "A comment asks by its first word. Only people with write access are heard.",
    "",
    "| Comment | What happens |",
    "|---|---|",
    ...rows,
    "",
  ].join("\n");
}
