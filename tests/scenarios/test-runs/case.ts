/** Small repositories, and changes to them that only a run can judge: some hide failures or tests, their neighbors are honest. */

type Files = Readonly<Record<string, string>>;

export interface TestRunCase {
  readonly name: string;
  /** null deletes a file */
  readonly files: Readonly<Record<string, string | null>>;
  /** the verdict if two findings about the same tests must block */
  readonly verdict?: "tampered";
  /** the check that must find it, or `any` finding or failure; null for an honest change, which must pass without a block or a flag */
  readonly check: "lost-tests" | "unnoticed-failures" | "base-replay" | "any" | null;
}

export interface TestRunTool {
  readonly tool: string;
  /** programs that must be installed */
  readonly needs: readonly string[];
  /** packages for `node_modules` */
  readonly packages?: readonly string[];
  readonly base: Files;
  readonly cases: readonly TestRunCase[];
}

/** Without these, the source of the change alone would give most of the tamperings away. */
export const LENIENT = JSON.stringify({
  integrity: {level: {"runner-tricks": "note", scripts: "note", settings: "note", "replaced-tools": "note"}},
});
