/** Says which direction of a setting checks less, by the words of its name, for all tools. Data only. */
import type {FindingLevel} from "../../record/words.ts";

export type Direction =
  /** leaves something out: weaker with a further item, or when it is turned on */
  | "leaves-out"
  /** demands something: weaker without an item, or when it is turned off */
  | "demands"
  /** weaker if it was on before */
  | "switched-off"
  /** names whole configurations: weaker without one, if no other takes its place */
  | "presets"
  /** chooses what is read: weaker if it no longer has all that it had */
  | "selects"
  /** limits: weaker with a lower number or none, and with a higher number */
  | "at-least"
  | "at-most"
  /** limits a run to a part, or repeats it: weaker if there is a new value */
  | "limits-run"
  /** names what runs or is read in place of something else: weaker with a program, or a stand-in, of the repository */
  | "loads"
  | "stands-in"
  /** options of a command, and filters of Python's warnings */
  | "options"
  | "warnings"
  /** decides nothing about strictness, although a word of its name is in another row */
  | "nothing";

export interface DirectionRow {
  readonly weaker: Direction;
  /** `skip` is any name with this word; `=passWithNoTests` is this name alone, whatever separates its words */
  readonly names: ReadonlySet<string>;
  readonly level?: FindingLevel;
}

/** The words of a name: `test-path_ignorePatterns` has four. */
export const wordsIn = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== "");

const joined = (name: string): string => wordsIn(name).join("");

const row = (weaker: Direction, names: string, level?: FindingLevel): DirectionRow => ({
  weaker,
  names: new Set(
    names
      .trim()
      .split(/\s+/)
      .map((name) => (name.startsWith("=") ? `=${joined(name)}` : name)),
  ),
  ...(level !== undefined && {level}),
});

/** The first row with a name decides. */
export const DIRECTIONS: readonly DirectionRow[] = [
  row(
    "nothing",
    `
      watch workers concurrency threads forks jobs timeout cache reporter reporters formatter color verbose length width
      css scss less sass svg png jpg gif md html graphql
      =failFast =bail =allowJs =ignoreDeprecations =skipCovered =skipEmpty =transformIgnorePatterns =testTimeout
      =allowImportingTsExtensions =allowSyntheticDefaultImports =allowArbitraryExtensions =skipMagicTrailingComma
      =checkCfg =skipStringNormalization =useIgnoreFile =skipMissingInterpreters =allowlistExternals
    `,
  ),
  // Texts of reports that golangci-lint leaves out (spf13/cobra, prometheus/client_golang).
  row("leaves-out", "=ignoreMissingImports =text =source", "note"),
  // A failure does not count (maven.apache.org/surefire; tox.wiki, "ignore_outcome").
  row(
    "leaves-out",
    "=skipTests =skipITs =mavenTestSkip =testFailureIgnore =mavenTestFailureIgnore =ignoreOutcome",
    "block",
  ),
  row(
    "leaves-out",
    `
      exclude excludes excluded exclusions ignore ignores ignored omit skip skips disable disabled suppress suppressions
      =passWithNoTests =allowOnly =allowUncaught =allowUnreachableCode =allowUnusedLabels =noCheck =noStrictGenericChecks
      =keyofStringsOnly =updateSnapshot =dryRun =invert =automock =informational =implicitOptional =implicitReexport
      =allowUntypedGlobals =allowRedefinition =ignoreScripts =ifPresent =nodeOptions =scriptShell =noWarn =grepInvert
    `,
  ),
  // Of Istanbul, coverage.py, JaCoCo, PIT, Codecov and go-test-coverage.
  row(
    "at-least",
    `
      thresholds minimum =failUnder =coverageThreshold =haltThreshold =mutationThreshold =target =total
      =lines =branches =functions =statements =line =branch =function =statement
    `,
  ),
  row("at-most", "max complexity limit limits tolerance threshold epsilon"),
  row(
    "limits-run",
    `
      =testNamePattern =grep =fgrep =match =shard =retry =retries =only =groups =rerunFailingTestsCount =defaultFilter
      =dependenciesToScan =requiredFeatures =runner =rustflags =rustcWrapper
    `,
  ),
  row(
    "loads",
    `
      =testRunner =testEnvironment =resolver =transform =globalSetup =testResultsProcessor =testSequencer
      =snapshotSerializers =plugins =processor
    `,
  ),
  row("stands-in", "=paths =alias =moduleNameMapper"),
  row("options", "=addopts"),
  row("warnings", "=filterwarnings"),
  row(
    "selects",
    `
      =include =includes =files =testMatch =testRegex =spec =specs =projects =roots =testDir =testpaths =defaultMembers
      =projectIncludes =collectCoverageFrom
    `,
  ),
  row("presets", "=extends =rules"),
  // Rules that are new are often switched off where they are listed (jekyll/jekyll, .rubocop.yml).
  row("switched-off", "=enabled =active"),
  row(
    "demands",
    `
      strict check checks forbid disallow disallowed banned restrict restricted require requires required enforce
      fail fails error errors warn warning warnings
      =modules =goals =platforms =select =extendSelect =enable =linters =optInRules
      =compilerArgs =test =tests =doctest =autotests =harness =recommended =perFile =100 =recursive =nullable
      =noImplicitAny =noImplicitThis =noImplicitReturns =noImplicitOverride =noImplicitOptional =noImplicitReexport
      =noUnusedLocals =noUnusedParameters =noUncheckedIndexedAccess =noUncheckedSideEffectImports =noEmitOnError
      =noFallthroughCasesInSwitch =noPropertyAccessFromIndexSignature =exactOptionalPropertyTypes
      =useUnknownInCatchVariables =erasableSyntaxOnly =forceConsistentCasingInFileNames =isolatedDeclarations
      =isTestProject =injectGlobals =noInlineConfig =reportUnusedDisableDirectives =reportUnusedInlineConfigs
      =projectService =localPartialTypes =preview
    `,
  ),
];

/** Directions that a key has for all keys below it: `thresholds: {lines: 90}`. */
const FOR_ALL_BELOW: ReadonlySet<Direction> = new Set(["leaves-out", "at-least", "loads", "stands-in"]);

/** The row of the last key that has one; null for a path that no row knows. */
export function directionOf(keyPath: string): DirectionRow | null {
  const keys = keyPath.split(" ").reverse();
  for (const [depth, key] of keys.entries()) {
    const words = wordsIn(key);
    const name = `=${words.join("")}`;
    const known = DIRECTIONS.find(({names}) => names.has(name) || words.some((word) => names.has(word)));
    if (known !== undefined && (depth === 0 || FOR_ALL_BELOW.has(known.weaker))) return known;
  }
  return null;
}
