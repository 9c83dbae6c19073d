/** The time between edits of a comment in progress. Pure, so that a test can simulate a whole day of runs. */
import type {ContentLimit} from "../github/content-limit.ts";
import type {RateLimit} from "../github/transport.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** People watch the first minutes closely, and later only look from time to time. */
const SPACING_BY_AGE = [
  {untilMs: 2 * MINUTE_MS, spacingMs: 10 * SECOND_MS},
  {untilMs: 15 * MINUTE_MS, spacingMs: 30 * SECOND_MS},
];
const LAST_SPACING_MS = MINUTE_MS;

/**
 * The rest of the limit belongs to the report and to other runs of the repository: all share 1,000 requests an hour.
 */
const SPACING_BY_REMAINING_SHARE = [
  {share: 0.01, spacingMs: 20 * MINUTE_MS},
  {share: 0.1, spacingMs: 5 * MINUTE_MS},
  {share: 0.3, spacingMs: MINUTE_MS},
];

/** Milliseconds from one edit to the next. `rate` is null while it is unknown. After a refusal, edits pause as long as GitHub asks. */
export function editSpacing(options: {elapsedMs: number; rate: RateLimit | null; content?: ContentLimit}): number {
  const {elapsedMs, rate, content} = options;
  const planned = SPACING_BY_AGE.find(({untilMs}) => elapsedMs < untilMs)?.spacingMs ?? LAST_SPACING_MS;
  const requests = rate === null || rate.limit <= 0 ? 1 : rate.remaining / rate.limit;
  const share = Math.min(requests, content?.remainingShare ?? 1);
  const scarce = SPACING_BY_REMAINING_SHARE.find((one) => share < one.share)?.spacingMs ?? 0;
  return Math.max(planned, scarce, content?.pauseMs ?? 0);
}
