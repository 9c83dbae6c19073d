/** One failure of a run in a report: its headline, the next step, and what a program or server said. */

import {clip, codeSpan, fence, inline} from "../markdown/escape.ts";
import type {Failure} from "../record/failure.ts";
import {failureFacts} from "./failures.ts";
import {capLength, type Limits} from "./fit-size.ts";
import {link} from "./link.ts";
import {FAILURES} from "./wording.ts";

/** What it is, what to do next with what there is to paste, and the facts. `runUrl` leads to the repository's pages. */
export function failurePart(o: {failure: Failure; runUrl: string | null; limits: Limits}): string {
  const {failure, limits} = o;
  const {headline} = FAILURES[failure.kind];
  const next = nextStep(o);
  const facts = failureFacts(failure);
  const {shown, left} = capLength(facts.items, limits.list);
  const about =
    facts.about === ""
      ? ""
      : failure.kind === "agent-broke"
        ? ` ${facts.about}`
        : ` (${codeSpan(clip(facts.about, limits.line))})`;
  const items = shown.map(({where, text}) => {
    const place = where === "" ? "" : `${codeSpan(clip(where, limits.line))}: `;
    return `- ${place}${inline(clip(text, limits.line))}`;
  });
  if (left > 0) items.push(`- …and ${left} more`);
  const list = items.length === 0 ? "" : `\n\n${items.join("\n")}`;
  return failure.kind === "agent-broke"
    ? `**${headline}.**${about}${said(facts.message, limits)}\n\n${next}`
    : `**${headline}**${about}. ${next}${said(facts.message, limits)}${list}`.trimEnd();
}

/** What a program or server said: one line stays in the sentence, more stand in a block of their own. */
export function said(message: string, limits: Limits): string {
  const text = clip(message.trim(), limits.line * 3);
  if (text === "") return "";
  return text.includes("\n") ? `\n\n${fence(text, "text")}` : ` ${codeSpan(text)}`;
}

/** The table's sentence. With it come the page to open and the lines to paste, where a setting of the repository is missing. */
function nextStep({failure, runUrl}: {failure: Failure; runUrl: string | null}): string {
  const {next} = FAILURES[failure.kind];
  if (failure.kind === "missing-key" && /^[A-Z][A-Z0-9_]*$/.test(failure.variable)) {
    const page = runUrl === null ? null : `${runUrl.replace(/\/actions\/runs\/.*$/, "")}/settings/secrets/actions/new`;
    const where =
      link("Settings → Secrets and variables → Actions", page) || "Settings → Secrets and variables → Actions";
    const line = `${failure.variable}: \${{ secrets.${failure.variable} }}`;
    return `Add the secret \`${failure.variable}\` under ${where}. ${next}\n\n${fence(line, "yaml")}\n\n`;
  }
  if (failure.kind !== "missing-permission") return next;
  const lines = ["permissions:", ...failure.permissions.map((name) => `  ${name}: write`)];
  return `${next}\n\n${fence(lines.join("\n"), "yaml")}\n\n`;
}
