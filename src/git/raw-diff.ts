/** Reads git's raw diff (`diff-tree --raw -z`), where every path is exact, whatever characters it has. */
import type {Change} from "../record/verification.ts";

/** One record of the raw format, with modes and ids as git writes them; all zeros mean that there is none. */
export interface RawEntry {
  readonly oldMode: string;
  readonly newMode: string;
  readonly oldId: string;
  readonly newId: string;
  /** A, M, D, T, R, C … without the score */
  readonly letter: string;
  readonly path: string;
  /** the old path of a rename or copy */
  readonly from?: string;
}

const HEAD = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\d*$/;

/**
 * Returns the entries in git's order. Throws on output of any other form, because an incomplete list of changes must
 * not be used.
 */
export function parseRawDiff(output: string): RawEntry[] {
  const fields = output.split("\0");
  if (fields.pop() !== "") throw new Error("raw diff: the output is cut");
  const entries: RawEntry[] = [];
  for (let index = 0; index < fields.length; ) {
    const match = HEAD.exec(fields[index] ?? "");
    if (match === null) throw new Error(`raw diff: record ${entries.length + 1} is of no known form`);
    const [, oldMode = "", newMode = "", oldId = "", newId = "", letter = ""] = match;
    const hasTwoPaths = letter === "R" || letter === "C";
    const firstPath = fields[index + 1];
    const path = hasTwoPaths ? fields[index + 2] : firstPath;
    if (firstPath === undefined || path === undefined) throw new Error("raw diff: a path is missing");
    const entry = {oldMode, newMode, oldId, newId, letter, path};
    entries.push(hasTwoPaths ? {...entry, from: firstPath} : entry);
    index += hasTwoPaths ? 3 : 2;
  }
  return entries;
}

const STATUS: Readonly<Record<string, Change["status"]>> = {
  A: "added",
  C: "added",
  M: "modified",
  D: "deleted",
  R: "renamed",
  T: "type-changed",
};

/** Converts an entry to Assay's `Change`. A changed mode alone is a modification. */
export function toChange(entry: RawEntry): Change {
  const status = STATUS[entry.letter];
  if (status === undefined) throw new Error(`raw diff: unknown status ${entry.letter}`);
  const {path, from} = entry;
  return status === "renamed" && from !== undefined ? {path, status, from} : {path, status};
}
