/** The parsers of the languages whose grammars are loaded. */
import type {Parser} from "web-tree-sitter";
import type {TestLanguage} from "./languages/language.ts";

export interface LoadedGrammar {
  readonly parser: Parser;
  /** in milliseconds */
  readonly clock: () => number;
}

const grammars = new Map<string, LoadedGrammar>();

export function keepGrammar({name}: TestLanguage, grammar: LoadedGrammar): void {
  grammars.set(name, grammar);
}

/** Null if it is not loaded. */
export const grammarOf = ({name}: TestLanguage): LoadedGrammar | null => grammars.get(name) ?? null;
