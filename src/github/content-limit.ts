/** Counts the requests that create content, for which GitHub has limits that no header of an answer shows. */

/** https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api: 80 a minute, 500 an hour */
const LIMITS = [
  {spanMs: 60_000, most: 80},
  {spanMs: 3_600_000, most: 500},
];
const LONGEST_MS = 3_600_000;

/** What this process knows: its own requests, and GitHub's refusals. Other runs of the same account are not counted. */
export interface ContentLimit {
  /** of the scarcer limit, from 0 to 1 */
  readonly remainingShare: number;
  /** until the time that GitHub gave with a refusal */
  readonly pauseMs: number;
}

/** `now` is in milliseconds. */
export function openContentCount(now: () => number) {
  let times: number[] = [];
  let pausedUntil = 0;
  let refusedAt = Number.NEGATIVE_INFINITY;
  return {
    add(method: string): void {
      if (method !== "GET" && method !== "HEAD") times.push(now());
    },
    refused(seconds: number): void {
      refusedAt = now();
      pausedUntil = Math.max(pausedUntil, refusedAt + 1_000 * seconds);
    },
    limit(): ContentLimit {
      const at = now();
      times = times.filter((time) => at - time < LONGEST_MS);
      // A refusal shows that other runs write with the same account.
      const isShared = at - refusedAt < LONGEST_MS;
      const shares = LIMITS.map(({spanMs, most}) => 1 - times.filter((time) => at - time < spanMs).length / most);
      return {remainingShare: isShared ? 0 : Math.max(0, Math.min(...shares)), pauseMs: Math.max(0, pausedUntil - at)};
    },
  };
}
