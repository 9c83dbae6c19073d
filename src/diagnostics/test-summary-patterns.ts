/** How test runners sum up, as data: a pattern each, whose `list` holds pairs of a number and a word. */

export interface TestForm {
  readonly tool: string;
  /** global and multi-line; `list` is read by `tests.ts`, `zero` says that no test ran, other named groups are numbers of that word */
  readonly pattern: RegExp;
  /** `sum`: one summary per package, or one line per number. `last`: running totals, of which the last holds */
  readonly take: "sum" | "last";
  /** words, as a `sieve` wants them, of which one stands in the second line of a form of two lines */
  readonly below?: readonly string[];
  /** forms that describe the same run better; where one of them is found, this one is left out */
  readonly unless?: readonly string[];
}

export const TEST_FORMS: readonly TestForm[] = [
  {
    tool: "vitest",
    take: "sum",
    pattern: /^ {2,}Tests {2}(?:(?<list>\d[^\n]*) \(\d+\)|(?<zero>no tests))\s*$/gm,
  },
  {tool: "vitest", take: "sum", pattern: /^(?<zero>No test files found)/gm},
  {tool: "jest", take: "sum", pattern: /^Tests: {2,}(?<list>\d[^\n]* total)\s*$/gm},
  {tool: "jest", take: "sum", pattern: /^(?<zero>No tests found, exiting with code)/gm},
  {tool: "pest", take: "sum", pattern: /^ {2}Tests: {4}(?<list>\d[^\n]*) \(\d+ assertions?\)\s*$/gm},
  {
    tool: "mocha",
    take: "sum",
    pattern: /^ {2,}(?<list>\d+ (?:passing|failing|pending))\b(?: \(\d[^\n]*\))?\s*$/gm,
  },
  {
    tool: "node:test",
    take: "sum",
    pattern: /^(?:# |ℹ )(?<list>(?:pass|fail|skipped|cancelled|todo) \d+)\s*$/gm,
  },
  {
    tool: "ava",
    take: "sum",
    pattern:
      /^ {2}(?<list>\d+ (?:tests?|known failures?|uncaught exceptions?|unhandled rejections?)(?: (?:passed|failed|skipped|todo))?)\s*$/gm,
    unless: ["playwright"],
  },
  {tool: "ava", take: "sum", pattern: /^\s*✖?\s*(?<zero>Couldn.t find any files to test)/gm},
  {tool: "bun", take: "sum", pattern: /^ (?<list>\d+ (?:pass|fail|skip|todo))\s*$/gm},
  {tool: "bun", take: "sum", pattern: /^(?<zero>No tests found!)/gm},
  {tool: "deno", take: "sum", pattern: /^(?:ok|FAILED) \| (?<list>\d+ passed[^\n]*failed[^\n(]*)/gm},
  {tool: "deno", take: "sum", pattern: /^error: (?<zero>No test modules found)/gm},
  {
    tool: "playwright",
    take: "sum",
    pattern: /^ {2}(?<list>\d+ (?:passed|failed|flaky|skipped|did not run|interrupted))(?: \(\d[^\n]*\))?\s*$/gm,
    unless: ["ava"],
  },
  {tool: "playwright", take: "sum", pattern: /^Error: (?<zero>No tests found)/gm},
  {tool: "jasmine", take: "sum", pattern: /^(?<list>\d+ specs?, \d+ failures?(?:, \d+ pending)?)/gm},
  {tool: "karma", take: "last", pattern: /: Executed (?<executed>\d+) of \d+ ?(?:\((?<failed>\d+) FAILED\))?/gm},
  {
    tool: "pytest",
    take: "sum",
    pattern:
      /^=* ?(?<list>\d+ (?:passed|failed|skipped|errors?|xfailed|xpassed|deselected|warnings?|rerun)\b[^\n]*) in \d+(?:\.\d+)?s/gm,
  },
  {tool: "pytest", take: "sum", pattern: /^=* ?(?<zero>no tests (?:ran|collected))\b[^\n]* in \d/gm},
  {
    tool: "unittest",
    take: "sum",
    below: ["\nok", "\nfailed", "\nno tests ran"],
    pattern: /^Ran (?<ran>\d+) tests? in [^\n]*\s+(?:OK|FAILED|NO TESTS RAN)(?: \((?<list>[^\n)]*)\))?/gm,
  },
  {
    tool: "cargo",
    take: "sum",
    pattern: /^test result: (?:ok|FAILED)\. (?<list>\d+ passed; \d+ failed; \d+ ignored)/gm,
  },
  {
    tool: "nextest",
    take: "sum",
    pattern: /^\s*Summary \[[^\]]*\] +\d+(?:\/\d+)? tests? run: (?<list>[^\n]*)/gm,
  },
  {
    tool: "surefire",
    take: "sum",
    pattern:
      /^(?:\[\w+\] +)?Tests run: (?<ran>\d+), (?<list>Failures: \d+, Errors: \d+, Skipped: \d+)(?:, Flakes: \d+)?\s*$/gm,
  },
  {
    tool: "surefire",
    take: "sum",
    pattern: /^(?:\[\w+\] +)?(?<zero>No tests (?:to run\.|were executed!))/gm,
  },
  {
    tool: "gradle",
    take: "sum",
    pattern: /^(?<ran>\d+) tests? completed, (?<list>\d+ failed(?:, \d+ skipped)?)/gm,
  },
  {
    tool: "gradle",
    take: "sum",
    pattern: /^(?=\S[^\n]* > )[^\n]* (?<word>PASSED|FAILED|SKIPPED)\s*$/gm,
    unless: ["gradle", "pytest"],
  },
  {tool: "gradle", take: "sum", pattern: /^> Task :(?:[\w.:-]*:)?\w*[tT]est (?<zero>NO-SOURCE)/gm},
  {tool: "rspec", take: "sum", pattern: /^(?<ran>\d+) examples?, (?<list>\d+ failures?[^\n]*)/gm},
  {
    tool: "minitest",
    take: "sum",
    pattern: /^(?<ran>\d+) (?:runs|tests), \d+ assertions, (?<list>\d+ failures, \d+ errors[^\n]*)/gm,
  },
  {tool: "phpunit", take: "sum", pattern: /^OK \((?<ran>\d+) tests?, \d+ assertions?\)/gm},
  {tool: "phpunit", take: "sum", pattern: /^Tests: (?<ran>\d+), Assertions: \d+(?<list>[^\n]*)\.\s*$/gm},
  {tool: "phpunit", take: "sum", pattern: /^(?<zero>No tests executed!)/gm},
  {
    tool: "ctest",
    take: "sum",
    pattern: /^\d+% tests passed, (?<failed>\d+) tests? failed out of (?<ran>\d+)/gm,
  },
  {tool: "ctest", take: "sum", pattern: /^(?<zero>No tests were found!!!)/gm},
  {
    tool: "gtest",
    take: "sum",
    pattern: /^(?:\d+: )?\[ {2}(?<word>PASSED|FAILED|SKIPPED) {2}\] (?<times>\d+) tests?[.,]/gm,
    unless: ["ctest"],
  },
  {
    tool: "dotnet",
    take: "sum",
    pattern: /^(?:Passed|Failed|Skipped)! +- (?<list>Failed: +\d+, Passed: +\d+, Skipped: +\d+)/gm,
  },
  {
    tool: "dotnet",
    take: "sum",
    pattern: /^ +(?<list>(?:Passed|Failed|Skipped): \d+)\s*$/gm,
    unless: ["eunit"],
  },
  {
    tool: "dotnet",
    take: "sum",
    pattern: /^Test summary: total: \d+, (?<list>failed: \d+, succeeded: \d+, skipped: \d+)/gm,
  },
  {tool: "dotnet", take: "sum", pattern: /^ {2}(?<list>(?:failed|succeeded|skipped): \d+)\s*$/gm},
  {tool: "dotnet", take: "sum", pattern: /^(?<zero>No test is available in|Zero tests ran)/gm},
  {
    tool: "mix",
    take: "sum",
    pattern:
      /^(?:\d+ doctests?, )?(?:\d+ properties, |\d+ property, )?(?<ran>\d+) tests?, (?<list>\d+ failures?[^\n]*)/gm,
  },
  {tool: "mix", take: "sum", pattern: /^(?<zero>There are no tests to run)/gm},
  {tool: "swift", take: "last", pattern: /^\s*Executed (?<ran>\d+) tests?, with (?<list>[^\n(]*)/gm},
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
  {
    tool: "pnpm",
    take: "sum",
    pattern: /^(?<zero>No projects matched the filters|None of the selected packages has a )/gm,
  },
  {tool: "turbo", take: "sum", pattern: /^\s*(?:WARNING\s+)?(?<zero>No tasks were executed as part of this run)/gm},
  {tool: "lerna", take: "sum", pattern: /^lerna info (?<zero>No packages found with the lifecycle script)/gm},
  {tool: "nx", take: "sum", pattern: /^\s*(?:NX\s+)?(?<zero>No tasks were run)/gm},
  {tool: "nox", take: "sum", pattern: /^nox > Session \S+ (?<zero>skipped): /gm},
  {tool: "cucumber", take: "sum", pattern: /^(?<zero>(?:No|0) scenarios)$/gm},
  {tool: "catch2", take: "sum", pattern: /^(?<zero>No tests ran)\.?$/gm},
  // A folder `test` next to a target `test` that is not phony: make finds it made, and runs nothing. Alone in the output.
  {
    tool: "make",
    take: "sum",
    pattern:
      /^(?:(?:> [^\n]*|g?make(?:\[\d+\])?: (?:Entering|Leaving)[^\n]*|[ \t]*)\n)*g?make(?:\[\d+\])?: (?<zero>['`][^\n]+' is up to date|Nothing to be done for ['`][^\n]+')\.\n*$/g,
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
    below: ["0 failures, 0"],
    pattern: /^Ran (?<ran>\d+) tests containing \d+ assertions\.\s+(?<list>\d+ failures, \d+ errors)/gm,
  },
  {
    tool: "busted",
    take: "sum",
    pattern: /^(?<list>\d+ success(?:es)? \/ \d+ failures? \/ \d+ errors? \/ \d+ pending)/gm,
  },
  {tool: "prove", take: "sum", pattern: /^Files=\d+, Tests=(?<ran>\d+),/gm},
  {
    tool: "tasty",
    take: "sum",
    pattern: /^(?:All (?<passed>\d+)|(?<failed>\d+) out of (?<ran>\d+)) tests (?:passed|failed)/gm,
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
    pattern: /^\d+ tests?, (?<list>\d+ passed, \d+ failed(?:, \d+ skipped)?)/gm,
  },
  {tool: "cucumber", take: "sum", pattern: /^\d+ scenarios? \((?<list>[^\n)]*)\)/gm, unless: ["behave"]},
  {tool: "behave", take: "sum", pattern: /^(?<list>\d+ scenarios? passed, \d+ failed, \d+ skipped)/gm},
  {
    tool: "meson",
    take: "sum",
    pattern: /^(?<list>(?:Ok|Fail|Timeout|Skipped|Expected Fail): {2,}\d+)\s*$/gm,
  },
  // What people write in a runner of their own, whose exit code need not say anything.
  {
    tool: "own runner",
    take: "sum",
    pattern: /^(?:total )?tests? (?<list>(?:passed|failed|skipped) ?[:=] *\d+)\s*$/gim,
  },
  {tool: "own runner", take: "sum", pattern: /^(?<list>\d+ tests? (?:passed|failed|skipped))[.!]?\s*$/gim},
];
