/** Recognizes Assay's comments that refuse a request. They are no runs, and strangers can cause them. */
import {readMarker} from "../github/marker.ts";
import {renderRefusal} from "../report/live.ts";
import {REFUSAL_LINES, type Refusal} from "../request/admission.ts";

/** Why the comment refuses a request; null for all other comments. Pass only Assay's own comments. */
export function findRefusal(body: string): Refusal | null {
  const marker = readMarker(body);
  if (marker === null) return null;
  const isSame = (line: string) => renderRefusal({line, marker}).trim() === body.trim();
  return [...REFUSAL_LINES].find(([, line]) => isSame(line))?.[0] ?? null;
}
