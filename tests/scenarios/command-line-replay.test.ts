/** `assay replay`: what a record says is run again in a clone, each difference is named, and no foreign command runs. */
import {existsSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {beforeAll, expect, test} from "vitest";
import type {RunRecord} from "../../src/record/record.ts";
import {type ReplayDocument, replaySchema} from "../../src/record/replay.ts";
import {makeStatement} from "../../src/record/statement.ts";
import {assay, gitIn, put} from "../rig/command-line.ts";
import {isSweep} from "../sweep.ts";

const FILES = {
  "verify.json": JSON.stringify({stages: [{name: "unit", kind: "test", command: "node --test"}]}),
  "package.json": JSON.stringify({name: "shop", type: "module"}),
  "tax.js": "export const tax = (sum) => sum / 4;\n",
  "tax.test.js": `import assert from "node:assert";
import {test} from "node:test";
import {tax} from "./tax.js";
test("tax of nothing", () => assert.equal(tax(0), 0));
`,
};
const CHANGE = {
  "tax.js": "export const tax = (sum) => sum / 5;\n",
  "tax.test.js": `${FILES["tax.test.js"]}test("tax of ten", () => assert.equal(tax(10), 2));\n`,
};
const PERSON = ["-c", "user.name=dev", "-c", "user.email=dev@example.com"];

let [folder, origin] = ["", ""];
let record: RunRecord;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "replay-"));
  origin = join(folder, "origin");
  put(origin, FILES);
  const git = gitIn(origin);
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git(...PERSON, "commit", "-qm", "First commit");
  put(origin, CHANGE);
  git(...PERSON, "commit", "-qam", "Lower the tax");
  const verified = assay(origin, ["verify", "--base", "HEAD~1", "--head", "HEAD", "--json"]).record;
  if (verified === null) throw new Error("no record");
  record = verified;
  return () => rmSync(folder, {recursive: true, force: true});
});

/** A clone on "another machine", with the file of a record. */
function cloneWith(recorded: unknown) {
  const clone = mkdtempSync(join(folder, "clone-"));
  const git = gitIn(clone);
  git("clone", "-q", origin, ".");
  writeFileSync(join(folder, "record.json"), JSON.stringify(recorded));
  return {clone, git};
}

function replay(clone: string, ...args: string[]): {status: number | null; document: ReplayDocument; stderr: string} {
  const {status, stdout, stderr, left} = assay(clone, ["replay", "--json", ...args]);
  expect(left).toEqual([]);
  return {status, stderr, document: replaySchema.parse(JSON.parse(stdout))};
}
const RECORD = "../record.json";

/** The record with one text of it changed, wherever it is. */
const withText = (text: string, other: string): RunRecord => {
  const [before, after] = [JSON.stringify(record), JSON.stringify(record).replaceAll(text, other)];
  expect(after).not.toBe(before);
  return JSON.parse(after);
};

test("the record of another clone is reproduced, each test by its name, and is called unsigned", () => {
  const {clone, git} = cloneWith(record);
  const {status, document} = replay(clone, RECORD);
  expect(document).toMatchObject({
    ...{result: "reproduced", run: record.run.id, hasSignature: false, foreignCommands: [], next: ""},
    checks: [{name: "unit", agreement: "reproduced", tests: {reproduced: 2, differing: []}}],
    verdict: {recorded: "verified", here: "verified", agreement: "reproduced"},
  });
  expect(document.circumstances.filter(({recorded, here}) => recorded !== here)).toEqual([]);
  expect(document.circumstances.map(({name}) => name)).toContain("node");
  expect({status, changed: git("status", "--porcelain")}).toEqual({status: 0, changed: ""});
  const {stdout} = assay(clone, ["replay", RECORD]);
  expect(stdout).toContain("It is unsigned: anyone can write one.");
  expect(stdout).toMatch(/^unit {2,}passed, 2 tests {2,}passed, 2 tests {2,}reproduced$/m);
});

test("another test is named", () => {
  const {status, document} = replay(cloneWith(withText("tax of ten", "tax of two")).clone, RECORD);
  expect(document.checks[0]?.tests?.differing.map(({name}) => name)).toEqual([
    "tax.test.js: tax of two",
    "tax.test.js: tax of ten",
  ]);
  expect({status, result: document.result}).toEqual({status: 1, result: "differs"});
});

test("a record with a foreign command runs nothing, and runs it in the sandbox only if the person trusts it", () => {
  const mark = join(folder, "ran");
  for (const evil of [withText("node --test", `touch ${mark}; node --test`), {...record, rules: otherRules(record)}]) {
    const {clone} = cloneWith(evil);
    const {status, document, stderr} = replay(clone, RECORD);
    expect({status, result: document.result, stderr, checks: document.checks}).toEqual({
      ...{status: 1, result: "refused", stderr: "", checks: []},
    });
    expect(document.foreignCommands[0]?.command).toContain("node --test");
  }
  const {clone} = cloneWith(withText("node --test", `touch ${mark}; node --test`));
  const {document} = replay(clone, "--trust-commands", RECORD);
  expect(document.checks.map(({name, agreement}) => [name, agreement])).toEqual([["unit", "differs"]]);
  expect(existsSync(mark)).toBe(false);
});

test("an approval in a record is named, and decides nothing", () => {
  const approval = {by: "ada", tree: record.attempts[0]?.candidate?.tree ?? ""};
  const attempts = record.attempts.map((one) => ({
    ...one,
    verification: one.verification && {...one.verification, approval},
  }));
  const {status, document} = replay(cloneWith({...record, attempts}).clone, RECORD);
  expect({status, result: document.result}).toEqual({status: 2, result: "undecided"});
  expect(document.circumstances).toContainEqual({name: "approval", recorded: "ada", here: null});
});

test("the rules of a checked out pull request count as foreign", () => {
  const {clone, git} = cloneWith({...record, rules: otherRules(record)});
  git("checkout", "-q", "--detach", "other");
  expect(replay(clone, RECORD)).toMatchObject({status: 1, document: {reason: "foreign-base", checks: []}});
});

/** Rules from a commit that the clone has, but that is not in its history. */
function otherRules(recorded: RunRecord): RunRecord["rules"] {
  const git = gitIn(origin);
  const tree = git("rev-parse", "HEAD^{tree}");
  const commit = git(...PERSON, "commit-tree", "-p", "HEAD", "-m", "Other rules", tree);
  git("update-ref", "refs/tags/other", commit);
  return recorded.rules && {...recorded.rules, commit};
}

test("the trailers of a commit are repeated, and a byte that was changed afterwards is named with its file", () => {
  const {clone, git} = cloneWith(record);
  const [tree, base] = [git("rev-parse", "HEAD^{tree}"), git("rev-parse", "HEAD~1")];
  const message = `Lower the tax\n\nAssay-Verified-Tree: ${tree}\nAssay-Base: ${base}\nAssay-Run: 7/1`;
  git(...PERSON, "commit", "-q", "--amend", "-m", message);
  const {status, document} = replay(clone, "HEAD");
  expect(document).toMatchObject({result: "reproduced", run: "7/1"});
  expect(document.checks.map(({name, recorded}) => [name, recorded])).toEqual([["unit", null]]);
  expect(status).toBe(0);
  expect(assay(clone, ["replay", "HEAD"]).stdout).toContain("Reproduced: the verdict, which alone is recorded.");
  git("push", "-q", "origin", "HEAD:refs/pull/3/head");
  if (isSweep) expect(replay(cloneWith(record).clone, "3").document.result).toBe("reproduced");

  put(clone, {"tax.js": "export const tax = (sum) => sum / 6;\n"});
  git(...PERSON, "commit", "-qa", "--amend", "-m", message);
  const changed = replay(clone, "HEAD");
  expect(changed).toMatchObject({status: 1, document: {result: "differs", reason: "other-files", checks: []}});
  expect(changed.document.detail).toContain("tax.js");
});

test("the statement in the notes of a commit is repeated with each check, and its signature is left to assay check", () => {
  const {clone, git} = cloneWith(record);
  const verification = record.attempts[0]?.verification;
  const commit = git("rev-parse", "HEAD");
  if (!verification || !record.rules || !record.base) throw new Error("no verification");
  const statement = makeStatement({
    subject: {commit, tree: git("rev-parse", "HEAD^{tree}"), content: Buffer.from(git("cat-file", "commit", "HEAD"))},
    ...{verification, policy: {...record.rules, digest: "0".repeat(64)}, base: record.base, record: null},
    run: {...record.run, finishedAt: record.run.finishedAt ?? ""},
  });
  const note = (text: string) => git(...PERSON, "notes", "--ref=assay", "add", "-f", "-m", text, "HEAD");
  note(JSON.stringify(statement));
  const {status, document} = replay(clone, "HEAD");
  expect(document.checks).toMatchObject([{name: "unit", agreement: "reproduced", recorded: {outcome: "passed"}}]);
  expect({status, result: document.result, hasSignature: document.hasSignature}).toEqual({
    ...{status: 0, result: "reproduced", hasSignature: false},
  });
  const [check] = statement.predicate.checks;
  const edited = {...statement.predicate, checks: [{...check, report: "0".repeat(64)}]};
  const payload = Buffer.from(JSON.stringify({...statement, predicate: edited})).toString("base64");
  const differs = (hasSignature: boolean) => ({status: 1, document: {hasSignature, checks: [{reason: "tests"}]}});
  if (isSweep) {
    note(JSON.stringify({dsseEnvelope: {payload}}));
    expect(replay(clone, "HEAD")).toMatchObject(differs(false));
  }
  note(JSON.stringify({dsseEnvelope: {payload, signatures: [{sig: "AAAA"}]}}));
  expect(replay(clone, "HEAD")).toMatchObject(differs(true));
});

test("another version of a tool is named, and control characters of a record are escaped in the JSON, too", () => {
  const version = process.versions.node;
  const other = {...record, run: {...record.run, id: "local-\u009b31m"}};
  const text = JSON.stringify(other).replaceAll(`"version":"${version}"`, '"version":"1.2.3"');
  const {clone} = cloneWith(JSON.parse(text));
  const {stdout} = assay(clone, ["replay", "--json", RECORD]);
  expect(stdout).not.toMatch(/[\x7f-\x9f]/);
  const document = replaySchema.parse(JSON.parse(stdout));
  expect(document).toMatchObject({run: "local-\u009b31m", result: "reproduced"});
  expect(document.circumstances).toContainEqual({name: "node", recorded: "1.2.3", here: version});
});

test("without the verified files, or the commit before, nothing is decided", () => {
  const {clone} = cloneWith(withText(record.attempts[0]?.candidate?.tree ?? "", "1".repeat(40)));
  expect(replay(clone, RECORD)).toMatchObject({status: 1, document: {reason: "other-files"}});
  const shallow = mkdtempSync(join(folder, "shallow-"));
  gitIn(shallow)("clone", "-q", "--depth=1", `file://${origin}`, ".");
  expect(replay(shallow, RECORD)).toMatchObject({status: 2, document: {result: "undecided", reason: "no-base"}});
  const inPlace = {...record, attempts: record.attempts.map((attempt) => ({...attempt, verification: null}))};
  expect(replay(cloneWith(inPlace).clone, RECORD)).toMatchObject({status: 2, document: {reason: "no-verification"}});
});

test("work that was never committed is found in the folder, until one byte of it changes", () => {
  const {clone} = cloneWith(record);
  put(clone, {"tax.js": "export const tax = (sum) => sum / 5; // a fifth\n"});
  writeFileSync(join(folder, "record.json"), assay(clone, ["verify", "--json"]).stdout);
  expect(replay(clone, RECORD)).toMatchObject({status: 0, document: {result: "reproduced"}});
  put(clone, {"tax.js": "export const tax = (sum) => sum / 5; // a fifth.\n"});
  expect(replay(clone, RECORD)).toMatchObject({status: 2, document: {reason: "no-files"}});
});

test("a file that is no record ends with 3, and its text is not printed", () => {
  const {clone} = cloneWith({schema: "assay.record/1", run: {id: "hunter2"}});
  for (const source of [RECORD, "no-such-revision", clone]) {
    const {status, stdout, stderr} = assay(clone, ["replay", source]);
    expect({status, stdout}).toEqual({status: 3, stdout: ""});
    expect(stderr).toMatch(/^error: /);
    expect(stderr).not.toContain("hunter2");
  }
});
