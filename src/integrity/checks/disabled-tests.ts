/** Check: tests that the candidate skips, expects to fail, or hides behind an exclusive test. */

import {groupBy} from "../../diagnostics/group-by.ts";
import type {IntegrityFinding} from "../../record/finding.ts";
import type {FindingLevel} from "../../record/words.ts";
import type {TestFacts, TestMark} from "../../test-code/facts.ts";
import {compareTests, namesOfTests} from "../changed-tests/compare-tests.ts";
import type {IntegrityCheck} from "../source/inspected-change.ts";

const WORDING: Readonly<Record<TestMark, string>> = {
  skip: "is skipped",
  "expected-failure": "is now expected to fail",
  only: "is exclusive, so other tests do not run",
  conditional: "now runs only under a condition",
};
/** A link, an issue number or a sentence with a reason. */
const REASON = /https?:\/\/|#\d+|\breason\s*=\s*["'][^"']{8,}|["'][^"'\n]*\s[^"'\n]*\s[^"'\n]*["']/;
/** Go builds a file with such a name only for that system (`go help buildconstraint`). */
const OTHER_SYSTEM =
  /_(?:windows|darwin|freebsd|openbsd|netbsd|plan9|solaris|aix|js|wasm|wasip1|android|ios)_test\.go$/;

export const disabledTests: IntegrityCheck = {
  name: "disabled-tests",
  find(change) {
    const {kept, added} = compareTests(change);
    const disabled = kept.flatMap(({base, head, isSame}) =>
      (isSame ? [] : newMarks(base.test, head.test)).map((mark) => ({mark, ...head, level: levelOf(mark, head.test)})),
    );
    const elsewhere = kept
      .filter(({base, head}) => OTHER_SYSTEM.test(head.file.path) && !OTHER_SYSTEM.test(base.file.basePath))
      .map(({head}) => ({...head, mark: "conditional" as const, level: "flag" as const}));
    const exclusive = added
      .filter(({test}) => test.marks.has("only"))
      .map((one) => ({...one, mark: "only" as const, level: "flag" as const}));
    const skipped = added
      .filter(({test}) => test.marks.has("skip") && test.assertions.length > 0)
      .map((one) => ({...one, mark: "skip" as const, level: "flag" as const}));
    const groups = groupBy(
      [...disabled, ...elsewhere, ...exclusive, ...skipped],
      ({file, mark, level}) => `${file.path}\0${mark}\0${level}`,
    );
    return [...groups.values()].flatMap((group) => {
      const [first] = group;
      if (first === undefined) return [];
      const others = group.length - 1;
      const more = others === 0 ? "" : ` (and ${others} more ${others === 1 ? "test" : "tests"})`;
      return [
        {
          check: "disabled-tests",
          level: first.level,
          path: first.file.path,
          line: first.test.line,
          message: `Test \`${first.test.id}\` ${WORDING[first.mark]}${more}`,
          fix: "Run the test again, and correct the code or the test.",
          ...(first.mark !== "only" && {tests: namesOfTests(group)}),
        } satisfies IntegrityFinding,
      ];
    });
  },
};

function newMarks(base: TestFacts, head: TestFacts): TestMark[] {
  if (base.marks.has("skip")) return [...head.marks].filter((mark) => mark === "only" && !base.marks.has(mark));
  const marks = [...head.marks].filter((mark) => !base.marks.has(mark));
  return marks.includes("skip") ? ["skip"] : marks;
}

function levelOf(mark: TestMark, {markText, isSkippedElsewhere}: TestFacts): FindingLevel {
  if (mark === "conditional") return isSkippedElsewhere ? "note" : "flag";
  return mark === "skip" && !REASON.test(markText) ? "block" : "flag";
}
