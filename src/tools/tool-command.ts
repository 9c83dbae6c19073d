/** The facts about a tool's commands. Separate from `Tool`, because plans need no patterns of outputs. */
import type {FileKind} from "../git/paths.ts";
import type {StageKind} from "../record/words.ts";

/** All abilities are optional. A command has the name that `toolOf` returns: `ruff check`. */
export interface ToolCommand {
  /** the names of its programs, for abilities of all their commands */
  readonly programs?: readonly string[];
  /** traits of all its programs */
  readonly traits?: readonly Trait[];
  /** its commands by the kind of their stage; `*` as the last word matches any further words */
  readonly kinds?: Readonly<Partial<Record<StageKind, readonly string[]>>>;
  /** words, joined by blanks, that start the script in the first group in all packages */
  readonly startsInAll?: RegExp;
  /** tools that one of its commands starts */
  readonly starts?: Readonly<Record<string, readonly string[]>>;
  /** patterns of files that affect its results, so that a change of them must be verified */
  readonly buildFiles?: readonly string[];
  /** commands that read a project and the other projects that it names */
  readonly reads?: {readonly family: ProjectFamily; readonly commands: readonly string[]};
  /** matches the only files that its programs read, including those of nested projects */
  readonly lintedFiles?: FileKind;
  /** files where a project names other projects, or its test folders */
  readonly namesProjects?: {readonly family: LooseFamily; readonly files: readonly string[]};
  /** commands that write no file that another stage could read, from the tool's manual */
  readonly readOnly?: readonly ReadOnlyCommand[];
  /** calls that write code for the other stages, offline and from files of the tree; patterns of these files */
  readonly generates?: {
    readonly calls: RegExp;
    readonly inputs: readonly string[];
    readonly directives?: GeneratorDirectives;
  };
  /** commands that reuse what other tools of the family have compiled */
  readonly compiles?: {readonly family: string; readonly commands: readonly string[]};
  /** commands that must not run as a check */
  readonly unsafe?: readonly UnsafeCommand[];
  /** its commands always print a count of the tests */
  readonly testCount?: TestCount;
  /** a setting that makes it stop at a failing test without reporting that */
  readonly bail?: BailSetting;
  /** GitHub actions that run it, with their commands; `{name}` is that input, or the text after `=` if it is not set */
  readonly actions?: Readonly<Record<string, string>>;
}

/** The lines of files that name the programs which a generator starts, and the programs that are always there. */
export interface GeneratorDirectives {
  readonly files: FileKind;
  readonly line: RegExp;
  readonly safe: RegExp;
}

export type Trait =
  /** a project installs it as a package */
  | "node package"
  | "python package"
  /** scripts of projects never have its name for another purpose */
  | "never a script"
  /** its option `-t` names the targets that it runs in all projects */
  | "targets by -t"
  /** each argument is a command */
  | "commands as arguments"
  /** it runs and records the command that follows `record --` */
  | "records a command"
  /** it starts a script in several packages of a workspace */
  | "starts package scripts"
  /** it runs the tasks that a task needs before it, such as builds */
  | "orders tasks"
  /** the word after it belongs to the command, whether `kinds` lists it or not */
  | "subcommands"
  /** another package adds it to a program, so it may be missing where the program is installed */
  | "extension"
  /** it prints its version with the command `version`, not with the option `--version` */
  | "command version"
  /** its option `--dry-run` checks what `publish` would release, and releases nothing */
  | "rehearses releases"
  /** its option `-w` means watch, `-u` rewrites snapshots */
  | "-w watches"
  | "-u updates"
  /** its tests may be end-to-end tests, depending on its arguments */
  | "may test browsers";

/** The family of a manifest; the tools of a family read its manifests. */
export type ProjectFamily = "go" | "rust" | "node" | "python" | "maven" | "gradle" | LooseFamily | "other";
/** Families whose projects refer to other projects in many ways. */
export type LooseFamily = "ruby" | "php" | "elixir" | "dart" | "swift";

/** Words of which the command must contain one, and options of which it must contain none. */
interface ReadOnlyCommand {
  readonly commands: readonly string[];
  readonly with?: readonly string[];
  readonly without?: readonly string[];
}

export type UnsafeKind = "watch" | "mutates" | "browser" | "service" | "release" | "server" | "download" | "privileged";

export interface UnsafeCommand {
  /**
   * The command's words in order: its program, then its plain words; `a|b` are alternatives. `-x` must be among its
   * options, `!-x` must not.
   */
  readonly match: string;
  /** rewriting files by default */
  readonly kind?: UnsafeKind;
  /** what it does, if the words for its kind do not say it */
  readonly why?: string;
  /** how to make it a check: options to drop, words to replace, options to add */
  readonly drop?: readonly string[];
  readonly swap?: Readonly<Record<string, string>>;
  readonly add?: readonly string[];
}

interface TestCount {
  readonly commands: readonly string[];
  /** options that may make it print no count, or run no test */
  readonly unless?: RegExp;
  /** settings with the same effect, in files of the stage's folder and of the root */
  readonly settings?: {readonly files: readonly string[]; readonly says: RegExp};
}

interface BailSetting {
  readonly commands: readonly string[];
  readonly files: readonly string[];
  readonly says: RegExp;
  /** a key of package.json with the same effect */
  readonly key?: readonly string[];
}
