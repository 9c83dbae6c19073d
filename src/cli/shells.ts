/** The shells with a completion script. */
export const SHELLS = ["bash", "zsh", "fish"] as const;
export type CompletedShell = (typeof SHELLS)[number];
