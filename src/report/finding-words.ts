/** The sentences of a report about the findings of the integrity checks. */
import type {HeldOutTest, UncountedReason} from "../record/held-out.ts";
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

/** The texts about the tests that another session wrote before the work. */
export const HELD_OUT = {
  title: "Tests that another session wrote",
  results: {passes: "✅ passed", fails: "⚠️ failed", unknown: "no result"} satisfies Record<
    NonNullable<HeldOutTest["onCandidate"]>,
    string
  >,
  unused: {
    passes: "not used: it also passes without the change",
    flaky: "not used: two runs differ",
    syntax: "not used: its file cannot be read",
    import: "not used: its file cannot be loaded",
    "missing-name": "not used: it needs a name that is not in the request",
    error: "not used: without the change, it ends with an error before its assertion",
    unrelated: "not used: it is about something else",
    "cannot-fail": "not used: it cannot fail",
    "not-run": "not used: it could not be run",
  } satisfies Record<UncountedReason, string>,
} as const;

export const FINDING_ICONS = {block: "🛑", flag: "⚠️", note: "💬"} satisfies Record<FindingLevel, string>;
