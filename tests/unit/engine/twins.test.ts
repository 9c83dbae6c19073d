/** Which fixing command stands beside a checking one, and which commands have none. */
import {expect, test} from "vitest";
import {fixCommands, scriptOf} from "../../../src/engine/commands/fix-commands.ts";

const CHANGED = ["src/a.ts", "lib/b.py", "cmd/c.go", "app/d.rb", "e.ex", "main.tf", "it's.js"];

test.each([
  ["prettier --check .", "prettier --write --ignore-unknown ./src/a.ts"],
  ["npx prettier --config x.json -c src", "npx prettier --write --ignore-unknown --config x.json ./src/a.ts"],
  ["eslint . --max-warnings 0", "eslint --fix ./src/a.ts"],
  ["pnpm exec eslint src", "pnpm exec eslint --fix ./src/a.ts"],
  ["biome ci .", "biome check --write --no-errors-on-unmatched ./src/a.ts"],
  ["cargo fmt --all -- --check", "cargo fmt --all"],
])("%s → %s", (command, twin) => {
  expect(fixCommands(command, ["src/a.ts"])).toEqual([twin]);
});

test.each([
  ["ruff check .", "ruff check --fix ./lib/b.py"],
  ["uv run ruff format --check", "uv run ruff format ./lib/b.py"],
  ["python -m black --check src", "python -m black ./lib/b.py"],
  ["isort --check-only .", "isort ./lib/b.py"],
  ['test -z "$(gofmt -l .)"', "gofmt -w ./cmd/c.go"],
  ["bundle exec rubocop", "bundle exec rubocop -a ./app/d.rb"],
  ["mix format --check-formatted", "mix format ./e.ex"],
  ["terraform fmt -check -recursive", "terraform fmt ./main.tf"],
  ["deno fmt --check", "deno fmt ./src/a.ts './it'\\''s.js'"],
])("%s is given only its own files: %s", (command, twin) => {
  expect(fixCommands(command, CHANGED)).toEqual([twin]);
});

test("each part of a command has its own twin", () => {
  expect(fixCommands("eslint . && prettier --check .", ["a.js"])).toEqual([
    "eslint --fix ./a.js",
    "prettier --write --ignore-unknown ./a.js",
  ]);
});

test.each([
  "tsc --noEmit",
  "vitest run",
  "my-eslint .",
  "prettier --write .",
  "echo eslint .",
  "eslint . --fix",
  "node scripts/eslint .",
  "ruff format",
  "black .",
])("%s has none", (command) => {
  expect(fixCommands(command, CHANGED)).toEqual([]);
});

test("a tool without a changed file of its own has none", () => {
  expect(fixCommands("ruff check .", ["src/a.ts"])).toEqual([]);
});

test.each([
  ["npm run lint", "lint"],
  ["pnpm lint:all", "lint:all"],
  ["yarn run format-check", "format-check"],
  ["npm test", null],
  ["eslint .", null],
])("%s runs the script %s", (command, script) => {
  expect(scriptOf(command)).toBe(script);
});
