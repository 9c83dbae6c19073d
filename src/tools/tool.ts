/** The shape of what Assay knows about one tool: data that other folders interpret. All abilities are optional. */
import type {Diagnostic, ReportedTest} from "../record/evidence.ts";

export interface Tool {
  /** as diagnostics, reports and reasons name it */
  readonly name: string;
  /** how its problems look in an output */
  readonly output?: OutputRules;
  /** how it sums up a test run */
  readonly summaries?: readonly SummaryPattern[];
  /** one run's summary has several parts, at most so many lines apart; `isRepeated`: each target has one, and shows no output of passing tests */
  readonly summaryParts?: {readonly apart: number; readonly isRepeated?: true};
  /** how it names the tests that failed */
  readonly failedTests?: FailedTestPatterns;
  /** how its command runs only some tests */
  readonly rerun?: RerunRule;
  /** how it is asked for a machine-readable report */
  readonly report?: ReportRule;
  /** how it can end before it has checked everything */
  readonly earlyStop?: EarlyStop;
  /** what each test program prints once before its tests and once after them */
  readonly testRun?: {readonly begins: RegExp; readonly ends: RegExp; readonly name?: string};
  /** how its command is limited to what some files, or some packages, concern */
  readonly narrowToFiles?: FileNarrowing;
  readonly narrowToPackages?: PackageNarrowing;
  /** which command fixes what it complains about; tried in this order */
  readonly fixes?: readonly FixRule[];
  /** how it reuses what an earlier run found out */
  readonly incremental?: IncrementalRule;
}

export interface OutputRules {
  /** strings of which every output of the tool contains at least one; none: the rules are always tried */
  readonly markers: readonly string[];
  /** its warnings never make it fail, so that next to an error they explain nothing */
  readonly warningsPass?: true;
  /** the message of a problem that the tool prints without one */
  readonly defaultMessage?: string;
  readonly blocks?: readonly Block[];
  /** a pattern alone describes an error on one line */
  readonly lines?: readonly (RegExp | LineRule)[];
}

/** Problems on one line, or on lines that follow each other directly. Named groups: file, line, column, severity, code, message. */
export interface LineRule {
  readonly patterns: readonly RegExp[];
  readonly severity?: Diagnostic["severity"];
  /** the last pattern repeats: problems under a header line that names the file */
  readonly isList?: true;
}

/** A failure that a tool prints over several lines, described by its start, its end and the lines inside. */
export interface Block {
  readonly start: RegExp;
  /** the first line after the block */
  readonly end: RegExp;
  /** before the first line like this one no blank line ends the block: messages have blank lines */
  readonly blankUntil?: RegExp;
  readonly maxLines: number;
  /** tried on every line of the block; a named group fills its field unless an earlier match did */
  readonly inside: readonly RegExp[];
  readonly severity?: Diagnostic["severity"];
  /** tried on the indented lines directly above the start, for tools that print the reason before the name */
  readonly above?: RegExp;
  /** if each of them matches a line of the block, it does not count as a failure, such as a suite whose tests are reported one by one */
  readonly unless?: readonly RegExp[];
  /** lists of names start in the same way: only with a message inside it is a block */
  readonly needsMessage?: true;
}

export interface EarlyStop {
  /** the command, as `toolOf` names it */
  readonly command?: RegExp;
  /** options of the command that end a run at its first failure */
  readonly option?: RegExp;
  /** the command runs the same script in several packages, and stops at the first failure unless it has this option */
  readonly packagesUnless?: RegExp;
  /** with these options the command skips projects that need one with errors */
  readonly skipsProjects?: RegExp;
  /** an error keeps other code from being compiled */
  readonly isCompiler?: true;
  /** codes of errors that keep it from checking any types */
  readonly syntaxErrors?: RegExp;
}

export interface SummaryPattern {
  /** global and multi-line; `list` holds pairs of a number and a word, `zero` says that no test ran, other named groups are numbers of that word */
  readonly pattern: RegExp;
  /** only the last match counts; else there is one summary per package, or one line per number, and they are added up */
  readonly isRunningTotal?: true;
  /** literals, as the prefilter takes them, of which the second line of a summary of two lines contains one */
  readonly secondLine?: readonly string[];
  /** tools that describe the same run better; if one of them has a summary, this one is left out */
  readonly unless?: readonly string[];
}

export interface FailedTestPatterns {
  /** matches a line of each output that has a failed test */
  readonly marker: RegExp;
  /** the list begins after this line; none: it may be anywhere */
  readonly from?: RegExp;
  /** names the file of the tests below it */
  readonly above?: RegExp;
  /** names the file, or the package, of the tests above it; one with no test above failed as a whole */
  readonly below?: RegExp;
  /** names the place of the test just read */
  readonly place?: RegExp;
  /** one failed test: `file` and `name`, or `file` alone if the whole file failed; `owner` is the class of a method */
  readonly tests: readonly RegExp[];
  /** the title continues over the lines below until one ends with a colon */
  readonly longTitles?: true;
  /** the test just read failed only because a test inside it failed */
  readonly passedOn?: RegExp;
  /** makes the name of `owner` and `name`; without it they are not joined */
  readonly nameOf?: (owner: string, name: string) => string;
  /** a "name" that means the whole file */
  readonly wholeFile?: RegExp;
  /** the format guarantees a complete list, and the tool's own count includes entries that are not in it */
  readonly isCounted?: true;
  /** the run ended before all tests had run */
  readonly cutShort?: RegExp;
  /** the tool prints this line if all tests have run; without it the run was cut short */
  readonly allRan?: RegExp;
}

/** A test that failed, as its runner writes it. */
export interface FailedTest {
  /** file, package or test program; null if the runner does not name it */
  readonly file: string | null;
  /** null if the whole file failed, such as one that cannot be loaded */
  readonly name: string | null;
}

/** A test known from its source: its file, relative to the stage's folder, the groups around it, and its own name. */
export interface ChosenTest {
  readonly file: string;
  readonly groups: readonly string[];
  readonly name: string;
}

/** Unquoted words for a command line. */
export interface RerunWords {
  /** added at the end of the command */
  readonly end: readonly string[];
  /** added directly after the words that start the tool */
  readonly start?: readonly string[];
}

export interface RerunRule {
  /** the words that start the tool, without programs that only start another one, and without the options that follow */
  readonly calls: RegExp;
  /** null if these tests cannot be named to the tool */
  readonly narrow: (tests: readonly FailedTest[]) => RerunWords | null;
  /** how it runs tests that are known from their source, if their files alone are no words for it; it may run more of them */
  readonly choose?: (tests: readonly ChosenTest[]) => RerunWords | null;
  /** plain words select tests, and a rerun leaves them out; `flags` are the options that take no value in the next word */
  readonly selects?: {readonly flags: RegExp};
  /** options that select tests too, so that both cannot be given */
  readonly never?: RegExp;
  /** it runs the tests of folders, not of files */
  readonly takesFolders?: true;
  /** needs nothing that a package manager adds, so that a script's own line can run instead of the script */
  readonly standsAlone?: true;
}

export interface ReportRule {
  /** its command, as `toolOf` names it */
  readonly command: RegExp;
  readonly request: ReportMethod;
  /** words of its command with which it is not asked: another report, or no run at all */
  readonly never?: RegExp;
  /** words of its command that decide whether the other modules run after a failure */
  readonly continues?: RegExp;
  /** files in the stage's folder that hold its settings, and text in them with which it is not asked */
  readonly unless?: {readonly files: RegExp; readonly says: RegExp};
  /** null if nothing is written: the words only let the other tests run after a failure, so that two runs can be compared */
  readonly format: JunitFormat | "jestJson" | "rspecJson" | "nodeTestEvents" | null;
}

/** How a runner learns where to write. What it prints does not change, and no report of the project itself is lost. */
export type ReportMethod =
  /** words at the end of its command, which may name settings: a file next to the report that is written first */
  | {
      readonly kind: "arguments";
      readonly words: (file: string, settings: string) => readonly string[];
      readonly settings?: (file: string) => string;
    }
  /** a variable that holds more of its options, or, `isAlone`, only this one */
  | {
      readonly kind: "environment";
      readonly variable: string;
      readonly words: (file: string) => readonly string[];
      readonly isAlone?: true;
    }
  /** words at the end of its command, with which it prints Go's test events; its usual output is restored from them */
  | {readonly kind: "printed"; readonly words: readonly string[]}
  /** it writes files below the folder of the stage in any case; `words` let the other modules run after a failure */
  | {readonly kind: "written"; readonly files: RegExp; readonly words: readonly string[]};

/** The attributes of one `testcase`; empty if it has none of that name. */
export interface TestCase {
  readonly name: string;
  readonly classname: string;
  readonly file: string;
}

/** How the tool uses JUnit's XML. */
export interface JunitFormat {
  readonly identify: (testCase: TestCase) => Pick<ReportedTest, "file" | "name" | "title">;
  /** types of failures that the runner reports without failing */
  readonly nonFailingTypes?: RegExp;
  /** global: text of a failure that says nothing about it, or differs from one run to the next */
  readonly noise?: RegExp;
}

/** `narrow` gives null if it is not certain. It may miss failures, but must not invent one: a threshold for the whole suite is switched off. */
export interface FileNarrowing {
  /** the command, as `toolOf` names it */
  readonly command: RegExp;
  /** takes the words as written, and files relative to the working folder */
  readonly narrow: (given: {readonly words: readonly string[]; readonly files: readonly string[]}) => string | null;
}

export interface PackageNarrowing {
  /** the command, as `toolOf` names it */
  readonly command: RegExp;
  /** the file that makes a folder a package */
  readonly manifest: "Cargo.toml" | "package.json" | "pom.xml";
  /** takes the words as written, and the packages; null if it is not certain */
  readonly narrow: (given: {readonly words: readonly string[]; readonly packages: readonly string[]}) => string | null;
}

export interface FixRule {
  /** the name and what makes it a check, within one part of a command line; only the group `tool` remains in the fix */
  readonly check: RegExp;
  /** what follows the tool's name instead */
  readonly fix: string;
  /** files that it can be given; null if it takes none and works on all */
  readonly files: RegExp | null;
}

export interface IncrementalRule {
  /** the command, as `toolOf` names it */
  readonly command: RegExp;
  /** words of its command with which it is left alone */
  readonly never: RegExp;
  /** the words that make it write, and read, the build info in this file */
  readonly words: (file: string) => readonly string[];
}
