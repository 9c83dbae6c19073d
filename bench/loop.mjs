/**
 * The whole loop, red and then green, against the same stages in plain order: type check, lint, test, build through npm, all of it
 * again; and with the integrity checks against without, for a change that touches no test and no file of the checks.
 */
import {execFileSync, spawnSync} from "node:child_process";
import {cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {homedir, tmpdir} from "node:os";
import {join} from "node:path";
import {setTimeout as wait} from "node:timers/promises";
import {fileURLToPath} from "node:url";
import {DEFAULT_CONFIG} from "../src/detect/config/config.ts";
import {openBaseline} from "../src/engine/baseline/baseline.ts";
import {openCheckouts} from "../src/engine/checkout/checkout.ts";
import {chooseSandbox} from "../src/engine/isolation/choose-sandbox.ts";
import {stageHome} from "../src/engine/isolation/home.ts";
import {verify} from "../src/verify/verify.ts";
import {median} from "./median.mjs";
import {openFrom, openOrigin, unwrap} from "./origin.mjs";
import {change, generate, TOOLS} from "./project.mjs";

const ROUNDS = Number(process.env.ASSAY_BENCH_ROUNDS ?? 3);
const CLI = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
/** The project's tools, installed once; git-ignored, and to be deleted at will. */
const CACHE = fileURLToPath(new URL("../node_modules/.cache/assay-bench/loop/", import.meta.url));
/** A module in the middle: others import it, and it imports others. */
const CHANGED = 62;
/** The base's stages have to end in this time. */
const MAX_MS = 900_000;
const PLAIN = ["typecheck", "lint", "test", "build"];

export async function measure() {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-loop-"));
  try {
    const installed = install();
    const commits = layOut(folder);
    const plan = planOf(commits.origin, installed);
    const engine = await openEngine({folder, commits, plan});
    const plain = layPlain({folder, origin: commits.origin, installed});
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) {
      const arms = {
        plain: () => plainLoop(plain),
        assay: () => engine.loop(DEFAULT_CONFIG.integrity),
        without: () => engine.loop(null),
      };
      const times = {};
      const order = ["plain", "assay", "without"];
      for (const arm of round % 2 === 0 ? order : order.toReversed()) times[arm] = await arms[arm]();
      const whole = ({red, green}) => red + green;
      console.log(order.map((arm) => `${arm} ${seconds(times[arm].red)} + ${seconds(times[arm].green)}`).join(", "));
      rounds.push({
        ...times,
        ratio: whole(times.assay) / whole(times.plain),
        integrity: whole(times.assay) / whole(times.without),
      });
    }
    await engine.dispose();
    return {
      tools: TOOLS,
      rounds,
      bounds: [
        {
          what: "red, then green, against the plain order",
          value: median(rounds.map(({ratio}) => ratio)),
          bound: 0.45,
          unit: "×",
        },
        {
          what: "red, then green, with the integrity checks against without",
          value: median(rounds.map(({integrity}) => integrity)),
          bound: 1.03,
          unit: "×",
        },
      ],
    };
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

function install() {
  const modules = join(CACHE, "node_modules");
  if (!existsSync(join(modules, ".package-lock.json"))) {
    mkdirSync(CACHE, {recursive: true});
    generate(CACHE);
    const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts=false"];
    execFileSync("npm", args, {cwd: CACHE, stdio: "ignore"});
  }
  return modules;
}

/** Base, red and green as commits of one repository; red and green stand on the base, as candidates do. */
function layOut(folder) {
  const {origin, git, commit} = openOrigin(folder);
  generate(origin);
  const base = commit("Base");
  const {path, wrong, right} = change(CHANGED);
  const candidate = (text) => {
    git("checkout", "-q", base.commit);
    writeFileSync(join(origin, path), text);
    return {...commit("Change"), base: base.commit};
  };
  const commits = {origin, base, red: candidate(wrong), green: candidate(right)};
  git("checkout", "-q", base.commit);
  return commits;
}

/** What Assay itself plans for the project; only the install is a copy of the one in the cache. */
function planOf(origin, installed) {
  const told = spawnSync(process.execPath, [CLI, "plan", "--json"], {cwd: origin, encoding: "utf8"});
  const plan = JSON.parse(told.stdout);
  const names = plan.stages.map(({kind}) => kind);
  if (PLAIN.some((kind) => !names.includes(kind))) throw new Error(`the plan has ${names.join(", ")} only`);
  const [step] = plan.setup;
  // On a busy machine a stage may take long; that is measured, and not to be stopped.
  const stages = plan.stages.map((stage) => ({...stage, timeout: 900}));
  return {...plan, stages, setup: [{...step, command: `cp -a ${installed} node_modules`, tools: []}]};
}

async function openEngine({folder, commits, plan}) {
  const repository = await openFrom({origin: commits.origin, folder: join(folder, "git")});
  for (const {commit} of [commits.base, commits.red, commits.green]) await repository.fetch(commit);
  const probes = join(folder, "probes");
  mkdirSync(probes);
  const fence = await chooseSandbox({sandbox: "auto", network: "all", folder: probes});
  const {level: isolation} = fence;
  const home = stageHome({realHome: homedir(), variables: process.env, isolation: fence, private: []});
  const {signal} = new AbortController();
  const base = commits.base.commit;
  const checkouts = openCheckouts({
    folder: join(folder, "checkouts"),
    repository,
    base,
    setup: plan.setup,
    dependencies: {kind: "install"},
    home,
    isolation: fence,
    signal,
    onEvent: () => undefined,
  });
  const baseline = openBaseline({checkouts, repository, base, plan, changes: [], kept: null, signal});
  // The agent's first turn: in that time the base is installed, and its stages run.
  await Promise.race([baseline.begin(), wait(MAX_MS, null, {ref: false})]);
  await baseline.pause();
  const unseen = plan.stages.find((stage) => baseline.durationMs(stage) === null);
  if (unseen !== undefined) throw new Error(`the base's ${unseen.name} has no result`);
  console.log(
    `isolation ${isolation}; on the base: ${plan.stages.map((stage) => `${stage.name} ${seconds(baseline.durationMs(stage))}`).join(", ")}`,
  );

  const look = async (candidate, before, integrity) => {
    const changes = unwrap(await repository.changes(base, candidate.commit));
    return verify({
      candidate,
      changes,
      checkouts,
      baseline,
      repository,
      plan,
      isolation,
      signal,
      previous: before,
      only: [],
      failFast: false,
      spent: () => null,
      flaky: [],
      mayRunAffectedFirst: true,
      toolchain: null,
      coverageRules: {...DEFAULT_CONFIG, wholePlan: plan},
      integrity,
      onEvent: () => undefined,
    });
  };
  return {
    async loop(integrity) {
      const red = await look(commits.red, null, integrity);
      if (red.verdict.kind !== "failed") throw new Error(`red is ${JSON.stringify(red.verdict)}`);
      const green = await look(commits.green, red, integrity);
      const passed = green.stages.filter(({outcome, narrowed}) => outcome === "passed" && narrowed === undefined);
      if (green.verdict.kind !== "verified" || passed.length !== plan.stages.length)
        throw new Error(`green is ${JSON.stringify(green.verdict)}`);
      const stages = (of) =>
        of.stages.map(({name, outcome, durationMs, narrowed}) => ({name, outcome, durationMs, narrowed}));
      return {red: red.durationMs, green: green.durationMs, stages: {red: stages(red), green: stages(green)}};
    },
    dispose: () => checkouts.dispose(),
  };
}

function layPlain({folder, origin, installed}) {
  const place = join(folder, "plain");
  cpSync(origin, place, {recursive: true, filter: (path) => !path.endsWith("/.git")});
  execFileSync("cp", ["-a", installed, join(place, "node_modules")]);
  return place;
}

/** Each attempt runs everything again, and stops at the first failure. */
function plainLoop(folder) {
  const {path, wrong, right} = change(CHANGED);
  const attempt = (text, expected) => {
    writeFileSync(join(folder, path), text);
    rmSync(join(folder, "dist"), {recursive: true, force: true});
    const from = performance.now();
    const failed = PLAIN.find(
      (name) =>
        spawnSync("npm", ["run", name], {cwd: folder, stdio: "ignore", env: {...process.env, CI: "true"}}).status !== 0,
    );
    if (failed !== expected) throw new Error(`the plain order failed in ${failed}, not in ${expected}`);
    return performance.now() - from;
  };
  return {red: attempt(wrong, "test"), green: attempt(right, undefined)};
}
