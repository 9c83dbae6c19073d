/** The record as text for a terminal, with the words and icons of the comment. */

import {clip, showInvisible} from "../markdown/escape.ts";
import type {Diagnostic, StageResult} from "../record/evidence.ts";
import type {RunRecord} from "../record/record.ts";
import type {Verification} from "../record/verification.ts";
import {failureFacts} from "../report/failures.ts";
import {FINDING_ICONS} from "../report/finding-words.ts";
import {plainFinding} from "../report/findings.ts";
import {ends} from "../report/fit-size.ts";
import {duration, mergeEqual} from "../report/format.ts";
import {headlineOf, verdictDetails} from "../report/headline.ts";
import {newTestsText} from "../report/new-tests.ts";
import {sensitivityText} from "../report/sensitivity.ts";
import {isFailing, stageResultWords} from "../report/stages.ts";
import {FAILURES, NOT_CHECKED} from "../report/wording.ts";
import {findUnread} from "../verify/coverage.ts";

/** The colors of picocolors in use. The caller decides whether to use colors (`NO_COLOR`). */
export interface Colors {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly green: (text: string) => string;
  readonly red: (text: string) => string;
  readonly yellow: (text: string) => string;
}

const EXCERPT = 3000;
const DIAGNOSTICS = 10;
const UNREAD = 10;

/** The results with the details for fixing a failing stage, without the ids of a published change. */
export function renderTerminal(options: {record: RunRecord; colors: Colors}): string {
  const {record, colors} = options;
  const verification = record.attempts.at(-1)?.verification ?? null;
  const rows = [...(verification?.setup ?? []), ...(verification?.stages ?? [])];
  const {icon, headline, sentence} = headlineOf(record);
  const paint = {"✅": colors.green, "☑️": colors.bold, "💬": colors.bold, "⚠️": colors.yellow}[icon] ?? colors.red;
  const claim = [
    `${icon} ${paint(colors.bold(headline))}`,
    plain(sentence),
    ...(record.verdict.kind === "tampered" ? [] : verdictDetails(record.verdict)).map((detail) => `  ${plain(detail)}`),
    ...(record.integrity ?? []).map((finding) => `  ${FINDING_ICONS[finding.level]} ${plain(plainFinding(finding))}`),
    ...unreadLines(verification),
  ];
  return [
    table(rows, colors),
    ...rows.filter(isFailing).map((stage) => failing(stage, colors)),
    ...record.failures.map((failure) => failureText({failure, colors})),
    claim.join("\n"),
    newTests(record),
    faults(record),
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

function newTests({attempts, base}: RunRecord): string {
  const bite = attempts.at(-1)?.verification?.bite;
  if (bite === undefined) return "";
  return newTestsText({bite, base: base?.ref ?? "the base", code: (text) => `\`${plain(text)}\``, most: UNREAD});
}

function faults({sensitivity}: RunRecord): string {
  if (sensitivity === undefined) return "";
  return sensitivityText({sensitivity, code: (text) => `\`${plain(text)}\``, most: UNREAD});
}

function unreadLines(verification: Verification | null): string[] {
  const {listed} = findUnread(verification?.coverage, verification?.stages ?? []);
  const more = listed.length > UNREAD ? [`  …and ${listed.length - UNREAD} more`] : [];
  return listed.length === 0
    ? []
    : [NOT_CHECKED, ...listed.slice(0, UNREAD).map((path) => `  ${plain(path)}`), ...more];
}

function table(rows: readonly StageResult[], colors: Colors): string {
  const name = Math.min(30, Math.max(0, ...rows.map((stage) => plain(stage.name).length)));
  return rows
    .map((stage) => {
      const {icon, result} = stageResultWords(stage);
      const time = stage.outcome === "skipped" ? "" : duration(stage.durationMs);
      // Most terminals show icons with a variation selector one column narrower.
      const gap = icon.endsWith("\ufe0f") ? "  " : " ";
      return `${icon}${gap}${clip(plain(stage.name), 30).padEnd(name)}  ${time.padStart(10)}  ${plain(result)} ${colors.dim(`(${clip(plain(stage.command), 100)})`)}`;
    })
    .join("\n");
}

function failing(stage: StageResult, colors: Colors): string {
  const visible = stage.diagnostics.slice(0, DIAGNOSTICS);
  const diagnosticLines = mergeEqual(visible.map((item) => `  ${diagnostic(item)}`));
  const more = stage.diagnostics.length - visible.length;
  const items = more > 0 ? [...diagnosticLines, `  …and ${more} more`] : diagnosticLines;
  const output = showInvisible(ends(stage.excerpt, EXCERPT)).trim();
  const excerpt =
    output === ""
      ? []
      : [
          output
            .split("\n")
            .map((line) => colors.dim(`  │ ${line}`))
            .join("\n"),
        ];
  return [`${colors.bold(plain(stage.name))}: ${plain(stage.reason)}`, ...items, ...excerpt].join("\n");
}

function diagnostic(item: Diagnostic): string {
  const place =
    [item.file, item.line, item.column].filter((part) => part !== undefined).join(":") || (item.testId ?? "");
  // A failure may have its test's name as its place and as its message.
  const parts = [...new Set([place, item.code ?? "", item.message])];
  return plain(parts.filter((part) => part !== "").join(" "));
}

function failureText(options: {failure: RunRecord["failures"][number]; colors: Colors}): string {
  const {headline, next} = FAILURES[options.failure.kind];
  const facts = failureFacts(options.failure);
  const items = facts.items.map(({where, text}) => `  ${plain(where === "" ? text : `${where}: ${text}`)}`);
  const about = [facts.about, facts.message].filter((text) => text !== "").map((text) => `  ${plain(text)}`);
  return [`${options.colors.red(options.colors.bold(headline))}. ${next}`, ...about, ...items].join("\n");
}

/** Foreign text as one line without control characters, which could change the terminal. */
function plain(text: string): string {
  return clip(showInvisible(text).replace(/\s+/g, " ").trim(), 500);
}
