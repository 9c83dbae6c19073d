/** All languages whose tests are read. */

import {go} from "./languages/go.ts";
import {java} from "./languages/java.ts";
import {javascript, tsx, typescript} from "./languages/javascript.ts";
import type {TestLanguage} from "./languages/language.ts";
import {python} from "./languages/python.ts";
import {rust} from "./languages/rust.ts";

export const TEST_LANGUAGES: readonly TestLanguage[] = [javascript, typescript, tsx, python, go, rust, java];

/** Null for a file whose tests are not read. */
export function languageOf(path: string): TestLanguage | null {
  return TEST_LANGUAGES.find(({endings}) => endings.some((ending) => path.endsWith(ending))) ?? null;
}
