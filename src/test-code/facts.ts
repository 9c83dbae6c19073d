/** The facts about the tests of a source file, the same for all languages. */
import type {TextRange} from "./tokens.ts";

/** Why a test does not run, or hides others: always, on a condition, or only this one runs. */
export type TestMark = "skip" | "conditional" | "only" | "expected-failure";

/** 0 can never fail; 1 accepts most values; 2 accepts several values; 3 accepts one value. */
export type Strength = 0 | 1 | 2 | 3;

export interface Assertion {
  /** its words and signs without white space, for comparison */
  readonly text: string;
  /** the examined expression */
  readonly subject: string;
  /** what compares, without values: the called functions and the operators */
  readonly form: string;
  readonly strength: Strength;
  readonly isNegated: boolean;
  /** the accepted difference between two numbers; null if it accepts one value only */
  readonly tolerance: number | null;
  /** how many conditions, loops and `try` blocks of the test surround it */
  readonly guards: number;
  /** true in a function that the test never calls, or does not wait for */
  readonly isDetached: boolean;
  readonly line: number;
  /** where what it compares is in the file */
  readonly place: TextRange;
}

/** A test, or a function that tests use: a helper or a hook. */
export interface TestFacts {
  /** names of the surrounding groups and the test, joined by ` > `; tests with equal names get a number */
  readonly id: string;
  readonly name: string;
  readonly line: number;
  readonly lastLine: number;
  /** with its decorators or attributes before it in `headText` */
  readonly text: string;
  readonly headText: string;
  /** `text` without comments and contents of strings; positions are equal */
  readonly code: string;
  readonly marks: ReadonlySet<TestMark>;
  /** the text of the marks, with reasons */
  readonly markText: string;
  /** true if its conditions ask for the system or the version of a tool */
  readonly isSkippedElsewhere: boolean;
  readonly assertions: readonly Assertion[];
  /** true if the body has no statement */
  readonly isEmpty: boolean;
  /** true if the body ends before its last assertion, whatever the values */
  readonly endsEarly: boolean;
  /** conditional exits before the last assertion */
  readonly bailOuts: number;
  /** handlers of errors that do nothing with them */
  readonly swallows: number;
  /** the number of values in its tables and in the lists that it runs over */
  readonly rows: number;
  /** what its loops run over */
  readonly loops: readonly string[];
  /** the names of the functions that it calls */
  readonly calls: ReadonlySet<string>;
}

export type UnreadReason = "syntax" | "limit" | "no-grammar";

export interface SourceFacts {
  readonly tests: readonly TestFacts[];
  /** functions that are no tests */
  readonly units: readonly TestFacts[];
  /** true if loops or tables run over a value */
  readonly hasTables: boolean;
  /** the text without comments and contents of strings; positions are equal */
  readonly code: string;
  /** the text outside of the tests, without empty lines: while it is the same, it means the same for them */
  readonly surroundings: string;
  /** why its facts are not known: the grammar does not accept it, it was over a limit, or the grammar is not loaded; null if they are */
  readonly unread: UnreadReason | null;
  /** true if the parser does not know some of its macros, so that there may be more tests */
  readonly isPartial: boolean;
}
