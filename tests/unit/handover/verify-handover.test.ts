/** What the publishing job claims after `/verify`: the verifying job's word, of exactly the parked work that this job sees itself. */
import {expect, test} from "vitest";
import type {HandoverPart} from "../../../src/handover/bundle.ts";
import {verifyHandover} from "../../../src/handover/verify-handover.ts";
import type {RunRecord} from "../../../src/record/record.ts";
import {ok, type Result, refused} from "../../../src/record/words.ts";
import {headlineOf} from "../../../src/report/headline.ts";
import {record} from "../report/records.ts";

const id = (char: string) => char.repeat(40);
const PARKED: HandoverPart = {
  candidate: {commit: id("a"), tree: id("b"), base: id("c")},
  changes: [{path: "src/seen-here.ts", status: "added"}],
};

const VERIFIED = record();
const mine: RunRecord = {...VERIFIED, request: {kind: "verify", only: []}, resumes: id("d"), attempts: []};
/** The verifying job made a commit of its own on the same base, with the same tree. */
const own = (over: Partial<RunRecord> = {}, tree = PARKED.candidate.tree): RunRecord => ({
  ...mine,
  attempts: VERIFIED.attempts
    .slice(-1)
    .map((one) => ({...one, candidate: {...PARKED.candidate, commit: id("e"), tree}})),
  publication: {kind: "none"},
  ...over,
});
const agreed = (theirs: RunRecord, handed: Result<HandoverPart | null, never> = ok(PARKED)) =>
  verifyHandover({mine, work: refused("there is none"), own: ok(theirs), handed});

test("the same tree on the same base is what was verified, with the ids and paths of this job", () => {
  const {verdict, failures, attempts} = agreed(own());
  expect({verdict, failures}).toEqual({verdict: {kind: "verified"}, failures: []});
  expect(attempts).toMatchObject([PARKED]);
});

test.each([
  ["another tree", own({}, id("f")), /something other than the saved work/],
  ["other parked work", own({resumes: id("f")}), /a different parked work/],
  ["a head, where there is parked work", own({resumes: undefined}), /a different parked work/],
  ["another base", own({base: {ref: "refs/heads/main", commit: id("f"), tree: id("f")}}), /a different base/],
])("%s is not believed", (_, theirs, says) => {
  const {verdict, failures, attempts} = agreed(theirs);
  expect(verdict.kind).toBe("unverified");
  expect(attempts).toEqual([]);
  expect(failures).toMatchObject([{kind: "handover-refused", problems: [expect.stringMatching(says)]}]);
});

test("without parked work, only the head of this job counts as verified", () => {
  const {base} = mine;
  const ofHead = (over: {commit?: string; tree?: string} = {}): RunRecord => {
    const candidate = {commit: base?.commit ?? "", tree: base?.tree ?? "", base: base?.commit ?? "", ...over};
    return own({attempts: VERIFIED.attempts.slice(-1).map((one) => ({...one, candidate}))});
  };
  const kinds = [ofHead(), ofHead({commit: id("e")}), ofHead({tree: id("e")})].map(
    (theirs) => agreed(theirs, ok(null)).verdict.kind,
  );
  expect(kinds).toEqual(["verified", "unverified", "unverified"]);
});

test("parked work that this job cannot take is not verified, whatever the other says", () => {
  const failure = {kind: "candidate-refused" as const, problems: ["a/b: it is a submodule"]};
  const {verdict, failures} = verifyHandover({mine, work: refused(""), own: ok(own()), handed: refused(failure)});
  expect(verdict.kind).toBe("unverified");
  expect(failures).toEqual([failure]);
});

test("a job that ends without a result is named, and nothing is verified", () => {
  const work = verifyHandover({mine: {...VERIFIED, attempts: []}, work: null, own: null, handed: ok(null)});
  const verify = verifyHandover({mine: {...VERIFIED, attempts: []}, work: ok(worked()), own: null, handed: ok(PARKED)});
  const onlyVerify = verifyHandover({mine, work: null, own: null, handed: ok(null)});
  const {headline} = headlineOf({...mine, ...work, publication: {kind: "none"}});
  expect(headline).toBe("Not started");
  const about = ({verdict, failures}: typeof work) => ({verdict: verdict.kind, failures});
  const ends = (job: string) => ({verdict: "unverified", failures: [{kind: "job-without-result", job}]});
  expect([work, verify, onlyVerify].map(about)).toEqual([ends("work"), ends("verify"), ends("verify")]);
});

/** The record of the agent's job about the commit of the bundle, with nothing in it that contradicts it. */
const worked = (candidate = PARKED.candidate): RunRecord => ({
  ...VERIFIED,
  attempts: VERIFIED.attempts.slice(-1).map((one) => ({...one, candidate, changes: [...PARKED.changes]})),
  publication: {kind: "none"},
});
const ofWork = (theirs: RunRecord) =>
  verifyHandover({mine: {...VERIFIED, attempts: []}, work: ok(worked()), own: ok(theirs), handed: ok(PARKED)});

test("work is verified where both jobs and the bundle name one commit", () => {
  const {verdict, failures} = ofWork(worked());
  expect({verdict, failures}).toEqual({verdict: {kind: "verified"}, failures: []});
});

test.each([
  ["another commit", worked({...PARKED.candidate, commit: id("e")})],
  ["another commit with another tree", worked({...PARKED.candidate, commit: id("e"), tree: id("f")})],
  ["no commit", {...worked(), attempts: []}],
])("work and bundle that were exchanged together are not believed: the verifying job saw %s", (_, theirs) => {
  const {verdict, failures} = ofWork(theirs);
  expect(verdict.kind).toBe("unverified");
  const problems = ["the verifying job verified a different commit than the one in the bundle"];
  expect(failures).toEqual([{kind: "handover-refused", problems}]);
});
