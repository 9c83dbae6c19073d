/** Takes secrets out of a record; apart from the redactor itself, which the action needs before it needs the record's schema. */
import {type RunRecord, recordSchema} from "../record/record.ts";

/** The record with every foreign text redacted; ids, kinds and numbers stay, so that it is still a valid record. */
export function redactRecord(o: {record: RunRecord; redact: (text: string) => string}): RunRecord {
  const fixed = new Set([
    "schema",
    "kind",
    "outcome",
    "failureKind",
    "why",
    "status",
    "severity",
    "where",
    "isolation",
  ]);
  const ids = new Set(["commit", "tree", "base", "parent"]);
  const copy: unknown = JSON.parse(JSON.stringify(o.record), (key, value: unknown) => {
    if (typeof value !== "string") return value;
    if (ids.has(key) || (fixed.has(key) && /^[a-z/0-9.-]+$/.test(value))) return value;
    return o.redact(value);
  });
  const checked = recordSchema.safeParse(copy);
  return checked.success ? checked.data : recordSchema.parse(o.record);
}
