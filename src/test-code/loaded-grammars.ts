/** The parsers of the languages whose grammars are loaded. */
import type {Parser} from "web-tree-sitter";
import type {TestLanguage} from "./languages/language.ts";

export interface LoadedGrammar {
  readonly parser: Parser;
  /** in milliseconds */
  readonly clock: () => number;
}

const grammars = new Map<string, LoadedGrammar>();

export const isLoaded = ({name}: TestLanguage): boolean => grammars.has(name);

export function keepGrammar({name}: TestLanguage, grammar: LoadedGrammar): void {
  grammars.set(name, grammar);
}

/** Throws if the language is not loaded, because its files would look as if they had no tests. */
export function grammarOf({name}: TestLanguage): LoadedGrammar {
  const grammar = grammars.get(name);
  if (grammar === undefined) throw new Error(`the grammar of ${name} is not loaded`);
  return grammar;
}
