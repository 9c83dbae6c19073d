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

/** The tries that tests of this one reject, as the tests find faults that someone else has made. */
const rejected = ({number, failsTestsOf}: Try, rows: readonly Try[]): number | null =>
  failsTestsOf === undefined ? null : rows.filter((row) => row.failsTestsOf?.includes(number)).length;

/** In this order; lower is better. A value that one of the tries lacks decides nothing. */
const FREE: readonly ((one: Try, others: {left: readonly Try[]; rows: readonly Try[]}) => number | null)[] = [
  rankOf,
  ({verdict}) => (verdict.kind === "failed" ? verdict.stages.length : 0),
  ({heldOut}) => negative(shareOf(heldOut)),
  ({findings}) => findings,
  ({foreignFailed}) => foreignFailed?.part ?? null,
  (row, {rows}) => negative(rejected(row, rows)),
];
/** The others take further runs of the tests. */
const CRITERIA: typeof FREE = [
  ...FREE,
  ({executed}) => negative(shareOf(executed)),
  ({noticed}, {left}) => {
    // A wrong program with fewer lines has fewer faults to notice, so that one fault less decides nothing.
    const withOneMore = shareOf(noticed && {...noticed, part: noticed.part + 1});
    return withOneMore && Number(withOneMore < Math.max(...left.map((row) => shareOf(row.noticed) ?? 0)));
  },
  ({noticed}) => (noticed === undefined ? null : -noticed.part),
  ({lines}) => lines,
  ({usage}) => (usage.hasUnknownCost ? null : usage.costUsd),
];

const negative = (value: number | null) => (value === null ? null : -value);

/** The tries that the evidence does not tell apart from the best one. The order of the tries has no influence. */
function bestTries(rows: readonly Try[], criteria = CRITERIA): readonly Try[] {
  return criteria.reduce((left, criterion) => {
    const worth = (row: Try) => criterion(row, {left, rows});
    const values = left.map(worth).filter((value) => value !== null);
    const least = Math.min(...values);
    return values.length < left.length ? left : left.filter((row) => worth(row) === least);
  }, rows);
}

/** The verified tries that only further runs of tests can tell apart; empty if there is at most one. */
export function undecidedTries(rows: readonly Try[]): Try[] {
  const best = bestTries(rows, FREE);
  return best.length > 1 && best.every(({verdict}) => isVerified(verdict)) ? [...best] : [];
}

/** The first of the best tries, and the numbers of the others that are as good. */
export function chooseTry(rows: readonly Try[]): Pick<Tries, "chosen" | "ties"> {
  const [first, ...others] = bestTries(rows);
  if (first === undefined) throw new Error("there is no try to choose");
  return {chosen: first.number, ties: others.map(({number}) => number)};
}
