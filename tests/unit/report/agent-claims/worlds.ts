/** Small changes with the checks that ran on them, for the sentences of `first-sentences.ts` and `second-sentences.ts`. */
import type {StageOutcome} from "../../../../src/record/words.ts";

export interface World {
  /** by path; a missing text means that the file does not exist on that side */
  readonly files: Readonly<Record<string, {readonly before?: string; readonly after?: string; readonly from?: string}>>;
  /** name, kind, command, outcome; passed, failed and skipped tests */
  readonly checks: readonly (readonly [
    string,
    "test" | "lint" | "typecheck" | "build",
    string,
    StageOutcome,
    (readonly [number, number, number])?,
  ])[];
  /** the agent's tool calls as the log has them; absent if the agent reports none */
  readonly actions?: readonly string[];
}

export const WORLDS = {
  /** a JavaScript fix with two new tests; all checks pass */
  calc: {
    files: {
      "src/calc.js": {
        before: `export function divide(a, b) {\n  return a / b;\n}\n\nexport function legacyRound(x) {\n  return Math.round(x);\n}\n`,
        after: `export class DivisionByZeroError extends Error {}\n\nexport function divide(a, b) {\n  assertNumber(b);\n  if (b === 0) throw new DivisionByZeroError("b is 0");\n  return a / b;\n}\n\nfunction assertNumber(value) {\n  if (typeof value !== "number") throw new TypeError("not a number");\n}\n`,
      },
      "tests/calc.test.js": {
        before: `import {test, expect} from "vitest";\nimport {divide} from "../src/calc.js";\n\ntest("divides", () => expect(divide(6, 3)).toBe(2));\n`,
        after: `import {test, expect} from "vitest";\nimport {divide, DivisionByZeroError} from "../src/calc.js";\n\ntest("divides", () => expect(divide(6, 3)).toBe(2));\n\ntest("throws on division by zero", () => {\n  expect(() => divide(1, 0)).toThrow(DivisionByZeroError);\n});\n\ntest("rejects a string", () => {\n  expect(() => divide(1, "2")).toThrow(TypeError);\n});\n`,
      },
    },
    checks: [
      ["test", "test", "npm test", "passed", [14, 0, 0]],
      ["lint", "lint", "npm run lint", "passed"],
    ],
    actions: ["Read src/calc.js", "Edit src/calc.js", "Edit tests/calc.test.js", "Bash npm", "Bash git"],
  },
  /** a Python cache; two tests fail */
  store: {
    files: {
      "src/inventory/store.py": {
        before: `from .db import connect\n\n\nclass Store:\n    def get_item(self, key):\n        return connect().fetch(key)\n\n    def flush_all(self):\n        pass\n`,
        after: `from .cache import LruCache\nfrom .db import connect\n\n\nclass Store:\n    def __init__(self, max_entries=128):\n        self.cache = LruCache(max_entries)\n\n    def get_item(self, key):\n        return self.cache.get_or_load(key, connect().fetch)\n`,
      },
      "src/inventory/cache.py": {
        after: `from collections import OrderedDict\n\n\nclass LruCache:\n    def __init__(self, max_entries):\n        self.entries = OrderedDict()\n        self.max_entries = max_entries\n\n    def get_or_load(self, key, load):\n        if key not in self.entries:\n            self.entries[key] = load(key)\n        return self.entries[key]\n`,
      },
      "tests/test_store.py": {
        before: `from inventory.store import Store\n\n\ndef test_get_item():\n    assert Store().get_item("a") == 1\n\n\ndef test_flush_all():\n    Store().flush_all()\n    assert True\n`,
        after: `from inventory.store import Store\n\n\ndef test_get_item():\n    assert Store().get_item("a") == 1\n\n\ndef test_get_item_is_cached():\n    store = Store(max_entries=1)\n    assert store.get_item("a") is store.get_item("a")\n`,
      },
      "CHANGELOG.md": {
        before: "# Changelog\n\n## 2.3.0\n- Faster start\n",
        after: "# Changelog\n\n## Unreleased\n- Cache items\n\n## 2.3.0\n- Faster start\n",
      },
    },
    checks: [
      ["test", "test", "pytest -q", "failed", [41, 2, 0]],
      ["lint", "lint", "ruff check .", "passed"],
      ["typecheck", "typecheck", "mypy src", "passed"],
    ],
    actions: ["Read src/inventory/store.py", "Write src/inventory/cache.py", "Bash pytest", "Bash ruff"],
  },
  /** a Rust rename without tests; an optional lint fails; the agent ran no command */
  lexer: {
    files: {
      "crates/parser/src/lex.rs": {
        before: `use crate::tokens::Token;\n\npub fn next_token(input: &str) -> Option<Token> {\n    input.chars().next().map(Token::Char)\n}\n`,
        after: `use crate::token::Token;\n\npub fn next_token(input: &str) -> Option<Token> {\n    let trimmed = skip_whitespace(input);\n    trimmed.chars().next().map(Token::Char)\n}\n\nfn skip_whitespace(input: &str) -> &str {\n    input.trim_start()\n}\n`,
      },
      "crates/parser/src/token.rs": {
        from: "crates/parser/src/tokens.rs",
        before: `pub enum Token {\n    Char(char),\n}\n`,
        after: `pub enum Token {\n    Char(char),\n}\n`,
      },
      "crates/parser/src/lib.rs": {before: `mod lex;\nmod tokens;\n`, after: `mod lex;\nmod token;\n`},
    },
    checks: [
      ["test", "test", "cargo test --all", "passed", [128, 0, 3]],
      ["clippy", "lint", "cargo clippy --all-targets -- -D warnings", "failed"],
    ],
    actions: ["Read crates/parser/src/lex.rs", "Edit crates/parser/src/lex.rs", "Grep crates/parser/src"],
  },
  /** a Go package with its tests and a new dependency; all checks pass */
  retry: {
    files: {
      "cmd/serve/main.go": {
        before: `package main\n\nfunc main() {\n\tserve(":8080")\n}\n`,
        after: `package main\n\nimport "example.com/app/internal/retry"\n\nfunc main() {\n\tretry.Do(3, func() error { return serve(":8080") })\n}\n`,
      },
      "internal/retry/retry.go": {
        after: `package retry\n\nimport "github.com/cenkalti/backoff/v4"\n\n// Do calls fn until it succeeds.\nfunc Do(attempts uint64, fn func() error) error {\n\treturn backoff.Retry(fn, backoff.WithMaxRetries(backoff.NewExponentialBackOff(), attempts))\n}\n`,
      },
      "internal/retry/retry_test.go": {
        after: `package retry\n\nimport "testing"\n\nfunc TestDoSucceeds(t *testing.T) {\n\tif err := Do(1, func() error { return nil }); err != nil {\n\t\tt.Fatal(err)\n\t}\n}\n\nfunc TestDoGivesUp(t *testing.T) {\n\tif err := Do(1, fail); err == nil {\n\t\tt.Fatal("no error")\n\t}\n}\n\nfunc TestDoRetries(t *testing.T) {\n\tif err := Do(2, failOnce()); err != nil {\n\t\tt.Fatal(err)\n\t}\n}\n`,
      },
      "go.mod": {
        before: `module example.com/app\n\ngo 1.23\n`,
        after: `module example.com/app\n\ngo 1.23\n\nrequire github.com/cenkalti/backoff/v4 v4.3.0\n`,
      },
      "go.sum": {
        before: "",
        after: "github.com/cenkalti/backoff/v4 v4.3.0 h1:MyRJ/UdXutAwSAT+s3wNd7MfTIcy71VQueUuFK343L8=\n",
      },
    },
    checks: [
      ["test", "test", "go test ./...", "passed", [57, 0, 1]],
      ["vet", "lint", "go vet ./...", "passed"],
    ],
    actions: ["Write internal/retry/retry.go", "Write internal/retry/retry_test.go", "Bash go", "Bash cd, go, gofmt"],
  },
  /** a TypeScript option; type checking fails; the agent reports no tool calls */
  options: {
    files: {
      "src/options.ts": {
        before: `export interface Options {\n  verbose: boolean;\n  color: boolean;\n}\n\nexport const DEFAULTS: Options = {verbose: false, color: true};\n`,
        after: `export interface Options {\n  verbose: boolean;\n  timeoutMs: number;\n}\n\nexport const DEFAULTS: Options = {verbose: false, timeoutMs: 5000};\n\nexport function parseTimeout(text: string): number {\n  return Number.parseInt(text, 10);\n}\n`,
      },
      "README.md": {
        before: "# tool\n\n`--color` turns colors on.\n",
        after: "# tool\n\n`--timeout` sets the limit in milliseconds.\n",
      },
      "docs/colors.md": {before: "# Colors\n"},
    },
    checks: [
      ["test", "test", "npm test", "passed", [9, 0, 0]],
      ["typecheck", "typecheck", "npx tsc --noEmit", "failed"],
      ["build", "build", "npm run build", "passed"],
    ],
  },
  /** a Ruby model; the set-up failed, so no check ran */
  user: {
    files: {
      "app/models/user.rb": {
        before: `class User < ApplicationRecord\n  validates :name, presence: true\nend\n`,
        after: `class User < ApplicationRecord\n  validates :name, presence: true\n  validates :email, uniqueness: {case_sensitive: false}\n\n  before_save :normalize_email\n\n  private\n\n  def normalize_email\n    self.email = email.downcase\n  end\nend\n`,
      },
      "db/migrate/20260102_index_users_on_email.rb": {
        after: `class IndexUsersOnEmail < ActiveRecord::Migration[7.1]\n  def change\n    add_index :users, :email, unique: true\n  end\nend\n`,
      },
    },
    checks: [],
    actions: ["Read app/models/user.rb", "Edit app/models/user.rb", "Bash ls", "Bash cat, grep"],
  },
} as const satisfies Record<string, World>;

export interface Sentence {
  readonly world: keyof typeof WORLDS;
  readonly text: string;
}
