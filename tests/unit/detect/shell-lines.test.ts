/** The commands of real scripts of CI, with what decides whether they run. */
import {expect, test} from "vitest";
import {allCommandsOf} from "../../../src/detect/scripts/shell-lines.ts";

const CONDITIONAL = "the script of CI runs it under a condition, in a loop or in a function";

test.each([
  [
    // DaveGamble/cJSON, .github/workflows/CI.yml
    "a group after `||` belongs to the command before it",
    "cd build\ncmake .. || (rm -rf * && cmake ..)\nmake test",
    [
      ["cmake .. || (rm -rf * && cmake ..)", "build", "CI goes on when it fails"],
      ["make test", "build", null],
    ],
  ],
  [
    // astral-sh/uv, .github/workflows/check-lock.yml
    "a loop that reads a pipe is a loop",
    'uv workspace list --scripts | while IFS= read -r script; do\n  uv lock --script "$script" --check\ndone',
    [
      [
        'uv workspace list --scripts | while IFS= read -r script; do\n  uv lock --script "$script" --check\ndone',
        ".",
        "its output goes to `read`",
      ],
      ['uv lock --script "$script" --check', ".", CONDITIONAL],
    ],
  ],
  [
    // apple/swift-argument-parser, .github/workflows/pull_request.yml
    "parentheses in quotes within a substitution are text",
    `failed=$(jq -r 'map(select(.x != "a")) | "\\(.key): \\(.value)"' needs.json)\nif [ -n "$failed" ]; then\n  echo bad\n  exit 1\nfi\necho done`,
    [
      ["echo bad", ".", "the script of CI runs it under a condition, in a loop or in a function"],
      ["exit 1", ".", "the script of CI runs it under a condition, in a loop or in a function"],
      ["echo done", ".", null],
    ],
  ],
  [
    // The folder of a subshell ends with it.
    "a folder of a subshell",
    "(\n  cd web\n  npm test\n)\ncargo test",
    [
      ["npm test", "web", null],
      ["cargo test", ".", null],
    ],
  ],
  [
    "a line that is no shell text hides only itself",
    "pytest a\n& ./x.ps1\npytest b",
    [
      ["pytest a", ".", null],
      ["& ./x.ps1", ".", "only a shell can parse this line"],
      ["pytest b", ".", null],
    ],
  ],
])("%s", (_, text, expected) => {
  const commands = allCommandsOf({text, cwd: ".", values: new Map()});
  expect(commands.map((one) => [one.text, one.cwd, one.trouble])).toEqual(expected);
});
