/** P9: however requests, chat and the bot's own comments follow on each other, each request gets one finished answer. */
import {describe, expect, onTestFailed, test} from "vitest";
import {plain} from "../rig/projects.ts";
import {createRig} from "../rig/rig.ts";
import {CALLING, oneJob, SEPARATED} from "../rig/separated.ts";
import {isSweep} from "../sweep.ts";
import {playThread} from "./interleavings.ts";
import {randomFrom} from "./random.ts";

const MANY = Number(process.env["ASSAY_THREADS"] ?? 2);
const AT_ONCE = 8;
const SEED = Number(process.env["ASSAY_SEED"] ?? 1);
/** As a server reads them that does not know the key. */
const withoutQueue = (text: string) => text.replaceAll(/^ *queue: max\n/gm, "");

const ONE_JOB = oneJob("/assay @assay");
const KINDS = [
  {name: "one job", text: ONE_JOB},
  {name: "one job, without `queue`", text: withoutQueue(ONE_JOB)},
  {name: "separate jobs", text: SEPARATED},
  {name: "separate jobs, without `queue`", text: withoutQueue(SEPARATED)},
  {name: "the called workflow", text: CALLING},
  {
    name: "one job, without `queue` and `if`",
    text: withoutQueue(ONE_JOB).replace(/^ {4}if: >-\n(?: {6}.*\n)+/m, ""),
    startsAlways: true,
  },
];

const TRIED = isSweep ? KINDS : KINDS.filter(({name}) => ["one job", "separate jobs"].includes(name));

describe.each(TRIED)("$name", ({text, startsAlways = false}) => {
  test(`${MANY} threads`, async () => {
    await using rig = await createRig({files: plain(), watches: false, onFailed: onTestFailed});
    const seeds = Array.from({length: MANY}, (_, number) => SEED * 1_000 + number);
    const wrong: string[] = [];
    /** Several threads at once: most of one is waiting. */
    async function playSome(): Promise<void> {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
        const found = await playThread({rig, text, startsAlways, random: randomFrom(seed)});
        wrong.push(...found.map((one) => `${seed}: ${one}`));
      }
    }
    await Promise.all(Array.from({length: AT_ONCE}, playSome));
    expect(wrong).toEqual([]);
  }, 3_600_000);
});
