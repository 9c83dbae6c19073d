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
  /** a condition of the script decides whether it runs */
  readonly isConditional: boolean;
}

/** A script may call a tool several times: compare with the call that shares most words. */
export function mostSimilar({tool, words}: CheckCommand, base: readonly CheckCommand[]): CheckCommand | undefined {
  const shared = (one: CheckCommand) =>
    one.words.filter((word) => words.includes(word)).length - one.words.length / 100;
  return base.filter((one) => one.tool === tool).toSorted((one, other) => shared(other) - shared(one))[0];
}

/** An option whose value is a file or folder that the tool writes. */
export const WRITTEN =
  /^--?[\w-]*(?:info-?file|cache-?(?:dir|location|file)|out-?(?:dir|file)|output(?:-?(?:file|dir|path))?|report\w*-?(?:dir|file))$/i;

/** What is known of the scripts that are compared. */
export interface ComparedScript {
  readonly name?: string;
  readonly configured?: ConfiguredWords | null;
  /** its shell is started with `-e` */
  readonly stopsAtFailure?: boolean;
}
