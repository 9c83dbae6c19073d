/** What the reader of tests needs to know about a language: its grammar, and rules that find tests in a syntax tree. */

/**
 * What a part of a source is for its tests. `called`: a test if an `alias` names what it calls. `never`: tests in it do not run. `unit`: a
 * function that is no test; `hook`: one that runs around tests. `assertion`: a whole assertion; `asserts`: the beginning of one;
 * `failure`: a call that fails the test. `skip`, `conditional`, `only`, `fails`: a mark of the test or group around it, or of the tests
 * that call the unit around it. `branch`: code that may not run; `handler`: code that runs after an error; `exit`: leaves the code
 * around it; `closure`: a function without a name. `iterated`: what a loop or a table of tests runs over; `row`: a row of such a
 * table; `list`: the value of a name.
 */
const PART_ROLES = [
  ...(["test", "called", "alias", "never", "group", "unit", "hook", "assertion", "asserts", "failure"] as const),
  ...(["skip", "conditional", "only", "fails", "branch", "handler", "exit", "closure"] as const),
  ...(["iterated", "row", "list"] as const),
] as const;

export type PartRole = (typeof PART_ROLES)[number];

/**
 * A pattern for the text of a node, all texts that it may be, beginnings of it, texts that it must not be, the kinds that it may have, or
 * `true` if it must be there.
 */
export type NodeCondition = RegExp | ReadonlySet<string> | Beginnings | Exceptions | readonly string[] | true;

export interface Beginnings {
  readonly begins: readonly string[];
}

export interface Exceptions {
  readonly except: ReadonlySet<string>;
}

export const oneOf = (...texts: readonly string[]): ReadonlySet<string> => new Set(texts);
export const beginsWith = (...begins: readonly string[]): Beginnings => ({begins});
/** Also if the node is not there. */
export const noneOf = (...texts: readonly string[]): Exceptions => ({except: new Set(texts)});

/**
 * A path leads from a node to another one by names of fields and numbers of named children: `function.object`, `arguments.0`, to its parent by `^`, to the nodes
 * before and after it by `-` and `+`. An empty path is the node itself, `attributes` the attributes before it; a field after `!` must be missing.
 */
export interface TreeRule {
  readonly is: PartRole;
  /** the kinds of nodes */
  readonly on: string | readonly string[];
  readonly where?: Readonly<Record<string, NodeCondition>>;
  /** paths: to the name, to what is called, to the name of a group, and to the part itself if it is not the node */
  readonly name?: string;
  readonly callee?: string;
  readonly group?: string;
  readonly at?: string;
  /** path from the part to the node with which it ends, if that is another one */
  readonly until?: string;
}

/** A condition of a preprocessor that is not about the platform or the compiler. */
export const NO_PLATFORM = /^(?!!*\(?(?:NET|DEBUG|RELEASE|WIN|LINUX|MAC|defined|has|_))/;

export interface TestLanguage {
  readonly name: string;
  /** endings of its files, with the dot */
  readonly endings: readonly string[];
  /** the grammar's package and file */
  readonly grammar: string;
  /** the beginning of a test or a group, which each file with tests contains */
  readonly hint: RegExp;
  /** true if only files with a name for tests can have tests */
  readonly isTestFile?: (path: string) => boolean;
  /** true if the grammar cannot know macros and conditions of a preprocessor: the rest of a file with errors is read */
  readonly hasMacros?: boolean;
  readonly rules: readonly TreeRule[];
}
