/** What a run was made of: its attempts, its ids and its cost, folded away below the verdict. */

import {clip, codeSpan, inline} from "../markdown/escape.ts";
import type {Attempt, Usage} from "../record/attempt.ts";
import type {RunRecord} from "../record/record.ts";
import {isVerified} from "../record/words.ts";
import {capLength, type Limits} from "./fit-size.ts";
import {duration, money, short, tokens} from "./format.ts";
import {headlineOf, verdictDetails} from "./headline.ts";
import {TURN_END} from "./wording.ts";

/** One row per attempt, when there was more than one: what it cost and what still failed after it. */
export function attemptTable(attempts: readonly Attempt[], limits: Limits): string {
  if (attempts.length < 2) return "";
  const {shown, left} = capLength(attempts, limits.rows);
  const lines = shown.map((attempt) => {
    const {icon} = headlineOf({verdict: attempt.verdict, failures: [], publication: {kind: "none"}});
    const {verdict} = attempt;
    const names = verdict.kind === "failed" || verdict.kind === "tampered" ? verdictDetails(verdict).join(", ") : "";
    const broken = attempt.turn === null || attempt.turn.end.kind === "answered" ? "" : TURN_END[attempt.turn.end.kind];
    const mended = attempt.autofix === undefined ? "" : "Mended by a formatter or linter";
    const what = inline(
      clip(
        [names === "" ? verdict.kind : `${verdict.kind}: ${names}`, mended, broken].filter(Boolean).join(". "),
        limits.line,
      ),
      {table: true},
    );
    const cost = attempt.turn === null ? "" : money(attempt.turn.usage.costUsd);
    const time = duration((attempt.turn?.durationMs ?? 0) + (attempt.verification?.durationMs ?? 0));
    return `| ${attempt.number} | ${icon} ${what} | ${attempt.changes.length} | ${cost} | ${time} |`;
  });
  const more = left === 0 ? [] : [`| | …and ${left} more | | | |`];
  return ["| Attempt | Verdict | Files changed | Cost | Time |", "|--:|---|--:|--:|--:|", ...lines, ...more].join("\n");
}

/** What all turns together used. Null without a turn. */
function totalUsage(attempts: readonly Attempt[]): Usage | null {
  const used = attempts.flatMap((attempt) => (attempt.turn === null ? [] : [attempt.turn.usage]));
  if (used.length === 0) return null;
  const sum = (of: (usage: Usage) => number) => used.reduce((total, usage) => total + of(usage), 0);
  return {
    input: sum((usage) => usage.input),
    output: sum((usage) => usage.output),
    cacheRead: sum((usage) => usage.cacheRead),
    cacheWrite: sum((usage) => usage.cacheWrite),
    costUsd: sum((usage) => usage.costUsd),
  };
}

/** Milliseconds that turns and verifications took together. */
function workedFor(attempts: readonly Attempt[]): number {
  return attempts.reduce(
    (total, {turn, verification}) => total + (turn?.durationMs ?? 0) + (verification?.durationMs ?? 0),
    0,
  );
}

/** An object id is shown whole or it is of no use. */
const LONGEST_ID = 64;

/** The ids and circumstances that let anyone check the report, as a two-column table. */
export function runFacts(record: RunRecord, limits: Limits): string {
  const last = record.attempts.at(-1);
  const candidate = last?.candidate ?? last?.verification?.candidate ?? null;
  const {publication} = record;
  const code = (text: string) => codeSpan(clip(text, Math.max(LONGEST_ID, limits.line)), {table: true});
  const usage = totalUsage(record.attempts);
  const turn = record.attempts.findLast((attempt) => attempt.turn !== null)?.turn ?? null;
  const rows: (readonly [string, string])[] = [];
  if (candidate !== null)
    rows.push(
      [isVerified(record.verdict) ? "Verified tree" : "Tree", code(candidate.tree)],
      ["Candidate", code(candidate.commit)],
    );
  if (publication.kind === "published")
    rows.push([
      "Commit",
      `${code(publication.commit)}, tree ${code(publication.tree)}, parent ${code(publication.parent)}`,
    ]);
  if (publication.kind === "parked") rows.push(["Parked commit", code(publication.commit)]);
  if (record.base !== null) rows.push(["Base", `${code(record.base.ref)} ${code(record.base.commit)}`]);
  if (record.rules !== null) rows.push(["Rules of", `${code(record.rules.ref)} ${code(record.rules.commit)}`]);
  if (last?.verification)
    rows.push(["Stages ran", WHERE[last.verification.where] + jobWords(last) + ISOLATION[last.verification.isolation]]);
  if (turn !== null) rows.push(["Model", code(turn.model)]);
  if (usage !== null)
    rows.push([
      "Tokens",
      `${tokens(usage.input)} in, ${tokens(usage.output)} out, ${tokens(usage.cacheRead)} read from cache`,
    ]);
  if (record.session !== null)
    rows.push(["Session", `${code(record.session.id)}${record.session.resumed ? ", resumed" : ""}`]);
  rows.push(["Run", `${code(record.run.id)}, Assay ${code(record.run.assay)}`]);
  return ["| | |", "|---|---|", ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join("\n");
}

const WHERE = {
  checkout: "on a fresh checkout",
  "in-place": "in the working folder itself, not on a fresh checkout",
} as const;

/** Whose machine it was: a verdict is worth more where no agent has been before. */
function jobWords({turn, verification}: Attempt): string {
  if (verification?.job === "own") return ", verified in a separate job";
  return turn === null ? "" : ", verified in the agent's own job";
}

const ISOLATION = {
  sandbox: ", stages in a sandbox",
  "pid-namespace": ", stages in namespaces of their own",
  degraded:
    ", stages without a process namespace (the machine allows none): a process that clears its environment and leaves its parent can outlive its stage",
} as const;

/** One line of numbers below the verdict: attempts, time and cost, and the tree by its first digits. */
export function numbersLine(record: RunRecord, runLink: string): string {
  const usage = totalUsage(record.attempts);
  const tree = record.attempts.at(-1)?.candidate?.tree ?? record.attempts.at(-1)?.verification?.candidate?.tree;
  const worked = workedFor(record.attempts);
  const parts = [
    tree === undefined ? "" : `tree \`${short(tree)}\``,
    record.attempts.length > 1 ? `${record.attempts.length} attempts` : "",
    worked === 0 ? "" : duration(worked),
    usage === null ? "" : money(usage.costUsd),
    runLink,
  ].filter((part) => part !== "");
  return parts.length === 0 ? "" : `<sub>${parts.join(" · ")}</sub>`;
}
