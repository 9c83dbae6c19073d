/** Redacts a record. A separate file, because the action needs the redactor before it loads the record's schema. */
import {type RunRecord, recordSchema} from "../record/record.ts";

/** Redacts every foreign text. Ids, kinds and numbers stay, so that the record stays valid. */
export function redactRecord({record, redact}: {record: RunRecord; redact: (text: string) => string}): RunRecord {
  const wordKeys = ["schema", "kind", "outcome", "failureKind", "why", "status", "severity", "where", "isolation"];
  const idKeys = new Set(["commit", "tree", "base", "parent"]);
  const copy: unknown = JSON.parse(JSON.stringify(record), (key, value: unknown) => {
    if (typeof value !== "string") return value;
    if (idKeys.has(key) || (wordKeys.includes(key) && /^[a-z/0-9.-]+$/.test(value))) return value;
    return redact(value);
  });
  const validation = recordSchema.safeParse(copy);
  return validation.success ? validation.data : recordSchema.parse(record);
}
