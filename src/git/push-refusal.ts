/** Finds the reason for a refused push in the server's output. Each reason has a sentence and a next step. */

type PushRefusal = "base-gone" | "protected" | "too-large" | "workflows" | "read-only" | "no-access" | "other";

/**
 * The sentences have no full stop, because the server's message follows. For `other` that message is the only
 * information.
 */
const SENTENCES = {
  "base-gone":
    "no branch of the server contains the commit that the change starts from any more, because one was force-pushed or deleted",
  protected: "the branch is protected; let Assay push to it in the branch's rules, or have it open a pull request",
  "too-large":
    "a file, or the whole push, is larger than the server takes; keep it out of the repository, or use Git LFS",
  workflows: "the token may not change workflow files; ask without that change, or give a token that may",
  "read-only": "the token may only read; give the job `contents: write`, and see that the repository is not archived",
  "no-access": "the server does not accept the token; check the `github-token` input",
  other: "",
} satisfies Record<PushRefusal, string>;

/** The order matters: the message about a refused workflow file also matches later patterns. */
const REFUSAL_PATTERNS: readonly (readonly [PushRefusal, RegExp])[] = [
  ["workflows", /without [`'"]?workflows?[`'"]? (?:permission|scope)|refusing to allow .* workflow/i],
  // GH001: one file; GH005 and "pack exceeds": the push as a whole; 413 from a proxy in between
  ["too-large", /\bGH00[15]\b|large files? detected|exceeds .*(?:size|limit)|pack exceeds|\b413\b|too large/i],
  // git's own answer to a commit on a shallow root that no ref reaches, also on GitHub
  // (stefanzweifel/git-auto-commit-action#102, peter-evans/create-pull-request#1303)
  ["base-gone", /shallow update not allowed/],
  // GH006: branch protection; GH013: a ruleset; the last words are git's own for a hook or a pull-request rule
  ["protected", /\bGH0(?:06|13)\b|protected branch|rule violations|through a pull request/i],
  ["read-only", /permission to \S+ denied|write access to repository not granted|archived|\b403\b/i],
  ["no-access", /\b401\b|authentication failed|invalid username or token|\b404\b|repository not found/i],
];

/** Finds the reason in the output of the server and git. GitHub's codes are in its docs, "Troubleshooting … pushes". */
function refusalOf(words: string): PushRefusal {
  return REFUSAL_PATTERNS.find(([, sign]) => sign.test(words))?.[0] ?? "other";
}

/** True if no ref of the server reaches the commit that the pushed one is based on. */
export function isBaseGone(words: string): boolean {
  return refusalOf(words) === "base-gone";
}

/** True if a rule about the ref is the reason, or if the reason is unknown, such as one of the server's own hook. */
export function isRuleOfServer(words: string): boolean {
  return ["protected", "other"].includes(refusalOf(words));
}

/** One sentence for the report: the meaning and the next step, then the server's message. */
export function refusalSentence(words: string): string {
  const sentence = SENTENCES[refusalOf(words)];
  return sentence === "" ? words : `${sentence}. The server says: ${words}`;
}
