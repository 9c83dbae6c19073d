/** The facts about one tool, as data that other folders interpret. All abilities are optional. */
import type {FileKind} from "../git/paths.ts";
import type {Diagnostic, ReportedTest} from "../record/evidence.ts";

export interface Tool {
  /** its name in diagnostics, reports and reasons */
  readonly name: string;
  /** the formats of its problems in its output */
  readonly output?: OutputRules;
  /** match lines which say that the tool itself, or a part of it, is not installed; `missing` names an interpreter */
  readonly notInstalled?: readonly RegExp[];
  /** the formats of its summary of a test run */
  readonly summaries?: readonly SummaryPattern[];
  /** the most lines between the parts of a run's summary; `isRepeated`: each target has one, without passing tests */
  readonly summaryParts?: {readonly apart: number; readonly isRepeated?: true};
  /** multi-line; matches a line of a passing run with a test that failed first and passed when it was run again */
  readonly retried?: RegExp;
  /** the format of its failed tests */
  readonly failedTests?: FailedTestPatterns;
  /** how its command runs only some tests */
  readonly rerun?: RerunRule;
  /** how to request a machine-readable report */
  readonly report?: ReportRule;
  /** how it records which lines its tests run, if the project has what that needs */
  readonly coverage?: CoverageRule;
  /** how it may end before it has checked everything */
  readonly earlyStop?: EarlyStop;
  /** the lines that each test program prints once before its tests and once after them */
  readonly testRun?: {readonly begins: RegExp; readonly ends: RegExp; readonly name?: string};
  /** how its command is limited to some files, or some packages */
  readonly narrowToFiles?: FileNarrowing;
  readonly narrowToPackages?: PackageNarrowing;
  /** the option that leaves out one test file, in addition to its settings, and options that make this uncertain */
  readonly leaveOut?: {
    readonly commands: readonly string[];
    readonly option: string;
    readonly never: readonly string[];
  };
  /** the commands that fix its complaints, tried in this order */
  readonly fixes?: readonly FixRule[];
}

interface OutputRules {
  /** strings; every output of the tool contains at least one of them; empty: its rules are always tried */
  readonly markers: readonly string[];
  /** its warnings never make it fail, so they explain nothing next to an error */
  readonly warningsPass?: true;
  /** the message of a problem that the tool prints without one */
  readonly defaultMessage?: string;
  readonly blocks?: readonly Block[];
  /** a pattern alone describes an error on one line */
  readonly lines?: readonly (RegExp | LineRule)[];
  /** its `lines` only list the tests that its blocks describe */
  readonly listsFailures?: true;
  /** matches the lines of a block with the reason; the others quote source code */
  readonly reasonLines?: RegExp;
}

/**
 * Problems on one line, or on lines that follow each other directly. Named groups: file, line, column, severity, code,
 * message.
 */
export interface LineRule {
  readonly patterns: readonly RegExp[];
  readonly severity?: Diagnostic["severity"];
  /** the last pattern repeats: problems under a header line that names the file */
  readonly isList?: true;
}

/** A failure that a tool prints on several lines, described by its start, its end and the lines inside. */
export interface Block {
  readonly start: RegExp;
  /** the first line after the block */
  readonly end: RegExp;
  /** no blank line ends the block before the first line that matches, because messages contain blank lines */
  readonly blankUntil?: RegExp;
  readonly maxLines: number;
  /** tried on every line of the block; a named group fills its field unless an earlier match did */
  readonly inside: readonly RegExp[];
  /** matches the lines below the message that belong to it; by default any, if the message ends with a colon */
  readonly detail?: RegExp;
  readonly severity?: Diagnostic["severity"];
  /** for tools that print the reason before the result */
  readonly above?: ReasonAbove;
  /** the block is not a failure if each pattern matches one of its lines: a suite whose tests are reported themselves */
  readonly unless?: readonly RegExp[];
  /** lists of names start in the same way: only with a message it is a block */
  readonly needsMessage?: true;
}

/** Where a runner prints the reason of a failed test, if it prints it before the result. */
export interface ReasonAbove {
  readonly reason: RegExp;
  /** the line over the reason, which names its test: group testId */
  readonly heading: RegExp;
  /** the lines below a result belong to it and not to a heading */
  readonly result: RegExp;
}

interface EarlyStop {
  /** as `toolOf` names them */
  readonly commands?: readonly string[];
  /** these letters after one hyphen end a run at its first failure */
  readonly letters?: string;
  /** the command runs the same script in several packages, and stops at the first failure unless it has this option */
  readonly packagesUnless?: readonly string[];
  /** with these options the command skips projects that depend on one with errors */
  readonly skipsProjects?: readonly string[];
  /** an error prevents the compilation of other code */
  readonly isCompiler?: true;
  /** codes of errors that prevent the type check */
  readonly syntaxErrors?: RegExp;
}

export interface SummaryPattern {
  /**
   * global and multi-line; `list` contains pairs of a number and a word, `zero` means that no test ran, other named
   * groups are numbers of that word
   */
  readonly pattern: RegExp;
  /**
   * only the last match counts; otherwise there is one summary per package, or one line per number, and they are added
   */
  readonly isRunningTotal?: true;
  /** literals, as for the prefilter; the second line of a summary with two lines contains one of them */
  readonly secondLine?: readonly string[];
  /** tools that describe the same run better; this summary is ignored if one of them has a summary */
  readonly unless?: readonly string[];
}

export interface FailedTestPatterns {
  /** matches a line of each output with a failed test */
  readonly marker: RegExp;
  /** the list begins after this line; by default anywhere */
  readonly from?: RegExp;
  /** names the file of the tests below it */
  readonly above?: RegExp;
  /**
   * matches a line with the file, or the package, of the tests above it; without a test above, the whole file failed
   */
  readonly below?: RegExp;
  /** matches a line with the place of the previous test */
  readonly place?: RegExp;
  /**
   * match one failed test: `file` and `name`, or `file` alone if the whole file failed; `owner` is the class of a
   * method
   */
  readonly tests: readonly RegExp[];
  /** the title continues on the following lines until one ends with a colon */
  readonly longTitles?: true;
  /** the previous test failed only because a test inside it failed */
  readonly passedOn?: RegExp;
  /** builds the name from `owner` and `name`; without it they are not joined */
  readonly nameOf?: (owner: string, name: string) => string;
  /** matches a "name" that means the whole file */
  readonly wholeFile?: RegExp;
  /** the format guarantees a complete list, and the tool's own count includes entries that are not in it */
  readonly isCounted?: true;
  /** the run ended before all tests had run */
  readonly cutShort?: RegExp;
  /** the tool prints this line if all tests have run; without the line the run was cut short */
  readonly allRan?: RegExp;
}

/** A test, as a runner prints it or as its source names it. */
export interface TestName {
  /** file, relative to the stage's folder, or package or test program; null if the runner names none */
  readonly file: string | null;
  /** the groups around it, outermost first, if it is known from its source; a runner prints them in `name` */
  readonly groups?: readonly string[];
  /** null for a whole file, such as one that cannot be loaded */
  readonly name: string | null;
}

/** Unquoted words for a command line. */
export interface RerunWords {
  /** added at the end of the command */
  readonly end: readonly string[];
  /** added directly after the words that start the tool */
  readonly start?: readonly string[];
}

export interface RerunRule {
  /** the words that start the tool, without programs that only start another one, and without the options after them */
  readonly calls: RegExp;
  /** null if the tool cannot select these tests */
  readonly narrow: (tests: readonly TestName[]) => RerunWords | null;
  /** runs tests that are known from their source, if it does not accept their files alone; it may run more tests */
  readonly choose?: (tests: readonly TestName[]) => RerunWords | null;
  /** runs the parts of the project that contain these files, if it does not accept the files; it may run more tests */
  readonly chooseParts?: (files: readonly string[]) => RerunWords | null;
  /** words that end a run at its first failing test */
  readonly endsEarly?: Partial<RerunWords>;
  /** plain words select tests, so a rerun removes them; `flags` are the options that take no value in the next word */
  readonly selects?: {readonly flags: RegExp};
  /** other options that select tests, which exclude a rerun */
  readonly never?: readonly string[];
  /** it accepts folders of tests, not files */
  readonly takesFolders?: true;
  /** needs nothing from a package manager, so that a script's own line can run instead of the script */
  readonly standsAlone?: true;
}

export interface ReportRule {
  /** as `toolOf` names them */
  readonly commands: readonly string[];
  readonly request: ReportMethod;
  /** words of its command that prevent a request: another report, or no run at all */
  readonly never?: readonly string[];
  /** for words that write a report to a file instead of any output: how to get the output, too */
  readonly besideFile?: (words: readonly string[]) => ReportRule | null;
  /** words of its command that decide whether the other modules run after a failure */
  readonly continues?: readonly string[];
  /** files in the stage's folder with its settings, and text in them that prevents a request */
  readonly unless?: {readonly files: RegExp; readonly says: RegExp};
  /** null if no report is written: the words let the other tests run after a failure, so that two runs can be compared */
  readonly format: JunitFormat | "jestJson" | "rspecJson" | "nodeTestEvents" | null;
}

/** How a runner gets the path of its report. Its output does not change, and the project's own reports stay. */
type ReportMethod =
  /** words at the end of its command, which may name settings: a file in the report's folder that is written first */
  | {
      readonly kind: "arguments";
      readonly words: (file: string, settings: string) => readonly string[];
      readonly settings?: (file: string) => string;
    }
  /** a variable with further options of the runner, or, with `isAlone`, only this one */
  | {
      readonly kind: "environment";
      readonly variable: string;
      readonly words: (file: string) => readonly string[];
      readonly isAlone?: true;
    }
  /** words at the end of its command that make it print Go's test events; its usual output is restored from them */
  | {readonly kind: "printed"; readonly words: readonly string[]}
  /** it always writes files below the stage's folder; `words` let the other modules run after a failure */
  | {readonly kind: "written"; readonly files: RegExp; readonly words: readonly string[]};

export interface CoverageRule extends Pick<ReportRule, "commands" | "never"> {
  /**
   * `variable`: the words go there; `at` "start": behind the first word of its command, otherwise at its end. The report
   * is `file`, or `lcov.info` in a folder of that name, or the files below the stage's folder that match `written`
   */
  readonly words: (file: string, paths: readonly string[]) => readonly string[];
  readonly at?: "start";
  readonly variable?: string;
  readonly written?: RegExp;
  /** a word that chosen tests have and that turns the recording off */
  readonly without?: string;
  readonly format: CoverageFormat;
}

export type CoverageFormat = "lcov" | "goProfile" | "jacoco";

/** The attributes of one `testcase`; a missing attribute is empty. */
export interface TestCase {
  readonly name: string;
  readonly classname: string;
  readonly file: string;
}

/** The tool's variant of JUnit XML. */
export interface JunitFormat {
  readonly identify: (testCase: TestCase) => Pick<ReportedTest, "file" | "name" | "title">;
  /** types of failures that the runner reports without failing */
  readonly nonFailingTypes?: RegExp;
  /** global; matches text in a failure that explains nothing, or differs from run to run */
  readonly noise?: RegExp;
}

/**
 * `narrow` returns null if it is not certain. The narrowed command may miss failures, but must not add one, so it
 * disables thresholds for the whole suite.
 */
interface FileNarrowing {
  /** as `toolOf` names them */
  readonly commands: readonly string[];
  /** takes the words as written, and files relative to the working folder */
  readonly narrow: (given: {readonly words: readonly string[]; readonly files: readonly string[]}) => string | null;
}

export interface PackageNarrowing {
  /** as `toolOf` names them */
  readonly commands: readonly string[];
  /** the file that makes a folder a package */
  readonly manifest: "Cargo.toml" | "package.json" | "pom.xml";
  /** takes the words as written, and the packages; null if it is not certain */
  readonly narrow: (given: {readonly words: readonly string[]; readonly packages: readonly string[]}) => string | null;
}

export interface FixRule {
  /** its program, and its subcommand if it has one */
  readonly commands: readonly string[];
  /** options of which the check has one, and options that would make it no check */
  readonly with?: readonly string[];
  readonly without?: readonly string[];
  /** the words after the tool's name in the fix */
  readonly fix: string;
  /** the files that it accepts; null if it accepts none and works on all */
  readonly files: FileKind | null;
}
