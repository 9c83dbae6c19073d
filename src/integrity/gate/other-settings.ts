/** Knows which keys of test runners and type checkers have no rule, but can still decide what is checked. */

type SettingTexts = readonly string[] | undefined;

interface RunnerSection {
  readonly files: RegExp;
  /** key paths of the section, without those that have a rule */
  readonly keys: RegExp;
  /** key paths that decide about speed, form, output and dependencies only */
  readonly harmless: RegExp;
}

const JS_RUN =
  /(?:^| )(?:(?:hook|test|teardown)?[tT]imeout|slow|slowTestThreshold|verbose|silent|colou?rs?|outputFile|(?:max|min)\w*(?:Workers|Concurrency|Threads|Forks)|jobs|pool\w*|parallel|fileParallelism|threads|watch\w*|ui|name|displayName|css|deps|server|browser|cache\w*|collectCoverage|enabled|provider|all|clean|report\w*|coverage(?:Directory|Reporters|Provider)|preset|module(?:FileExtensions|Directories|Paths)|extensionsToTreatAsEsm|\w*[iI]gnorePatterns|haste|notify|logHeapUsage|tsconfig|useESM|isolatedModules|globals|(?:clear|restore)Mocks|mockReset|environmentOptions|optimizer|inline|fakeTimers|url|workerIdleMemoryLimit|printConsoleTrace|alias|transform|environmentMatchGlobs|babel|diff|testEnvironmentOptions|extensions|workerThreads|serial|concurrency|nodeArguments|environmentVariables|use|webServer|fullyParallel|trace|video|screenshot|baseURL|headless|viewport|devices|\$schema|extends|loader|import|node-option|package|cwd|tempDirectory|instrument|sourceMap|produce-source-map|temp-directory|src)(?: |$)/;
const SECTIONS: readonly RunnerSection[] = [
  {
    files: /(?:^|\/)(?:vitest|vite)[^/]*\.[cm]?[jt]s$/,
    keys: /^test /,
    harmless: JS_RUN,
  },
  {
    files: /(?:^|\/)(?:jest[^/]*\.(?:[cm]?[jt]s|json)|\.mocharc[^/]*|\.nycrc[^/]*|\.c8rc[^/]*)$/,
    keys: /^\S+$|^(?:globals|coverageThreshold) /,
    harmless: JS_RUN,
  },
  {
    files: /(?:^|\/)package\.json$/,
    keys: /^(?:jest|mocha|nyc|c8) /,
    harmless: JS_RUN,
  },
  {
    files: /(?:^|\/)(?:pyproject\.toml|setup\.cfg|tox\.ini|\.?pytest\.(?:ini|toml))$/,
    keys: /^(?:tool )?(?:tool:)?pytest /,
    harmless:
      / (?:minversion|markers|(?:junit|log|asyncio|faulthandler|console|tmp_path|anyio|django|qt|mpl|timeout|benchmark)\w*|cache_dir|required_plugins|doctest\w*|usefixtures|env|DJANGO\w*|verbosity\w*|truncation\w*)$/i,
  },
  {
    files: /(?:^|\/)(?:pyproject\.toml|setup\.cfg|\.?mypy\.ini)$/,
    keys: /^(?:tool )?mypy(?:-\S+)? /,
    harmless:
      / (?:python_(?:version|executable)|plugins|mypy_path|cache\w*|show_\w+|pretty|color_output|error_summary|namespace_packages|explicit_package_bases|platform|module|incremental|sqlite_cache|native_parser|init_\w+|fast_module_lookup|num_workers|html_report|install_types|non_interactive|django_settings_module)$/,
  },
  {
    files: /(?:^|\/)(?:pyproject\.toml|setup\.cfg|\.coveragerc)$/,
    keys: /^(?:tool )?(?:coverage[ :])?(?:run|report) /,
    harmless:
      / (?:parallel|show_missing|skip_(?:covered|empty)|precision|plugins|context|dynamic_context|data_file|concurrency|relative_files|sort|format|core|patch|sigterm|debug|disable_warnings|exclude\w*|omit|source_dirs|source_pkgs)$/,
  },
  {
    files: /(?:^|\/)Cargo\.toml$/,
    keys: /^(?:lib|test|profile \S+) /,
    harmless:
      / (?:name|path|crate-type|proc-macro|doc|bench|edition|opt-level|lto|debug|strip|codegen-units|incremental|inherits|split-debuginfo|rpath|package \S+ \S+|build-override \S+|doc-scrape-examples)$/,
  },
  {
    files: /(?:^|\/)[tj]sconfig[^/]*\.json$/,
    keys: /^compilerOptions (?:erasable|isolatedDeclarations|noResolve|noLib|allowJs|verbatim|disable|libReplacement|strict)\w*$/,
    harmless: /(?!)/,
  },
  {
    files: /(?:^|\/)pom\.xml$/,
    keys: / plugin configuration (?!compilerArg)\S*(?:[tT]est|[fF]ail|[sS]kip|[iI]gnore|[rR]erun|[gG]roup|[aA]ssert|[rR]ule|[cC]heck|[iI]nclude|[eE]xclude)\S*/,
    harmless: / (?:testSource|testTarget|testRelease|trim\w*|report\w*)$/,
  },
];

const ON = /^(?:true|on|error|always)$/i;
/** Options that make a tool stricter when they are on. */
const STRICTER =
  /require|forbid|fail|strict|check|error|branch|only$|recursive|async|erasable|verbatim|isolatedDecl|allowJs/i;

/** True unless the change of a key without a rule is known to check no less. */
export function isUnknownChange(path: string, key: string, before: SettingTexts, after: SettingTexts): boolean {
  if (before?.join("\0") === after?.join("\0")) return false;
  const section = SECTIONS.find(({files, keys}) => files.test(path) && keys.test(key));
  if (section === undefined || section.harmless.test(key)) return false;
  const isSwitchedOn = after?.length === 1 && ON.test(after[0] ?? "");
  return !(isSwitchedOn && STRICTER.test(key));
}
