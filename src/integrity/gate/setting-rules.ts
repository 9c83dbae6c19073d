/** Lists the keys of configuration files that decide what is checked, and which direction is weaker. Data only. */
import type {FindingLevel} from "../../record/words.ts";

/** The direction in which a value checks less. */
export type WeakerWhen =
  | "on"
  | "off"
  | "lower"
  | "higher"
  | "grows"
  | "shrinks"
  | "rule-lower"
  | "changes"
  | "appears"
  | "narrows"
  | "warnings"
  | "replaces"
  | "switched-on"
  | "switched-off"
  | "widens"
  | "subset"
  | "precedes"
  | "loads"
  | "options";

export interface SettingRule {
  readonly files: RegExp;
  /** tested against the key path, whose keys are joined by spaces */
  readonly key: RegExp;
  readonly weaker: WeakerWhen;
  readonly level: FindingLevel;
}

const rule = (files: RegExp, key: RegExp, weaker: WeakerWhen, level: FindingLevel = "flag"): SettingRule => ({
  files,
  key,
  weaker,
  level,
});

const TSCONFIG = /(?:^|\/)[tj]sconfig[^/]*\.json$/;
const ESLINT = /(?:^|\/)(?:\.eslintrc[^/]*|eslint\.config\.[^/]*|\.oxlintrc\.json|package\.json)$/;
const FLAT = /(?:^|\/)eslint\.config\.[^/]*$/;
const BIOME = /(?:^|\/)biome\.jsonc?$/;
const JS_TESTS =
  /(?:^|\/)(?:(?:vitest|vite|jest|playwright|cypress|ava|karma)[^/]*\.[cm]?[jt]s(?:on)?|\.mocharc[^/]*|\.nycrc[^/]*|\.c8rc[^/]*|\.taprc|package\.json|jest[^/]*\.json)$/;
const PYTHON =
  /(?:^|\/)(?:pyproject\.toml|setup\.cfg|tox\.ini|pytest\.ini|\.?ruff\.toml|\.?mypy\.ini|\.flake8|\.coveragerc|\.pylintrc|pyrightconfig\.json|ty\.toml|pyrefly\.toml)$/;
const RUST = /(?:^|\/)(?:Cargo|clippy|\.clippy|nextest|config)\.toml$/;
const GO_LINT = /(?:^|\/)\.golangci\.(?:ya?ml|toml|json)$/;
const MAVEN = /(?:^|\/)pom\.xml$/;
const ASSAY = /(?:^|\/)verify\.json$/;

export const SETTING_RULES: readonly SettingRule[] = [
  rule(
    TSCONFIG,
    /^compilerOptions (?:strict\w*|no(?:Implicit\w*|Unused\w*|Unchecked\w*|FallthroughCasesInSwitch|PropertyAccessFromIndexSignature|EmitOnError)|alwaysStrict|exactOptionalPropertyTypes|useUnknownInCatchVariables|checkJs|forceConsistentCasingInFileNames)$/,
    "off",
  ),
  rule(
    TSCONFIG,
    /^compilerOptions (?:skipLibCheck|skipDefaultLibCheck|allowUnreachableCode|allowUnusedLabels|suppress\w+|noCheck|noStrictGenericChecks|keyofStringsOnly)$/,
    "on",
  ),
  rule(TSCONFIG, /^exclude$/, "grows"),
  rule(TSCONFIG, /^include$/, "shrinks"),
  rule(TSCONFIG, /^files$/, "narrows"),
  rule(TSCONFIG, /^compilerOptions paths \S+$/, "replaces"),
  rule(TSCONFIG, /^references path$/, "shrinks"),
  rule(TSCONFIG, /^extends$/, "changes", "note"),
  rule(
    ESLINT,
    /(?:^|(?:eslintConfig|overrides) )(?:(?:eslintConfig|overrides|xo) )*rules [^ ]+$|^categories \w+$/,
    "rule-lower",
  ),
  rule(ESLINT, /(?:^| )rules \S*(?:max-\S+|complexity)(?: max\w*| limit)$/, "higher"),
  rule(ESLINT, /^configs$/, "shrinks"),
  rule(FLAT, /^files$/, "narrows"),
  rule(ESLINT, /^(?:limited|off) \S+$/, "switched-on"),
  rule(ESLINT, /(?:^| )rules \S*(?:restrict|forbid|disallow|banned)\S*(?: \S+)*$/, "shrinks"),
  rule(ESLINT, /(?:^| )rules \S+ (?:\S*(?:[iI]gnore|[aA]llow|[eE]xcept|[sS]kip)\S*)$/, "widens"),
  rule(ESLINT, /(?:^| )rules \S+ \w+$/, "switched-off"),
  rule(
    ESLINT,
    /(?:^| )globals (?!(?:window|document|navigator|location|history|\w+Storage|fetch|console|process|Buffer|require|module|exports|__\w+|global\w*|describe|it|test|expect|jest|vi|assert|suite|before\w*|after\w*|set\w+|clear\w+|[A-Z]\w*|chrome|browser|google|jQuery|define|page|cy|self|context)$)[a-z_]\w*$/,
    "appears",
  ),
  rule(ESLINT, /(?:^| )processor$|^computed \w+$/, "appears"),
  rule(ESLINT, /(?:^|eslintConfig )(?:ignores|ignorePatterns|globalIgnores)$|^(?:overrides )?excludedFiles$/, "grows"),
  rule(ESLINT, /(?:^| )reportUnusedDisableDirectives$/, "off"),
  rule(ESLINT, /^(?:eslintConfig )?extends$/, "shrinks"),
  rule(BIOME, /(?:^| )rules (?:.+ )?[a-zA-Z]+(?: level)?$/, "rule-lower"),
  rule(BIOME, /^(?:linter|formatter|assist|organizeImports) enabled$|^linter rules recommended$/, "off"),
  rule(BIOME, /(?:^| )(?:ignore)$/, "grows"),
  rule(BIOME, /^(?:files|linter) includes?$/, "narrows"),
  rule(
    JS_TESTS,
    /(?:^| )(?:passWithNoTests|dangerouslyIgnoreUnhandledErrors|allowOnly|skipFiles|ignoreSourceErrors|updateSnapshot|dryRun|invert|automock|ignoreCoverageForAllTests)$/,
    "on",
  ),
  rule(
    JS_TESTS,
    /(?:^| )(?:forbidOnly|forbidPending|check-coverage|checkCoverage|failZero|errorOnDeprecated|injectGlobals|allowUncaught)$/,
    "off",
  ),
  rule(
    JS_TESTS,
    /(?:^|test |jest |mocha |nyc |coverage )(?:exclude|excludes|testPathIgnorePatterns|coveragePathIgnorePatterns|modulePathIgnorePatterns|ignore|testIgnore|excludeSpecPattern|excludeAfterRemap)$/,
    "grows",
  ),
  rule(
    JS_TESTS,
    /^(?:test|jest|mocha|)\s?(?:include|testMatch|testRegex|spec|specs|roots|projects|testDir)$/,
    "narrows",
  ),
  rule(
    JS_TESTS,
    /(?:^| )(?:thresholds?|coverageThreshold|watermarks)(?: \S+)* (?:lines|branches|functions|statements)$|^(?:nyc |c8 )?(?:lines|branches|functions|statements)$/,
    "lower",
  ),
  rule(
    JS_TESTS,
    /(?:^|test |jest |mocha )(?:testNamePattern|grep|fgrep|testRunner|runner|testEnvironment|resolver|retry|retries|globalSetup|setupFiles|setupFilesAfterEnv|require|file|testResultsProcessor|testSequencer|shard|snapshotSerializers)$/,
    "appears",
  ),
  rule(JS_TESTS, /^(?:mocha )?extension$/, "narrows"),
  rule(JS_TESTS, /(?:^|test |jest |mocha )reporters?$|^(?:jest )?transform \S+$/, "loads"),
  rule(JS_TESTS, /^(?:jest )?collectCoverageFrom$|^(?:test )?coverage include$|^(?:nyc |c8 )include$/, "subset"),
  rule(JS_TESTS, /(?:^|test |jest |resolve )(?:moduleNameMapper|alias)(?: .+)?$/, "replaces"),
  rule(
    JS_TESTS,
    /^overrides (?:vitest|jest|mocha|typescript|eslint)$|^(?:devDependencies|dependencies|resolutions|pnpm overrides) (?:vitest|jest|mocha|typescript|eslint|ava|tap|c8|nyc|@biomejs\/biome|chai|expect)$/,
    "changes",
    "note",
  ),
  rule(PYTHON, /(?:^|pytest |ini_options )addopts$/, "options"),
  rule(PYTHON, /(?:pytest|ini_options) (?:testpaths|python_files|python_classes|python_functions)$/, "narrows"),
  rule(PYTHON, /(?:pytest|ini_options) (?:norecursedirs|collect_ignore)$/, "grows"),
  rule(PYTHON, /(?:pytest|ini_options) pythonpath$/, "precedes"),
  rule(PYTHON, /(?:pytest|ini_options) filterwarnings$/, "warnings"),
  rule(PYTHON, /(?:pytest|ini_options) (?:xfail_strict|strict|strict_markers)$/, "off"),
  rule(PYTHON, /per-file-ignores \S*\btests?\b\S*$/, "grows", "note"),
  rule(PYTHON, /mypy(?:-[^ ]+)? overrides ignore_missing_imports$/, "appears", "note"),
  rule(
    PYTHON,
    /(?:^|ruff |lint |flake8 |pycodestyle |pylint |MESSAGES CONTROL )(?:extend-)?(?:ignore|exclude|per-file-ignores(?: .+)?|disable|extend_ignore)$/,
    "grows",
  ),
  rule(PYTHON, /(?:^|ruff |lint )(?:extend-)?select$/, "shrinks"),
  rule(PYTHON, /(?:mccabe|pylint|DESIGN|flake8) max[-_](?!line|doc)\S+$|(?:^| )max-complexity$/, "higher"),
  rule(
    PYTHON,
    /(?:^|mypy(?:-[^ ]+)? (?:overrides )?|overrides )(?:ignore_errors|ignore_missing_imports|allow_\w+|implicit_optional|disable_error_code|implicit_reexport)$/,
    "appears",
  ),
  rule(
    PYTHON,
    /(?:^|mypy(?:-[^ ]+)? (?:overrides )?|overrides )(?:strict\w*|disallow_\w+|no_implicit_\w+|warn_\w+|check_untyped_defs|enable_error_code|local_partial_types)$/,
    "off",
  ),
  rule(PYTHON, /(?:^|mypy(?:-[^ ]+)? |overrides )follow_imports$/, "narrows"),
  rule(PYTHON, /^(?:tool ruff )?include$/, "narrows"),
  rule(PYTHON, /mypy exclude$|^exclude$/, "grows"),
  rule(PYTHON, /mypy (?:files|packages)$/, "narrows"),
  rule(PYTHON, /^(?:tool pyright )?(?:typeCheckingMode|report\w+)$/, "rule-lower"),
  rule(PYTHON, /^(?:(?:tool ty )?rules|(?:tool pyrefly )?errors) [\w-]+$/, "rule-lower"),
  rule(PYTHON, /^(?:tool ty )?src exclude$|^(?:tool pyrefly )?project-excludes$/, "grows"),
  rule(PYTHON, /(?:^|report |coverage report |coverage:report )fail[_-]under$/, "lower"),
  rule(PYTHON, /(?:^|run |report |coverage (?:run|report) )(?:omit|exclude_lines|exclude_also)$/, "grows"),
  rule(PYTHON, /(?:^|testenv\S* )ignore_(?:errors|outcome)$/, "on", "block"),
  rule(RUST, /^(?:lib|bin|test|bench|example|package) (?:test|doctest|harness|autotests)$/, "off"),
  rule(RUST, /^profile \S+ (?:debug-assertions|overflow-checks)$/, "off"),
  rule(RUST, /^(?:workspace )?lints \S+ \S+(?: level)?$/, "rule-lower"),
  rule(RUST, /(?:^|target \S+ |build )(?:runner|rustflags|rustc-wrapper|rustc)$|^alias \S+$/, "appears"),
  rule(RUST, /^profile \S+ (?:default-filter|retries)$/, "appears"),
  rule(
    GO_LINT,
    /^(?:linters|formatters) disable$|exclude(?:-rules|-files|-dirs|-use-default)?(?: \S+)*$|exclusions(?: \S+)+$/,
    "grows",
  ),
  rule(GO_LINT, /^(?:linters|formatters) (?:enable|default)$/, "shrinks"),
  rule(GO_LINT, /^linters disable-all$|^issues new(?:-from-rev)?$|^run issues-exit-code$/, "appears"),
  rule(GO_LINT, /^run tests$/, "off"),
  rule(
    MAVEN,
    / (?:skipTests|skipITs|skip|maven\.test\.skip|testFailureIgnore|maven\.test\.failure\.ignore|skipExec|failIfNoTests|\w+\.skip)$/,
    "on",
    "block",
  ),
  rule(MAVEN, /(?:surefire|plugin) .*(?:exclude|excludedGroups|excludesFile)$/, "grows"),
  rule(
    MAVEN,
    /plugin configuration (?:groups|test|includes include|rerunFailingTestsCount|dependenciesToScan)$/,
    "appears",
  ),
  rule(MAVEN, / testSourceDirectory$/, "appears"),
  rule(MAVEN, /^project packaging$/, "changes"),
  rule(MAVEN, / execution phase$/, "off"),
  rule(MAVEN, / (?:failOnViolation|failsOnError|failOnWarning|haltOnFailure)$/, "off"),
  rule(MAVEN, / (?:minimum|haltThreshold)$/, "lower"),
  rule(ASSAY, /^(?:enabled|integrity enabled|failFast)$|^overrides \S+$/, "off"),
  rule(ASSAY, /(?:^| )optional$/, "on"),
  rule(ASSAY, /^(?:skipPatterns|exampleSecrets|flaky|integrity allow|stages when|overrides \S+ when)$/, "grows"),
  rule(ASSAY, /^(?:protectedPaths|codeExtensions|stages name)$/, "shrinks"),
  rule(ASSAY, /^(?:stages|overrides \S+) command$/, "narrows"),
  rule(ASSAY, /^(?:sandbox|network|coverage|onFailure|publish|integrity level \S+)$/, "changes"),
];

/** Files that decide what is checked. A change of another key in them is a note at most. */
export const GATE_FILES = [TSCONFIG, ESLINT, BIOME, JS_TESTS, PYTHON, RUST, GO_LINT, MAVEN, ASSAY];
