/** Loops cannot run away: rounds and budgets hold, each request has one answer, Assay never answers itself, and no work is lost. */
import {expect, onTestFailed, test} from "vitest";
import {plain} from "../rig/projects.ts";
import {createRig} from "../rig/rig.ts";
import {isSweep} from "../sweep.ts";
import {type LoopCounts, playLoops} from "./loops.ts";
import {randomFrom} from "./random.ts";

const MANY = Number(process.env["ASSAY_LOOPS"] ?? (isSweep ? 300 : 3));
const SEED = Number(process.env["ASSAY_SEED"] ?? 1);
const STEPS = isSweep ? 5 : 2;
const AT_ONCE = 4;
const CI = [
  "name: CI",
  "on: [push]",
  "jobs:",
  "  test:",
  "    runs-on: ubuntu-latest",
  "    steps:",
  "      - run: node --test",
  "",
].join("\n");

/** The rig's GitHub allows 5,000 requests, so that each world has only some of the orders. */
const PER_WORLD = 20;
const worlds = Array.from({length: Math.ceil(MANY / PER_WORLD)}, (_, at) => at * PER_WORLD);

test.each(worlds)("interleavings from %i on", {timeout: 7_200_000}, async (first) => {
  // Only where all tries run, they use up a budget often.
  const tries = {count: 1, mode: (first / PER_WORLD) % 2 === 0 ? "first" : "best"};
  const files = plain({verify: {tries}, files: {".github/workflows/ci.yml": CI}});
  await using rig = await createRig({files, watches: false, onFailed: onTestFailed});
  const seeds = Array.from({length: Math.min(PER_WORLD, MANY - first)}, (_, at) => SEED * 1_000 + first + at);
  const counts: LoopCounts = {
    runs: 0,
    published: 0,
    saved: 0,
    rounds: 0,
    updates: 0,
    stopped: 0,
    crashed: 0,
    refused: 0,
  };
  const wrong: string[] = [];
  async function playSome(): Promise<void> {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const found = await playLoops({rig, steps: STEPS, random: randomFrom(seed), counts}).catch((error: unknown) => [
        String(error),
      ]);
      wrong.push(...found.map((one) => `${seed}: ${one}`));
    }
  }
  await Promise.all(Array.from({length: AT_ONCE}, playSome));
  console.info(JSON.stringify(counts));
  expect(wrong).toEqual([]);
  // Otherwise the orders would show nothing.
  expect(counts.published).toBeGreaterThan(0);
});
