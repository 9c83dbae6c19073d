/** Adds a test that must fail to a test file: if the run still passes, its failures are not noticed. */

import {INTEGRITY} from "../tools/all-integrity.ts";
import {readTests} from "./read-source.ts";
import {type LanguageName, languageOf} from "./text/languages.ts";

export interface Canary {
  /** the file with the test in it */
  readonly text: string;
  /** the name that the runner prints, at least as a part */
  readonly name: string;
}

interface CanaryForm {
  readonly name: (word: string) => string;
  /** null if nothing shows how this file writes its tests */
  readonly write: (text: string, name: string) => string | null;
}

/** `word` makes the name unpredictable: letters and digits, beginning with a letter. */
export function canaryIn(options: {path: string; text: string; word: string}): Canary | null {
  const language = languageOf(options.path);
  if (language === null || !options.path.includes(".")) return null;
  if (isTestScript(options)) return scriptCanary(language.name, options);
  if (readTests(options.path, options.text).length === 0) return null;
  const form = FORMS[language.name];
  const name = form.name(options.word);
  const text = form.write(options.text, name);
  return text === null ? null : {text, name};
}

/** A program without named tests that asserts by itself, such as `node test/all.js`, and from which nothing is imported. */
export function isTestScript({path, text}: {path: string; text: string}): boolean {
  const script = SCRIPTS[languageOf(path)?.name ?? "go"];
  return script?.asserts.test(text) === true && !script.exports?.test(text) && readTests(path, text).length === 0;
}

const SCRIPTS: Partial<Record<LanguageName, {asserts: RegExp; exports?: RegExp; fails: (name: string) => string}>> = {
  javascript: {
    asserts: /^assert\b/m,
    exports: /^export\b|\bexports\b/m,
    fails: (name) => `throw Error(${JSON.stringify(name)});`,
  },
  python: {asserts: /^assert\b/m, fails: (name) => `raise AssertionError(${JSON.stringify(name)})`},
};

function scriptCanary(language: LanguageName, {text, word}: {text: string; word: string}): Canary | null {
  const name = `keeps ${word}`;
  const line = SCRIPTS[language]?.fails(name);
  // What follows the last assertion may end the program.
  const at = text.lastIndexOf("\nassert") + 1;
  return line === undefined ? null : {name, text: `${text.slice(0, at)}${line}\n${text.slice(at)}`};
}

const append = (text: string, lines: readonly string[]): string => `${text.trimEnd()}\n\n${lines.join("\n")}\n`;

const FORMS: Readonly<Record<LanguageName, CanaryForm>> = {
  javascript: {
    name: (word) => `keeps ${word}`,
    write(text, name) {
      const call = /^[ \t]*(?:await[ \t]+)?(test|it)(?:\.\w+)*[ \t]*\(/m.exec(text)?.[1];
      if (call === undefined) return null;
      return append(text, [`${call}(${JSON.stringify(name)}, () => { throw new Error("expected 1, got 2"); });`]);
    },
  },
  python: {
    name: (word) => `test_keeps_${word}`,
    write(text, name) {
      const written = INTEGRITY.map(({writeCanary}) => writeCanary?.(text, name) ?? null);
      const lines = written.find((one) => one !== null);
      if (lines === undefined) return null;
      // A call at the end of a script that runs its tests never returns.
      const main = /^if\s+__name__\s*==/m.exec(text);
      if (main === null) return append(text, lines);
      return `${append(text.slice(0, main.index), lines)}\n\n${text.slice(main.index)}`;
    },
  },
  go: {
    name: (word) => `TestKeeps${word}`,
    write(text, name) {
      if (!/^[ \t]*(?:import[ \t]+)?"testing"$/m.test(text)) return null;
      return append(text, [`func ${name}(t *testing.T) {`, '\tt.Fatal("expected 1, got 2")', "}"]);
    },
  },
  rust: {
    name: (word) => `keeps_${word.toLowerCase()}`,
    write: (text, name) => append(text, ["#[cfg(test)]", "#[test]", `fn ${name}() {`, "    assert_eq!(1, 2);", "}"]),
  },
  java: {
    name: (word) => `keeps${word}`,
    write(text, name) {
      const end = text.lastIndexOf("}");
      const jupiter = "org.junit.jupiter.api";
      const isJupiter = text.includes(jupiter);
      if (end < 0 || (!isJupiter && !/org\.junit\.(?:Test|Assert|\*)/.test(text))) return null;
      const [marker, assertions] = isJupiter
        ? [`@${jupiter}.Test`, `${jupiter}.Assertions`]
        : ["@org.junit.Test", "org.junit.Assert"];
      const method = [
        `    ${marker}`,
        `    public void ${name}() {`,
        `        ${assertions}.assertEquals(1, 2);`,
        "    }",
      ];
      return `${text.slice(0, end)}\n${method.join("\n")}\n}\n`;
    },
  },
};
