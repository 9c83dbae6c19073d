/** The interface of the reporters of `assay verify`: they receive events, and the record at the end. */
import type {OnEvent} from "../../record/events.ts";
import type {RunRecord} from "../../record/record.ts";

/** The colors of picocolors in use. The caller decides whether to use colors (`NO_COLOR`). */
export interface Colors {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly green: (text: string) => string;
  readonly red: (text: string) => string;
  readonly yellow: (text: string) => string;
}

/** A stream to write to; a terminal has a size. */
export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

export interface ReporterOptions {
  /** for the report */
  readonly out: Output;
  /** for progress if `out` has a document */
  readonly err: Output;
  readonly colors: Colors;
  /** only failures, and nothing after a success */
  readonly isQuiet: boolean;
  /** a file of the candidate, for code frames; null if it cannot be read */
  readonly readText: (path: string) => Promise<string | null>;
}

export interface Reporter {
  readonly onEvent: OnEvent;
  /** ends the report: called once, after the last event */
  readonly finish: (record: RunRecord) => Promise<void>;
  /** ends the progress, even if the verification could not start */
  readonly close: () => void;
}
