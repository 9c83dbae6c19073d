/** The lines of an event log: each event fits the published schema, and texts are redacted without breaking the JSON. */
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {expect, onTestFinished, test} from "vitest";
import {eventLineSchema, finishedFacts} from "../../../src/record/event-line.ts";
import type {RunEvent} from "../../../src/record/events.ts";
import {NO_USAGE} from "../../../src/record/usage.ts";
import {openEventFile} from "../../../src/run/event-file.ts";
import {plannedStage} from "../../rig/plans.ts";
import {attempt, id, record, stage, turn} from "../report/records.ts";

const SECRET = 'quote"d-secret';
const opinion = {kind: "not-judged", why: "timed-out", detail: "", usage: NO_USAGE, durationMs: 1} as const;
const parked = {kind: "parked", ref: "refs/heads/a", commit: id("a"), tree: id("b")} as const;
/** One of each kind; a new kind does not compile until it is here. */
const EVENTS: {readonly [Kind in RunEvent["kind"]]: Extract<RunEvent, {kind: Kind}>} = {
  admitted: {kind: "admitted", by: "ada", text: SECRET},
  planned: {kind: "planned", stages: [plannedStage({name: "test"})], maxAttempts: 3},
  "turn-started": {kind: "turn-started", attempt: 1, prompt: SECRET, reason: "task"},
  "agent-acted": {kind: "agent-acted", line: `bash echo ${SECRET}`, usage: NO_USAGE},
  "turn-finished": {kind: "turn-finished", attempt: 1, turn: turn({answer: SECRET})},
  "setup-started": {kind: "setup-started", command: "npm ci"},
  "setup-finished": {kind: "setup-finished", result: stage()},
  "stage-started": {kind: "stage-started", stage: plannedStage({name: "test"}), index: 1, of: 2},
  "stage-finished": {kind: "stage-finished", result: stage({excerpt: SECRET}), index: 1, of: 2},
  "attempt-finished": {kind: "attempt-finished", attempt: attempt()},
  "judge-started": {kind: "judge-started", attempt: 1},
  judged: {kind: "judged", attempt: 1, opinion},
  "objections-exhausted": {kind: "objections-exhausted", opinions: 2},
  published: {kind: "published", publication: parked},
};

function logOf(events: readonly RunEvent[]): string {
  const folder = mkdtempSync(join(tmpdir(), "assay-events-"));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  const path = join(folder, "events.jsonl");
  const redact = (text: string) => text.replaceAll(SECRET, "***");
  const file = openEventFile({path, top: null, redact, now: () => "2026-11-23T12:00:00.000Z"});
  if (!file.ok) throw new Error(file.failure);
  for (const event of events) file.value.onEvent(event);
  file.value.write(finishedFacts(record(), true));
  file.value.close();
  file.value.onEvent(EVENTS.admitted);
  return readFileSync(path, "utf8");
}

test("each event is one line that the schema describes completely", () => {
  const lines = logOf(Object.values(EVENTS)).trimEnd().split("\n");
  expect(lines).toHaveLength(Object.keys(EVENTS).length + 1);
  for (const line of lines) expect(eventLineSchema.parse(JSON.parse(line))).toEqual(JSON.parse(line));
});

test("no prompt, answer or output is in it, and a secret in a tool call is redacted", () => {
  const text = logOf(Object.values(EVENTS));
  expect(text).not.toContain("secret");
  expect(text).toContain('"action":"bash echo ***"');
});

test("a path that cannot be written is refused with a sentence", () => {
  const file = openEventFile({path: "/nowhere/at/all", top: null, redact: (text) => text, now: () => ""});
  expect(file).toMatchObject({ok: false, failure: expect.stringContaining("the event log cannot be written")});
});

test("a link in a foreign repository is not followed out of it, and other links are", () => {
  const place = mkdtempSync(join(tmpdir(), "assay-events-"));
  onTestFinished(() => rmSync(place, {recursive: true}));
  const [top, outside] = [join(place, "clone"), join(place, "outside")];
  for (const folder of [top, outside]) mkdirSync(folder);
  writeFileSync(join(outside, "profile"), "mine");
  symlinkSync("../outside/profile", join(top, "events.jsonl"));
  symlinkSync("../outside/new", join(top, "dangling"));
  symlinkSync("../outside", join(top, "logs"));
  symlinkSync("../clone", join(outside, "to-clone"));
  symlinkSync("real.jsonl", join(top, "own"));
  const open = (path: string) => {
    const file = openEventFile({path, top, redact: (text) => text, now: () => ""});
    if (file.ok) file.value.close();
    return file.ok;
  };
  for (const path of ["events.jsonl", "dangling", "logs/profile", "logs/new"])
    expect(open(join(top, path))).toBe(false);
  expect([readdirSync(outside), readFileSync(join(outside, "profile"), "utf8")]).toEqual([
    ["profile", "to-clone"],
    "mine",
  ]);
  expect([open(join(top, "real.jsonl")), open(join(top, "own")), open(join(outside, "profile"))]).toEqual([
    true,
    true,
    true,
  ]);
  expect(open("/dev/null")).toBe(true);
});
