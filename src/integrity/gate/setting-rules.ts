/** Lists the keys of configuration files that decide what is checked, and which direction is weaker. */
import type {FindingLevel} from "../../record/words.ts";
import {filesOf, INTEGRITY, partsOf} from "../../tools/all-integrity.ts";
import type {IsWeaker, ToolSettings, WeakerWhen} from "../../tools/tool-integrity.ts";
import {isOtherPackage} from "./package-versions.ts";

export interface SettingRule {
  readonly files: RegExp;
  /** tested against the key path, whose keys are joined by spaces */
  readonly key: RegExp;
  readonly weaker: WeakerWhen | IsWeaker;
  readonly level: FindingLevel;
}

const rule = (
  files: RegExp,
  key: RegExp,
  weaker: WeakerWhen | IsWeaker,
  level: FindingLevel = "flag",
): SettingRule => ({
  files,
  key,
  weaker,
  level,
});

const JS_TESTS = filesOf(
  "testSettings",
  /cypress[^/]*\.[cm]?[jt]s(?:on)?|\.nycrc[^/]*|\.c8rc[^/]*|\.taprc|package\.json/,
);
const PYTHON = filesOf("pythonSettings", /pyproject\.toml|setup\.cfg|tox\.(?:ini|toml)|\.coveragerc/);
const ASSAY = /(?:^|\/)verify\.json$/;
const FAMILIES = {"javascript tests": JS_TESTS, python: PYTHON} as const;

/** The files of a tool, or those of its family. */
export const filesWith = (files: ToolSettings["files"]): RegExp => (files instanceof RegExp ? files : FAMILIES[files]);

function rulesOf({files, rules}: ToolSettings): SettingRule[] {
  return rules.map(([key, weaker, level]) => rule(filesWith(files), key, weaker, level));
}

const CHECK_PACKAGES = partsOf("checkPackages");
const OTHER_PACKAGES = partsOf("otherPackages", /tap|c8|nyc|chai|expect/);
const SECTION = partsOf("section");
/** A key of JavaScript's test runners, in a file of one of them or in its section of another file. */
const inSection = (key: RegExp, ...others: readonly RegExp[]): RegExp =>
  new RegExp(`(?:^|(?:${partsOf("section", ...others)}) |(?:^| )projects (?:test |use )?)${key.source}$`);

const isAbove =
  (standard: string): IsWeaker =>
  ([before = standard], [after = standard]) =>
    Number(after) > Number(before);

/** An earlier value of the list, which begins with the weakest; `standard` is the value of a missing key. */
const isBefore =
  (standard: string, values: readonly string[]): IsWeaker =>
  ([before = standard], [after = standard]) =>
    values.indexOf(after) < values.indexOf(before);

export const SETTING_RULES: readonly SettingRule[] = [
  ...INTEGRITY.flatMap(({settings}) => settings?.flatMap(rulesOf) ?? []),
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
    inSection(
      /(?:exclude|excludes|testPathIgnorePatterns|coveragePathIgnorePatterns|modulePathIgnorePatterns|ignore|testIgnore|excludeSpecPattern|excludeAfterRemap)/,
      /nyc|coverage/,
    ),
    "grows",
  ),
  rule(
    JS_TESTS,
    new RegExp(String.raw`^(?:${SECTION}|)\s?(?:include|testMatch|testRegex|spec|specs|projects)$`),
    "narrows",
  ),
  rule(JS_TESTS, new RegExp(String.raw`^(?:${SECTION}|)\s?(?:roots|testDir)$`), "narrows-folders"),
  rule(
    JS_TESTS,
    /(?:^| )(?:thresholds?|coverageThreshold|watermarks)(?: \S+)* (?:lines|branches|functions|statements)$|^(?:nyc |c8 )?(?:lines|branches|functions|statements)$/,
    "lower",
  ),
  rule(JS_TESTS, inSection(/(?:setupFiles|setupFilesAfterEnv|require)/), "changes"),
  rule(
    JS_TESTS,
    inSection(
      /(?:testNamePattern|grep|fgrep|testRunner|runner|testEnvironment|resolver|retry|retries|globalSetup|file|testResultsProcessor|testSequencer|shard|snapshotSerializers)/,
    ),
    "appears",
  ),

  rule(
    JS_TESTS,
    new RegExp(`^(?:devDependencies|dependencies) (?:${CHECK_PACKAGES}|${OTHER_PACKAGES})$`),
    isOtherPackage,
    "note",
  ),
  // npm runs no script and no hook of a script with the first, and every script in the second.
  rule(/(?:^|\/)\.npmrc$/, /(?:^| )(?:ignore-scripts|script-shell|node-options|if-present)$/, "appears"),
  rule(PYTHON, /(?:^|report |coverage report |coverage:report )fail[_-]under$/, "lower"),
  rule(PYTHON, /(?:^|run |report |coverage (?:run|report) )(?:omit|exclude_lines|exclude_also)$/, "grows"),
  rule(
    PYTHON,
    /(?:^|testenv\S* |(?:^|tool tox )(?:env_run_base |env_base \S+ |env \S+ ))ignore_(?:errors|outcome)$/,
    "on",
    "block",
  ),
  rule(ASSAY, /^(?:enabled|integrity enabled|failFast)$|^overrides \S+$/, "off"),
  rule(ASSAY, /(?:^| )optional$/, "on"),
  rule(ASSAY, /^(?:skipPatterns|exampleSecrets|flaky|integrity allow|stages when|overrides \S+ when)$/, "grows"),
  rule(ASSAY, /^(?:protectedPaths|codeExtensions|stages name)$/, "shrinks"),
  rule(ASSAY, /^(?:stages|overrides \S+) command$/, "narrows"),
  rule(ASSAY, /^limits files$/, isAbove("100")),
  rule(ASSAY, /^limits megabytes$/, isAbove("4")),
  rule(ASSAY, /^integrity approvers$/, ([before = "1"], [after = "1"]) => Number(after) < Number(before)),
  rule(ASSAY, /^sandbox$/, isBefore("auto", ["off", "auto", "required"])),
  rule(ASSAY, /^network$/, isBefore("all", ["all", "setup", "none"])),
  rule(ASSAY, /^coverage$/, isBefore("source", ["source", "strict"])),
  rule(ASSAY, /^onFailure$/, isBefore("park", ["commit", "park"])),
  rule(ASSAY, /^publish$/, isBefore("pull-request", ["direct", "branch", "pull-request"])),
  rule(ASSAY, /^integrity level \S+$/, "changes"),
];
