/** How settings, comments and code can weaken one tool. Separate from `Tool`, because only the integrity checks need it. */
/** All abilities are optional. */
export interface ToolIntegrity {
  readonly parts?: IntegrityParts;
  /** comments and annotations that silence it; those of all tools with one name are counted together */
  readonly suppressions?: readonly Suppression[];
  /** lines of its files that let a check fail, or leave it out */
  readonly runnerRules?: readonly RunnerRule[];
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
  /** files whose plugins come from packages; files that can rewrite tests when they are loaded */
  readonly pluginFiles?: RegExp;
  /** arguments of its runner in a program that only make it report more, or fail for more */
  readonly stricterArgument?: RegExp;
  /** names under which a file could run in its place, and other packages that belong to it */
  readonly ownNames?: RegExp;
  readonly ownPackages?: RegExp;
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
  /** code that starts it, in a program that runs the tests */
  readonly startsRunner?: RegExp;
  /** lines that make the tool stricter for their file; the first group is what they require */
  readonly strictComment?: RegExp;
  /** endings of its test files, which are shell scripts */
  readonly shellEnding?: RegExp;
  /** its program, in a line that checks something; its option that makes each run pass */
  readonly checkProgram?: RegExp;
  readonly passingOption?: RegExp;
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

export interface RunnerRule {
  readonly files: RegExp;
  readonly pattern: RegExp;
  readonly what: string;
  /** files that decide even if they are new */
  readonly newFiles?: RegExp;
}
