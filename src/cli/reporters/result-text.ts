/** The end of a report for a terminal: the verdict with the total time, and notes about it. */
import type {RunRecord} from "../../record/record.ts";
import {namesStep} from "../../report/choose-next-step.ts";
import {claimAt, comparedBranch, unreadPaths} from "../../report/claims.ts";
import {DOUBTS} from "../../report/doubts.ts";
import {executedLinesText} from "../../report/executed-lines.ts";
import {failureFacts} from "../../report/failure-facts.ts";
import {FAILURES} from "../../report/failure-words.ts";
import {effectOf} from "../../report/failures.ts";
import {FINDING_ICONS} from "../../report/finding-words.ts";
import {plainFinding} from "../../report/findings.ts";
import {duration, short, withCount} from "../../report/format.ts";
import {headlineOf, verdictDetails} from "../../report/headline.ts";
import {heldOutText} from "../../report/held-out.ts";
import {newTestsText} from "../../report/new-tests.ts";
import {nextStep} from "../../report/next-step.ts";
import {raiseTimeoutsLines} from "../../report/raise-timeouts.ts";
import {sensitivityText} from "../../report/sensitivity.ts";
import {triesLines} from "../../report/tries.ts";
import {plain} from "./plain-text.ts";
import type {Colors} from "./reporter.ts";

const UNREAD = 10;

/** Everything of a record except its stages. Ends with a line feed. */
export function resultText(record: RunRecord, colors: Colors): string {
  const verification = record.attempts.at(-1)?.verification ?? null;
  return [
    ...record.failures.map((failure) => failureText(failure, record, colors)),
    verdictText(record, colors),
    raiseTimeoutsLines(record).map(plain).join("\n"),
    newTests(record),
    linesThatRan(record),
    faults(record),
    heldOutText(record, plain),
    triesLines(record).map(plain).join("\n"),
    doubtLines(record).join("\n"),
    ...(record.integrityNotes ?? []).map((finding) => colors.dim(plain(plainFinding(finding)))),
    ...record.notes.map((note) => colors.dim(`${plain(note.about)}: ${plain(note.text)}`)),
    verification?.where === "in-place"
      ? colors.dim("The checks ran in the working folder itself (--in-place), not in a fresh checkout.")
      : "",
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n");
}

/** True for a success without any notes. */
export function isPlainSuccess(record: RunRecord): boolean {
  const isGood = record.verdict.kind === "verified" || record.verdict.kind === "nothing-to-verify";
  return isGood && (record.integrity ?? []).length === 0 && claimAt("unread", record) === "";
}

function verdictText(record: RunRecord, colors: Colors): string {
  const {icon, headline, sentence} = headlineOf(record);
  const paint = {"✅": colors.green, "☑️": colors.bold, "💬": colors.bold, "⚠️": colors.yellow}[icon] ?? colors.red;
  const facts = totals(record);
  // The failing stages are listed above.
  const hasDetails = record.verdict.kind !== "tampered" && record.verdict.kind !== "failed";
  return [
    `${icon} ${paint(colors.bold(headline))}${facts.map((fact) => colors.dim(` · ${fact}`)).join("")}`,
    plain(sentence),
    ...(hasDetails ? verdictDetails(record) : []).map((detail) => `  ${plain(detail)}`),
    ...(record.integrity ?? []).map((finding) => `  ${FINDING_ICONS[finding.level]} ${plain(plainFinding(finding))}`),
    ...unreadLines(record),
  ].join("\n");
}

/** The total time, the number of changed files and the id of the verified files. */
function totals({run, attempts}: RunRecord): string[] {
  const attempt = attempts.at(-1);
  const ms = run.finishedAt === null ? 0 : Date.parse(run.finishedAt) - Date.parse(run.startedAt);
  const changes = attempt === undefined ? [] : [`${withCount(attempt.changes.length, "changed file")}`];
  const tree = attempt?.verification?.candidate?.tree;
  return [...(ms > 0 ? [duration(ms)] : []), ...changes, ...(tree === undefined ? [] : [`snapshot ${short(tree)}`])];
}

function newTests(record: RunRecord): string {
  const bite = record.attempts.at(-1)?.verification?.bite;
  if (bite === undefined) return "";
  return newTestsText({
    bite,
    base: comparedBranch(record) ?? "the base",
    code: (text) => `\`${plain(text)}\``,
    most: UNREAD,
  });
}

function faults({sensitivity}: RunRecord): string {
  if (sensitivity === undefined) return "";
  return sensitivityText({sensitivity, code: (text) => `\`${plain(text)}\``, most: UNREAD});
}

function linesThatRan({executedLines}: RunRecord): string {
  if (executedLines === undefined) return "";
  return executedLinesText({executedLines, code: (text) => `\`${plain(text)}\``, most: UNREAD});
}

function doubtLines({doubts = []}: RunRecord): string[] {
  const lines = doubts.map(({claim, observed}) => `  "${plain(claim)}": ${plain(observed)}`);
  return lines.length === 0 ? [] : [DOUBTS, ...lines];
}

function unreadLines(record: RunRecord): string[] {
  const claim = claimAt("unread", record);
  const listed = unreadPaths(record);
  const omissionLines = listed.length > UNREAD ? [`  …and ${listed.length - UNREAD} more`] : [];
  return claim === "" ? [] : [claim, ...listed.slice(0, UNREAD).map((path) => `  ${plain(path)}`), ...omissionLines];
}

function failureText(failure: RunRecord["failures"][number], record: RunRecord, colors: Colors): string {
  const {headline} = FAILURES[failure.kind];
  const facts = failureFacts(failure);
  const items = facts.items.map(({where, text}) => `  ${plain(where === "" ? text : `${where}: ${text}`)}`);
  const about = [facts.about, facts.message].filter((text) => text !== "").map((text) => `  ${plain(text)}`);
  const step = namesStep(failure, record) ? nextStep(failure, record, {isPlain: true}) : null;
  const {sentence = "", lines = ""} = step ?? {};
  const paste = lines === "" ? [] : lines.split("\n").map((line) => `  ${line}`);
  const title = `${colors.red(colors.bold(headline))}. ${effectOf(failure, record)}`.trimEnd();
  return [title, ...about, ...items, ...(sentence === "" ? [] : [colors.bold(plain(sentence))]), ...paste].join("\n");
}
