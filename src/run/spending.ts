/** What the runs of a repository or an organization have spent and reserved in a month: a document, and its arithmetic. */
import {z} from "zod";
import type {PeriodLimits} from "../detect/config/config.ts";
import type {Failure} from "../record/failure.ts";
import {parseJson} from "../record/parse-json.ts";
import {ok, type Result, refused} from "../record/words.ts";

const dollars = z.number().nonnegative();

const spendingSchema = z.object({
  schema: z.literal("assay.spending/1"),
  /** the cost of finished runs, by the day (UTC) on which they started */
  spent: z.record(z.iso.date(), dollars),
  /** the limits of runs whose cost is not known yet, by the run */
  reserved: z.record(z.string(), z.object({day: z.iso.date(), usd: dollars})),
});
export type Spending = z.infer<typeof spendingSchema>;

export type SpendingLimit = Extract<Failure, {kind: "spending-limit"}>;

/** Null if the text is no such document. Without a text, nothing was spent. */
export function parseSpending(text: string | null): Spending | null {
  if (text === null) return {schema: "assay.spending/1", spent: {}, reserved: {}};
  return spendingSchema.safeParse(parseJson(text)).data ?? null;
}

interface Reservation {
  readonly key: string;
  readonly usd: number;
  readonly now: Date;
  readonly limits: PeriodLimits;
  readonly scope: SpendingLimit["scope"];
}

/** Adds the reservation; fails if one of the limits leaves too little. */
export function reserve(spending: Spending, reservation: Reservation): Result<Spending, SpendingLimit> {
  const {key, usd, now, limits, scope} = reservation;
  const day = now.toISOString().slice(0, 10);
  const periods = [
    {period: "day", start: day, limit: limits.usdPerDay, renews: utc(now, 0, 1)},
    {period: "month", start: day.slice(0, 7), limit: limits.usdPerMonth, renews: utc(now, 1)},
  ] as const;
  for (const {period, start, limit, renews} of periods) {
    const sums = sumsSince(spending, {start, without: key});
    if (limit !== null && cents(sums.spent + sums.reserved + usd) > limit)
      return refused({kind: "spending-limit", scope, period, limit, wanted: usd, ...sums, renews});
  }
  return ok({...spending, reserved: {...spending.reserved, [key]: {day, usd}}});
}

/** Replaces the reservation by the cost of the run. Null if there is none, for example because it was settled before. */
export function settle(spending: Spending, {key, usd}: {key: string; usd: number}): Spending | null {
  const {[key]: entry, ...reserved} = spending.reserved;
  if (entry === undefined) return null;
  const spent = {...spending.spent, [entry.day]: cents((spending.spent[entry.day] ?? 0) + Math.max(0, usd))};
  return {...spending, spent, reserved};
}

/** `start` is the beginning of the dates that count. */
function sumsSince({spent, reserved}: Spending, {start, without}: {start: string; without: string}) {
  const sum = (amounts: readonly number[]) => cents(amounts.reduce((total, amount) => total + amount, 0));
  return {
    spent: sum(Object.entries(spent).flatMap(([date, usd]) => (date.startsWith(start) ? [usd] : []))),
    reserved: sum(
      Object.entries(reserved).flatMap(([key, {day, usd}]) => (day.startsWith(start) && key !== without ? [usd] : [])),
    ),
  };
}

/** Sums of binary fractions are not exact. Hundredths of a cent are. */
const cents = (usd: number): number => Math.round(usd * 10_000) / 10_000;

/** The first day of the month that many months later, or the day that many days later. */
function utc(now: Date, months: number, days?: number): string {
  const day = days === undefined ? 1 : now.getUTCDate() + days;
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, day)).toISOString().slice(0, 10);
}
