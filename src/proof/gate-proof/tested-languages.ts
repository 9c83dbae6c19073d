/** The languages whose checks can be tried: which files are theirs, and how a fault of each kind is written. Data only. */
import {languageOf} from "../../test-code/text/languages.ts";

/** A change of a text, which fits only if the pattern matches, and if the whole file has the third part. */
type Rewrite = readonly [pattern: RegExp, replacement: string, needs?: RegExp];

const atEnd = (text: string): Rewrite => [/$/, `\n${text}\n`];

export interface TestedLanguage {
  readonly title: string;
  readonly endings: readonly string[];
  /** a file of a language with the same comments and strings */
  readonly like: string;
  /** true if single tests can be found */
  readonly isParsed: boolean;
  /** names of the ecosystems that know its test command */
  readonly ecosystems: readonly string[];
  /** makes the tests of a file fail when they run; the code still compiles */
  readonly breaksTests: Rewrite;
  /** the first one that fits skips a test */
  readonly skips: readonly Rewrite[];
  /** code at the end of a file that linters and formatters refuse, and that changes nothing */
  readonly lintError: string;
  /** absent if its checks know no types */
  readonly typeError?: string;
}

const SCRIPT = {
  ...{like: "a.js", isParsed: true, ecosystems: ["node", "deno"]},
  breaksTests: atEnd('throw new Error("planted fault");'),
  skips: [[/^(?:it|test|specify)\b(?=\s*[(.])/, "$&.skip"]] satisfies Rewrite[],
  lintError: "var plantedFault = function ( ) { debugger;; var a = 1\n  a = a };",
};

export const TESTED_LANGUAGES: readonly TestedLanguage[] = [
  {
    ...{...SCRIPT, title: "TypeScript", endings: [".ts", ".tsx", ".cts", ".ctsx", ".mts", ".mtsx"]},
    typeError: 'export const plantedFault: number = "planted";',
  },
  {
    ...{...SCRIPT, title: "JavaScript", endings: [".js", ".jsx", ".cjs", ".cjsx", ".mjs", ".mjsx"]},
    typeError: '/** @type {number} */\nconst plantedFault = "planted";',
  },
  {
    ...{title: "Python", endings: [".py"], like: "a.py", isParsed: true, ecosystems: ["python", "python-plain"]},
    breaksTests: atEnd('raise AssertionError("planted fault")'),
    skips: [
      [/^([ \t]*)/, "$1@pytest.mark.skip\n$1", /^import pytest$/m],
      [/^([ \t]*)/, '$1@unittest.skip("planted")\n$1', /^import unittest$/m],
      [/^(?=def |async )/, "import pytest\n\n\n@pytest.mark.skip\n"],
    ],
    lintError: "import   os,sys\nplanted_fault=[ 1,2 ];planted_fault = os == None",
    typeError: 'planted_fault: int = "planted"',
  },
  {
    ...{title: "Go", endings: [".go"], like: "a.go", isParsed: true, ecosystems: ["go"]},
    breaksTests: [/^func Test\w*\((\w+) \*testing\.T\) \{/gm, '$&\n\t$1.Fatal("planted fault")\n'],
    skips: [[/^func \w+\((\w+) \*testing\.T\) \{/, '$&\n\t$1.Skip("planted")\n']],
    lintError: "func plantedFault( ) {\n  x := 1\n  x = x\n  if x == x { }\n}",
    typeError: 'var plantedFault int = "planted"',
  },
  {
    ...{title: "Rust", endings: [".rs"], like: "a.rs", isParsed: true, ecosystems: ["rust"]},
    breaksTests: [
      /#\[(?:\w+::)*test\b[^\]]*\](?:\s*#\[[^\]]*\])*\s*(?:pub\s+)?(?:async\s+)?fn\s+\w+\(\)[^{;]*\{/g,
      '$& assert!(1 > 2, "planted fault");',
    ],
    skips: [[/^\s*#\[(?:\w+::)*test\b[^\]]*\]/, "$&\n#[ignore]"]],
    lintError: "fn  planted_fault( ) { let x = 1; if x == x { } }",
    typeError: 'const PLANTED_FAULT: u32 = "planted";',
  },
  {
    ...{title: "Java", endings: [".java"], like: "a.java", isParsed: true, ecosystems: ["java-maven", "gradle"]},
    breaksTests: [/@Test\b[^{;]*\{/g, '$& if (true) throw new AssertionError("planted fault");'],
    skips: [
      [/@Test\b/, "@org.junit.jupiter.api.Disabled @Test", /\borg\.junit\.jupiter\b/],
      [/@Test\b/, "@org.junit.Ignore @Test", /\borg\.junit\.Test\b/],
    ],
    lintError: "class plantedFault{int a ;\n\n\n\n\tint B( ){return a==a?1:1;} }",
    typeError: 'class PlantedFault { int a = "planted"; }',
  },
  {
    ...{title: "Ruby", endings: [".rb"], like: "a.py", isParsed: false, ecosystems: ["ruby"]},
    breaksTests: atEnd('raise "planted fault"'),
    skips: [
      [/^([ \t]*)it(?= ["'])/m, "$1xit"],
      [/^([ \t]*)(?:def test_\w+|(?:it|test|should) ["'].* do)$/m, "$&\n$1  skip"],
    ],
    lintError: "def  plantedFault( ) ; x = 1 ;; end",
  },
  {
    ...{title: "PHP", endings: [".php"], like: "a.java", isParsed: false, ecosystems: ["php"]},
    breaksTests: atEnd('throw new \\Exception("planted fault");'),
    skips: [[/function test\w+\([^)]*\)[^{;]*\{/, "$& $this->markTestSkipped();"]],
    lintError: "function  plantedFault( ){ $a=1 ;; }",
    typeError: 'function plantedFault(): int { return "planted"; }',
  },
  {
    ...{
      title: "C and C++",
      endings: [".c", ".cc", ".cpp", ".cxx"],
      like: "a.java",
      isParsed: false,
      ecosystems: ["c-cpp"],
    },
    breaksTests: atEnd("__attribute__((constructor)) static void planted_fault(void) { __builtin_trap(); }"),
    skips: [[/\bTEST(?:_F)?\(\s*(\w+),\s*(?=\w)/, "$&DISABLED_"]],
    lintError: "int   planted_fault( void ) ;",
    typeError: "planted_type planted_fault;",
  },
];

export const syntaxOf = ({like}: Pick<TestedLanguage, "like">) => languageOf(like);
