/** Values that CI's steps compute for later ones, and checks that a script writes as shell logic. */
import {describe, expect, it} from "vitest";
import {steps, workflow} from "./placed.ts";
import {accountOf} from "./planned.ts";

type Tree = Readonly<Record<string, string | object>>;

describe("the logic of CI", () => {
  it.each<[string, Tree, string[]]>([
    [
      "variables that earlier steps set fill in commands, unless a condition decides",
      {
        ...workflow(
          steps(
            'run: |\n          echo "RUN=pytest -q" >> "$GITHUB_ENV"\n          echo DIR=a >> $GITHUB_ENV',
            "if: github.actor == 'x'\n        run: echo ODD=b >> $GITHUB_ENV",
            "run: $RUN $DIR",
            "run: pytest $ODD",
          ),
        ),
      },
      ["stage pytest -q a → test", "check pytest $ODD: it depends on `$ODD`, whose value only CI knows"],
    ],
    [
      "outputs of steps and jobs are read, and so are matrices made of them",
      workflow(
        "  a:\n    outputs: {m: '${{ steps.s.outputs.m }}', n: '${{ steps.t.outputs.n }}'}\n    steps:\n      - id: s\n        run: echo 'm={\"dir\":[\"a\",\"b\"]}' >> $GITHUB_OUTPUT\n      - id: t\n        if: github.actor == 'x'\n        run: echo n=1 >> $GITHUB_OUTPUT\n" +
          "  b:\n    needs: a\n    strategy: {matrix: '${{ fromJSON(needs.a.outputs.m) }}'}\n    steps: [{run: 'pytest ${{ matrix.dir }}'}, {run: 'pytest n${{ needs.a.outputs.n }}'}]\n",
      ),
      [
        "stage pytest a → test",
        "check pytest n${{ needs.a.outputs.n }}: it depends on `${{ needs.a.outputs.n }}`, whose value only a run of the workflow knows",
        "stage pytest b → test-2",
      ],
    ],
    [
      "a condition on a computed output may hold",
      workflow(
        steps(
          'id: s\n        run: |\n          declare M="$(git diff)"\n          echo "m=$M" >> $GITHUB_OUTPUT',
          "run: pytest a\n        if: steps.s.outputs.m == 'true'",
        ),
      ),
      ["stage pytest a → test"],
    ],
    [
      "a program that CI's machine names by a path is the one on PATH",
      {"a.cabal": "name: a", ...workflow(steps("run: cabal haddock --with-compiler=$HC all"))},
      ["stage cabal haddock --with-compiler=$HC all → check"],
    ],
    [
      "a check that is written as shell logic is listed as one",
      {
        "a.go": "package a",
        "go.mod": "module a",
        ...workflow(
          steps(
            'run: test -z "$(gofmt -l .)"',
            "run: |\n          if ! go vet ./...; then\n            echo no\n            exit 1\n          fi",
            "run: if node --test | grep -q FATAL; then exit 1; fi",
          ),
        ),
      },
      [
        'check test -z "$(gofmt -l .)": one of its arguments is the output of another command',
        "check ! go vet ./...: the script of CI runs it under a condition, in a loop or in a function",
        "check node --test | grep -q FATAL: the script of CI runs it under a condition, in a loop or in a function",
      ],
    ],
    [
      "an action that wraps a tool runs it with the action's inputs",
      {
        "sub/a.go": "package a",
        ...workflow(
          steps(
            "uses: hadolint/hadolint-action@v3\n        with: {config: a.yaml}",
            "uses: golangci/golangci-lint-action@v8\n        with: {args: --config=ci.yml, working-directory: sub}",
          ),
        ),
      },
      ["stage hadolint --config a.yaml Dockerfile → lint", "stage golangci-lint run --config=ci.yml → sub:lint"],
    ],
  ])("%s", (_, tree, expected) => {
    expect(accountOf(tree)).toEqual(expected);
  });
});

/** Steps with an output `run` that is true when CI runs. */
const WRITES: readonly string[] = [
  "printf 'run=true\\ndocs=false\\n' >> \"$GITHUB_OUTPUT\"",
  '{ echo "run=false"; if x; then echo "run=true"; fi; } >> "$GITHUB_OUTPUT"',
  'echo run=false >> $GITHUB_OUTPUT\nnode x.js >> "$GITHUB_OUTPUT"',
  '[ -n "$SKIP" ] || exit 0\necho run=false >> $GITHUB_OUTPUT',
  'echo run=false >> $GITHUB_OUTPUT\ngit diff --quiet || { echo "run=true" >> "$GITHUB_OUTPUT"; }',
  'echo run=false >> $GITHUB_OUTPUT\nif x; then\n  cat >> "$GITHUB_OUTPUT" <<EOF\nrun=true\nEOF\nfi',
  "echo run=false >> $GITHUB_OUTPUT\n./m.sh | tee -a $GITHUB_OUTPUT",
  "echo run=false >> $GITHUB_OUTPUT",
];

describe("what a step writes", () => {
  const following = (text: string, ...later: readonly string[]): Tree =>
    workflow(steps(`id: f\n        run: |\n          ${text.replaceAll("\n", "\n          ")}`, ...later));

  it.each(WRITES)("makes no condition false: %s", (text) => {
    const later = "run: pytest a\n        if: steps.f.outputs.run == 'true'";
    expect(accountOf(following(text, later))).toContainEqual("stage pytest a → test");
    const ofEnv = "run: pytest a\n        if: env.run != 'false'";
    expect(accountOf(following(text.replaceAll("_OUTPUT", "_ENV"), ofEnv))).toContainEqual("stage pytest a → test");
  });

  it.each(WRITES.slice(0, -1))("has an unknown value if other writes may follow: %s", (text) => {
    const account = accountOf(following(text, "run: pytest ${{ steps.f.outputs.run }}"));
    expect(account.at(-1)).toMatch(/^check pytest .* whose value only a run of the workflow knows$/);
  });

  it("decides no condition as an input or as the output of a job", () => {
    const jobs =
      "  a:\n    outputs: {run: '${{ steps.f.outputs.run }}'}\n    steps:\n      - {id: f, run: echo run=false >> $GITHUB_OUTPUT}\n" +
      "      - {uses: ./act, with: {run: '${{ steps.f.outputs.run }}'}}\n" +
      "  b:\n    needs: a\n    if: needs.a.outputs.run == 'true'\n    steps: [{run: pytest b}]\n";
    const action =
      "inputs: {run: {default: x}}\nruns: {steps: [{run: pytest a, shell: bash, if: inputs.run == 'true'}]}\n";
    const account = accountOf({"act/action.yml": action, ...workflow(jobs)});
    expect(account).toEqual(["stage pytest a → test", "stage pytest b → test-2"]);
  });

  it.each([
    "run: python3 ci/env.py",
    'run: cat a.env >> "$GITHUB_ENV"',
    "shell: python\n        run: open(os.environ['GITHUB_ENV'], 'a').write('SLOW=true')",
    'uses: actions/github-script@v7\n        with: {script: \'core.exportVariable("SLOW", "true")\'}',
  ])("may replace a variable of the job, and then decides no condition: %s", (step) => {
    const accountAfter = (first: string): string[] => {
      const job = steps(first, "run: pytest slow\n        if: env.SLOW == 'true'");
      const jobs = job.replace("  job:\n", "  job:\n    env: {SLOW: 'false'}\n");
      return accountOf({"ci/env.py": "open(os.environ['GITHUB_ENV'], 'a')", ...workflow(jobs)});
    };
    expect(accountAfter(step)).toContainEqual("stage pytest slow → test");
    // Any program may set it, so the check is at least listed.
    expect(accountAfter("run: make env").at(-1)).toMatch(/^check pytest slow: its condition reads a variable /);
  });

  it("leaves the rows of a matrix unknown that a program may write", () => {
    const jobs =
      "  a:\n    outputs: {m: '${{ steps.s.outputs.m }}'}\n    steps:\n      - id: s\n        run: |\n          echo 'm=[\"docs\"]' >> $GITHUB_OUTPUT\n          ./m.sh | tee -a \"$GITHUB_OUTPUT\"\n" +
      "  b:\n    needs: a\n    strategy: {matrix: {dir: '${{ fromJSON(needs.a.outputs.m) }}'}}\n    steps: [{run: 'pytest ${{ matrix.dir }}'}]\n";
    expect(accountOf(workflow(jobs)).at(-1)).toContain("whose value only a run of the workflow knows");
  });
});
