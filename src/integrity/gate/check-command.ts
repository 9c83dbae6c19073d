/** A command of a script that checks something, and how a change makes it check less. */
import type {FindingLevel} from "../../record/words.ts";

export interface ScriptWeakness {
  readonly level: FindingLevel;
  readonly what: string;
}

export interface CheckCommand {
  readonly tool: string;
  readonly kind: string;
  readonly words: readonly string[];
  /** the variables that are set for it */
  readonly env: Readonly<Record<string, string>>;
  /** its failure does not reach the exit code of the script */
  readonly isSwallowed: boolean;
}
