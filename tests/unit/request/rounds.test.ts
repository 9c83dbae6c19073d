/** Red CI, people, bots and Assay itself in any order: what red CI starts is bounded, and nothing of Assay starts Assay. */
import {expect, test} from "vitest";
import {runMarker} from "../../../src/github/marker.ts";
import {ok} from "../../../src/record/words.ts";
import {MAX_ROUNDS} from "../../../src/request/admission.ts";
import {sumEarlierRuns} from "../../../src/run/earlier-runs.ts";
import {randomFrom} from "../../sweeps/random.ts";
import {ada, decide, eventWith} from "./decided.ts";

const bot = {login: "coderabbitai[bot]", id: 9, type: "Bot"};
const own = {login: "assay-app[bot]", id: 8, type: "Bot"};
const KINDS = ["ci", "ci", "ci", "request", "review", "bot", "own", "stop", "twice"] as const;

/** One pull request with random events; gives the runs that were admitted, by what started them. */
function play(seed: number): {started: string[]; rounds: number; usd: number} {
  const random = randomFrom(seed);
  const bodies: string[] = [];
  const answered = new Set<string>();
  const started: string[] = [];
  let last = 0;
  for (let at = 1; at <= 12; at += 1) {
    const kind = KINDS[Math.floor(random() * KINDS.length)] ?? "ci";
    const id = kind === "twice" ? last : at;
    last = id;
    const author = kind === "bot" ? bot : kind === "own" ? own : ada;
    const text = kind === "own" ? (bodies.at(-1) ?? "<!-- assay -->") : kind === "stop" ? "/stop" : "/assay do it";
    const trigger = {
      kind: kind === "ci" ? ("ci" as const) : kind === "review" ? ("review" as const) : ("comment" as const),
      id,
    };
    const ci = {
      kind: "ci" as const,
      run: id,
      commit: "c".repeat(40),
      issue: 1,
      workflow: "CI",
      path: "ci.yml",
      url: "",
    };
    const event = {...eventWith({trigger, text, author}), ...(kind === "ci" && {ci})};
    const run = `${trigger.kind}-${id}`;
    const earlier = sumEarlierRuns(bodies, run);
    const times = bodies.map(() => "2020-01-01T00:00:00Z");
    const admission = decide(event, {
      thread: ok({earlierId: answered.has(run) ? 1 : null, times}),
      automaticRuns: kind === "ci" ? ok(0) : null,
      rounds: earlier.rounds.runs,
    });
    if (admission.kind !== "admitted" || admission.request.kind === "stop") continue;
    started.push(kind);
    answered.add(run);
    // A round may also end without an attempt, which costs nothing.
    const isSpent = random() < 0.7;
    bodies.push(runMarker({run, session: null, ...(isSpent && {spent: {usd: 1, minutes: 1}})}));
  }
  const total = sumEarlierRuns(bodies, "");
  expect(new Set(answered).size).toBe(started.length);
  return {started, rounds: total.rounds.runs, usd: total.rounds.usd};
}

test("in 300 random orders, red CI has at most two rounds, and neither bots nor Assay start a run", () => {
  const all = Array.from({length: 300}, (_, seed) => play(seed));
  for (const {started, rounds, usd} of all) {
    expect(rounds).toBeLessThanOrEqual(MAX_ROUNDS);
    expect(usd).toBeLessThanOrEqual(MAX_ROUNDS);
    expect(started.filter((kind) => kind === "bot" || kind === "own")).toEqual([]);
  }
  // The bound is reached, so a weaker one would be noticed.
  expect(all.filter(({rounds}) => rounds === MAX_ROUNDS).length).toBeGreaterThan(100);
});
