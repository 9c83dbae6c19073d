/** From the verdict to the finished comment, in the demo's world: `npm run bench -- comment`. */
import {ISSUE, REQUEST, TURNS} from "../tests/demo/script.ts";
import {typescript} from "../tests/rig/projects.ts";
import {createRig} from "../tests/rig/rig.ts";
import {median} from "./median.mjs";

const ROUNDS = Number(process.env.ASSAY_BENCH_ROUNDS ?? 3);

export async function measure() {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push(await oneRun());
    console.log(`from the verdict to the finished comment ${rounds.at(-1).toFixed(2)} s`);
  }
  const bounds = [{what: "from the verdict to the finished comment", value: median(rounds), bound: 3, unit: "s"}];
  return {rounds, bounds};
}

/** In seconds. The verdict is the line of the log, the end is the request that writes the report. */
async function oneRun() {
  await using rig = await createRig({files: typescript(), watches: false});
  rig.model.script(TURNS);
  const issue = await rig.openIssue(ISSUE);
  let verdictMs = 0;
  const onOutput = (text) => {
    if (text.includes("Attempt 2: verified")) verdictMs = Date.now();
  };
  const running = await rig.begin(REQUEST, {by: "will", on: issue, onOutput});
  await running.ended;
  const report = rig.github.requests.find(
    ({method, path, body}) => method === "PATCH" && path.includes("/comments/") && body.includes("**✅ Verified**"),
  );
  if (verdictMs === 0 || report === undefined) throw new Error(rig.story());
  return (report.at - verdictMs) / 1000;
}
