/** No sentence of a report states a fact that its record does not hold (P17), in each state that a run can leave. */
import pc from "picocolors";
import {beforeAll, expect, test, vi} from "vitest";
import {annotationsOf} from "../../src/cli/reporters/github.ts";
import {toJunit} from "../../src/cli/reporters/junit.ts";
import {lineReporter} from "../../src/cli/reporters/line.ts";
import {recordToSarif} from "../../src/cli/reporters/sarif.ts";
import type {RunRecord} from "../../src/record/record.ts";
import {renderCheck} from "../../src/report/check.ts";
import {CLAIMS, type ClaimPlace} from "../../src/report/claims.ts";
import {FAILURES} from "../../src/report/failure-words.ts";
import {renderReport, renderSummary} from "../../src/report/markdown.ts";
import {renderPullRequest} from "../../src/report/pull-request.ts";
import {NOTHING, UNVERIFIED} from "../../src/report/wording.ts";
import {everyNth, isSweep} from "../sweep.ts";
import {NEUTRAL} from "./neutral-sentences.ts";
import {allWorlds, CHECKS, type World} from "./report-worlds.ts";

const WORLDS = allWorlds();
/** Runs that ended by themselves, or before an attempt, and some of the others. */
const SHOWN = WORLDS.filter(
  ({failures, hasAttempt, publication}, index) =>
    isSweep || !hasAttempt || (failures.length === 0 && publication === "none") || index % 11 === 0,
);

const isPushed = ({publication}: World) =>
  ["pull request", "branch", "default branch", "committed"].includes(publication);
const isSaved = ({publication}: World) => ["parked", "hidden", "in the clone, saved"].includes(publication);
const isNotPushed = (world: World) => !isPushed(world);
const checksAre =
  (...names: string[]) =>
  ({checks}: World) =>
    names.includes(checks);
const has =
  (...kinds: string[]) =>
  ({failures}: World) =>
    failures.some((kind) => kinds.includes(kind));
const isGood = ({checks}: World) => /^(?:verified|preexisting|nothing)/.test(checks);
const hasWork = ({hasAttempt, request, checks}: World) =>
  hasAttempt && ["issue", "pull request", "schedule"].includes(request) && checks !== "failed without a change";
const VERIFIED = ["verified", "verified, a file unread", "verified, flagged"];

type Sentences = {[Place in ClaimPlace]: keyof (typeof CLAIMS)[Place]}[ClaimPlace];

/** When each claim is true, in terms of what happened, and not of the record. */
const TRUE: Record<Sentences, (world: World) => boolean> = {
  "Assay stopped before the agent or a check started. Nothing was changed.": ({hasAttempt}) => !hasAttempt,
  "A second model objects to it, so no pull request was opened or updated.": has("judge-objects"),
  "It has grown far beyond what was asked for, so the pull request was not updated.": has("grown"),
  "It changes protected files, so no pull request was opened or updated.": has("protected-paths"),
  "Assay could not finish the run. The report gives the reason.": (world) =>
    world.failures.length > 0 && (isGood(world) || world.checks === "partial"),
  "Every required check passed in the working folder, where ignored files can make a check pass.":
    checksAre("verified in place"),
  "Every required check ran on exactly these files and passed.": checksAre(...VERIFIED),
  "Every required check that this change concerns ran on exactly these files and passed.":
    checksAre("verified, one concerned"),
  "The failures that remain also occur without this change.": checksAre("preexisting"),
  "At least one required check fails on these files, without any change.": checksAre("failed without a change"),
  "The set-up before the checks fails, so no check ran.": checksAre("failed in the set-up"),
  "At least one required check fails because of this change.": checksAre(
    "failed, base passes",
    "failed, other command",
  ),
  "At least one required check fails.": ({checks}) => checks.startsWith("failed"),
  "Not every required check ran in full, so the change is not verified.": checksAre("partial"),
  "The checks pass, but the change weakens the checks themselves, so their result proves nothing.":
    checksAre("tampered"),
  "The change weakens its own checks, so their result proves nothing.": checksAre(
    "tampered",
    "tampered, a check fails",
  ),
  "No checks were found in this repository, so the agent was not started.": ({checks, hasAttempt}) =>
    checks === "unverified: no-stages" && !hasAttempt,
  "No checks were found in this repository.": checksAre("unverified: no-stages"),
  "A test command ran no tests.": checksAre("no test ran"),
  'It was committed because of `"onFailure": "commit"`.': ({publication}) => publication === "committed",
  "No pull request was opened or updated.": isNotPushed,
  "The changes are in this clone, on the branch": ({publication}) => publication.startsWith("in the clone"),
  "Pushed to": isPushed,
  "The changes are saved on": (world) => isSaved(world) && !world.publication.startsWith("in the clone"),
  "**Dry run:** nothing was pushed.": ({publication}) => publication.startsWith("dry run"),
  "The changes could not be pushed, so they are only on the machine that ran this, on": ({publication}) =>
    publication === "on the machine",
  "The work so far is pushed.": isPushed,
  "The work so far is saved.": (world) => isSaved(world) || world.publication === "in the clone",
  "The changes that were saved before this run are still saved.": ({request, publication}) =>
    ["saved work", "pull request"].includes(request) && publication === "none",
  "No saved work is recorded.": (world) => world.publication === "none" && hasWork(world),
  "These files are not on the saved branch.": isSaved,
  "No check that ran is known to read these changed files:": checksAre(
    "verified, a file unread",
    "failed, not compared",
  ),
  "Tests that another session wrote from the request before the work:": checksAre("verified, flagged"),
  "No tests were written from the request before the work:": checksAre("preexisting"),
  "This merges": ({hasAttempt, request}) => request.startsWith("update") && hasAttempt,
  "This run started by itself, because GitHub reported a conflict with the default branch.": ({request}) =>
    request === "update by itself",
  "This reverts": ({hasAttempt, request}) => request === "undo" && hasAttempt,
  "Specs given to the agent:": ({hasAttempt, request}) =>
    hasAttempt && ["issue", "pull request", "schedule"].includes(request),
};

/** Parts of sentences with names in them, and when they are true. */
const NAMED: readonly (readonly [RegExp, (world: World) => boolean])[] = [
  [/ already fails? /, checksAre("preexisting")],
  [/ for 30 days\./, isSaved],
  [/, pull request \[#8\]/, ({publication}) => publication === "pull request" || publication === "committed"],
  [/\| Verified tree \|/, ({checks, hasAttempt}) => hasAttempt && /^(?:verified|preexisting)/.test(checks)],
  [/ can comment `\/approve /, ({checks}) => /^(?:tampered|failed, other command)/.test(checks)],
];

/** Sentences of the tables whose key is a kind of the record: true for this kind only. */
const KEYED: readonly (readonly [string, (record: RunRecord) => boolean])[] = [
  ...Object.entries(UNVERIFIED).map(
    ([why, {sentence}]) =>
      [sentence, ({verdict}: RunRecord) => verdict.kind === "unverified" && verdict.why === why] as const,
  ),
  ...Object.entries(NOTHING).map(
    ([why, sentence]) =>
      [sentence, ({verdict}: RunRecord) => verdict.kind === "nothing-to-verify" && verdict.why === why] as const,
  ),
  ...Object.entries(FAILURES).map(
    ([kind, {headline}]) =>
      [`**${headline}**`, ({failures}: RunRecord) => failures.some((failure) => failure.kind === kind)] as const,
  ),
];

async function terminalText(record: RunRecord): Promise<string> {
  let text = "";
  const out = {write: (part: string) => (text += part)};
  const colors = pc.createColors(false);
  await lineReporter({out, err: out, colors, isQuiet: false, readText: async () => null}).finish(record);
  return text;
}

/** What is said in the thread, in a terminal, and to other programs. The longer forms contain the comment. */
const shortForms = async (record: RunRecord): Promise<string[]> => [
  renderReport(record),
  await terminalText(record),
  toJunit(record).replaceAll("&quot;", '"'),
  JSON.stringify([recordToSarif(record), annotationsOf(record)]),
];
const longForms = (record: RunRecord): string[] => [
  renderSummary(record),
  renderPullRequest(record).body,
  renderCheck(record)?.summary ?? "",
  renderCheck(record)?.title ?? "",
];

/** The claims of these texts that are not true in this world. */
function untrue(texts: readonly string[], world: World): string[] {
  const isSaid = (sentence: string) => texts.some((text) => text.includes(sentence));
  const claims = Object.entries(TRUE).filter(([sentence, isTrue]) => !isTrue(world) && isSaid(sentence));
  const named = NAMED.filter(([part, isTrue]) => !isTrue(world) && texts.some((text) => part.test(text)));
  const keyed = KEYED.filter(([sentence, isTrue]) => !isTrue(world.record) && isSaid(sentence));
  return [...claims, ...named, ...keyed].map(([sentence]) => `${world.name}: ${sentence}`);
}

/** Texts of the repository, the agent and other programs in these worlds. */
const FOREIGN = [
  ...[
    "Not a check: it builds what `npm publish` sends.",
    "is empty. Add one.",
    "too slow",
    "a key",
    "a.txt:1",
    "a.txt: a link",
  ],
  ...["tests/parse.test.ts:21: Test `keeps` is skipped", "a.txt", "exit code 1", "Add x.", "*Update it.*"],
];

const RETRY_STEP =
  /then (?:comment ‹›|comment your request again|run the command again|start the workflow again)(?=[.:]$)/;

/** The sentences of a comment that are neither a claim, nor foreign text, a table, or the first line. */
function otherSentences(comment: string): string[] {
  let text = comment.replace(/^(`{3,})[\s\S]*?^\1$/gm, "");
  for (const sentence of Object.keys(TRUE)) text = text.replaceAll(sentence, " § ");
  for (const foreign of FOREIGN) text = text.replaceAll(foreign, "");
  return text
    .split("\n")
    .filter((line, index) => index > 1 && !/^[|>]|^<\/?details>|^<!--/.test(line))
    .map((line) =>
      line
        .replace(/^<summary>(.*)<\/summary>$/, "$1")
        .replace(/\]\([^)]*\)/g, "")
        .replace(/[*[]/g, ""),
    )
    .map((line) =>
      line
        .replace(/`[^`]*`/g, "‹›")
        .replace(/\d+/g, "0")
        .replace(/^- /, ""),
    )
    .flatMap((line) => line.split(/(?<=[.:!?]) |§/))
    .map((part) => part.trim().replace(RETRY_STEP, "then retry"))
    .filter((part) => /[a-z]{2}/i.test(part));
}

/** The kind of the publication already decides where these are asked for. */
const DECIDED_BEFORE: readonly string[] = [
  "No pull request was opened or updated.",
  "The changes could not be pushed, so they are only on the machine that ran this, on",
];

let forms: readonly {readonly world: World; readonly texts: readonly string[]}[] = [];
beforeAll(async () => {
  forms = await Promise.all(SHOWN.map(async (world) => ({world, texts: await shortForms(world.record)})));
});

test("there are enough states, and each claim is said in one of them", () => {
  expect(WORLDS.length).toBeGreaterThan(1_500);
  expect(SHOWN.length).toBeGreaterThan(300);
  const unsaid = Object.keys(TRUE).filter(
    (sentence) => !forms.some(({texts}) => texts.some((text) => text.includes(sentence))),
  );
  expect(unsaid).toEqual([]);
  expect(Object.keys(CHECKS).filter((name) => !SHOWN.some(({checks}) => checks === name))).toEqual([]);
});

test("no claim is untrue in any form of the report", () => {
  expect(forms.flatMap(({world, texts}) => untrue(texts, world))).toEqual([]);
  expect(everyNth(SHOWN, 10).flatMap((world) => untrue(longForms(world.record), world))).toEqual([]);
});

test("every other sentence is one that a person has read, and that claims nothing about the run", () => {
  const sentences = forms.flatMap(({texts: [comment = ""]}) => otherSentences(comment));
  const unread = [...new Set(sentences)].filter((sentence) => !NEUTRAL.includes(sentence));
  expect(unread.toSorted()).toEqual([]);
});

/** Words of Assay's own sources, in text that a person reads first: the folded parts and code may have them. */
function ownWords(text: string): string[] {
  const open = text.replace(
    /<details>[\s\S]*?<\/details>|<!--[\s\S]*?-->|^(`{3,})[\s\S]*?^\1$|`[^`]*`|\]\([^)]*\)/gm,
    "",
  );
  const own = FOREIGN.reduce((rest, foreign) => rest.replaceAll(foreign, ""), open.replaceAll("  stages: ", ""));
  return own.split("\n").filter((line) => /\b(?:trees?|candidates?|stages?|parked)\b|need code of this/i.test(line));
}

test("comments and the terminal have no words that only Assay's sources know", () => {
  expect(ownWords("The stage `stage` is done.\n<details>a stage</details>\n`a tree`")).toHaveLength(1);
  const found = forms.flatMap(({texts: [comment = "", terminal = ""]}) => [
    ...ownWords(comment),
    ...ownWords(terminal),
  ]);
  const pulls = everyNth(SHOWN, 10).flatMap(({record}) => ownWords(renderPullRequest(record).body));
  expect([...new Set([...found, ...pulls])]).toEqual([]);
});

/** Neighbours are alike, so that a mixed order finds one that notices sooner. */
const MIXED = SHOWN.map((_, index) => SHOWN[(index * 211) % SHOWN.length]).filter((world) => world !== undefined);

const isNoticed = (world: World) => {
  const comment = renderReport(world.record);
  return untrue([comment], world).length > 0 || otherSentences(comment).some((sentence) => !NEUTRAL.includes(sentence));
};

const CASES = Object.entries(CLAIMS).flatMap(([place, claims]) =>
  Object.keys(claims).flatMap((sentence) => (DECIDED_BEFORE.includes(sentence) ? [] : [[sentence, place] as const])),
);

test.each(CASES)("noticed if said in every run: %s", (sentence, place) => {
  const claims = CLAIMS[place as ClaimPlace] as Record<string, (record: RunRecord) => boolean>;
  const always = vi.spyOn(claims, sentence).mockReturnValue(true);
  const isSeen = MIXED.some(isNoticed);
  always.mockRestore();
  expect(isSeen).toBe(true);
  expect(MIXED.slice(0, 5).some(isNoticed)).toBe(false);
});

test.each(["The work so far is saved.", "Its changes so far were saved and checked.", "All of the work is safe."])(
  "noticed if it is a constant text about a failure: %s",
  (effect) => {
    const words = FAILURES.interrupted as {effect?: string};
    words.effect = effect;
    const isSeen = MIXED.some(isNoticed);
    delete words.effect;
    expect(isSeen).toBe(true);
  },
);

test("a report has one next step: of its failures, or else of the verdict, or else of the saved work", () => {
  const steps = (comment: string) =>
    comment.match(/\*\*(?:Next:\*\*|[^*\n]{20,}[.:]\*\*)/g)?.filter((bold) => !isTitle(bold)) ?? [];
  const isTitle = (bold: string) =>
    bold === "**Edits that weaken the checks.**" || bold === "**Review these places before you merge:**";
  for (const {
    world,
    texts: [comment = ""],
  } of forms) {
    const found = steps(comment);
    const causes = world.failures.filter((kind) => kind !== "interrupted");
    expect(found.length, `${world.name}\n${found.join("\n")}`).toBeLessThanOrEqual(Math.max(1, causes.length));
    expect(new Set(found).size, world.name).toBe(found.length);
  }
});
