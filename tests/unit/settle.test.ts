/** P14: the table of `docs/outcomes.md`. Exit code, job, check, output, headline and reaction of each outcome. */
import {readFileSync} from "node:fs";
import {expect, test} from "vitest";
import {isToPublish} from "../../lifecycle/3-publish.ts";
import {reactionFor} from "../../lifecycle/4-settle.ts";
import {verdictExitCode} from "../../src/cli/reporters/charged.ts";
import type {Failure} from "../../src/record/failure.ts";
import {checkConclusion, isGreen, isHeld, mayBePublished} from "../../src/record/record.ts";
import type {Verdict} from "../../src/record/verification.ts";
import {NOTHING_REASONS, UNVERIFIED_REASONS} from "../../src/record/words.ts";
import {renderCheck} from "../../src/report/check.ts";
import {headlineOf} from "../../src/report/headline.ts";
import {outputsOf} from "../../src/run/outputs.ts";
import {record} from "./report/records.ts";
import {SCENES} from "./report/scenes.ts";

const VERIFIED: Verdict = {kind: "verified"};
const WITH_PREEXISTING: Verdict = {kind: "verified-with-preexisting", stages: ["lint"]};
const PARTIAL: Verdict = {kind: "partial", notRun: ["build"], preexisting: []};
const PARTIAL_WITH_PREEXISTING: Verdict = {...PARTIAL, preexisting: ["lint"]};
const FAILED: Verdict = {kind: "failed", stages: ["test"]};
const TAMPERED: Verdict = {kind: "tampered", findings: ["x"]};
const unverified = UNVERIFIED_REASONS.map((why): Verdict => ({kind: "unverified", why, detail: ""}));
const nothing = NOTHING_REASONS.map((why) => ({kind: "nothing-to-verify", why, detail: ""}) satisfies Verdict);

const held: Failure = {kind: "protected-paths", paths: ["CODEOWNERS"]};
const refused: Failure = {kind: "push-refused", ref: "refs/heads/x", message: "no"};
const interrupted: Failure = {kind: "interrupted", message: "the process was ended"};

interface Row {
  readonly exit: number;
  readonly job: "green" | "red";
  readonly check: "success" | "failure" | null;
  readonly verified: boolean;
  readonly headline: string;
  readonly reaction: "rocket" | "+1" | "confused";
  /** whether publishing may begin */
  readonly goesOut: boolean;
}
const good: Row = {
  exit: 0,
  job: "green",
  check: "success",
  verified: true,
  headline: "✅ Verified",
  reaction: "rocket",
  goesOut: true,
};
const bad: Row = {
  ...good,
  exit: 1,
  job: "red",
  check: "failure",
  verified: false,
  reaction: "confused",
  goesOut: false,
};
const partial: Row = {
  ...good,
  exit: 2,
  check: null,
  verified: false,
  reaction: "+1",
  goesOut: false,
  headline: "☑️ Requested",
};
const idle: Row = {...good, verified: false, reaction: "+1", headline: "💬 Nothing to verify"};
const broke = {job: "red", check: null, reaction: "confused", goesOut: false} as const;

test.each<[Verdict, Failure[], Row]>([
  [VERIFIED, [], good],
  [WITH_PREEXISTING, [], good],
  [VERIFIED, [held], {...good, headline: "✅ Verified, waiting for you", goesOut: false}],
  [WITH_PREEXISTING, [held], {...good, headline: "✅ Verified, waiting for you", goesOut: false}],
  [VERIFIED, [refused], {...good, ...broke, headline: "⚠️ Verified, but the run failed"}],
  [VERIFIED, [held, refused], {...good, ...broke, headline: "⚠️ Verified, but the run failed"}],
  [VERIFIED, [interrupted], {...good, ...broke, check: "failure", headline: "⚠️ Verified, but the run failed"}],
  [PARTIAL, [], partial],
  [PARTIAL_WITH_PREEXISTING, [], partial],
  [PARTIAL, [held], {...partial, ...broke, headline: "⚠️ Requested"}],
  [PARTIAL, [refused], {...partial, ...broke, headline: "⚠️ Requested"}],
  ...nothing.map((verdict): [Verdict, Failure[], Row] => [
    verdict,
    [],
    {
      ...idle,
      ...(verdict.why === "proposal" && {headline: "💬 Checks proposed"}),
      // A person is asked what the tests mean.
      ...(verdict.why === "case-passes" && {goesOut: false}),
    },
  ]),
  [
    {kind: "nothing-to-verify", why: "no-change", detail: ""},
    [refused],
    {...idle, ...broke, headline: "⚠️ Nothing to verify, but"},
  ],
  [FAILED, [], {...bad, headline: "❌ "}],
  [FAILED, [held], {...bad, headline: "❌ "}],
  [TAMPERED, [], {...bad, headline: "🛑 "}],
  ...unverified.map((verdict): [Verdict, Failure[], Row] => [verdict, [], {...bad, exit: 2, headline: "⚠️ Unverified"}]),
])("%j with the failures %j", (verdict, failures, row) => {
  const seen = record({verdict, failures});
  const {icon, headline} = headlineOf(seen);
  expect(`${icon} ${headline}`.startsWith(row.headline)).toBe(true);
  expect({
    exit: verdictExitCode(seen.verdict),
    job: isGreen(seen) ? "green" : "red",
    check: checkConclusion(seen),
    verified: outputsOf(seen).verified === "true",
    headline: row.headline,
    reaction: reactionFor(seen),
    goesOut: mayBePublished(seen),
  }).toEqual(row);
  expect(renderCheck(seen)?.conclusion ?? null).toBe(row.check);
  expect(outputsOf(seen).verdict).toBe(verdict.kind);
});

test.each<[Verdict, Failure[], {park: boolean; commit: boolean; cancelled: boolean}]>([
  [VERIFIED, [], {park: true, commit: true, cancelled: true}],
  [{kind: "nothing-to-verify", why: "only-skipped-paths", detail: ""}, [], {park: true, commit: true, cancelled: true}],
  [VERIFIED, [refused], {park: false, commit: true, cancelled: false}],
  [FAILED, [], {park: false, commit: true, cancelled: false}],
  ...unverified.map((verdict): [Verdict, Failure[], {park: boolean; commit: boolean; cancelled: boolean}] => [
    verdict,
    [],
    {park: false, commit: true, cancelled: false},
  ]),
  [FAILED, [{kind: "candidate-refused", problems: ["x"]}], {park: false, commit: false, cancelled: false}],
  [PARTIAL, [], {park: false, commit: false, cancelled: false}],
])("%j with the failures %j goes out by `onFailure`", (verdict, failures, expected) => {
  const seen = {verdict, failures};
  expect({
    park: isToPublish(seen, {onFailure: "park", isCancelled: false}),
    commit: isToPublish(seen, {onFailure: "commit", isCancelled: false}),
    cancelled: isToPublish(seen, {onFailure: "commit", isCancelled: true}),
  }).toEqual(expected);
});

test("only a verified change is held for a person", () => {
  const verdicts = [PARTIAL, FAILED, TAMPERED, ...unverified, ...nothing];
  expect(verdicts.filter((verdict) => isHeld({verdict, failures: [held]}))).toEqual([]);
  expect(isHeld({verdict: VERIFIED, failures: []})).toBe(false);
});

test("the outputs name the published and the parked commit, and no other", () => {
  const {publication} = SCENES["verified-first-try"] ?? record();
  expect(outputsOf(record({publication}))).toMatchObject({branch: "assay/issue-7", "pull-request": "8", attempts: "1"});
  const parked = SCENES["parked-failed"]?.publication ?? publication;
  expect(outputsOf(record({publication: parked}))).toMatchObject({branch: "assay/parked/issue-7", "pull-request": ""});
  const locally = SCENES["refused-push"]?.publication ?? publication;
  const none = {commit: "", tree: "", branch: "", "pull-request": ""};
  expect(outputsOf(record({publication: locally}))).toMatchObject(none);
  expect(outputsOf(record())).toMatchObject(none);
});

test.each<[Verdict["kind"], Row]>([
  ["verified", good],
  ["verified-with-preexisting", good],
  ["partial", partial],
  ["nothing-to-verify", idle],
  ["failed", bad],
  ["tampered", bad],
  ["unverified", {...bad, exit: 2}],
])("the page has these values of %s", (kind, {exit, job, check, verified}) => {
  const page = readFileSync(new URL("../../docs/outcomes.md", import.meta.url), "utf8");
  const row = page.split("\n").find((line) => /^\| \S+ `/.test(line) && line.includes(` \`${kind}\` |`));
  expect(row).toMatch(new RegExp(`\\| ${exit}, ${job}, ${check ?? "none"}, \`${verified}\` \\|$`));
});
