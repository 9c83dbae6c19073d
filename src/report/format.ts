/** Formats times, money, counts, object ids and lists for people. */
import type {Diagnostic} from "../record/evidence.ts";
import type {Usage} from "../record/usage.ts";

/** The message of a failure in one line, with the values below it. */
export const wholeMessage = ({message, detail}: Diagnostic): string =>
  detail === undefined ? message : `${message} ${detail.replace(/\s*\n\s*/g, " ")}`;

/** Milliseconds as `0.4 s`, `42 s` or `3 min 5 s`. */
export function duration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const wholeSeconds = Math.round(seconds);
  if (wholeSeconds < 60) return `${wholeSeconds} s`;
  const restSeconds = wholeSeconds % 60;
  return `${Math.floor(wholeSeconds / 60)} min${restSeconds === 0 ? "" : ` ${restSeconds} s`}`;
}

/** US dollars. A price below a cent keeps two significant digits. */
export function money(usd: number): string {
  if (usd === 0) return "$0";
  return usd < 0.01 ? `$${usd.toPrecision(2)}` : `$${usd.toFixed(2)}`;
}

/** The cost of calls to models. Some endpoints report tokens only, which does not mean that they are free. */
export function cost({costUsd, hasUnknownCost = false}: Usage): string {
  if (!hasUnknownCost) return money(costUsd);
  return costUsd === 0 ? "cost unknown" : `at least ${money(costUsd)}`;
}

/** A count of tokens as `950`, `12.3k` or `1.2M`. */
export function tokens(count: number): string {
  if (count < 1000) return String(count);
  return count < 999_950 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

/** `1 test`, `2 tests`. */
export function withCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Merges equal lines and adds their count. Tests that share code often fail at the same place. */
export function mergeEqual(lines: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts].map(([line, count]) => (count === 1 ? line : `${line} (${count} times)`));
}

/** `a`, `a and b`, `a, b and c`. */
export function joinWords(words: readonly string[]): string {
  const lastWord = words.at(-1) ?? "";
  return words.length < 2 ? lastWord : `${words.slice(0, -1).join(", ")} and ${lastWord}`;
}

/** The first twelve digits of an object id. */
export function short(id: string): string {
  return id.slice(0, 12);
}
