/** The findings of `assay doctor`, each with a next step. */
import {z} from "zod";
import {gateProofSchema} from "../record/gate-proof.ts";

/**
 * `ok`: works. `missing`: something does not work until it is fixed. `mistake`: configuration that cannot be read.
 * `advice`: works, but could be better. `unknown`: cannot be checked from here.
 */
export const FINDING_STATES = ["ok", "advice", "unknown", "missing", "mistake"] as const;

const findingSchema = z.strictObject({
  about: z.string(),
  state: z.enum(FINDING_STATES),
  text: z.string(),
  /** null only for the state `ok` */
  next: z.string().nullable(),
});
export type Finding = z.infer<typeof findingSchema>;

/** The output of `assay doctor --json`. */
export const doctorSchema = z.strictObject({
  schema: z.literal("assay.doctor/1"),
  findings: z.array(findingSchema),
  /** only with `--prove` */
  proof: gateProofSchema.optional(),
});
export type DoctorDocument = z.infer<typeof doctorSchema>;

export const okFinding = (about: string, text: string): Finding => ({about, state: "ok", text, next: null});

/** 3 for a mistake in configuration, 2 if something is missing, else 0. */
export function exitCode(findings: readonly Finding[]): number {
  if (findings.some((finding) => finding.state === "mistake")) return 3;
  return findings.some((finding) => finding.state === "missing") ? 2 : 0;
}

const ICONS = {ok: "✅", advice: "💡", unknown: "❔", missing: "❌", mistake: "❌"} as const satisfies Record<
  Finding["state"],
  string
>;

/** For a terminal; ends with a new line. */
export function findingLines(findings: readonly Finding[]): string {
  return `${[...findings.flatMap(findingText), "", closingLine(findings)].join("\n")}\n`;
}

export const findingText = ({about, state, text, next}: Finding): string[] => [
  `${ICONS[state]} ${about}: ${indented(text)}`,
  ...(next === null ? [] : [`   → ${indented(next)}`]),
];

/** Git's messages may have several lines. */
const indented = (text: string): string => text.replaceAll("\n", "\n   ");

function closingLine(findings: readonly Finding[]): string {
  const problems = findings.filter(({state}) => state === "missing" || state === "mistake").length;
  const unknown = findings.flatMap(({state, about}) => (state === "unknown" ? [about] : []));
  if (unknown.length === 0) return problems === 0 ? "Nothing is missing." : `${problems} to fix.`;
  const result = problems === 0 ? "No problems found" : `${problems} to fix`;
  return `${result}. Could not be checked: ${unknown.join(", ")}. Follow the → below each ❔.`;
}
