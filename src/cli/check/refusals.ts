/** Why a statement does not hold for a commit: the sentence, the next step and the exit code of each reason. */

/** The reasons in the order in which they are found. */
export const REFUSALS = [
  "no-statement",
  "unreadable",
  "no-trust",
  "no-policy",
  "unsigned",
  "edited",
  "foreign-key",
  "not-logged",
  "other-issuer",
  "other-repository",
  "other-workflow",
  "shared-job",
  "other-commit",
  "rebased",
  "other-files",
  "not-verified",
  "policy-changed",
  "missing-check",
  "base-moved",
  "expired",
] as const;
export type RefusalKind = (typeof REFUSALS)[number];

/** `detail` is shown after the sentence; it has no text of the statement. */
export interface CheckRefusal {
  readonly kind: RefusalKind;
  readonly detail?: string;
}

interface RefusalWords {
  /** 1: the statement does not hold. 2: nothing could be decided. */
  readonly exit: 1 | 2;
  readonly text: string;
  readonly next: string;
}

const VERIFY_AGAIN = "Comment `/verify` on the pull request, or add `--again` to verify here.";
const DISTRUST = "Do not use this statement. Comment `/verify` to get a new one.";

export const REFUSAL_WORDS: Readonly<Record<RefusalKind, RefusalWords>> = {
  "no-statement": {
    exit: 2,
    text: "This clone has no statement about this commit. A rebase, a squash or an amended message makes a new commit.",
    next: "Fetch the statements with `git fetch origin refs/notes/assay:refs/notes/assay`, set GITHUB_TOKEN to search GitHub's attestations, or add `--again` to verify here.",
  },
  unreadable: {
    exit: 2,
    text: "The file has no statement of Assay in a form that this version reads.",
    next: "Give a statement or a Sigstore bundle with `--statement FILE`.",
  },
  "no-trust": {
    exit: 2,
    text: "The keys of the signing service could not be loaded.",
    next: "Save them with `gh attestation trusted-root > trusted.jsonl`, and add `--trusted-root trusted.jsonl`.",
  },
  "no-policy": {
    exit: 2,
    text: "The rules of the branch could not be read.",
    next: "Run `assay plan` on that branch to see why.",
  },
  unsigned: {
    exit: 1,
    text: "The statement is not signed, so anybody could have written it.",
    next: "Write the workflow with `assay init --attest`, or add `--allow-unsigned` if you trust where the statement came from.",
  },
  edited: {exit: 1, text: "The statement was changed after it was signed.", next: DISTRUST},
  "foreign-key": {
    exit: 1,
    text: "No trusted signing service issued the key of the signature.",
    next: "For a private repository, add `--trusted-root` with the output of `gh attestation trusted-root`. Otherwise do not use this statement.",
  },
  "not-logged": {
    exit: 1,
    text: "The entry of the public log, or the time of the signature, is missing or invalid.",
    next: DISTRUST,
  },
  "other-issuer": {exit: 1, text: "The signer is not a job of GitHub Actions.", next: DISTRUST},
  "other-repository": {
    exit: 1,
    text: "A job of another repository signed the statement.",
    next: "Name the right repository with `--repository OWNER/NAME`, or do not use this statement.",
  },
  "other-workflow": {
    exit: 1,
    text: "Another workflow, or the same one on another branch, signed the statement.",
    next: "Name your workflow with `--workflow PATH`, or do not use this statement.",
  },
  "other-commit": {exit: 1, text: "The statement is about another commit, with other files.", next: VERIFY_AGAIN},
  rebased: {
    exit: 1,
    text: "The statement is about another commit with the same files. This one was rebased, squashed or amended, and was not verified.",
    next: VERIFY_AGAIN,
  },
  "other-files": {exit: 1, text: "The statement names this commit, but other files.", next: DISTRUST},
  "not-verified": {exit: 1, text: "The statement does not say that the commit is verified.", next: VERIFY_AGAIN},
  "shared-job": {
    exit: 1,
    text: "The agent and the verification shared one job, so its result proves nothing.",
    next: "Write separate jobs with `assay init --attest`, and comment `/verify`.",
  },
  "policy-changed": {
    exit: 1,
    text: "The rules have changed since: `verify.json` or the plan of the branch is another one.",
    next: VERIFY_AGAIN,
  },
  "missing-check": {exit: 1, text: "The statement lacks a required check, or its result.", next: VERIFY_AGAIN},
  "base-moved": {exit: 1, text: "The branch has moved since the verification.", next: VERIFY_AGAIN},
  expired: {exit: 1, text: "The verification is too old.", next: VERIFY_AGAIN},
};
