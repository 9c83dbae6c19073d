/** eslint's JSON format (`-f json`), which is one line for all files and so is read from the log as a whole. */
import {z} from "zod";
import type {Diagnostic} from "../../record/evidence.ts";

const START = '[{"filePath":';
/** A report longer than this is left to the other rules. */
const REPORT_CHARS = 8_000_000;

const reportSchema = z.array(
  z.object({
    filePath: z.string(),
    messages: z.array(
      z.object({
        ruleId: z.string().nullish(),
        severity: z.number(),
        message: z.string(),
        line: z.number().int().nullish(),
        column: z.number().int().nullish(),
      }),
    ),
  }),
);

/** Gives the messages of the first report in the log; none where there is no report or it is cut off. */
export function readEslintJson(log: string): Diagnostic[] {
  const from = log.startsWith(START) ? 0 : log.indexOf(`\n${START}`) + 1;
  if (from === 0 && !log.startsWith(START)) return [];
  const end = log.indexOf("\n", from);
  const text = log.slice(from, end < 0 ? undefined : end);
  const report = reportSchema.safeParse(text.length > REPORT_CHARS ? null : parse(text));
  if (!report.success) return [];
  return report.data.flatMap(({filePath, messages}) =>
    messages.map(({ruleId, severity, message, line, column}) => ({
      tool: "eslint",
      file: filePath,
      ...(line == null ? {} : {line}),
      ...(column == null ? {} : {column}),
      ...(ruleId == null ? {} : {code: ruleId}),
      message,
      severity: severity === 2 ? ("error" as const) : ("warning" as const),
    })),
  );
}

/** Null for text that is no JSON: a report that was cut off is no report. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
