/** The interface of a spec format: where its files are, what they are called, and which parts bind the code. */

export interface SpecFormat {
  /** one word, for the record and the report */
  readonly name: string;
  /** for people */
  readonly title: string;
  /** the folders with its files, from the root of the tree */
  readonly folders: readonly string[];
  /** matches the path of a spec; its group `name` is the name of the spec */
  readonly spec: RegExp;
  /** matches the path of a file that every run gets, such as a constitution */
  readonly always?: RegExp;
  /** true for specs that are normally updated together with the code they describe */
  readonly isLiving: boolean;
  /** the headings of the sections that bind the code; without any, the whole text does */
  readonly sections?: RegExp;
  /** the lines of these sections that bind the code; without it, all of them */
  readonly lines?: RegExp;
  /** false for a text that no longer applies, or not in general */
  readonly isInForce?: (text: string) => boolean;
  /** the part of a file that says what code must do; without it, the whole text */
  readonly textOf?: (path: string, text: string) => string;
  /** the path of the spec of a new module */
  readonly newSpec: string;
}
