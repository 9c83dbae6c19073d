/** Words in configuration that has no parser here, with their meaning for the checks. Data only. */
import {CHECK_WORDS, PASSING_OPTIONS} from "../../tools/integrity-names.ts";

/** The tools that use the word, what a line with it means, and the word. */
type LineFact = readonly [tools: string, meaning: string, pattern: RegExp];

/** One pattern for all rows: it is searched in each changed line. */
const anyOf = (...facts: readonly LineFact[]): RegExp =>
  new RegExp(facts.map(([, , {source}]) => source).join("|"), "i");

/** Keys whose values leave something out, or let it pass. */
export const LOOSE_KEY = anyOf(
  ["most tools", "leaves files, rules or tests out", /^(?:exclu|omit|skip|ignored?)|(?:exclu\w*|omit|skip|ignore\w*)$/],
  ["most tools", "turns a rule off, or hides its reports", /^(?:disable|mute|suppress|nowarn|baseline)|disabled$/],
  ["most tools", "lets a failure or an empty run pass", /^(?:allow|permit|continue[-_]?on|no[-_]?(?:tests|warn|fail))/],
  ["test runners", "repeats a failing test until it passes", /^(?:retr(?:y|ies)|rerun)/],
  ["test runners", "runs some tests only", /^(?:only|solo|invert|filter_run)|invert$/],
  ["test runners", "decides what the runner exits with", /^(?:exitstatus|failure-exit)/],
  ["xUnit, Trunk", "does not count the failures of some tests", /^quarantine/],
  ["Codecov", "reports a status that cannot fail", /^informational/],
  ["CTest", "expects the test to fail", /^will_fail/],
  ["SimpleCov", "leaves files out of the coverage", /^add_filter/],
);

/** Keys that make a tool stricter when they are on. */
export const STRICT_KEY = anyOf(
  ["most tools", "fails for more", /strict|fail|error|warning|enforce|forbid|require/],
  ["most tools", "runs a check", /check|verif|analysis|^tests?$|^(?:enabled?|active)$/],
  ["linters", "is a group of rules", /recommended|un(?:checked|used)|implicit/],
  ["PHPUnit", "fails for tests without assertions", /risky/],
  ["C#", "checks for null; makes a project one of tests", /nullable|istestproject/],
  ["Deno", "reports timers and files that stay open", /leaks/],
  ["Cargo", "finds tests by itself, and reports their results", /^autotests$|doctest|harness/],
);

/** Numbers that check less when they are lower. */
export const FLOOR = anyOf(
  ["most tools", "is the least that is accepted", /^min(?:imum)?(?![a-z])|minimum_coverage|fail.?under|^target$/],
  ["coverage", "is a share of the code", /coverage|percent|^(?:lines?|branch(?:es)?|functions?|statements?)$/],
  ["Infection", "is the share of noticed mutants", /msi/],
  ["PHPStan, Psalm", "is the number of groups of rules", /^level$/],
  ["property tests", "is the number of tried values", /(?:max.?)?(?:runs|examples|cases)$|^checkall$/],
);

/** Numbers that check less when they are higher. A `max` of other things, such as workers, is not a limit for code. */
export const CEILING = anyOf(
  ["linters", "is the most that is accepted", /complexity|issues/],
  [
    "most tools",
    "is the most that is accepted",
    /max(?!.*(?:runs|examples|version|width|len|line|worker|job|age|size|depth|conc|proc))|threshold/,
  ],
  ["test runners", "is the number of attempts", /retr(?:y|ies)|rerun/],
  ["assertions", "is the accepted difference", /tolerance|epsilon|delta/],
  ["Django", "is the number of allowed queries", /numqueries/],
);

/** Numbers of tests. The others in a test belong to what is tested. */
export const TEST_NUMBER = anyOf(
  ["assertions", "is the accepted difference", /tolerance|epsilon|maxdiff/],
  ["property tests", "is the number of tried values", /(?:with_|max_?)(?:runs|examples|cases)$|^checkall$/],
  ["Django", "is the number of allowed queries", /numqueries/],
);

/** Keys about speed, form and dependencies. The last alternative is `require "file"` in Ruby and Elixir. */
export const NO_CHECK =
  /version|width|length|indent|timeout|worker|parallel|jobs|depend(?!sOn\b)|edition|require[sd]?\b.*["']\w+["']/i;

/** Blocks of builds about what they package, describe or publish. */
export const NO_CHECK_BLOCK =
  /^\s*(?:tasks?\.)?(?:(?:named|register|withType|configure)\b[\s(<]*["']?)?(?:\w*(?:[bB]om|BOM)\b|sbom|publish\w*|javadoc|boot[JW]ar|jar|war|shadowJar|processResources)\b/;

/** A line with the name of a command that checks something. */
export const isCheckCommand = (text: string): boolean =>
  text.match(/\w+/g)?.some((word) => CHECK_WORDS.has(word)) === true;

const LOOSE_OPTIONS: readonly LineFact[] = [
  ["most tools", "leaves files, rules or tests out", /exclude[\w-]*|ignore[\w-]*/],
  ["test runners", "runs some tests only", /only|grep[\w-]*|match|tag|short/],
  [
    "Deno, test runners",
    "does not check, or accepts an empty run",
    /no-(?:check|tests|run)|p(?:ermit-no-files|ass-with-no-tests)/,
  ],
  ["Dart", "reports without failing", /no-fatal[\w-]*/],
  ["linters, test runners", "always exits with 0", new RegExp([...PASSING_OPTIONS, "mute-exit-status"].join("|"))],
  ["PHPStan", "records all that is reported as accepted", /generate-baseline/],
];
const STRICT_OPTIONS: readonly LineFact[] = [
  ["formatters", "reports instead of writing", /check[\w-]*|verify-no-changes|set-exit-if-changed/],
  ["most tools", "fails for more", /fatal[\w-]*|strict[\w-]*|warnings?[\w-]*|fail[\w-]*|forbid[\w-]*/],
  ["test runners", "checks examples, coverage or data races too", /doc|cover(?:age)?|race/],
];
const optionOf = (facts: readonly LineFact[]): RegExp => new RegExp(`^--?(?:${anyOf(...facts).source})(?:=|$)`);
export const LOOSE_OPTION = optionOf(LOOSE_OPTIONS);
export const STRICT_OPTION = optionOf(STRICT_OPTIONS);
/** An option in a list of arguments, one on each line; a hook of pre-commit that does not run by itself. */
export const LOOSE_ARGUMENT = /--?(?:exclude|tag ~|mute|exit-zero)[\w-]*|^\s*stages:\s*\[\s*manual\s*\]/;

/** Lines about checks, in files that are also about other things. */
export const CHECK_LINE = anyOf(
  ["compilers", "makes warnings errors", /(?:^|\s)(?:-W|--?D)|Werror|as_?errors/],
  ["C and C++", "runs a sanitizer or clang-tidy", /sanitize|tidy/],
  ["most tools", "measures coverage, or runs a linter", /cover|lint|analy[sz]|dialyzer/],
  ["Gradle", "makes one task run another that verifies", /(?:dependsOn|finalizedBy)[\s(].*erif/],
);

/** Severities, from the highest. */
export const SEVERITY: Readonly<Record<string, number>> = {
  ...{error: 3, deny: 3, forbid: 3, fatal: 3, warning: 2, warn: 2, info: 1, suggestion: 1},
  ...{silent: 0, none: 0, off: 0, ignore: 0, allow: 0},
};
