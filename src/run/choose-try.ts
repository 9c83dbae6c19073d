/** Chooses one of several tries by evidence alone: no model is asked, and no answer of an agent is read. */
import type {Tries, Try} from "../record/tries.ts";
import {isVerified} from "../record/words.ts";

/** Lower is better. Nothing but a verified try comes before the others. */
function rankOf({verdict, candidate}: Try): number {
  if (isVerified(verdict)) return 0;
  if (candidate === null) return 4;
  if (verdict.kind === "nothing-to-verify") return 1;
  return verdict.kind === "failed" ? 2 : 3;
}

const shareOf = (share: Try["executed"]): number | null => (share && share.all > 0 ? share.part / share.all : null);

/** In this order; lower is better. A value that one of two tries lacks does not decide. */
const CRITERIA: readonly ((one: Try) => number | null)[] = [
  rankOf,
  ({verdict}) => (verdict.kind === "failed" ? verdict.stages.length : 0),
  ({findings}) => findings,
  ({executed}) => negative(shareOf(executed)),
  ({noticed}) => negative(shareOf(noticed)),
  ({lines}) => lines,
  ({usage}) => (usage.hasUnknownCost ? null : usage.costUsd),
];

const negative = (value: number | null) => (value === null ? null : -value);

/** Negative if `one` is better; 0 if the evidence does not tell them apart. */
export function compareTries(one: Try, other: Try, criteria = CRITERIA): number {
  for (const criterion of criteria) {
    const [left, right] = [criterion(one), criterion(other)];
    if (left !== null && right !== null && left !== right) return left - right;
  }
  return 0;
}

/** The verified tries that only further measurements can tell apart; empty if there is at most one. */
export function undecidedTries(rows: readonly Try[]): Try[] {
  const early = CRITERIA.slice(0, 3);
  const best = rows.filter((row) => rows.every((other) => compareTries(row, other, early) <= 0));
  return best.length > 1 && best.every(({verdict}) => isVerified(verdict)) ? best : [];
}

/** The first of the best tries, and the numbers of the others that are as good. */
export function chooseTry(rows: readonly Try[]): Pick<Tries, "chosen" | "ties"> {
  const [first, ...others] = rows;
  if (first === undefined) throw new Error("there is no try to choose");
  const best = others.reduce((left, right) => (compareTries(right, left) < 0 ? right : left), first);
  const ties = rows.filter((row) => row !== best && compareTries(row, best) === 0).map(({number}) => number);
  return {chosen: best.number, ties};
}
