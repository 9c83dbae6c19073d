/** Adds up the tests of a runner's report, in limited memory. */
import type {ListedTest, Reported, ReportedTest} from "../../record/evidence.ts";

/** A report lists at most this many failed tests; the others are counted. */
const MAX_FAILED = 200;
const MAX_CHARS = 500;
/**
 * The limit for the names of the other tests, which a saved result must contain. With more, two runs are compared by
 * their counts.
 */
const MAX_LISTED_CHARS = 150_000;
/** A test with a longer name is only counted, because a cut name identifies nothing. */
const MAX_KEY_CHARS = 2_000;
const MAX_TIMED_FILES = 400;

interface Seen {
  readonly outcome: "passed" | "failed" | "skipped";
  readonly test: ReportedTest;
  /** true if the report says that an earlier try of this passed test failed */
  readonly isRetried?: boolean;
  /** absent or not a number if the report does not say */
  readonly durationMs?: number;
}

export interface Tally {
  add(seen: Seen): void;
  /** a test file that passed, and may have ended before its tests had */
  addEndedEarly(file: string): void;
  result(): Omit<Reported, "tool">;
}

/** With `isLenient`, a failure of a test that passes later was only a try, as runners with retries report it. */
export function openTally(options: {isLenient: boolean}): Tally {
  const counts = {passed: 0, failed: 0, skipped: 0};
  const failedTests = new Map<string, {test: ReportedTest; times: number}>();
  const endedEarly: string[] = [];
  const retried: string[] = [];
  const fileMs = new Map<string, number>();
  const otherTests: ListedTest[] = [];
  let listedChars = 0;
  return {
    add({outcome, test, isRetried = false, durationMs = Number.NaN}) {
      counts[outcome]++;
      if (test.file !== null && durationMs >= 0 && fileMs.size <= MAX_TIMED_FILES)
        fileMs.set(test.file, Math.round((fileMs.get(test.file) ?? 0) + durationMs));
      listedChars += outcome === "failed" ? 0 : (test.file?.length ?? 0) + test.title.length;
      if (outcome !== "failed" && listedChars <= MAX_LISTED_CHARS)
        otherTests.push({file: test.file, title: test.title, outcome});
      const key = JSON.stringify([test.file, test.name, test.title]);
      const earlierTest = failedTests.get(key);
      if (outcome === "failed" && earlierTest !== undefined) earlierTest.times++;
      else if (outcome === "failed" && failedTests.size < MAX_FAILED && key.length < MAX_KEY_CHARS)
        failedTests.set(key, {test: clipTest(test), times: 1});
      if (outcome !== "passed" || !options.isLenient) return;
      if ((isRetried || earlierTest !== undefined) && retried.length < MAX_FAILED) retried.push(clipTest(test).title);
      counts.failed -= earlierTest?.times ?? 0;
      failedTests.delete(key);
    },
    addEndedEarly(file) {
      if (endedEarly.length < MAX_FAILED) endedEarly.push(file);
    },
    result: () => ({
      counts: {...counts},
      failed: [...failedTests.values()].map(({test}) => test),
      ...(listedChars <= MAX_LISTED_CHARS && {others: otherTests}),
      ...(fileMs.size > 0 && fileMs.size <= MAX_TIMED_FILES && {fileMs: Object.fromEntries(fileMs)}),
      ...(retried.length > 0 && {retried}),
      ...(endedEarly.length > 0 && {endedEarly}),
    }),
  };
}

function clipTest(test: ReportedTest): ReportedTest {
  const clip = (text: string): string => text.slice(0, MAX_CHARS);
  return {...test, title: clip(test.title), message: clip(test.message)};
}

/** The first line with information in a failure's text. Some reports have the `title` on a separate line before it. */
export function firstInformativeLine(text: string, title = ""): string {
  const lines = text.split("\n", 20).map((line) => line.trim());
  const filledLines = lines.filter((line) => line !== "");
  return filledLines.find((line) => title === "" || !line.includes(title)) ?? filledLines[0] ?? "";
}
