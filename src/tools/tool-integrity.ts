/** How settings, comments and code can weaken one tool. Separate from `Tool`, because only the integrity checks need it. */
import type {FindingLevel} from "../record/words.ts";

/** All abilities are optional. */
export interface ToolIntegrity {
  readonly parts?: IntegrityParts;
  /** comments and annotations that silence it; those of all tools with one name are counted together */
  readonly suppressions?: readonly Suppression[];
  /** the keys of its configuration that decide what is checked */
  readonly settings?: readonly ToolSettings[];
  readonly alignment?: SettingAlignment;
  /** the keys of its configuration that have no rule, but can decide what is checked */
  readonly openSettings?: readonly OpenSettings[];
  /** two paths of keys that mean the same: the start of the first is read as the second */
  readonly settingAlias?: {readonly from: RegExp; readonly to: string};
  /** the same for the comparison of two files in which a section has different names */
  readonly movedAlias?: {readonly from: RegExp; readonly to: string};
  /** options of its commands that weaken nothing; those of a command without a row are all accepted */
  readonly commandOptions?: readonly CommandOptions[];
  /** settings that mean the same as words of its commands */
  readonly configuredOptions?: readonly ConfiguredOptions[];
  /** files that it reads in place of another file that is still there */
  /** files that are a part of its configuration by what they contain, because that imports them */
  readonly sharedSettings?: SharedSettings;
  readonly precedence?: readonly PrecedenceRule[];
  /** the tests that it runs without a configuration */
  readonly defaultTests?: DefaultTests;
  /** lines of its files that let a check fail, or leave it out */
  readonly runnerRules?: readonly RunnerRule[];
  /** a mark of a whole file of its tests, as a decorator of each test; empty without one */
  readonly fileMark?: (code: string) => string;
  /** the lines of a Python test that must fail; null if a file with this text has other tests */
  readonly writeCanary?: (text: string, name: string) => readonly string[] | null;
}

/**
 * Patterns that a check joins with those of the other tools, so they have no flags. Those of files match a basename.
 */
export interface IntegrityParts {
  /** files whose every line is about checks, and files with such lines and others */
  readonly lineFiles?: RegExp;
  readonly mixedFiles?: RegExp;
  /** files that decide what a test run checks; starts of the names of such files with another purpose in the middle */
  readonly runFiles?: RegExp;
  readonly configStem?: RegExp;
  /** keys of a `package.json` that decide about tests and checks */
  readonly packageKey?: RegExp;
  /** scripts that it loads before or after the tests */
  readonly setupFiles?: RegExp;
  /** files with settings of JavaScript tests, and the key above those settings */
  readonly testSettings?: RegExp;
  readonly section?: RegExp;
  /** files whose plugins come from packages; files that can rewrite tests when they are loaded */
  readonly pluginFiles?: RegExp;
  readonly transformFiles?: RegExp;
  /** files of Python's tools with their settings, and those that take precedence over shared files */
  readonly pythonSettings?: RegExp;
  readonly overridingFiles?: RegExp;
  /** files in the format of INI without its ending */
  readonly iniFiles?: RegExp;
  /** scripts whose settings are a list of blocks; the last one wins */
  readonly blockFiles?: RegExp;
  /** arguments of its runner in a program that only make it report more, or fail for more */
  readonly stricterArgument?: RegExp;
  /** names under which a file could run in its place, and other packages that belong to it */
  readonly ownNames?: RegExp;
  readonly ownPackages?: RegExp;
  /** packages whose version decides what is checked; an override of any other is not suspicious */
  readonly checkPackages?: RegExp;
  readonly otherPackages?: RegExp;
  /** files and folders where it keeps results */
  readonly caches?: RegExp;
  /** assertion modules, other modules for tests, and Python's test modules */
  readonly assertModule?: RegExp;
  readonly testModule?: RegExp;
  readonly pythonModule?: RegExp;
  /** what product code sees while its tests run; signs that code also uses for another purpose */
  readonly runSign?: RegExp;
  readonly weakRunSign?: RegExp;
  /** its name where code compares it, or searches it in the arguments of the process */
  readonly runnerName?: RegExp;
  /** the object whose methods replace modules and functions in JavaScript */
  readonly mockObject?: RegExp;
  /** calls of Python that assert, that skip a test, and that skip all tests of a file */
  readonly pythonAssert?: RegExp;
  readonly pythonSkip?: RegExp;
  readonly pythonFileSkip?: RegExp;
  /** code that starts it, in a program that runs the tests */
  readonly startsRunner?: RegExp;
  /** the start of a decorator that skips in Python */
  readonly skipDecorator?: RegExp;
  /** marks that repeat a failing test until it passes; code of Python that replaces parts of the tool */
  readonly retryMark?: RegExp;
  readonly replacedPart?: RegExp;
  /** lines that make the tool stricter for their file; the first group is what they require */
  readonly strictComment?: RegExp;
  /** endings of its test files, which are shell scripts */
  readonly shellEnding?: RegExp;
  /** its program, in a line that checks something; its option that makes each run pass */
  readonly checkProgram?: RegExp;
  readonly passingOption?: RegExp;
  /** its command, if it starts scripts that it finds elsewhere */
  readonly startsOther?: RegExp;
  /** its command, if `-m`, `-t`, `-g` or `-f` selects tests; its command with an option that loses a plugin */
  readonly letterSelects?: RegExp;
  readonly losesPlugin?: RegExp;
  /** its command, if a setting adds options to it */
  readonly addedOptions?: RegExp;
}

export interface Suppression {
  readonly name: string;
  readonly files: RegExp;
  readonly pattern: RegExp;
  /** for the whole file or a whole module */
  readonly isWide?: boolean;
}

/** Which values check less. */
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
  // the same for a key whose values can be folders, with all that they contain
  | "narrows-folders"
  | "warnings"
  | "replaces"
  | "switched-on"
  | "switched-off"
  | "widens"
  | "subset"
  | "selects-less"
  | "precedes"
  | "loads"
  | "options";

/** Compares the values of a key; a missing key has none. */
export type IsWeaker = (before: readonly string[], after: readonly string[]) => boolean;

/** The pattern is tested against the key path, whose keys are joined by spaces. */
export type KeyRule = readonly [key: RegExp, weaker: WeakerWhen | IsWeaker, level?: FindingLevel];

/** Each key path has a list of texts: one for a scalar, one for each item of a list. */
export type SettingValues = ReadonlyMap<string, readonly string[]>;

export interface SettingPair {
  readonly before: SettingValues;
  readonly after: SettingValues;
}

export interface SettingAlignment {
  readonly files: ToolSettings["files"];
  /** both versions in the same terms: what a switch implies, and what several keys say together */
  readonly align: (pair: SettingPair, path: string) => SettingPair;
}

export interface ToolSettings {
  /** its files, or all files where tools of this family have their settings */
  readonly files: RegExp | "javascript tests" | "python";
  readonly rules: readonly KeyRule[];
}

export interface OpenSettings {
  readonly files: RegExp;
  /** key paths of the section, without those that have a rule */
  readonly keys: RegExp;
  /** key paths that decide about speed, form, output and dependencies only */
  readonly harmless: RegExp;
}

export interface CommandOptions {
  /** tested against the name that `toolOf` gives a command */
  readonly tools: RegExp;
  /** options about speed, form and output, and those that make it stricter */
  readonly harmless: RegExp;
  /** decides by the value of an option; null if the option alone decides */
  readonly isHarmlessValue?: (option: string, value: string) => boolean | null;
}

export interface ConfiguredOptions {
  /** tested against the name that `toolOf` gives a command */
  readonly tools: RegExp;
  readonly files: RegExp;
  /** empty for a key that is no option of the command */
  readonly words: (key: string, values: readonly string[]) => readonly string[];
}

export interface DefaultTests {
  /** the configuration that it reads without an option */
  readonly files: RegExp;
  /** tested against the name that `toolOf` gives a command */
  readonly tools: RegExp;
  /** paths of the tests that it collects without a configuration */
  readonly tests: RegExp;
  /** key paths of what it runs, and of what it leaves out; those whose values are regular expressions, not globs */
  readonly selects: RegExp;
  readonly leavesOut: RegExp;
  readonly expressions: RegExp;
}

export interface PrecedenceRule {
  readonly name: RegExp;
  /** the files that are not read any more */
  readonly hides: RegExp;
  /** files in the folders above are not read either */
  readonly isInherited?: true;
  /** the hidden settings as a file that can be compared with the new one at `path`; null if there are none */
  readonly asEarlier?: (hidden: SettingsText, path: string, text: string) => SettingsText | null;
}

export interface SharedSettings {
  readonly files: RegExp;
  readonly pattern: RegExp;
  /** the configuration file that has the same form */
  readonly readAs: string;
}

export interface SettingsText {
  readonly path: string;
  readonly text: string;
}

export interface RunnerRule {
  readonly files: RegExp;
  readonly pattern: RegExp;
  readonly what: string;
  /** files that decide even if they are new */
  readonly newFiles?: RegExp;
}
