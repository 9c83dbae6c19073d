/** Commands that pull requests require and no tool file knows: their place and their words decide. */
import {expect, it} from "vitest";
import {stagesOf} from "./planned.ts";

type Tree = Readonly<Record<string, string | object>>;
const job = (steps: string, options: {head?: string; id?: string} = {}): Tree => ({
  ".github/workflows/ci.yml": `on: pull_request\njobs:\n  ${options.id ?? "ci"}:\n    runs-on: ubuntu-latest\n${options.head ?? ""}    steps:\n      - uses: actions/checkout@v4\n${steps}`,
});
const step = (run: string, name = ""): string => `      - ${name === "" ? "" : `name: ${name}\n        `}run: ${run}\n`;

it.each<[string, Tree, string[]]>([
  [
    "of a step that is named after a check",
    job(step("frob compile", "Check compilation") + step("frob2 x")),
    ["check: frob compile ?"],
  ],
  [
    "with the comparison after it",
    job(step("frob compile", "Check docs") + step("git diff --exit-code")),
    ["check: frob compile && git diff --exit-code"],
  ],
  ["that a job ends with", job(step("npm ci") + step("frob compile --strict")), ["check: frob compile --strict ?"]],
  [
    "each of one program",
    job(step("frob --contract A", "Run A tests") + step("frob --contract B", "Run B tests")),
    ["check: frob --contract A ?", "check-2: frob --contract B ?"],
  ],
  [
    "in a container, whose image has the program",
    job(step("frob -dtT -C compile", "Test the project"), {head: "    container: x/frob\n"}),
    ["check: frob -dtT -C compile ?"],
  ],
  [
    "a subcommand of a known program",
    {
      "Cargo.toml": "[package]\nname='a'",
      "src/lib.rs": "#[test] fn a() {}",
      ...job(`${step("cargo test --all")}      - run: cargo doc --no-deps\n        env: {RUSTDOCFLAGS: -D warnings}\n`),
    },
    ["test: cargo test --all", "check: cargo doc --no-deps ?"],
  ],
  [
    "a plain file of the tree",
    {"run.lua": "print(1)", ...job(step("lua run.lua examples"))},
    ["check: lua run.lua examples ?"],
  ],
])("is a stage: %s", (_, tree, expected) => {
  expect(stagesOf(tree).filter((line) => expected.includes(line))).toEqual(expected);
});

it.each<[string, Tree]>([
  ["deploys", job(step("frob deploy", "Test deployment"))],
  ["publishes by its name", job(step("frob-publish --strict"))],
  ["starts a server", job(step("frob serve", "Check"))],
  ["writes", job(step("frob compile --output=x", "Check"))],
  ["uses the network", job(step("frob https://a.b", "Check"))],
  ["works outside of the tree", job(step("frob /tmp/x", "Check"))],
  ["goes to a file", job(step("frob compile > x", "Check"))],
  ["gets a secret", job("      - run: frob compile\n        env: {A: '${{ secrets.A }}'}\n")],
  ["is in a job that may write", job(step("frob compile", "Check"), {head: "    permissions: {contents: write}\n"})],
  [
    "is in a job with an account",
    job(`      - uses: a/configure-aws-credentials@v1\n${step("frob compile", "Check")}`),
  ],
  [
    "only a push starts",
    {
      ".github/workflows/ci.yml": `on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n      - uses: actions/checkout@v4\n${step("frob compile", "Check")}`,
      ".github/workflows/b.yml": "on: pull_request\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: npm test\n",
    },
  ],
  ["rewrites a manifest by a goal with dots", job(step("mvn org.x.y-plugin:1.0:set", "Test API"))],
  ["is a file that downloads", {"run.lua": "require 'socket'", ...job(step("lua run.lua examples"))}],
])("is no stage if it %s", (_, tree) =>
  expect(stagesOf(tree).filter((line) => /frob|run\.lua|mvn/.test(line))).toEqual([]),
);
