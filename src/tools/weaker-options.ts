/** Says which direction of an option checks less, for the options whose names do not say it by themselves. Data only. */

/** Weaker if it is gained, if it is lost, if its number is lower, or if it names a program of the repository. */
type OptionDirection = "leaves-out" | "limits-run" | "demands" | "at-least" | "loads" | "nothing";

export interface OptionRow {
  readonly weaker: OptionDirection;
  readonly names: ReadonlySet<string>;
  /** words of the commands that have the option; any command without them */
  readonly of: ReadonlySet<string> | null;
}

const row = (weaker: OptionDirection, names: string, of?: string): OptionRow => ({
  ...{weaker, names: new Set(names.trim().split(/\s+/))},
  of: of === undefined ? null : new Set(of.split(" ")),
});

/** Names are without their dashes, and in one form: `--max-warnings` and `--maxWarnings` are `maxwarnings`. */
export const OPTION_ROWS: readonly OptionRow[] = [
  row("limits-run", "k m ignore ignoreglob deselect lf lastfailed sw stepwise", "pytest"),
  row("limits-run", "k", "unittest"),
  row("limits-run", "t", "jest vitest bun"),
  row("limits-run", "g f tag E R L LE", "mocha playwright cypress bats rspec ctest"),
  row("limits-run", "run skip short tags", "go gotestsum"),
  row("demands", "D F W deny forbid", "clippy rustc cargo"),
  row("leaves-out", "A allow caplints", "clippy rustc cargo"),
  row("leaves-out", "i k n t ignoreerrors keepgoing justprint dryrun touch question", "make gmake"),
  row("leaves-out", "fn fae failnever", "mvn"),
  row("leaves-out", "x", "gradle gradlew"),
  row("leaves-out", "u update updatesnapshot", "jest vitest ava tap bun"),
  row("demands", "Wall Wextra Werror pedantic fsanitize", "gcc g++ cc c++ clang clang++ $(CC) $(CXX)"),
  row("leaves-out", "w Wno-error DNDEBUG", "gcc g++ cc c++ clang clang++ $(CC) $(CXX)"),
  row("demands", "race vet"),
  // Ends with 0 whatever it finds, or without a test.
  row(
    "leaves-out",
    `exitzero warnonly nofailonerror noerroronunmatchedpattern allowempty passwithnotests permitnofiles ifpresent
    continueoncollectionerrors dangerouslyignoreunhandlederrors muteexitstatus noverify nofatalwarnings nofatalinfos`,
  ),
  row("demands", "issuesexitcode errorexitcode testfailureexitcode exitcode failed"),
  // Prints or prepares something, and runs no check.
  row(
    "leaves-out",
    `dryrun dry norun collectonly co listtests list listfilesonly showconfig printconfig help version init envinfo
    setupplan setuponly fixtures markers inspectconfig clean generatebaseline noEmit:false`,
  ),
  row(
    "limits-run",
    `changed changedsince onlychanged lastcommit findrelatedtests testonly testskippattern testpathpattern partition
    filter filtermethod invert reruns rule lib bins doc grepinvert`,
  ),
  // Reads no configuration.
  row(
    "leaves-out",
    "noconfiglookup noeslintrc noinlineconfig isolated noconftest noconfig followimports ignoremissingimports",
  ),
  row(
    "demands",
    "cov coverage checkcoverage covbranch recursive all workspace alltargets allfeatures ci forbidonly check",
  ),
  row(
    "at-least",
    "covfailunder failunder testcoveragelines testcoveragebranches testcoveragefunctions statements lines",
  ),
  row("loads", "reporter testreporter runner pool environment"),
  row("nothing", "nowarnings notimeouts r R e b bail exit name stacktracelimit"),
];
