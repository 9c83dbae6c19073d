/** The sentences of a report about the findings of the integrity checks. */
import type {Verdict} from "../record/verification.ts";
import type {FindingLevel} from "../record/words.ts";

/** Added to the headline and the sentence of a change that passes, but may have weakened its checks (P16). */
export const WITH_WARNINGS = {
  headline: ", with warnings",
  sentence: "Review the findings below before you merge.",
} as const;

/** Used in the headline and the report of a tree whose findings a person has accepted. */
export const approvedBy = (login: string): string => `Gate change approved by @${login.replace(/[^\w-]/g, "")}`;

/** The instruction to accept the findings of a saved tree. */
export const howToApprove = (tree: string, verdict: Verdict["kind"]): string =>
  `If these edits are wanted, a person with write access can comment \`/approve ${tree.slice(0, 12)}\`.${effectOf(verdict)}`;

/** The same as the one next step of a change that is saved. */
export const approveOrContinue = (tree: string, verdict: Verdict["kind"]): string =>
  `**Next:** if these edits are wanted, a person with write access comments \`/approve ${tree.slice(0, 12)}\`; otherwise comment \`/continue <hint>\`.${effectOf(verdict)}`;

const effectOf = (verdict: Verdict["kind"]): string =>
  verdict === "failed" ? " After `/approve`, Assay runs the checks as the change has them." : "";

/** Introduces the findings of the integrity checks. */
export const FINDINGS = {
  tampered:
    "**Edits that weaken the checks.** Findings with 🛑 block: undo them, or make them yourself in a separate commit.",
  otherwise: "**Review these places before you merge:**",
} as const;

export const FINDING_ICONS = {block: "🛑", flag: "⚠️", note: "💬"} satisfies Record<FindingLevel, string>;
