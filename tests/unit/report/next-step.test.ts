/** The next step of a report: one bold sentence with the exact command or link, for every kind of failure. */
import {expect, test} from "vitest";
import {type Failure, failureSchema} from "../../../src/record/failure.ts";
import type {Request, RunRecord} from "../../../src/record/record.ts";
import type {UnverifiedReason} from "../../../src/record/words.ts";
import {failurePart} from "../../../src/report/failures.ts";
import {renderReport} from "../../../src/report/markdown.ts";
import {liveThings} from "./gfm.ts";
import {attempt, record, stage} from "./records.ts";
import {SCENES} from "./scenes.ts";

const PARKED = SCENES["parked-failed"]?.publication ?? record().publication;

function reportOf(output: string): string {
  const setup = stage({name: "setup", kind: "check", command: "npm ci", outcome: "failed", excerpt: output});
  const verdict = {kind: "unverified", why: "setup-failed", detail: "`npm ci`: exit code 1"} as const;
  return renderReport(record({attempts: [attempt({setup: [setup], stages: [], verdict})]}));
}

test.each([
  [
    "npm error code SELF_SIGNED_CERT_IN_CHAIN",
    /\*\*The setup failed on a certificate .*`NODE_EXTRA_CA_CERTS`.*`\$GITHUB_ENV`.*comment `\/continue`\.\*\*/,
  ],
  [
    "ssl.SSLCertVerificationError: certificate verify failed: unable to get local issuer certificate",
    /\*\*The setup failed on a certificate/,
  ],
  ["x509: certificate signed by unknown authority", /\*\*The setup failed on a certificate/],
  [
    "npm error network request to https://registry.example failed, reason: getaddrinfo ENOTFOUND",
    /\*\*The setup could not reach a server\. .*proxy.*comment `\/continue`\.\*\*/,
  ],
  [
    "npm error code ERESOLVE",
    /\*\*Fix what the failed setup step names: its command, a dependency, a tool or a variable, then comment `\/continue`\.\*\*/,
  ],
])("%s", (output, next) => {
  expect(reportOf(output)).toMatch(next);
});

/** A run in a terminal. */
const LOCAL: Partial<RunRecord> = {thread: null, run: {...record().run, url: null}};

test("a check that could not run has the reason of its own, not a guess", () => {
  const detail = "test: the sandbox could not be started";
  const verdict = {kind: "unverified", why: "unavailable", detail} as const;
  const report = renderReport(record({attempts: [attempt({verdict})], verdict}));
  expect(report).toContain(detail);
  expect(report).not.toMatch(/dependency is missing/);
  expect(report).toMatch(
    /\*\*Install what is missing .*, or correct what the reason names, then comment `\/continue`\.\*\*/,
  );
});

test.each<[Partial<RunRecord>, UnverifiedReason, string]>([
  [{}, "flaky", "then comment `/continue`."],
  [{attempts: []}, "unavailable", "then comment your request again."],
  [{request: {kind: "review"}}, "out-of-time", "then comment `/review`."],
  [{publication: PARKED}, "flaky", "then comment `/verify`."],
  [{publication: PARKED}, "cancelled", "To try again, comment `/continue`."],
  [{publication: PARKED}, "still-failing", "To try again, comment `/continue <hint>`."],
  [{thread: null}, "still-failing", "To try again, start the workflow again."],
  [LOCAL, "unavailable", "in `setup` of `verify.json`, or correct what the reason names, then run the command again."],
  [LOCAL, "no-stages", "(`assay init` writes a template) and commit it, then run the command again."],
])("an unverified change names the command that helps: %#", (changes, why, next) => {
  const verdict = {kind: "unverified", why, detail: "x"} as const;
  expect(renderReport(record({...changes, verdict}))).toContain(`${next}**`);
});

test("a failure with its own next step is the only one", () => {
  const verdict = {kind: "unverified", why: "gate-error", detail: ""} as const;
  const report = renderReport(record({verdict, failures: [failureOf("git-refused")]}));
  expect(report).toContain("Assay could not run your checks. The reason is below.\n");
  expect(report).not.toContain("Fix it");
});

test("the details say which times the report has, and how long the whole run took", () => {
  expect(renderReport(record())).toContain("| Time | agent 1 min 34 s, checks 25 s, whole run 3 min 20 s |");
});

const COMMON = {
  message: "the server's words\nin two lines",
  paths: ["a.txt"],
  problems: ["a.txt: a link"],
  ref: "refs/heads/main",
};
const FIELDS: Readonly<Record<string, object>> = {
  "spending-limit": {
    ...{scope: "repository", period: "day", limit: 20, spent: 18, reserved: 1, wanted: 2, renews: "2026-12-01"},
  },
  "config-invalid": {file: "verify.json", mistakes: [{path: "stages", message: "is empty", hint: "Add one."}]},
  "missing-key": {provider: "openai", variable: "OPENAI_API_KEY"},
  "program-missing": {program: "uv", check: "test", message: "add the step `astral-sh/setup-uv` before Assay"},
  "missing-permission": {workflow: ".github/workflows/assay.yml", job: "assay", permissions: ["contents"]},
  "agent-broke": {end: {kind: "exited", code: 1, message: "the agent's words"}},
  "judge-objects": {objections: ["too slow"]},
  "secret-in-change": {places: [{path: "a.txt", line: 1, what: "a key"}]},
  "could-not-search": {count: 9},
  "job-without-result": {job: "work"},
  "github-refused": {request: "GET /a", status: 403},
};
const KINDS = failureSchema.options.map(({shape}) => shape.kind.value);
const failureOf = (kind: Failure["kind"]): Failure => failureSchema.parse({...COMMON, ...FIELDS[kind], kind});
const LIMITS = {...{answer: 9999, earlier: 999, excerpt: 999, diagnostics: 9}, ...{rows: 9, list: 9, line: 400}};
const section = (failure: Failure, changes: Partial<RunRecord> = {}) =>
  failurePart(failure, record({...changes, failures: [failure]}), LIMITS);

test.each(KINDS)("%s: the section ends with one bold sentence that has a command or a link", (kind) => {
  const text = section(failureOf(kind));
  const [, step = "", rest] =
    /\n\n\*\*([^*\n]+[.:])\*\*(?: |\n\n```yaml\n[^`]+```\n\n)(\[What this means\]\(\S+\))$/.exec(text) ?? [];
  expect([rest === undefined ? text : "", step]).toEqual(["", expect.stringMatching(/`[^`]+`|\]\(https:/)]);
  expect(step).not.toMatch(/[{}]|\. /);
  expect(liveThings(text)).toEqual([]);
});

test.each<[Partial<RunRecord>, string]>([
  [{}, "comment `/continue`"],
  [{attempts: []}, "comment your request again"],
  [{request: {kind: "verify", only: []} satisfies Request}, "comment `/verify`"],
  [{request: {kind: "approve", tree: ""} satisfies Request}, "comment `/approve`"],
  [{thread: null}, "start the workflow again"],
  [LOCAL, "run the command again"],
])("the way to try again is that of the request: %#", (changes, retry) => {
  expect(section(failureOf("git-refused"), changes)).toContain(`, then ${retry}.**`);
});

test("a merge that the branch did not wait for is not continued", () => {
  const request = {kind: "update", conflicts: []} satisfies Request;
  const text = section(failureOf("push-lost"), {request, publication: PARKED});
  expect(text).toContain("**To repeat the change on the new commits, comment `/update`.**");
  expect(section(failureOf("push-lost"), {publication: PARKED})).toContain("comment `/continue`.**");
});
