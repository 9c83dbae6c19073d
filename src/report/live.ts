/** Short answers that need no run, and how a comment in progress is recognized. */

import type {Annotation} from "../github/checks.ts";
import {type Marker, runMarker} from "../github/marker.ts";
import {clip, fence, inline} from "../markdown/escape.ts";
import {quotedAnswer} from "./agent-answer.ts";
import {short} from "./format.ts";
import {link} from "./link.ts";
import {SUPERSEDED} from "./wording.ts";

/** True for the body of the comment of a run in progress. */
export const isProgress = (body: string): boolean => /^<!--[^\n]*-->\n⏳ /.test(body);

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

/**
 * The reply that ends a run: the result, with links. Only the requester is mentioned; GitHub's logins have no other
 * characters.
 */
export function renderReply(options: {
  /** the hidden first line */
  marker: string;
  requester: string | null;
  headline: string;
  report: string;
  pullRequest: {readonly number: number; readonly url: string} | null;
}): string {
  const {marker, requester, headline, report, pullRequest} = options;
  const mention = requester !== null && /^[\w-]{1,100}$/.test(requester) ? `@${requester} ` : "";
  const links = [
    ...(pullRequest === null ? [] : [link(`pull request ${pullRequest.number}`, pullRequest.url)]),
    link("report", report),
  ];
  return `${marker}\n${mention}**${inline(headline)}** · ${links.join(" · ")}\n`;
}

/** The answer in one thread of a review: the commit that changes its file, and the agent's own words. */
export function renderThreadAnswer(options: {
  marker: string;
  headline: string;
  report: string;
  /** null if no published commit changes the file */
  commit: string | null;
  answer: string;
}): string {
  const {marker, headline, report, commit, answer} = options;
  const handled =
    commit === null ? "No published commit changes this file." : `\`${short(commit)}\` changes this file.`;
  const words = answer === "" ? [] : [quotedAnswer(clip(answer, 500))];
  return [`${marker}\n**${inline(headline)}** · ${link("report", report)}`, handled, ...words, ""]
    .join("\n\n")
    .trimEnd();
}

/** A finding or a failure at its line. Its message is foreign text. */
export const renderLineComment = ({title, message}: Annotation): string =>
  `**${inline(title)}**\n\n${message.includes("\n") ? fence(message) : inline(message)}`;

/** The text of the review that contains the comments on lines. */
export const renderReviewBody = (report: string): string => `Lines of the ${link("report", report)}.\n`;

/** The answer to a request that a later one replaced before its run started. */
export function renderSuperseded(marker: Marker): string {
  return `${runMarker(marker)}\n💬 ${SUPERSEDED}\n`;
}
