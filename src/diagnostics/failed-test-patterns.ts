/** How test runners name the tests that failed, as data that `failed-tests.ts` runs over an output. */

export const TEST_TOOLS = [
  "vitest",
  "jest",
  "mocha",
  "node:test",
  "deno",
  "pytest",
  "unittest",
  "go test",
  "cargo test",
  "nextest",
  "phpunit",
  "rspec",
  "minitest",
  "ctest",
] as const;
export type TestTool = (typeof TEST_TOOLS)[number];

export interface FailedForm {
  readonly tool: TestTool;
  /** stands in each output of the tool that has a failed test */
  readonly sign: RegExp;
  /** the list begins after this line; none: it may stand anywhere */
  readonly from?: RegExp;
  /** names the file of the tests below it */
  readonly above?: RegExp;
  /** names the file, or the package, of the tests above it; one with no test above failed as a whole */
  readonly below?: RegExp;
  /** names the place of the test just read */
  readonly place?: RegExp;
  /** one failed test: `file` and `name`, or `file` alone where all of it failed; `owner` is the class of a method */
  readonly tests: readonly RegExp[];
  /** the title goes on over the lines below until one ends with a colon */
  readonly longTitles?: true;
  /** says that the test just read only passes on what failed inside of it */
  readonly passedOn?: RegExp;
  /** a "name" that means all of the file */
  readonly wholeFile?: RegExp;
  /** the list is whole by its form, and the tool's own count would add what is not in it */
  readonly isCounted?: true;
  /** the run ended before all tests had run, and where it must be said that all have: how that is said */
  readonly cutShort?: RegExp;
  readonly allRan?: RegExp;
}

export const FAILED_FORMS: readonly FailedForm[] = [
  {
    tool: "vitest",
    sign: /^ *Test Files {2}/,
    tests: [/^ ?FAIL +(?:\|[^|]+\| )?(?<file>\S+)(?: > (?<name>.*)| \[ .* \])$/],
    cutShort: /^⎯+ (?:Unhandled|Uncaught) |^ *Errors {2}\d/,
  },
  {
    tool: "jest",
    sign: /^Test Suites: /,
    above: /^FAIL (?:.* )?(?<file>\S+\.\w+)(?: \([\d.]+ m?s\))?$/,
    tests: [/^ {2}● (?<name>(?!Console$)\S.*)$/],
    wholeFile: /^Test suite failed to run$/,
    cutShort: /^Test Suites: .*\d of \d+ total/,
  },
  {
    tool: "mocha",
    sign: /^ {2}\d+ failing$/,
    from: /^ {2}\d+ failing$/,
    tests: [/^ {2}\d+\) (?<name>\S.*)$/],
    longTitles: true,
    // The tests behind a hook that failed were not run.
    cutShort: /"(?:before|after) (?:each|all)" hook/,
  },
  {
    tool: "node:test",
    sign: /^(?:# |ℹ )fail [1-9]/,
    from: /^(?:TAP version \d+|✖ failing tests:)$/,
    above: /^test at (?<file>.+):\d+:\d+$/,
    tests: [/^✖ (?<name>(?!failing tests:$).*?)(?: \([\d.]+ms\))?$/, /^\s*not ok \d+ - (?<name>.*)$/],
    place: /^\s+location: '(?:file:\/\/)?(?<file>.+):\d+:\d+'$/,
    passedOn: /^\s+failureType: 'subtestsFailed'$/,
    isCounted: true,
  },
  {
    tool: "deno",
    sign: /^FAILED \| \d+ passed/,
    from: /^ FAILURES ?$/,
    // A step is named behind its test.
    tests: [/^(?<name>\S.*?)(?: \.\.\. .+)? => (?<file>\S+?):\d+:\d+$/, /^(?<file>\S+) \(uncaught error\)$/],
    isCounted: true,
  },
  {
    tool: "pytest",
    sign: /^(?:=+ )?(?:\d+ \w+, )*\d+ (?:failed|errors?)\b.* in [\d.]+s/,
    tests: [
      /^(?:FAILED|ERROR|SUBFAIL(?:ED)?(?:\[.*?\])?(?: \(.*?\))?) (?<file>\S+?\.\w+)(?:::(?<name>[^\s[]+(?:\[.*?\])?))?(?: - .*)?$/,
    ],
    cutShort: /^!{3,} .*(?:stopping after|Interrupted)|^INTERNALERROR>|^!+ (?:KeyboardInterrupt|_pytest)/,
  },
  {
    tool: "unittest",
    sign: /^Ran \d+ tests? in /,
    tests: [/^(?:FAIL|ERROR): (?<name>\w+) \((?<owner>[\w.]+)\)(?: [[(].*)?$/],
  },
  {
    tool: "go test",
    sign: /^FAIL\t|^\{.*"Action":"fail"/,
    below: /^FAIL\t(?<file>\S+)(?:\t[\d.]+s| \[(?:build|setup) failed\])$/,
    tests: [
      /^\s*--- FAIL: (?<name>\S+) \([\d.]+s\)$/,
      /^\{.*"Action":"fail","Package":"(?<file>[^"]+)","Test":"(?<name>[^"]+)"/,
    ],
    cutShort: /^(?:\{.*"Output":")?(?:panic: |fatal error: |signal: |\*\*\* Test killed)/,
  },
  {
    tool: "cargo test",
    sign: /^test result: FAILED/,
    above: /^ +(?:Running )?(?<file>(?<=Running ).*(?= \(.*\)$)|Doc-tests(?= ))/,
    tests: [/^test (?<name>.+?)(?: - should panic)? \.\.\. FAILED$/],
    // Without --no-fail-fast the first test program that fails is the last to run.
    allRan: /^error: \d+ targets? failed:$/,
  },
  {
    tool: "nextest",
    sign: /^ +Summary \[/,
    from: /^ +Summary \[/,
    tests: [
      /^ +(?:TRY \d+ )?(?:FAIL|TMT|TIMEOUT|ABORT|SIG[A-Z]+) \[ *[\d.]+s\] (?:\( *\d+\/\d+\) )?(?<file>\S+) (?<name>\S+)$/,
    ],
    cutShort: /^warning: \d+\/\d+ tests? w(?:as|ere) not run /,
  },
  {
    tool: "phpunit",
    sign: /^(?:FAILURES|ERRORS)!$/,
    from: /^There (?:was|were) \d+ (?:failure|error)s?:$/,
    tests: [/^\d+\) (?<name>[\w\\]+::\w+)(?: with data set .*)?$/],
    allRan: /\(100%\)$/,
  },
  {
    tool: "rspec",
    sign: /^\d+ examples?, /,
    from: /^Failed examples:$/,
    tests: [/^rspec (?<file>\S+?)(?<name>:\d+|\[[\d:]+\]) # .*$/],
    cutShort: /errors? occurred outside of examples/,
  },
  {
    tool: "minitest",
    sign: /^\d+ (?:runs|tests), \d+ assertions, /,
    tests: [/^(?<name>\S.*#test_.+?)(?: \[(?<file>.+):\d+\])?:$/],
  },
  {
    tool: "ctest",
    sign: /^\d+% tests passed, \d+ tests? failed out of /,
    from: /^The following tests FAILED:$/,
    tests: [/^\s+\d+ - (?<name>\S.*?) \([A-Z][\w ]*\)(?: {2,}.*)?$/],
  },
];
