/** What the base's stages, run while an agent thinks, add to the time until the verdict: the same run with them and without. */
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {DEFAULT_CONFIG} from "../src/detect/config/config.ts";
import {openBaseline} from "../src/engine/baseline/baseline.ts";
import {openCheckouts} from "../src/engine/checkout/checkout.ts";
import {run} from "../src/process/run.ts";
import {verify} from "../src/verify/verify.ts";
import {median} from "./median.mjs";
import {openFrom, openOrigin} from "./origin.mjs";

/** How long the agent thinks; `ASSAY_BENCH_SECONDS=10` for a quick look, in which a fixed cost weighs more. */
const SECONDS = Number(process.env.ASSAY_BENCH_SECONDS ?? 60);
const ROUNDS = 3;
/** Of each stretch of the agent's time most is spent waiting for the model, and the rest by tools that compute. */
const STRETCH_MS = 2_000;
const COMPUTING = 0.25;
/** Processes of a tool and of a stage, as those of a test runner. */
const WORKERS = 2;
/** Each stage computes for this share of the agent's time. */
const STAGE_SHARE = 0.2;
const STAGES = ["typecheck", "lint", "test"];
/** What a common machine computes. */
const HASHES_A_MS = 1_000;

const BUSY = `
import {createHash} from "node:crypto";
let hash = "";
for (let left = Number(process.argv[2]); left > 0; left--) hash = createHash("sha256").update(hash).digest("hex");
`;

export async function measure() {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-baseline-"));
  try {
    const git = commits(folder);
    await once({folder, git, seconds: 1, withBaseline: true, name: "warm"});
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) {
      const times = {};
      const order = round % 2 === 0 ? [false, true] : [true, false];
      for (const withBaseline of order) {
        const name = `${round}-${withBaseline}`;
        times[withBaseline ? "with" : "without"] = await once({folder, git, seconds: SECONDS, withBaseline, name});
      }
      console.log(`agent of ${SECONDS} s: ${times.without.toFixed(0)} ms without, ${times.with.toFixed(0)} ms with`);
      rounds.push({...times, added: (100 * (times.with - times.without)) / times.without});
    }
    const value = median(rounds.map(({added}) => added));
    return {seconds: SECONDS, rounds, bounds: [{what: "wall time added by the baseline", value, bound: 3, unit: "%"}]};
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

/** A base and a candidate; both pass, so that nothing but the background run tells the two arms apart. */
function commits(folder) {
  const {origin, commit} = openOrigin(folder);
  writeFileSync(join(origin, "busy.mjs"), BUSY);
  const base = commit("Base");
  writeFileSync(join(origin, "new.txt"), "new\n");
  return {origin, base, candidate: {...commit("Candidate"), base: base.commit}};
}

async function once({folder, git, seconds, withBaseline, name}) {
  const repository = await openFrom({origin: git.origin, folder: join(folder, `${name}.git`)});
  for (const {commit} of [git.base, git.candidate]) await repository.fetch(commit);
  const plan = /** @type {import("../src/record/plan.ts").Plan} */ ({
    schema: "assay.plan/1",
    stages: STAGES.map((kind) => stage(kind, seconds)),
    setup: [],
    notRun: [],
    notes: [],
  });
  const {signal} = new AbortController();
  const env = {PATH: process.env.PATH ?? ""};
  const checkouts = openCheckouts({
    folder: join(folder, name),
    repository,
    base: git.base.commit,
    setup: [],
    dependencies: {kind: "install"},
    home: {
      variables: () => env,
      populate: async (home) => void mkdirSync(home, {recursive: true}),
      moveDownloads: async () => undefined,
      saveDownloads: async () => undefined,
      sandbox: () => null,
    },
    isolation: {level: "degraded", confines: false, overlays: false, network: "all", refusal: null, warning: null},
    signal,
    onEvent: () => undefined,
  });
  const base = git.base.commit;
  const baseline = openBaseline({checkouts, repository, base, plan, changes: [], kept: null, signal});
  const from = performance.now();
  if (withBaseline) baseline.begin();
  for (let ms = 0; ms < seconds * 1000; ms += STRETCH_MS) await think(env);
  await baseline.pause();
  const verification = await verify({
    candidate: git.candidate,
    changes: [{path: "new.txt", status: "added"}],
    checkouts,
    baseline,
    repository,
    plan,
    isolation: "degraded",
    signal,
    only: [],
    failFast: false,
    previous: null,
    mayRunAffectedFirst: false,
    toolchain: null,
    spent: () => null,
    flaky: [],
    coverageRules: {...DEFAULT_CONFIG, wholePlan: plan},
    integrity: null,
    onEvent: () => undefined,
  });
  const ms = performance.now() - from;
  if (verification.verdict.kind !== "verified") throw new Error(JSON.stringify(verification.verdict));
  await checkouts.dispose();
  return ms;
}

/** A fixed amount of computing between two waits: a busy machine makes it longer, as it would an agent's tools. */
async function think(env) {
  await new Promise((resolve) => setTimeout(resolve, STRETCH_MS * (1 - COMPUTING)));
  const hashes = String(Math.round(STRETCH_MS * COMPUTING * HASHES_A_MS));
  const program = `data:text/javascript,${encodeURIComponent(BUSY)}`;
  /** @type {[string, ...string[]]} */
  const argv = [process.execPath, "--input-type=module", "-e", `import(${JSON.stringify(program)})`, "", hashes];
  const tool = () => run({argv, cwd: "/", env}, {timeoutMs: 60_000, isolation: "degraded"});
  await Promise.all(Array.from({length: WORKERS}, tool));
}

function stage(kind, seconds) {
  const hashes = Math.round(seconds * 1000 * STAGE_SHARE * HASHES_A_MS);
  const command = [...Array.from({length: WORKERS}, () => `node busy.mjs ${hashes} &`), "wait"].join(" ");
  return {
    name: kind,
    kind,
    command,
    cwd: ".",
    timeout: 600,
    optional: false,
    env: {},
    when: [],
    needs: [],
    path: [],
    tools: [],
    origin: {file: "verify.json", key: "stages", why: ""},
  };
}
