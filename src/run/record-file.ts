/** Stores a run's record on disk, complete at every moment, so that a crashed run can be reported (P8, P9). */
import {createHash} from "node:crypto";
import {closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync} from "node:fs";
import {dirname} from "node:path";
import type {Failure} from "../record/failure.ts";
import {recordedFindings} from "../record/integrity.ts";
import type {Note} from "../record/plan.ts";
import {type RunRecord, recordSchema} from "../record/record.ts";
import {redactRecord} from "../secrets/redact-record.ts";

/** The only stateful access to a run's record. Every change is on disk when the call returns. */
export interface RecordFile {
  readonly file: string;
  current(): RunRecord;
  update(patch: Partial<RunRecord>): void;
  /** Adds a failure; the report has a sentence for it. */
  addFailure(failure: Failure): void;
  /** Adds notes, which the report shows unchanged. */
  addNotes(notes: readonly Note[]): void;
  /**
   * SHA-256 of the record's current claims: everything except notes, comment and attestation, which may change in a closed
   * record
   */
  digest(): string;
}

/** Keys that may change in a closed record. */
const OPEN_KEYS = new Set(["notes", "commentId", "attestation"]);

interface RecordFileOptions {
  readonly file: string;
  /** sees every text before it reaches the disk (P11) */
  readonly redact: (text: string) => string;
}

/** Starts a record at `file`. */
export function createRecordFile(options: RecordFileOptions & {readonly record: RunRecord}): RecordFile {
  mkdirSync(dirname(options.file), {recursive: true});
  const recordFile = keep(options, options.record);
  recordFile.update({});
  return recordFile;
}

/** Opens the record of an earlier process; null if there is none, or it is invalid. */
export function openRecordFile(options: RecordFileOptions): RecordFile | null {
  const record = readRecord(options.file);
  return record === null ? null : keep(options, record);
}

function keep({file, redact}: RecordFileOptions, first: RunRecord): RecordFile {
  let record = first;
  const update = (patch: Partial<RunRecord>) => {
    record = {...record, ...patch, ...(patch.attempts && recordedFindings(patch.attempts))};
    writeWhole(file, JSON.stringify(redactRecord({record, redact}), null, 1));
  };
  return {
    file,
    current: () => record,
    update,
    addFailure: (failure) => update({failures: [...record.failures, failure]}),
    addNotes: (notes) => {
      if (notes.length > 0) update({notes: [...record.notes, ...notes]});
    },
    digest: () => {
      const claims: unknown = JSON.parse(readFileSync(file, "utf8"), (key, value) =>
        OPEN_KEYS.has(key) ? undefined : value,
      );
      return createHash("sha256").update(JSON.stringify(claims)).digest("hex");
    },
  };
}

function readRecord(file: string): RunRecord | null {
  try {
    const parsed = recordSchema.safeParse(JSON.parse(readFileSync(file, "utf8")));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** A reader sees the old content or the new one, even after a power cut: write a new file, flush, rename. */
function writeWhole(file: string, text: string): void {
  const temporary = `${file}.new`;
  const handle = openSync(temporary, "w", 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(temporary, file);
}
