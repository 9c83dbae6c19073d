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
        "v.txt": "7\n",
        ...workflow(
          steps(
            'run: |\n          P=pytest\n          echo "RUN=$HOME/.x/bin/pytest-7.1 -q" >> "$GITHUB_ENV"\n          { echo "DIR=a"; } >> $GITHUB_ENV\n          echo "N=$(cat v.txt)" >> $GITHUB_ENV\n          if x; then echo "ODD=b" >> $GITHUB_ENV; fi',
            "run: $RUN c$N $DIR",
            "run: pytest $ODD",
          ),
        ),
      },
      [
        "check if x: the script of CI runs it under a condition, in a loop or in a function",
        "stage pytest -q c7 a → test",
        "check pytest $ODD: it depends on `$ODD`, whose value only CI knows",
      ],
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
      "a check that is written as shell logic is one stage, or listed as a whole",
      {
        "a.go": "package a",
        "go.mod": "module a",
        ...workflow(
          steps(
            'run: test -z "$(gofmt -l .)"',
            'run: |\n          bad=$(mix xref graph)\n          if [ -n "$bad" ]; then\n            echo "$bad"\n            exit 1\n          fi',
            'run: |\n          files=$(go fmt ./...)\n          if [ -n "$files" ]; then exit 1; fi',
            "run: |\n          if ! go vet ./...; then\n            echo no\n            exit 1\n          fi",
            "run: if [ \"$(git ls-files '*.orig')\" != '' ]; then exit 1; fi",
            "run: if grep -q x out.log; then exit 1; fi",
            'run: if [ -z "$(gofmt -d $FILES)" ]; then true; else exit 1; fi',
          ),
        ),
      },
      [
        'stage test -z "$(gofmt -l .)" → lint',
        'check bad=$(mix xref graph); if [ -n "$bad" ]; then echo "$bad"; exit 1; fi: Assay does not know whether `mix` only checks',
        'check files=$(go fmt ./...); if [ -n "$files" ]; then exit 1; fi: `go fmt` rewrites files',
        "stage if ! go vet ./...; then echo no; exit 1; fi → typecheck",
        "stage if [ \"$(git ls-files '*.orig')\" != '' ]; then exit 1; fi → check",
        "check if grep -q x out.log; then exit 1; fi: it reads `out.log`, which is not in the tree",
        'check if [ -z "$(gofmt -d $FILES)" ]; then true; else exit 1; fi: it depends on `$FILES`, whose value only CI knows',
      ],
    ],
    [
      "an action that wraps a tool runs it with the action's inputs",
      workflow(
        steps(
          "uses: py-actions/flake8@v2\n        with: {path: src, max-line-length: '100'}",
          "uses: reviewdog/action-golangci-lint@v2\n        with: {golangci_lint_flags: --config=ci.yml}",
        ),
      ),
      ["stage flake8 --max-line-length 100 src → lint", "stage golangci-lint run --config=ci.yml → lint:golangci-lint"],
    ],
    [
      "a condition that the tree fulfils is none",
      {
        "test/a.dart": "",
        "pubspec.yaml": "dart: 3",
        ...workflow(
          steps(
            'run: |\n          if test -d test; then\n            pytest a\n          else\n            pytest b\n          fi\n          if [ -f none ]; then pytest c; fi\n          if [ "${{ matrix.x }}" = "" ]; then pytest d; fi\n          pytest e',
            "run: |\n          if grep -q flutter pubspec.yaml; then\n            pytest f\n          else\n            pytest g\n          fi",
          ),
        ),
      },
      [
        "stage pytest a → test",
        "check pytest b: the script of CI runs it under a condition, in a loop or in a function",
        "check pytest c: the script of CI runs it under a condition, in a loop or in a function",
        "stage pytest d → test-2",
        "stage pytest e → test-3",
        "setup if grep -q flutter pubspec.yaml: the script of CI runs it under a condition, in a loop or in a function",
        "check pytest f: the script of CI runs it under a condition, in a loop or in a function",
        "stage pytest g → test-4",
      ],
    ],
  ])("%s", (_, tree, expected) => {
    expect(accountOf(tree)).toEqual(expected);
  });
});
