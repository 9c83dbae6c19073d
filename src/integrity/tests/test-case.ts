/** The facts about one test from its source: its id, its assertions, and what keeps it from running. */
import type {MaskedSource} from "../source/mask.ts";

/** Why a test does not run, or hides others: always, on a condition, or only this one runs. */
export type TestMark = "skip" | "conditional" | "only" | "expected-failure";

/** 0 can never fail; 1 accepts most values; 2 accepts several values; 3 accepts one value. */
export type Strength = 0 | 1 | 2 | 3;

export interface Assertion {
  /** without white space, for comparison */
  readonly text: string;
  /** the examined expression, without white space */
  readonly subject: string;
  readonly strength: Strength;
  readonly isNegated: boolean;
  /** how many conditions, loops and `try` blocks of the test surround it */
  readonly guards: number;
  /** true in a function that the test never calls, or does not wait for */
  readonly isDetached: boolean;
  readonly line: number;
}

export interface InspectedTest {
  /** names of the surrounding groups and the test, joined by ` > ` */
  readonly id: string;
  readonly name: string;
  readonly line: number;
  readonly source: MaskedSource;
  /** its decorators or annotations, which may have the table of its values */
  readonly headText: string;
  readonly marks: ReadonlySet<TestMark>;
  /** true if its conditions skip it only where the checks do not run, such as on another system */
  readonly isSkippedElsewhere: boolean;
  /** the text of the marks, with reasons */
  readonly markText: string;
  readonly assertions: readonly Assertion[];
  /** true if the body has no statement */
  readonly isEmpty: boolean;
  /** true if a `return` ends the body before its last assertion, whatever the values */
  readonly endsEarly: boolean;
  /** the number of values in the tables of its body and head */
  readonly rows: number;
  /** loops over a part of their values, and conditional exits before the last assertion */
  readonly narrowedLoops: number;
  readonly bailOuts: number;
  /** the heads of its loops */
  readonly loopHeads: readonly string[];
}

/** The place of a test in a file, found by its language's syntax. */
export interface TestRange {
  readonly id: string;
  readonly name: string;
  readonly from: number;
  /** where its decorators or annotations begin, if it has some */
  readonly headFrom?: number;
  readonly bodyFrom: number;
  readonly bodyTo: number;
  readonly marks: ReadonlySet<TestMark>;
  readonly markText: string;
  /** annotations and decorators, without the contents of strings */
  readonly headCode?: string;
}
