/** The statement about a verification: made from the record, read back exactly, and refused if any part has another form. */
import {readFileSync} from "node:fs";
import {Ajv2020} from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import {expect, test} from "vitest";
import {DEFAULT_CONFIG} from "../../../src/detect/config/config.ts";
import {policyDigest} from "../../../src/detect/policy.ts";
import type {Plan} from "../../../src/record/plan.ts";
import {canonicalJson, makeStatement, readStatements, testResultOf} from "../../../src/record/statement.ts";
import type {Verification} from "../../../src/record/verification.ts";
import {projectOf} from "../detect/tree.ts";
import {id, lint, stage} from "../report/records.ts";

const verification: Verification = {
  candidate: {commit: id("c"), tree: id("7"), base: id("b")},
  where: "checkout",
  isolation: "sandbox",
  job: "own",
  tools: [{name: "node", version: "24.1.0"}],
  setup: [stage({name: "setup", kind: "check", command: "npm ci"})],
  stages: [
    stage({
      tests: {passed: 3, failed: 0, skipped: 0},
      reported: {tool: "vitest", counts: {passed: 3, failed: 0, skipped: 0}, failed: []},
    }),
    {...lint, outcome: "failed", exit: {kind: "exited", code: 1}},
  ],
  findings: [{check: "scripts", level: "flag", path: "package.json", line: 3, message: "m", fix: "f"}],
  verdict: {kind: "verified"},
  durationMs: 10,
};
const statement = makeStatement({
  subject: {commit: id("d"), tree: id("7"), content: Buffer.from("tree\n")},
  verification,
  policy: {ref: "refs/heads/main", commit: id("b"), digest: "e".repeat(64)},
  base: {ref: "refs/heads/main", commit: id("b"), tree: id("a")},
  run: {
    id: "comment-1",
    url: "https://github.com/ada/shop/actions/runs/1",
    assay: "0.1.0",
    startedAt: "2026-11-01T10:00:00.000Z",
    finishedAt: "2026-11-01T10:05:00.000Z",
  },
  record: "f".repeat(64),
});
const payload = Buffer.from(JSON.stringify(statement)).toString("base64");
const bundle = {dsseEnvelope: {payload, signatures: [{sig: "AAAA"}]}};

test("has commit, tree, policy, checks, findings, tools and validity of the verification", () => {
  expect(statement.subject.map(({digest}) => digest)).toMatchObject([{gitCommit: id("d")}, {gitTree: id("7")}]);
  const {checks, validUntil, tools, ownJob, findings} = statement.predicate;
  expect(checks).toMatchObject([
    {name: "test", exitCode: 0, tests: {passed: 3}, report: expect.stringMatching(/^[0-9a-f]{64}$/)},
    {name: lint.name, outcome: "failed", exitCode: 1, report: null},
  ]);
  expect({validUntil, tools, ownJob, findings}).toEqual({
    validUntil: "2026-12-01T10:05:00.000Z",
    tools: [{name: "node", version: "24.1.0"}],
    ownJob: true,
    findings: [{check: "scripts", level: "flag", path: "package.json"}],
  });
});

test("is valid by its published schema, and a statement with a wrong part is not", () => {
  const ajv = new Ajv2020({strict: false});
  addFormats.default(ajv);
  const schema = JSON.parse(readFileSync("docs/schemas/verification.1.json", "utf8"));
  const validate = ajv.compile(schema);
  expect(validate(statement)).toBe(true);
  expect(validate({...statement, subject: statement.subject.slice(1)})).toBe(false);
});

test("is read back from its own text, from a bundle, and from lines of bundles with other documents", () => {
  const other = JSON.stringify({dsseEnvelope: {payload: Buffer.from("{}").toString("base64")}});
  expect(readStatements(JSON.stringify(statement))).toEqual({ok: true, value: [{statement, bundle: null}]});
  expect(readStatements(JSON.stringify(bundle))).toEqual({ok: true, value: [{statement, bundle}]});
  expect(readStatements([other, "", "{", JSON.stringify(bundle)].join("\n"))).toEqual({
    ok: true,
    value: [{statement, bundle}],
  });
  // An envelope without a signature proves nothing.
  const empty = JSON.stringify({dsseEnvelope: {payload, signatures: []}});
  expect(readStatements(empty)).toEqual({ok: true, value: [{statement, bundle: null}]});
});

test.each([
  ["a number", "1"],
  ["no JSON", "<secret>"],
  ["an unknown field", JSON.stringify({...statement, predicate: {...statement.predicate, extra: 1}})],
  ["another predicate", JSON.stringify({...statement, predicateType: "https://slsa.dev/provenance/v1"})],
  ["a short commit id", JSON.stringify(statement).replace(id("d"), "dddd")],
  ["a payload that is not base64", JSON.stringify({dsseEnvelope: {payload: "§"}})],
])("%s is no statement", (_, text) => {
  expect(readStatements(text)).toEqual({ok: false, failure: "no-statement"});
});

test("a text of more than a megabyte is not parsed", () => {
  expect(readStatements(" ".repeat(1024 * 1024 + 1))).toEqual({ok: false, failure: "too-long"});
});

test("has in-toto's own form of a test result, with each check in one list", () => {
  expect(testResultOf(statement).predicate).toMatchObject({
    result: "PASSED",
    passedTests: ["test"],
    warnedTests: [lint.name],
    failedTests: [],
  });
});

test("the policy's digest changes with a rule or a command, not with the order of keys or the wording of the plan", () => {
  const planned = {
    ...{
      name: "test",
      kind: "test",
      command: "npm test",
      cwd: ".",
      timeout: 300,
      optional: false,
      env: {B: "1", A: "2"},
    },
    ...{when: [], needs: [], path: [], tools: [], origin: {file: "package.json", key: "scripts.test", why: "a"}},
  } as const;
  const planOf = (over: object) =>
    ({schema: "assay.plan/1", stages: [{...planned, ...over}], setup: [], notRun: [], notes: []}) as unknown as Plan;
  const NONE = projectOf({});
  const digestIn = (tree: Readonly<Record<string, string>>) =>
    policyDigest(DEFAULT_CONFIG, planOf({}), projectOf(tree));
  const digest = digestIn({});
  expect(
    policyDigest(DEFAULT_CONFIG, planOf({origin: {...planned.origin, why: "b"}, env: {A: "2", B: "1"}}), NONE),
  ).toBe(digest);
  expect(policyDigest({...DEFAULT_CONFIG, notify: false, publish: "direct"}, planOf({}), NONE)).toBe(digest);
  expect(policyDigest(DEFAULT_CONFIG, planOf({command: "npm test -- --shard"}), NONE)).not.toBe(digest);
  expect(policyDigest({...DEFAULT_CONFIG, sandbox: "off"}, planOf({}), NONE)).not.toBe(digest);

  // The bodies behind `npm test` decide too, at any depth; other scripts do not.
  const manifest = (scripts: object) => JSON.stringify({scripts});
  const shell = {"ci/run.sh": "make check\n"};
  const makefile = (recipe: string) => ({Makefile: `check:\n\t${recipe}\n`});
  const files = {
    "package.json": manifest({test: "node --test && bash ci/run.sh"}),
    ...shell,
    ...makefile("node lint.js"),
  };
  const bodies = digestIn(files);
  expect(bodies).not.toBe(digest);
  expect(digestIn({...files, ...makefile("true")})).not.toBe(bodies);
  expect(digestIn({...files, "ci/run.sh": "exit 0\n"})).not.toBe(bodies);
  const more = {test: "node --test && bash ci/run.sh", dev: "vite"};
  expect(digestIn({...files, "package.json": manifest(more)})).toBe(bodies);
  expect(digestIn({...files, "package.json": manifest({...more, pretest: "rm -r tests"})})).not.toBe(bodies);
  expect(canonicalJson({b: [{d: 1, c: 2}], a: null})).toBe('{"a":null,"b":[{"c":2,"d":1}]}');
});
