/** Recognizes workflows and jobs that check no change by their names. */

/** Words that show such a job, whatever the rest of the name is. */
const NEVER_A_CHECK =
  /^(e2e|integration|acceptance|smoke|system|playwright|cypress|browsers?|browserstack|saucelabs|visual|storybook|chromatic|lighthouse|fuzz|fuzzing|fuzzer|oss-fuzz|nightly|bench|benches|benchmark|benchmarks|codspeed|perf|performance|codeql|scorecard|scorecards|stale|autofix|autoformat|mutation|mutants|windows|android|ios|emulator|wasm|sanitizers?|valgrind|miri|cifuzz|msrv|downstream|ecosystem|crater|labeler|label|triage|backport|cla|dco|greetings|welcome|assign|weekly|daily|cron|scheduled|snyk|trivy|semgrep|sonar|sonarcloud|sonarqube|experimental|canary)$/;
/** Words that show such a job unless the name also mentions a check, as "build and publish" does. */
const SELDOM_A_CHECK =
  /^(release|releases|releasing|publish|publishing|deploy|deployment|deployments|package|packages|packaging|artifact|artifacts|upload|pypi|npm|nuget|version|changelog|changelogs|tag|tags|bump|sync|update|updates|upgrade|cleanup|notify|report|comment|lock|zizmor|dependabot|renovate|translations?|i18n|l10n|upstream|semver|commitlint|preview|dockerfile|installers?|homebrew|merge|rebase|approve|backup|images?|docker|container|wheels?)$/;
const CHECK_WORDS =
  /^(tests?|testing|lint|linting|linters?|ci|checks?|build|builds|compile|compiles|unit|quality|static|types?|typecheck|typing|style|format|validate|verify|validation)$/;

/** True for a word that excludes only system tests, which need the whole system to run. */
export const isBroadTest = (word: string): boolean =>
  /^(e2e|integration|acceptance|smoke|system|playwright|cypress|browsers?|visual|storybook)$/.test(word);

/** True for a word that excludes only publishing: a job called "release" may also run linters. */
export const isSeldomCheck = (word: string): boolean => SELDOM_A_CHECK.test(word);

/** Why a workflow or job with these names (its file, its id, its title) is left out; null if it may contain checks. */
export function notACheck(...names: readonly (string | null)[]): string | null {
  for (const name of names) {
    const words = wordsOf(name ?? "");
    // "run tests and benchmarks" runs tests.
    const alsoTests = /\btests\b.*\b(and|plus)\b/i.test(name ?? "");
    const never = words.find((word) => NEVER_A_CHECK.test(word) && !(alsoTests && word.startsWith("bench")));
    if (never !== undefined) return `its name says \`${never}\``;
    const seldom = words.find((word) => SELDOM_A_CHECK.test(word));
    if (seldom !== undefined && !words.some((word) => CHECK_WORDS.test(word))) return `its name says \`${seldom}\``;
  }
  return null;
}

function wordsOf(name: string): string[] {
  const plainName = name
    .slice(0, 200)
    // An expression contains a matrix value, and "continuous integration" describes the checks themselves.
    .replace(/\$\{\{.*?\}\}/g, " ")
    .replace(
      /\b(python|node(?:\.?js)?|ruby|php|java|go|rust|current|latest|minimum|min|oldest|supported|each|all|this|given)[\s_-]+versions?\b/gi,
      " ",
    )
    .replace(/continuous[\s_-]*(integration|deployment|delivery)/gi, "ci")
    .replace(/pre[\s_-]?commit/gi, "lint");
  return [plainName, plainName.replace(/([a-z])([A-Z])/g, "$1 $2")].flatMap((text) =>
    text.toLowerCase().split(/[^a-z0-9]+/),
  );
}
