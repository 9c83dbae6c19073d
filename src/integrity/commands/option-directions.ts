/** Says which direction of a command's option checks less. The options of no row are read as settings of the same name. Data only. */
import {type DirectionRow, directionOf, wordsIn} from "../settings/directions.ts";

export interface OptionRow extends Pick<DirectionRow, "weaker" | "names"> {
  /** words of the commands that have the option; any command without them */
  readonly of: ReadonlySet<string> | null;
}

const row = (weaker: DirectionRow["weaker"], names: string, of?: string): OptionRow => ({
  ...{weaker, names: new Set(names.trim().split(/\s+/))},
  of: of === undefined ? null : new Set(of.split(" ")),
});

/** Names are without their dashes, and in one form: `--max-warnings` and `--maxWarnings` are `maxwarnings`. */
export const OPTION_ROWS: readonly OptionRow[] = [
  row("limits-run", "k m ignore ignoreglob deselect lf lastfailed sw stepwise", "pytest"),
  row("limits-run", "k", "unittest"),
  row("limits-run", "t", "jest vitest bun"),
  row("limits-run", "g f", "mocha playwright cypress bats"),
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

const rowOf = (tool: string, name: string): OptionRow | undefined => {
  const joined = name.length > 1 ? wordsIn(name).join("") : name;
  return OPTION_ROWS.find(
    ({of, names}) =>
      (of === null || tool.split(" ").some((word) => of.has(word))) && (names.has(joined) || names.has(name)),
  );
};

/** True for an option that belongs to few programs, and means the same in all of their commands. */
export const isOwnOption = (tool: string, name: string): boolean => rowOf(tool, name)?.of != null;

/** The direction of an option; null if nothing is known of it. */
export function optionDirection(tool: string, name: string): DirectionRow["weaker"] | null {
  const known = rowOf(tool, name)?.weaker ?? null;
  return known === null && name.length > 1 ? (directionOf(name.replaceAll(".", " "))?.weaker ?? null) : known;
}
