/** eslint's JSON format (`-f json`), which is one line for all files and so is read from the log as a whole. */

import type {Diagnostic} from "../record/evidence.ts";
import {parseJson} from "../record/parse-json.ts";

const START = '[{"filePath":';
/** A report longer than this is left to the other rules. */
const REPORT_CHARS = 8_000_000;

/**
 * Returns the messages of the first report in the log; none without a report, or if it is cut off or has another shape.
 */
export function readEslintJson(log: string): Diagnostic[] {
  const from = log.startsWith(START) ? 0 : log.indexOf(`\n${START}`) + 1;
  if (from === 0 && !log.startsWith(START)) return [];
  const end = log.indexOf("\n", from);
  const text = log.slice(from, end < 0 ? undefined : end);
  const report = text.length > REPORT_CHARS ? null : parseJson(text);
  const diagnostics = Array.isArray(report) ? report.flatMap(diagnosticsOf) : [];
  return diagnostics.every((item) => item !== null) ? diagnostics : [];
}

// Uses no schema library, because loading one takes longer than reading a log, and `assay distill` needs it for
// nothing else.
function diagnosticsOf(result: unknown): (Diagnostic | null)[] {
  const [file, messages] = [part(result, "filePath"), part(result, "messages")];
  if (typeof file !== "string" || !Array.isArray(messages)) return [null];
  return messages.map((message) => diagnosticOf(file, message));
}

/** Null for anything except a message of eslint. */
function diagnosticOf(file: string, entry: unknown): Diagnostic | null {
  const [message, severity] = [part(entry, "message"), part(entry, "severity")];
  const [code, line, column] = [part(entry, "ruleId"), part(entry, "line"), part(entry, "column")];
  if (typeof message !== "string" || typeof severity !== "number") return null;
  if (code != null && typeof code !== "string") return null;
  if (![line, column].every((n) => n == null || Number.isInteger(n))) return null;
  return {
    tool: "eslint",
    file,
    ...(typeof line === "number" ? {line} : {}),
    ...(typeof column === "number" ? {column} : {}),
    ...(typeof code === "string" ? {code} : {}),
    message,
    severity: severity === 2 ? "error" : "warning",
  };
}

const part = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
