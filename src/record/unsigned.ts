/** Why a statement has no signature, and the sentence for each reason. */
export const UNSIGNED_REASONS = ["one-job", "no-identity", "enterprise-server", "service-failed"] as const;
export type UnsignedReason = (typeof UNSIGNED_REASONS)[number];

export const UNSIGNED_WORDS: Readonly<Record<UnsignedReason, string>> = {
  "one-job": "The agent and the verification shared one job.",
  "no-identity": "The job had no identity from GitHub (`id-token: write`).",
  "enterprise-server": "GitHub Enterprise Server has no signing service.",
  "service-failed": "The signing service did not answer.",
};
