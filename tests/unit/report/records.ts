/** Hand-written records of the runs that a reader will meet most, each valid by the product's own schema. */

import type {Attempt, Turn} from "../../../src/record/attempt.ts";
import type {StageResult} from "../../../src/record/evidence.ts";
import {type RunRecord, recordSchema} from "../../../src/record.ts";

const id = (char: string) => char.repeat(40);

export const stage = (over: Partial<StageResult> = {}): StageResult => ({
  name: "test",
  kind: "test",
  command: "npm test",
  cwd: ".",
  optional: false,
  outcome: "passed",
  failureKind: null,
  reason: "",
  exit: {kind: "exited", code: 0},
  durationMs: 8400,
  output: null,
  excerpt: "",
  diagnostics: [],
  tests: null,
  baseline: null,
  ...over,
});

const typecheck = stage({
  name: "typecheck",
  kind: "typecheck",
  command: "npx --no-install tsc --noEmit",
  durationMs: 3200,
});
const lint = stage({
  name: "lint",
  kind: "lint",
  command: "npx --no-install eslint .",
  optional: true,
  durationMs: 2100,
});
const test = stage({tests: {passed: 42, failed: 0, skipped: 1}});
const setup = stage({name: "setup", kind: "check", command: "npm ci --ignore-scripts", durationMs: 11_300});

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
      line: 14,
      column: 3,
      code: "TS2322",
      message: "Type 'string | undefined' is not assignable to type 'string'.",
      severity: "error",
    },
  ],
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
      line: 21,
      column: 24,
      message: "expected undefined to be '' // Object.is equality",
      severity: "error",
      testId: "parse > keeps an empty value",
    },
  ],
});

export const turn = (over: Partial<Turn> = {}): Turn => ({
  end: {kind: "answered"},
  answer:
    'I changed `parse` so that an empty value stays an empty string.\n\n- `src/parse.ts`: returns `""` instead of `undefined`\n- `tests/parse.test.ts`: covers the new case (see #12, thanks @octocat)\n\n```ts\nexport const parse = (text: string): string => text.split("=")[1] ?? "";\n```',
  usage: {input: 12_400, output: 1850, cacheRead: 98_000, cacheWrite: 3000, costUsd: 0.0834},
  model: "claude-sonnet-4-5",
  durationMs: 94_000,
  ...over,
});

const candidate = {commit: id("c"), tree: id("7"), base: id("b")};
const changes: Attempt["changes"] = [
  {path: "src/parse.ts", status: "modified"},
  {path: "tests/parse.test.ts", status: "modified"},
];

export const attempt = (over: Partial<Attempt> & {stages?: StageResult[]; setup?: StageResult[]} = {}): Attempt => {
  const {stages = [typecheck, lint, test], setup: steps = [setup], ...rest} = over;
  const verdict = rest.verdict ?? {kind: "verified" as const};
  return {
    number: 1,
    turn: turn(),
    candidate,
    changes,
    verification: {
      candidate,
      where: "checkout",
      isolation: "pid-namespace",
      setup: steps,
      stages,
      verdict,
      durationMs: 25_100,
    },
    verdict,
    ...rest,
  };
};

export const record = (over: Partial<RunRecord> = {}): RunRecord => {
  const attempts = over.attempts ?? [attempt()];
  return recordSchema.parse({
    schema: "assay.record/1",
    run: {
      id: "comment-1234567",
      url: "https://github.com/octo/parser/actions/runs/77",
      startedAt: "2026-01-10T10:00:00.000Z",
      finishedAt: "2026-01-10T10:03:20.000Z",
      assay: "0.1.0",
    },
    request: {kind: "work", text: "An empty value should stay an empty string"},
    thread: {
      repository: "octo/parser",
      number: 7,
      isPullRequest: false,
      trigger: {kind: "comment", id: 1_234_567},
      actor: "octocat",
      commentId: 99,
    },
    base: {ref: "main", commit: id("b"), tree: id("a")},
    rules: {ref: "main", commit: id("b")},
    plan: {
      schema: "assay.plan/1",
      stages: [],
      setup: [],
      notes: [{about: "package.json: scripts.prepare", text: "Not a check: it builds what `npm publish` sends."}],
    },
    attempts,
    verdict: attempts.at(-1)?.verdict ?? {kind: "unverified", why: "gate-error", detail: "nothing ran"},
    publication: {kind: "none"},
    failures: [],
    notes: [],
    session: {id: "0190c7d2", ref: "assay/session/issue-7", resumed: false},
    ...over,
  });
};

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
  "config-invalid": record({
    attempts: [],
    plan: null,
    session: null,
    verdict: {kind: "unverified", why: "gate-error", detail: "the rules could not be read"},
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
  tampered: record({
    publication: parked,
    attempts: [
      attempt({
        verdict: {
          kind: "tampered",
          findings: ["tests/parse.test.ts: 3 tests were deleted", "package.json: `test` now runs `true`"],
        },
      }),
    ],
  }),
};
