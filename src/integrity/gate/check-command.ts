/** A command of a script that checks something, and how a change makes it check less. */
import type {FindingLevel} from "../../record/words.ts";

export interface ScriptWeakness {
  readonly level: FindingLevel;
  readonly what: string;
}

/** The words that the changed configuration of a tool adds to each of its commands. */
export interface ConfiguredWords {
  readonly before: (tool: string) => readonly string[];
  readonly after: (tool: string) => readonly string[];
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
