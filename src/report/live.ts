/** The comment while a run is in progress, and short answers that need no run. */

import {type Marker, runMarker} from "../github/marker.ts";
import {clip, codeSpan, inline} from "../markdown/escape.ts";
import {joinWords} from "./format.ts";
import {link} from "./link.ts";
import {SUPERSEDED} from "./wording.ts";

/** The current step of a run. Numbers count from 1; `failed` are the stages that the previous attempt failed. */
export type Phase =
  | {readonly kind: "starting"}
  | {
      readonly kind: "working";
      readonly attempt: number;
      readonly failed: readonly string[];
      /** the turn is for an objection of the judge */
      readonly isObjection?: boolean;
    }
  | {readonly kind: "installing"; readonly command: string}
  | {readonly kind: "verifying"; readonly stage: string; readonly index: number; readonly of: number}
  | {readonly kind: "judging"}
  | {readonly kind: "publishing"};

/** The comment of a run in progress. */
export function renderProgress(options: {phase: Phase; marker: Marker; runUrl: string | null}): string {
  const log = link("Follow the log", options.runUrl);
  return `${runMarker(options.marker)}\n⏳ ${phaseWords(options.phase)}${log === "" ? "" : ` ${log}.`}\n`;
}

/** True for the body of such a comment. */
export const isProgress = (body: string): boolean => /^<!--[^\n]*-->\n⏳ /.test(body);

function phaseWords(phase: Phase): string {
  switch (phase.kind) {
    case "starting":
      return "Preparing the run.";
    case "working":
      return workingWords(phase);
    case "installing":
      return `Installing dependencies: ${codeSpan(clip(phase.command, 200))}.`;
    case "verifying":
      return `Running check ${phase.index} of ${phase.of}: ${inline(clip(phase.stage, 100))}.`;
    case "judging":
      return "A second model compares the change with the request.";
    case "publishing":
      return "Saving the result.";
  }
}

function workingWords({attempt, failed, isObjection}: Extract<Phase, {kind: "working"}>): string {
  if (attempt === 1) return "The agent is working.";
  if (isObjection) return `Attempt ${attempt}: the agent answers the objections of a second model.`;
  const names = failed.slice(0, 10).map((name) => codeSpan(clip(name, 100)));
  return `Attempt ${attempt}: the agent is fixing ${names.length === 0 ? "the failures" : joinWords(names)}.`;
}

/** The answer to a request that is not allowed or cannot be handled, in one line. */
export function renderRefusal(options: {line: string; marker: Marker}): string {
  return `${runMarker(options.marker)}\n💬 ${inline(clip(options.line, 500))}\n`;
}

/** Why a request got no answer in its thread, and the next step. Only the job's annotation shows this text. */
export function notAnsweredWords({status, message}: {status: number; message: string}): string {
  const next =
    status === 401
      ? "The token is wrong or expired: correct the input `github-token`"
      : status === 403
        ? "Give the job `issues: write` and `pull-requests: write` under `permissions`"
        : "Check that this machine reaches GitHub (network, proxy, `GITHUB_API_URL`)";
  const statusText = status === 0 ? "" : ` (${status})`;
  return `Assay could not answer this comment. GitHub's API: ${message}${statusText}. ${next}, then comment again.`;
}

/** The answer to a request that a later one replaced before its run started. */
export function renderSuperseded(marker: Marker): string {
  return `${runMarker(marker)}\n💬 ${SUPERSEDED}\n`;
}
