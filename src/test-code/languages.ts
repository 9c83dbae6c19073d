/** All languages whose tests are read. */

import {c, cpp} from "./languages/c.ts";
import {csharp} from "./languages/csharp.ts";
import {go} from "./languages/go.ts";
import {java} from "./languages/java.ts";
import {javascript, tsx, typescript} from "./languages/javascript.ts";
import type {TestLanguage} from "./languages/language.ts";
import {php} from "./languages/php.ts";
import {python} from "./languages/python.ts";
import {ruby} from "./languages/ruby.ts";
import {rust} from "./languages/rust.ts";

export const TEST_LANGUAGES: readonly TestLanguage[] = [
  javascript,
  typescript,
  tsx,
  python,
  go,
  rust,
  java,
  ruby,
  php,
  csharp,
  c,
  cpp,
];

/** The name of a grammar in `dist/grammars`, without its package, which can have a scope. */
export const grammarFile = (grammar: string): string => `${grammar.slice(grammar.lastIndexOf("/") + 1)}.br`;

/** Null for a file whose tests are not read. */
export function languageOf(path: string): TestLanguage | null {
  return TEST_LANGUAGES.find(({endings}) => endings.some((ending) => path.endsWith(ending))) ?? null;
}
