/** The answers to `/help`, `/status`, `/stop` and unknown commands: comments that need no run. */
import {type Marker, runMarker} from "../github/marker.ts";
import {clip, codeSpan, fence, inline} from "../markdown/escape.ts";
import {withCount} from "./format.ts";
import {link} from "./link.ts";

const answer = (marker: Marker, lines: readonly string[]): string => [runMarker(marker), ...lines, ""].join("\n");

/** The answer to `/help`. */
export function renderHelp({marker, phrase}: {marker: Marker; phrase: string}): string {
  const call = phrase.trim().split(/\s+/)[0] ?? "";
  const row = (command: string, result: string) => `| ${codeSpan(command, {table: true})} | ${result} |`;
  return answer(marker, [
    "Start a comment with one of these commands. You need write access to this repository.",
    "",
    "| Command | Result |",
    "|---|---|",
    row(`${call} <request>`.trim(), "An agent makes the change. Assay verifies it and opens a pull request."),
    row("/continue [hint]", "The agent continues with the changes and the conversation saved for this thread."),
    row(
      "/verify",
      "Runs all checks without an agent: on a pull request's head, or on an issue's saved changes, which are published if they pass.",
    ),
    row("/verify <check>…", "Runs only these checks."),
    row(
      "/review",
      "On a pull request: does the same as `/verify`, and asks a second model whether the change does what the pull request says, if `judge` is enabled. Pushes nothing.",
    ),
    row("/plan", "Lists the checks that would run, and runs none."),
    row(
      "/setup",
      "On an issue: the agent proposes a `verify.json`. Assay runs each entry once, and opens a pull request with those that hold.",
    ),
    row(
      "/approve <id>",
      "Publishes saved changes that edit their own checks, if these checks pass. The report shows the id to use.",
    ),
    row(
      "/update",
      "Merges the base branch into Assay's branch. The agent solves conflicts, and all checks must pass before the push.",
    ),
    row(
      "/remember <sentence>",
      "Makes an entry of the repository's memory, which later runs give to the agent. You create the file.",
    ),
    row("/undo", "Reverts Assay's newest run in this branch, if the checks pass without it."),
    row("/status", "Shows what runs, what waits and what is saved for this thread."),
    row("/stop", "Ends the run of this thread. Assay then saves its work, and the report says where."),
    row("/help", "Shows this table."),
    "",
    "Examples:",
    "",
    ...[
      `${call} the search crashes on an empty query; add a test for it`.trim(),
      "/continue use the existing parser instead of a new one",
      "/verify test lint",
    ].map((example) => `- ${codeSpan(example)}`),
  ]);
}

/** The state of a thread, for `/status`. */
export interface ThreadStatus {
  /** the log of the run in progress; null if none runs */
  readonly running: {readonly url: string; readonly since: string} | null;
  /** logins of the people whose requests wait */
  readonly waiting: readonly string[];
  /** the commit of saved changes */
  readonly saved: string | null;
  /** address of the newest report */
  readonly report: string | null;
}

/** The answer to `/status`. */
export function renderStatus({marker, status}: {marker: Marker; status: ThreadStatus}): string {
  const {running, waiting, saved, report} = status;
  const people = [...new Set(waiting)].map((login) => codeSpan(login)).join(", ");
  return answer(marker, [
    running === null
      ? "- Nothing is running for this thread."
      : `- A run has been in progress since ${running.since}: ${link("log", running.url)}. \`/stop\` ends it.`,
    ...(waiting.length === 0 ? [] : [`- ${withCount(waiting.length, "request")} waiting, from ${people}.`]),
    saved === null
      ? "- No changes are saved."
      : `- Saved changes: commit \`${saved.slice(0, 12)}\`. \`/continue <hint>\` or \`/verify\` continues with them.`,
    ...(report === null ? [] : [`- ${link("The newest report", report)}.`]),
  ]);
}

export type StopResult = "stopped" | "nothing-runs" | "over" | "not-allowed" | "not-answered";

const STOPPED = {
  stopped: "Stopping the run. Its comment will show the result, and where its work is.",
  "nothing-runs":
    "Nothing is running for this thread. A request that waits starts later; cancel it on the repository's **Actions** page.",
  over: "The run has already ended. If its comment is not finished, repeat the request.",
  "not-allowed":
    "Assay is not allowed to cancel runs here. Add `actions: write` to the `permissions` of the job `answer` (and of the job that calls Assay's workflow), or cancel the run on the repository's **Actions** page.",
  "not-answered":
    "GitHub did not answer, so nothing was stopped. Try again, or cancel the run on the **Actions** page.",
} satisfies Record<StopResult, string>;

/** The answer to `/stop`. */
export const renderStopped = ({marker, result}: {marker: Marker; result: StopResult}): string =>
  answer(marker, [`${result === "stopped" ? "🛑" : "💬"} ${STOPPED[result]}`]);

/** The answer to `/remember`; `content` is null if the sentence makes no entry. */
export function renderRemembered(options: {marker: Marker; content: string | null; page: string}): string {
  const {marker, content, page} = options;
  if (content === null)
    return answer(marker, [
      "💬 Nothing was kept. Write one visible sentence of at most 300 characters behind `/remember`, in a comment of your own and without a quote.",
    ]);
  return answer(marker, [
    `💬 ${link("Create this file", page)} on a new branch, and merge its pull request. Later runs then give the sentence to the agent, as information.`,
    "",
    fence(content, "json"),
  ]);
}

/** The text of the pull request that changes the memory. */
export function renderMemoryProposal(options: {
  proposals: readonly {path: string; form: string; text: string; stale: string | null}[];
  run: string | null;
  earlier: number;
}): string {
  const {proposals, run, earlier} = options;
  const rows = proposals.map(({path, form, text, stale}) => {
    const [entry, file] = [codeSpan(clip(`${form}: ${text}`, 300), {table: true}), codeSpan(path, {table: true})];
    return `| ${stale === null ? "new" : `wrong: ${inline(stale, {table: true})}`} | ${entry} | ${file} |`;
  });
  return [
    `${run === null ? "A run" : link("A run", run)} proposes to change the repository's memory. Later runs give its entries to the agent, as information. Merge this, or close it: while this branch exists, Assay proposes nothing of it again.`,
    ...(earlier > 0 ? ["The branch also has entries of earlier runs."] : []),
    ["| | Entry | File |", "|---|---|---|", ...rows].join("\n"),
  ].join("\n\n");
}

/** The answer to a mistyped command. */
export function renderUnknown(options: {marker: Marker; word: string; like: string}): string {
  const [word, like] = [options.word, options.like].map((text) => codeSpan(clip(text, 50)));
  return answer(options.marker, [
    `💬 ${word} is not a command, so nothing was done. Did you mean ${like}? \`/help\` lists the commands.`,
  ]);
}
