/** The runs that a reader will meet most, by the name of their golden. */
import type {IntegrityFinding} from "../../../src/record/finding.ts";
import type {RunRecord} from "../../../src/record/record.ts";
import {attempt, id, lint, record, stage, test, turn, typecheck} from "./records.ts";

const badTypecheck = stage({
  ...typecheck,
  outcome: "failed",
  failureKind: "code",
  reason: "exit code 2",
  exit: {kind: "exited", code: 2},
  excerpt: "src/parse.ts(14,3): error TS2322: Type 'string | undefined' is not assignable to type 'string'.",
  diagnostics: [
    {
      tool: "tsc",
      file: "src/parse.ts",
      path: "src/parse.ts",
      line: 14,
      column: 3,
      code: "TS2322",
      message: "Type 'string | undefined' is not assignable to type 'string'.",
      severity: "error",
    },
  ],
});

const finding = (over: Partial<IntegrityFinding>): IntegrityFinding => ({
  ...{check: "weakened-tests", level: "flag", path: "tests/parse.test.ts", line: null},
  ...{message: "Test `parse` has 1 assertion fewer", fix: "Assert as precisely as before."},
  ...over,
});

const badTest = stage({
  outcome: "failed",
  failureKind: "code",
  reason: "exit code 1",
  exit: {kind: "exited", code: 1},
  tests: {passed: 40, failed: 2, skipped: 1},
  excerpt:
    " FAIL  tests/parse.test.ts > parse > keeps an empty value\nAssertionError: expected undefined to be '' // Object.is equality\n ❯ tests/parse.test.ts:21:24\n```\n| not | a | table |\n",
  diagnostics: [
    {
      tool: "vitest",
      file: "tests/parse.test.ts",
      path: "tests/parse.test.ts",
      line: 21,
      column: 24,
      message: "expected undefined to be '' // Object.is equality",
      severity: "error",
      testId: "parse > keeps an empty value",
    },
  ],
});

const flaky = stage({
  outcome: "flaky",
  reason: "failed (exit code 1): parse > keeps an empty value, then passed on a second run of the same files",
  diagnostics: badTest.diagnostics,
});

const published: RunRecord["publication"] = {
  kind: "published",
  ref: "refs/heads/assay/issue-7",
  commit: id("e"),
  tree: id("7"),
  parent: id("b"),
  pullRequest: {number: 8, url: "https://github.com/octo/parser/pull/8"},
  withWarning: false,
};

const failed = {kind: "failed" as const, stages: ["typecheck", "test"]};
const parked: RunRecord["publication"] = {
  kind: "parked",
  ref: "refs/heads/assay/parked/issue-7",
  commit: id("e"),
  tree: id("7"),
};
const red = attempt({verdict: failed, stages: [badTypecheck, lint, badTest]});

/** The goldens, by the name of their file. */
export const SCENES: Readonly<Record<string, RunRecord>> = {
  "verified-first-try": record({publication: published}),
  "fixed-on-second-attempt": record({
    publication: published,
    attempts: [
      red,
      attempt({number: 2, turn: turn({answer: "The type is right now, and both tests pass.", durationMs: 31_000})}),
    ],
  }),
  "parked-failed": record({
    publication: parked,
    attempts: [
      red,
      attempt({
        number: 2,
        turn: turn({answer: "I could not find out why the second test fails.", durationMs: 61_000}),
        verdict: {kind: "failed", stages: ["test"]},
        stages: [
          typecheck,
          {...lint, outcome: "failed", failureKind: "code", reason: "exit code 1", exit: {kind: "exited", code: 1}},
          badTest,
          stage({
            name: "build",
            kind: "build",
            command: "npm run build | tee out.log",
            outcome: "skipped",
            reason: "test must pass first",
            exit: null,
            durationMs: 0,
          }),
        ],
      }),
    ],
  }),
  "unverified-no-stages": record({
    publication: parked,
    attempts: [
      attempt({
        stages: [],
        setup: [],
        verdict: {
          kind: "unverified",
          why: "no-stages",
          detail: "no manifest, no test script and no `verify.json` was found",
        },
      }),
    ],
  }),
  flaky: record({
    publication: parked,
    attempts: [
      attempt({
        stages: [typecheck, lint, flaky],
        verdict: {kind: "unverified", why: "flaky", detail: `test: ${flaky.reason}`},
      }),
    ],
  }),
  "config-invalid": record({
    attempts: [],
    plan: null,
    session: null,
    verdict: {kind: "unverified", why: "gate-error", detail: ""},
    failures: [
      {
        kind: "config-invalid",
        file: "verify.json",
        mistakes: [
          {
            path: "stages[0].timeout",
            message: "Expected a number of seconds, found text.",
            hint: "Write 300, without quotes.",
          },
          {path: "maxFixAtempts", message: "This key is not known.", hint: "Did you mean `maxFixAttempts`?"},
        ],
      },
    ],
  }),
  "parked-hidden": record({
    publication: {...parked, ref: "refs/assay/parked/issue-7"},
    verdict: failed,
    attempts: [red],
  }),
  "dry-run": record({
    isDryRun: true,
    publication: {kind: "withheld", instead: "published", ref: parked.ref, commit: parked.commit, tree: parked.tree},
  }),
  "nothing-to-verify": record({
    attempts: [
      attempt({
        candidate: null,
        changes: [],
        verification: null,
        turn: turn({answer: "`parse` splits at the first `=`; everything after it is the value."}),
        verdict: {kind: "nothing-to-verify", why: "no-change", detail: ""},
      }),
    ],
  }),
  "refused-push": record({
    publication: {
      kind: "parked-locally",
      ref: "refs/assay/parked/issue-7",
      folder: "/tmp/runner/assay",
      commit: id("e"),
    },
    failures: [
      {
        kind: "push-refused",
        ref: "assay/issue-7",
        message:
          "remote: error: GH006: Protected branch update failed.\nremote: At least 1 approving review is required.",
      },
    ],
  }),
  "partial-request": record({
    request: {kind: "verify", only: ["typecheck"]},
    attempts: [
      attempt({
        turn: null,
        stages: [
          typecheck,
          stage({...test, outcome: "skipped", reason: "not requested", exit: null, durationMs: 0, tests: null}),
        ],
        verdict: {kind: "partial", notRun: ["test"], preexisting: []},
      }),
    ],
  }),
  "held-for-a-person": record({
    publication: parked,
    failures: [{kind: "protected-paths", paths: ["CODEOWNERS"]}],
  }),
  tampered: record({
    publication: parked,
    attempts: [
      attempt({
        verdict: {kind: "tampered", findings: ["tests/parse.test.ts:21: Test `keeps` is skipped"]},
      }),
    ],
    integrity: [
      finding({check: "disabled-tests", level: "block", line: 21, message: "Test `keeps` is skipped"}),
      finding({check: "suppressions", path: "src/parse.ts", message: "1 more `@ts-ignore` than before"}),
    ],
  }),
  "failed-with-other-command": record({
    publication: parked,
    attempts: [attempt({verdict: {kind: "failed", stages: ["test"]}, stages: [badTest]})],
    integrity: [finding({check: "scripts", path: "package.json", message: "`test`: `mocha` loses `--recursive`"})],
  }),
  "verified-with-warnings": record({
    publication: published,
    integrity: [finding({})],
    integrityNotes: [finding({level: "note", line: 9, message: "An expected value changed"})],
  }),
};
