/** The problems that are read from the samples of compilers, linters and formatters. */
import type {Diagnostic, TestCounts} from "../../../src/record/evidence.ts";

/** `sample` is the name of a file in `samples/`, without `.txt`; `items` are all problems in it, in order. */
export interface ExpectedProblems {
  readonly sample: string;
  readonly items: readonly (Partial<Diagnostic> & {readonly tool: string})[];
  readonly tests?: TestCounts;
}

/** The folder of the projects in samples with absolute paths. */
export const HOME = "/home/runner/work/app/app";

export const PROBLEM_SAMPLES: readonly ExpectedProblems[] = [
  {
    sample: "tsc",
    items: [
      {tool: "tsc", file: "basket.ts", line: 1, column: 14, code: "TS2322", severity: "error"},
      {tool: "tsc", file: "basket.ts", line: 2, column: 20, code: "TS2307"},
    ],
  },
  {
    sample: "tsc-pretty",
    items: [
      {tool: "tsc", file: "basket.ts", line: 1, code: "TS2322"},
      {tool: "tsc", file: "basket.ts", line: 2, code: "TS2307"},
    ],
  },
  {
    sample: "eslint",
    items: [
      {tool: "eslint", file: `${HOME}/lint/a.js`, line: 1, column: 7, code: "no-unused-vars", severity: "error"},
      {tool: "eslint", file: `${HOME}/lint/a.js`, line: 2, code: "no-debugger", severity: "warning"},
    ],
  },
  {
    sample: "eslint-json",
    items: [
      {tool: "eslint", file: `${HOME}/lint/a.js`, line: 1, column: 7, code: "no-unused-vars", severity: "error"},
      {tool: "eslint", line: 2, code: "no-debugger", severity: "warning"},
    ],
  },
  {
    sample: "biome",
    items: [
      {tool: "biome", file: "a.js", line: 2, code: "lint/correctness/noUnusedVariables", severity: "warning"},
      {tool: "biome", file: "a.js", line: 1, code: "lint/suspicious/noDebugger", severity: "error"},
    ],
  },
  {
    sample: "oxlint",
    items: [
      {tool: "oxlint", file: "a.js", line: 1, code: "eslint(no-unused-vars)", severity: "warning"},
      {tool: "oxlint", file: "a.js", line: 2, code: "eslint(no-debugger)"},
    ],
  },
  {
    sample: "prettier",
    items: [{tool: "prettier", file: "package.json", message: "not formatted as prettier wants it"}],
  },
  {sample: "mypy", items: [{tool: "mypy", file: "basket.py", line: 4, code: "return-value"}]},
  {sample: "pyright", items: [{tool: "pyright", file: `${HOME}/py/basket.py`, line: 4, column: 12}]},
  {
    sample: "ruff",
    items: [
      {tool: "ruff", file: "basket.py", line: 1, column: 1, code: "I001"},
      {tool: "ruff", file: "basket.py", line: 1, column: 8, code: "F401"},
    ],
  },
  {
    sample: "flake8",
    items: [
      {tool: "flake8", file: "basket.py", line: 1, code: "F401"},
      {tool: "flake8", file: "basket.py", line: 3, code: "E302"},
    ],
  },
  {
    sample: "pylint",
    items: [
      {tool: "pylint", line: 1, code: "missing-module-docstring"},
      {tool: "pylint", line: 3, code: "missing-function-docstring"},
      {tool: "pylint", line: 1, code: "unused-import"},
    ],
  },
  {sample: "black", items: [{tool: "black", file: "ugly.py", message: "would reformat"}]},
  {sample: "cargo-build", items: [{tool: "rustc", file: "src/lib.rs", line: 2, column: 9, code: "E0425"}]},
  {sample: "go-build", items: [{tool: "go", file: "./app.go", line: 3, column: 27}]},
  {sample: "go-vet", items: [{tool: "go", file: "./app.go", line: 3, column: 27}]},
  {
    sample: "make-gcc",
    items: [
      {tool: "gcc", file: "main.c", line: 2, code: "-Wint-conversion", severity: "warning"},
      {tool: "gcc", file: "main.c", line: 3, column: 3, severity: "error"},
      {tool: "gcc", file: "main.c", line: 2, code: "-Wunused-variable"},
      {tool: "make", file: "Makefile", line: 2, message: "Error 1"},
    ],
  },
  {
    sample: "ld",
    items: [
      {tool: "ld", message: "undefined reference to `f'"},
      {tool: "ld", message: "ld returned 1 exit status"},
    ],
  },
  {sample: "javac", items: [{tool: "javac", file: "Basket.java", line: 2, severity: "error"}]},
  {sample: "shellcheck", items: [{tool: "shellcheck", file: "s.sh", line: 3, code: "SC2086", severity: "info"}]},
  {sample: "shellcheck-gcc", items: [{tool: "shellcheck", file: "s.sh", line: 3, column: 6, code: "SC2086"}]},
  {
    sample: "ty-concise",
    items: [
      {tool: "ty", file: "shop/basket.py", line: 1, column: 8, code: "import-not-found", severity: "error"},
      {tool: "ty", file: "shop/basket.py", line: 10, column: 12, code: "invalid-explicit-return", severity: "error"},
      {tool: "ty", file: "shop/basket.py", line: 19, column: 9, code: "incompatible-method-override"},
      {tool: "ty", file: "shop/basket.py", line: 28, column: 1, code: "deprecated", severity: "warning"},
      {tool: "ty", file: "shop/basket.py", line: 30, column: 5, code: "invalid-argument-type", severity: "error"},
      {tool: "ty", file: "shop/basket.py", line: 32, column: 7, code: "unresolved-reference", severity: "error"},
    ],
  },
];
