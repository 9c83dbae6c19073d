/**
 * In the demo's world, `npm run bench -- comment`: from the verdict to the finished comment, and in separate jobs from the start of the
 * last job's step to it.
 */
import {ISSUE, REQUEST, TURNS} from "../tests/demo/script.ts";
import {typescript} from "../tests/rig/projects.ts";
import {createRig} from "../tests/rig/rig.ts";
import {SEPARATED} from "../tests/rig/separated.ts";
import {median} from "./median.mjs";

const ROUNDS = Number(process.env.ASSAY_BENCH_ROUNDS ?? 3);

export async function measure() {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({verdict: await oneJob(), jobs: await separateJobs()});
    const {verdict, jobs} = rounds.at(-1);
    console.log(`after the verdict ${verdict.toFixed(2)} s, after the start of the last job ${jobs.toFixed(2)} s`);
  }
  const bounds = [
    {
      what: "from the verdict to the finished comment",
      value: median(rounds.map(({verdict}) => verdict)),
      bound: 3,
      unit: "s",
    },
    {
      what: "from the last job's start to the finished comment",
      value: median(rounds.map(({jobs}) => jobs)),
      bound: 3,
      unit: "s",
    },
  ];
  return {rounds, bounds};
}

/** In seconds. The verdict is the line of the log. */
async function oneJob() {
  let verdictMs = 0;
  const onOutput = (text) => {
    if (text.includes("Attempt 2: verified")) verdictMs = Date.now();
  };
  return secondsToReport({onOutput}, () => verdictMs);
}

/** The jobs after it only settle what is left. */
async function separateJobs() {
  let publishMs = 0;
  const onStep = (part) => {
    if (part === "publish") publishMs = Date.now();
  };
  return secondsToReport({separated: {text: SEPARATED, onStep}}, () => publishMs);
}

/** The end is the request that writes the report. */
async function secondsToReport(how, startMs) {
  await using rig = await createRig({files: typescript(), watches: false});
  rig.model.script(TURNS);
  const issue = await rig.openIssue(ISSUE);
  const running = await rig.begin(REQUEST, {by: "will", on: issue, ...how});
  await running.ended;
  const report = rig.github.requests.find(
    ({method, path, body}) => method === "PATCH" && path.includes("/comments/") && body.includes("**✅ Verified**"),
  );
  if (startMs() === 0 || report === undefined) throw new Error(rig.story());
  return (report.at - startMs()) / 1000;
}
