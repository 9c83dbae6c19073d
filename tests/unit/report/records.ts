/** Hand-written records, attempts and stage results, each valid by the product's own schema. */

import type {Attempt, Turn} from "../../../src/record/attempt.ts";
import type {StageResult} from "../../../src/record/evidence.ts";
import {type RunRecord, recordSchema} from "../../../src/record/record.ts";

export const id = (char: string) => char.repeat(40);

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

export const typecheck = stage({
  name: "typecheck",
  kind: "typecheck",
  command: "npx --no-install tsc --noEmit",
  durationMs: 3200,
});
export const lint = stage({
  name: "lint",
  kind: "lint",
  command: "npx --no-install eslint .",
  optional: true,
  durationMs: 2100,
});
export const test = stage({tests: {passed: 42, failed: 0, skipped: 1}});
const setup = stage({name: "setup", kind: "check", command: "npm ci --ignore-scripts", durationMs: 11_300});

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
    session: {id: "0190c7d2", ref: "refs/assay/session/issue-7", resumed: false},
    ...over,
  });
};
