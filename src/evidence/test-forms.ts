/** How test runners sum up, as data: a pattern each, whose `list` holds pairs of a number and a word. */

export interface TestForm {
  readonly tool: string;
  /** global and multi-line; `list` is read by `tests.ts`, `zero` says that no test ran, other named groups are numbers of that word */
  readonly pattern: RegExp;
  /** `sum`: one summary per package, or one line per number. `last`: running totals, of which the last holds */
  readonly take: "sum" | "last";
  /** forms that describe the same run better; where one of them is found, this one is left out */
  readonly unless?: readonly string[];
}

const line = (source: string): RegExp => new RegExp(`^${source}`, "gm");

export const TEST_FORMS: readonly TestForm[] = [
  {
    tool: "vitest",
    take: "sum",
    pattern: line(String.raw` {2,}Tests {2}(?:(?<list>\d[^\n]*) \(\d+\)|(?<zero>no tests))\s*$`),
  },
  {tool: "vitest", take: "sum", pattern: line(String.raw`(?<zero>No test files found)`)},
  {tool: "jest", take: "sum", pattern: line(String.raw`Tests: {2,}(?<list>\d[^\n]* total)\s*$`)},
  {tool: "jest", take: "sum", pattern: line(String.raw`(?<zero>No tests found, exiting with code)`)},
  {tool: "pest", take: "sum", pattern: line(String.raw` {2}Tests: {4}(?<list>\d[^\n]*) \(\d+ assertions?\)\s*$`)},
  {
    tool: "mocha",
    take: "sum",
    pattern: line(String.raw` {2,}(?<list>\d+ (?:passing|failing|pending))\b(?: \(\d[^\n]*\))?\s*$`),
  },
  {
    tool: "node:test",
    take: "sum",
    pattern: line(String.raw`(?:# |ℹ )(?<list>(?:pass|fail|skipped|cancelled|todo) \d+)\s*$`),
  },
  {
    tool: "ava",
    take: "sum",
    pattern: line(
      String.raw` {2}(?<list>\d+ (?:tests?|known failures?|uncaught exceptions?|unhandled rejections?)(?: (?:passed|failed|skipped|todo))?)\s*$`,
    ),
    unless: ["playwright"],
  },
  {tool: "ava", take: "sum", pattern: line(String.raw`\s*✖?\s*(?<zero>Couldn.t find any files to test)`)},
  {tool: "bun", take: "sum", pattern: line(String.raw` (?<list>\d+ (?:pass|fail|skip|todo))\s*$`)},
  {tool: "bun", take: "sum", pattern: line(String.raw`(?<zero>No tests found!)`)},
  {tool: "deno", take: "sum", pattern: line(String.raw`(?:ok|FAILED) \| (?<list>\d+ passed[^\n]*failed[^\n(]*)`)},
  {tool: "deno", take: "sum", pattern: line(String.raw`error: (?<zero>No test modules found)`)},
  {
    tool: "playwright",
    take: "sum",
    pattern: line(
      String.raw` {2}(?<list>\d+ (?:passed|failed|flaky|skipped|did not run|interrupted))(?: \(\d[^\n]*\))?\s*$`,
    ),
    unless: ["ava"],
  },
  {tool: "playwright", take: "sum", pattern: line(String.raw`Error: (?<zero>No tests found)`)},
  {tool: "jasmine", take: "sum", pattern: line(String.raw`(?<list>\d+ specs?, \d+ failures?(?:, \d+ pending)?)`)},
  {tool: "karma", take: "last", pattern: /: Executed (?<executed>\d+) of \d+ ?(?:\((?<failed>\d+) FAILED\))?/gm},
  {
    tool: "pytest",
    take: "sum",
    pattern: line(
      String.raw`=* ?(?<list>\d+ (?:passed|failed|skipped|errors?|xfailed|xpassed|deselected|warnings?|rerun)\b[^\n]*) in \d+(?:\.\d+)?s`,
    ),
  },
  {tool: "pytest", take: "sum", pattern: line(String.raw`=* ?(?<zero>no tests (?:ran|collected))\b[^\n]* in \d`)},
  {
    tool: "unittest",
    take: "sum",
    pattern: /^Ran (?<ran>\d+) tests? in [^\n]*\s+(?:OK|FAILED|NO TESTS RAN)(?: \((?<list>[^\n)]*)\))?/gm,
  },
  {
    tool: "cargo",
    take: "sum",
    pattern: line(String.raw`test result: (?:ok|FAILED)\. (?<list>\d+ passed; \d+ failed; \d+ ignored)`),
  },
  {
    tool: "nextest",
    take: "sum",
    pattern: line(String.raw`\s*Summary \[[^\]]*\] +\d+(?:/\d+)? tests? run: (?<list>[^\n]*)`),
  },
  {
    tool: "surefire",
    take: "sum",
    pattern: line(
      String.raw`(?:\[\w+\] +)?Tests run: (?<ran>\d+), (?<list>Failures: \d+, Errors: \d+, Skipped: \d+)\s*$`,
    ),
  },
  {
    tool: "surefire",
    take: "sum",
    pattern: line(String.raw`(?:\[\w+\] +)?(?<zero>No tests (?:to run\.|were executed!))`),
  },
  {
    tool: "gradle",
    take: "sum",
    pattern: line(String.raw`(?<ran>\d+) tests? completed, (?<list>\d+ failed(?:, \d+ skipped)?)`),
  },
  {
    tool: "gradle",
    take: "sum",
    pattern: line(String.raw`\S[^\n]* > [^\n]* (?<word>PASSED|FAILED|SKIPPED)\s*$`),
    unless: ["gradle", "pytest"],
  },
  {tool: "gradle", take: "sum", pattern: line(String.raw`> Task :(?:[\w.:-]*:)?\w*[tT]est (?<zero>NO-SOURCE)`)},
  {tool: "rspec", take: "sum", pattern: line(String.raw`(?<ran>\d+) examples?, (?<list>\d+ failures?[^\n]*)`)},
  {
    tool: "minitest",
    take: "sum",
    pattern: line(String.raw`(?<ran>\d+) (?:runs|tests), \d+ assertions, (?<list>\d+ failures, \d+ errors[^\n]*)`),
  },
  {tool: "phpunit", take: "sum", pattern: line(String.raw`OK \((?<ran>\d+) tests?, \d+ assertions?\)`)},
  {tool: "phpunit", take: "sum", pattern: line(String.raw`Tests: (?<ran>\d+), Assertions: \d+(?<list>[^\n]*)\.\s*$`)},
  {tool: "phpunit", take: "sum", pattern: line(String.raw`(?<zero>No tests executed!)`)},
  {
    tool: "ctest",
    take: "sum",
    pattern: line(String.raw`\d+% tests passed, (?<failed>\d+) tests? failed out of (?<ran>\d+)`),
  },
  {tool: "ctest", take: "sum", pattern: line(String.raw`(?<zero>No tests were found!!!)`)},
  {
    tool: "gtest",
    take: "sum",
    pattern: line(String.raw`(?:\d+: )?\[ {2}(?<word>PASSED|FAILED|SKIPPED) {2}\] (?<times>\d+) tests?[.,]`),
    unless: ["ctest"],
  },
  {
    tool: "dotnet",
    take: "sum",
    pattern: line(String.raw`(?:Passed|Failed|Skipped)! +- (?<list>Failed: +\d+, Passed: +\d+, Skipped: +\d+)`),
  },
  {
    tool: "dotnet",
    take: "sum",
    pattern: line(String.raw` +(?<list>(?:Passed|Failed|Skipped): \d+)\s*$`),
    unless: ["eunit"],
  },
  {tool: "dotnet", take: "sum", pattern: line(String.raw` {2}(?<list>(?:failed|succeeded|skipped): \d+)\s*$`)},
  {tool: "dotnet", take: "sum", pattern: line(String.raw`(?<zero>No test is available in|Zero tests ran)`)},
  {
    tool: "mix",
    take: "sum",
    pattern: line(
      String.raw`(?:\d+ doctests?, )?(?:\d+ properties, |\d+ property, )?(?<ran>\d+) tests?, (?<list>\d+ failures?[^\n]*)`,
    ),
  },
  {tool: "mix", take: "sum", pattern: line(String.raw`(?<zero>There are no tests to run)`)},
  {tool: "swift", take: "last", pattern: line(String.raw`\s*Executed (?<ran>\d+) tests?, with (?<list>[^\n(]*)`)},
  {
    tool: "swift-testing",
    take: "sum",
    pattern: /Test run with (?<ran>\d+) tests?[^\n]* (?:passed|failed)(?: after [^\n]* with (?<failed>\d+) issues?)?/gm,
  },
  {
    tool: "dart",
    take: "last",
    pattern:
      /^(?:\d\d:\d\d )\+(?<passed>\d+)(?: ~(?<skipped>\d+))?(?: -(?<failed>\d+))?: (?:All tests passed!|Some tests failed\.|[^\n]*)$/gm,
  },
  {tool: "scalatest", take: "sum", pattern: /\bTests: (?<list>succeeded \d+, failed \d+, canceled \d+, ignored \d+)/gm},
  {
    tool: "sbt",
    take: "sum",
    pattern: /\b(?:Passed|Failed): Total (?<ran>\d+), (?<list>Failed \d+, Errors \d+)/gm,
    unless: ["scalatest"],
  },
  {
    tool: "lein",
    take: "sum",
    pattern: /^Ran (?<ran>\d+) tests containing \d+ assertions\.\s+(?<list>\d+ failures, \d+ errors)/gm,
  },
  {
    tool: "busted",
    take: "sum",
    pattern: line(String.raw`(?<list>\d+ success(?:es)? / \d+ failures? / \d+ errors? / \d+ pending)`),
  },
  {tool: "prove", take: "sum", pattern: line(String.raw`Files=\d+, Tests=(?<ran>\d+),`)},
  {
    tool: "tasty",
    take: "sum",
    pattern: line(String.raw`(?:All (?<passed>\d+)|(?<failed>\d+) out of (?<ran>\d+)) tests (?:passed|failed)`),
  },
  {
    tool: "ginkgo",
    take: "sum",
    pattern: /-- (?<list>\d+ Passed \| \d+ Failed \| \d+ Pending \| \d+ Skipped)/gm,
    unless: ["go"],
  },
  {
    tool: "robot",
    take: "last",
    pattern: line(String.raw`\d+ tests?, (?<list>\d+ passed, \d+ failed(?:, \d+ skipped)?)`),
  },
  {tool: "cucumber", take: "sum", pattern: line(String.raw`\d+ scenarios? \((?<list>[^\n)]*)\)`), unless: ["behave"]},
  {tool: "behave", take: "sum", pattern: line(String.raw`(?<list>\d+ scenarios? passed, \d+ failed, \d+ skipped)`)},
  {
    tool: "meson",
    take: "sum",
    pattern: line(String.raw`(?<list>(?:Ok|Fail|Timeout|Skipped|Expected Fail): {2,}\d+)\s*$`),
  },
];
