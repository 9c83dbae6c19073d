/** What the plan makes of every command that CI runs on pull requests. */
import {describe, expect, it} from "vitest";
import {steps, workflow} from "./placed.ts";
import {planOf} from "./tree.ts";

type Tree = Readonly<Record<string, string | object>>;

/** Each command as `outcome command`, with the stages or the reason. */
function account(tree: Tree): string[] {
  return (planOf(tree).ci ?? []).map(({command, outcome}) => {
    if (outcome.kind === "stage") return `stage ${command} → ${outcome.stage}`;
    if (outcome.kind === "covered") return `covered ${command} → ${outcome.by.join(", ")}`;
    return `${outcome.role} ${command}: ${outcome.why}`;
  });
}

const PACKAGE = {"package.json": {scripts: {test: "mocha", lint: "eslint .", all: "npm run lint && npm test"}}};

describe("what CI also requires", () => {
  it.each<[string, Tree, string[]]>([
    [
      "a command is a stage, or covered only if the stages run all of its body",
      {...PACKAGE, ...workflow(steps("run: npm test", "run: npm run all"))},
      ["stage npm test → test", "covered npm run all → lint, test"],
    ],
    [
      "another body is not covered",
      {...PACKAGE, ...workflow(steps("run: npm test", "run: npx mocha slow"))},
      [
        "stage npm test → test",
        "check npx mocha slow: `npx` of a tool that may not be installed installs or downloads",
      ],
    ],
    [
      "a condition, a loop and a server are reasons",
      workflow(
        steps(
          "run: |\n          if x; then\n            pytest a\n          fi\n          node b.js &\n          pytest c",
        ),
      ),
      [
        "check if x: the script of CI runs it under a condition, in a loop or in a function",
        "check pytest a: the script of CI runs it under a condition, in a loop or in a function",
        "check node b.js: the script of CI starts a process in the background before it",
        "check pytest c: the script of CI starts a process in the background before it",
      ],
    ],
    [
      "a job's services, names and systems are reasons for each of its commands",
      workflow(
        `  a:\n    services: {postgres: {image: postgres}}\n    steps: [{run: pytest a}]\n  e2e:\n    steps: [{run: pytest b}]\n  c:\n    runs-on: windows-latest\n    steps: [{run: pytest c}]\n`,
      ),
      [
        "check pytest a: CI starts postgres next to it",
        "check pytest b: the job's name says `e2e`",
        "check pytest c: CI runs it on Windows only",
      ],
    ],
    [
      "an environment whose name is an expression, and macOS, block no plain command",
      workflow(
        "  a:\n    environment: ${{ github.ref == 'x' && 'y' || '' }}\n    runs-on: macos-latest\n    steps: [{run: pytest a}, {run: brew install x}]\n",
      ),
      ["stage pytest a → test", "setup brew install x: CI runs it on macOS only"],
    ],
    [
      "a secret is named, and what no pull request starts is left out",
      workflow(steps("run: pytest ${{ secrets.KEY }}", "run: pytest x\n        if: github.event_name == 'push'")),
      ["check pytest ${{ secrets.KEY }}: CI gives it the secret `KEY`"],
    ],
    [
      "a workflow of another repository is named",
      workflow("  a:\n    uses: a/b/.github/workflows/c.yml@v1\n"),
      ["check uses: a/b/.github/workflows/c.yml@v1: its steps are in another repository"],
    ],
    [
      "a matrix that an earlier job computes is unknown, not empty",
      workflow(
        "  a:\n    strategy: {matrix: {ref: '${{ fromJSON(needs.x.outputs.y) }}'}}\n    steps:\n      - run: pytest a\n        if: matrix.ref == 'b'\n      - run: pytest ${{ matrix.ref }}\n",
      ),
      [
        "stage pytest a → test",
        "check pytest ${{ matrix.ref }}: it depends on an expression that only a run of the workflow knows",
      ],
    ],
    [
      "a command of Linux and Windows runs on Linux",
      workflow(
        "  a:\n    runs-on: ${{ matrix.os }}\n    strategy: {matrix: {os: [ubuntu-latest, windows-latest]}}\n    steps: [{run: pytest a}]\n",
      ),
      ["stage pytest a → test"],
    ],
    [
      "an action is listed unless it only helps",
      workflow(steps("uses: a/setup-b/lint-b@v1", "uses: a/setup-b@v1", "uses: actions/checkout@v4")),
      ["check uses: a/setup-b/lint-b@v1: only GitHub runs actions"],
    ],
  ])("%s", (_, tree, expected) => {
    expect(account(tree)).toEqual(expected);
  });

  it("says which entry of verify.json adds the command", () => {
    const [entry] = planOf(workflow(steps("run: ./check-docs.sh", "run: pytest"))).ci ?? [];
    expect(entry?.outcome).toMatchObject({
      kind: "listed",
      fix: '"extraStages": [{"name":"check-docs-sh","command":"./check-docs.sh"}]',
    });
  });
});
