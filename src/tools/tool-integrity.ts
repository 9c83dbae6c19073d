/** How settings, comments and code can weaken one tool. Separate from `Tool`, because only the integrity checks need it. */
import type {FileKind} from "../git/paths.ts";

/** All abilities are optional. */
export interface ToolIntegrity {
  /** comments and annotations that silence it; those of all tools with one name are counted together */
  readonly suppressions?: readonly Suppression[];
  /** the lines of a Python test that must fail; null if a file with this text has other tests */
  readonly writeCanary?: (text: string, name: string) => readonly string[] | null;
}

export interface Suppression {
  readonly name: string;
  readonly files: FileKind;
  readonly pattern: RegExp;
  /** for the whole file or a whole module */
  readonly isWide?: boolean;
}
