/** Adds up the tests of a runner's report, in bounded memory however many there are. */
import type {ListedTest, Reported, ReportedTest} from "../../record/evidence.ts";

/** A report names no more failed tests than this; the others are counted. */
const MAX_FAILED = 200;
const MAX_CHARS = 500;
/** Of the other tests; beyond that, two runs are compared by their counts. A kept result has to hold them. */
const MAX_LISTED_CHARS = 150_000;
/** With a longer name it is only counted: half a name names nothing. */
const MAX_KEY_CHARS = 2_000;

export interface Seen {
  readonly outcome: "passed" | "failed" | "skipped";
  readonly test: ReportedTest;
}

export interface Tally {
  add(seen: Seen): void;
  /** a file of tests that passed, and may have ended before its tests had */
  addEndedEarly(file: string): void;
  result(): Omit<Reported, "tool">;
}

/** `isLenient`: a failure that has a pass of the same test after it was only a try, as runners that try again write it. */
export function openTally(options: {isLenient: boolean}): Tally {
  const counts = {passed: 0, failed: 0, skipped: 0};
  const failed = new Map<string, {test: ReportedTest; times: number}>();
  const endedEarly: string[] = [];
  const others: ListedTest[] = [];
  let listedChars = 0;
  return {
    add({outcome, test}) {
      counts[outcome]++;
      listedChars += outcome === "failed" ? 0 : (test.file?.length ?? 0) + test.title.length;
      if (outcome !== "failed" && listedChars <= MAX_LISTED_CHARS)
        others.push({file: test.file, title: test.title, outcome});
      const key = JSON.stringify([test.file, test.name, test.title]);
      const earlierTest = failed.get(key);
      if (outcome === "failed" && earlierTest !== undefined) earlierTest.times++;
      else if (outcome === "failed" && failed.size < MAX_FAILED && key.length < MAX_KEY_CHARS)
        failed.set(key, {test: clipped(test), times: 1});
      if (outcome !== "passed" || earlierTest === undefined || !options.isLenient) return;
      counts.failed -= earlierTest.times;
      failed.delete(key);
    },
    addEndedEarly(file) {
      if (endedEarly.length < MAX_FAILED) endedEarly.push(file);
    },
    result: () => ({
      counts: {...counts},
      failed: [...failed.values()].map(({test}) => test),
      ...(listedChars <= MAX_LISTED_CHARS && {others}),
      ...(endedEarly.length > 0 && {endedEarly}),
    }),
  };
}

function clipped(test: ReportedTest): ReportedTest {
  const clip = (text: string): string => text.slice(0, MAX_CHARS);
  return {...test, title: clip(test.title), message: clip(test.message)};
}

/** The first line of a failure's text with information; some reports have the `title` alone on a line before it. */
export function firstTelling(text: string, title = ""): string {
  const lines = text.split("\n", 20).map((line) => line.trim());
  const filledLines = lines.filter((line) => line !== "");
  return filledLines.find((line) => title === "" || !line.includes(title)) ?? filledLines[0] ?? "";
}
