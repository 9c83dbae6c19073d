/** Options of checks that decide about speed, form and output only, or that make a check stricter. Data only. */

interface HarmlessOptions {
  /** tested against the name that `toolOf` gives a command */
  readonly tools: RegExp;
  readonly options: RegExp;
}

const OFF = /^(?:false|0|off|no|none|\{\}|''|"")$/;
/** Options that check less when they are off. */
const STRICTER =
  /strict|forbid|fail|cov|check|^--no[A-Z]|disallow|warn|error|^--ci$|race|exact|deprecated|unused|leaks|Js$|catch/i;
/** Options whose value is a program: one of the repository decides what is reported. */
const PROGRAMS = /reporter|format|runner|pool|import|loader|require|environment|^-[fRo]$/i;
const OWN_FILE = /^(?:\.{0,2}\/|.*\.[cm]?[jt]s$)/;
/** Options of Node itself, in front of the tool's. */
const NODE =
  "enable-source-maps|no-warnings|trace-[\\w-]+|throw-deprecation|expose-gc|disable-warning|stack-trace-limit|max-old-space-size|experimental-(?!loader)[\\w-]+|inspect[\\w-]*";

const ROWS: readonly HarmlessOptions[] = [
  {
    tools: /^vitest$/,
    options: new RegExp(
      `^(?:-w|--(?:run|watch|no-watch|silent|reporter|outputFile|coverage(?:\\.(?:enabled|provider|reporter|reportsDirectory|all|clean\\w*|reportOnFailure))?|pool(?:Options.*)?|no-isolate|isolate|globals|dom|environment|(?:max|min)Workers|(?:no-)?file-?[pP]arallelism|(?:test|hook|teardown)Timeout|bail|logHeapUsage|(?:no-)?color|clearScreen|api|ui|open|printConsoleTrace|hideSkippedTests|slowTestThreshold|(?:no-)?cache|maxConcurrency|detectAsyncLeaks|expandSnapshotDiff|disableConsoleIntercept|diff|attachmentsDir|configLoader|strictTags|typecheck|browser\\S*|includeTaskLocation|sequence\\.(?:shuffle|seed)\\S*|(?:no-|single-)?threads?|${NODE}))$`,
    ),
  },
  {
    tools: /^(?:jest|react-scripts)/,
    options: new RegExp(
      `^(?:-[wibe]|--(?:ci|verbose|silent|maxWorkers|runInBand|coverage|collectCoverage|coverage(?:Reporters|Directory|Provider)|(?:no-)?colors?|detectOpenHandles|detectLeaks|forceExit|logHeapUsage|json|outputFile|testTimeout|reporters|(?:no-)?cache|cacheDirectory|expand|notify\\w*|openHandlesTimeout|randomize|seed|showSeed|errorOnDeprecated|workerThreads|(?:no-)?watchman|bail|env|testEnvironment|waitForUnhandledRejections|maxConcurrency|useStderr|watch|watchAll|debug|(?:clear|reset|restore)Mocks|resetModules|noStackTrace|testLocationInResults|${NODE}))$`,
    ),
  },
  {
    tools: /^mocha$/,
    options: new RegExp(
      `^(?:-[tsROjcbw]|--(?:timeout|slow|reporter|reporter-options?|exit|parallel|jobs|(?:no-)?colors?|forbid-only|forbid-pending|check-leaks|fail-zero|bail|full-trace|inline-diffs|diff|async-only|recursive|sort|watch|${NODE}))$`,
    ),
  },
  {
    tools: /^node --test$/,
    options: new RegExp(
      `^(?:--test|--import|--loader|--test-(?:concurrency|reporter|reporter-destination|timeout|force-exit|isolation|coverage-(?:lines|branches|functions))|--watch|${NODE.replace(/^/, "--(?:")}))$`,
    ),
  },
  {
    tools: /^pytest$/,
    options:
      /^(?:-[vqxsnl]+|-r\w+|--(?:verbose|quiet|exitfirst|durations(?:-min)?|numprocesses|dist|tb|junit-?xml|junit-prefix|cov|cov-report|cov-branch|cov-append|cov-context|cov-fail-under|color|capture|maxfail|timeout|timeout-method|strict-config|strict-markers|strict|no-header|no-summary|showlocals|randomly-seed|basetemp|log-[\w-]+|doctest-(?:modules|glob|plus)|import-mode|asyncio-mode|html|self-contained-html|benchmark-[\w-]+|cache-clear|full-trace|code-highlight|ds|(?:reuse|create)-db|no-?migrations|verbosity|show-capture|instafail|ff|nf|failed-first|new-first|runxfail|json-report[\w-]*|hypothesis-[\w-]+|run-?\w+|disable-(?:pytest-)?warnings|disable-socket|looponfail|xfail-tb|force-short-summary))$/,
  },
  {
    tools: /^unittest$/,
    options: /^(?:-[vqfbcuBI]|--(?:verbose|quiet|failfast|buffer|catch|locals|durations))$/,
  },
  {
    tools: /^go test$|^gotestsum$/,
    options:
      /^-{1,2}(?:v|timeout|cover|coverprofile|covermode|coverpkg|shuffle|parallel|failfast|json|p|race|count|benchmem|trimpath|mod|buildvcs|x|work|cpu|outputdir|\w+profile|msan|asan|fuzztime|format|junitfile|packages|no-color|hide-summary)$/,
  },
  {tools: /^go vet$/, options: /^-(?:json|c|v|x|all|mod)$/},
  {
    tools: /^cargo (?:test|nextest|clippy|check|fmt|t)$/,
    options:
      /^(?:-[vqjF]+|-D|-W|-D\S+|-W\S+|--(?:verbose|no-fail-fast|jobs|all-targets|quiet|offline|locked|frozen|timings|color|workspace|all|all-features|features|tests|nocapture|no-capture|show-output|test-threads|include-ignored|format|report-time|deny|warn|message-format|target-dir|keep-going|status-level|final-status-level|failure-output|success-output|no-deps|fix|allow-(?:dirty|staged|no-vcs)|check|future-incompat-report))$/,
  },
  {
    tools: /^(?:vue-)?tsc$/,
    options:
      /^(?:-[wbfp]|--(?:noEmit|pretty|incremental|diagnostics|extendedDiagnostics|tsBuildInfoFile|noErrorTruncation|preserveWatchOutput|watch|declaration\w*|emitDeclarationOnly|outDir|sourceMap|module|moduleResolution|target|build|verbose|strict\w*|alwaysStrict|no(?:Implicit|Unused|Unchecked|Fallthrough|PropertyAccess)\w+|exactOptionalPropertyTypes|useUnknownInCatchVariables|force|stopBuildOnErrors|generateTrace|locale|jsx|esModuleInterop|traceResolution|listEmittedFiles|singleThreaded|checkers|builders|quiet|composite|rootDir|isolatedModules|erasableSyntaxOnly|project|resolveJsonModule))$/,
  },
  {
    tools: /^eslint$/,
    options:
      /^(?:-[fo]|--(?:cache(?:-\w+)*|(?:no-)?color|format|output-file|fix|fix-type|fix-dry-run|stats|concurrency|max-warnings|report-unused-[\w-]+|debug|exit-on-fatal-error|flag|prune-suppressions|max-old-space-size))$/,
  },
  {
    tools: /^ruff (?:check|format)$|^ruff$/,
    options:
      /^(?:-[nqv]+|--(?:output-format|no-cache|quiet|statistics|extend-select|preview|fix|no-fix|unsafe-fixes|show-fixes|color|cache-dir|exit-non-zero-on-fix|diff|check|verbose|force-exclude|no-respect-gitignore|show-source|line-length|format))$/,
  },
  {
    tools: /^mypy$/,
    options:
      /^(?:-v+|--(?:pretty|show-[\w-]+|(?:no-)?incremental|cache-dir|junit-xml|junit-format|warn-[\w-]+|disallow-[\w-]+|strict(?:-\w+)*|check-untyped-defs|no-implicit-[\w-]+|no-allow-[\w-]+|extra-checks|enable-error-code|local-partial-types|(?:no-)?color-output|no-error-summary|hide-[\w-]+|(?:explicit-package-bases|namespace-packages)|python-(?:version|executable)|install-types|non-interactive|verbose|[\w-]+-report|sqlite-cache|num-workers|no-site-packages))$/,
  },
  {
    tools: /^mvn /,
    options:
      /^(?:-[BeXUVqoTsC]|-T\S+|-ntp|-nsu|-ff|-am|-amd|--(?:batch-mode|no-transfer-progress|errors|debug|update-snapshots|threads|show-version|quiet|offline|settings|also-make(?:-dependents)?|fail-fast|strict-checksums)|-D(?:style\.color|revision|changelist|sha1|trimStackTrace|maven\.(?:artifact\.threads|repo\.local|wagon\.\S+|compiler\.(?:release|source|target)|(?:javadoc|source|deploy|site)\.skip)|org\.slf4j\.\S+|file\.encoding|aether\.\S+|gpg\.skip|java\.version|surefire\.(?:useFile|printSummary)|forkCount|reuseForks))$/,
  },
  {
    tools: /^shellcheck$/,
    options: /^(?:-[xasfoCW]|--(?:external-sources|check-sourced|shell|format|enable|color|wiki-link-count))$/,
  },
  {
    tools: /^cppcheck$/,
    options:
      /^(?:-[jqDI]\S*|--(?:enable|std|quiet|xml|xml-version|force|library|platform|inconclusive|error-exitcode|language|template|check-level))$/,
  },
];

/** False for an option of a known tool that can leave out checks, or that nobody knows. */
export function isHarmlessOption(tool: string, option: string, value: string): boolean {
  const row = ROWS.find(({tools}) => tools.test(tool));
  if (row === undefined) return true;
  const [name = "", ownValue] = option.split(/=(.*)/s);
  const given = ownValue ?? value;
  // Warnings become errors, and only a plug-in without tests is switched off.
  if (name === "-W") return /^error/.test(given);
  if (name === "-p" && /^pytest$/.test(tool))
    return /^no:(?:cacheprovider|randomly|xdist|sugar|pastebin|nose|junitxml)$/.test(given);
  if (!row.options.test(name)) return false;
  return !(STRICTER.test(name) && OFF.test(given)) && !(PROGRAMS.test(name) && OWN_FILE.test(given));
}

/** True for a check whose options are listed here. */
export const hasKnownOptions = (tool: string): boolean => ROWS.some(({tools}) => tools.test(tool));

/** Variables that do not decide what a check reports. */
const HARMLESS_VARIABLES =
  /^(?:CI|NODE_ENV|TZ|LANG|LANGUAGE|LC_\w+|(?:FORCE|NO)_COLOR|CLICOLOR\w*|TERM|COLUMNS|RUST_(?:BACKTRACE|LOG|MIN_STACK)|CARGO_(?:TERM_\w+|INCREMENTAL|NET_\w+|TARGET_DIR|BUILD_JOBS)|PYTHON(?:UNBUFFERED|DONTWRITEBYTECODE|HASHSEED|UTF8|IOENCODING|FAULTHANDLER)|DEBUG|LOG_LEVEL|GOMAXPROCS|CGO_\w+|GO111MODULE|GOTOOLCHAIN|GOEXPERIMENT|COVERAGE_\w+|\w*CACHE\w*|HOME|TMPDIR|DISPLAY|UV_\w+|JAVA_HOME|\w+_(?:URL|HOST|PORT|USER|PASSWORD|TOKEN|KEY|DSN)|PGPASSWORD|PORT|HOST|DATABASE\w*|DJANGO_SETTINGS_MODULE|BABEL_ENV|TS_NODE_\w+|UV_THREADPOOL_SIZE|JEST_JUNIT\w*|QT_\w+|MPL\w+|BROWSERSLIST\w*|npm_config_\w+|CC|CXX|AR|LD)$/i;
/** Options of Node and of the JVM that do not load code. */
const HARMLESS_VALUES: Readonly<Record<string, RegExp>> = {
  NODE_OPTIONS: new RegExp(`^(?:--(?:${NODE}|import|loader|require)(?:=| )(?![./])\\S*\\s*|--(?:${NODE})\\s*)*$`),
  PYTHONPATH: /^(?:\.|\.\/?(?:src|lib)|src|lib|\$\{?PWD\}?|\$\(pwd\)|:|\$\{?PYTHONPATH\}?)*$/,
  PYTHONWARNINGS: /^(?:error|default)/,
  RUSTFLAGS: /^(?:-D\s*\w+\s*)*$/,
  RUSTDOCFLAGS: /^(?:-D\s*\S+\s*)*$/,
  MAVEN_OPTS: /^(?:-X\S+\s*)*$/,
  GOFLAGS: /^(?:-mod=\w+|-buildvcs=\w+)?$/,
};

/** False for a variable in front of a check that can decide what it reports. */
export const isHarmlessVariable = (name: string, value: string): boolean =>
  HARMLESS_VALUES[name]?.test(value) ?? HARMLESS_VARIABLES.test(name);
