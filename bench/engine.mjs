/** The engine on a graph of stages, beside make, wireit, turbo, npm-run-all2 and the shell, and beside the shortest time there can be. */
import {execFileSync, spawnSync} from "node:child_process";
import {existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {fileURLToPath} from "node:url";
import {rewrittenFiles} from "../src/engine/checkout/rewritten-files.ts";
import {runStages} from "../src/engine/run-plan.ts";
import {median} from "./median.mjs";
import {openFrom, unwrap} from "./origin.mjs";

const ROUNDS = Number(process.env.ASSAY_BENCH_ROUNDS ?? 3);
const CORES = 2;
/** The other runners, installed once; git-ignored, and to be deleted at will. No dependencies of Assay. */
const CACHE = fileURLToPath(new URL("../node_modules/.cache/assay-bench/engine/", import.meta.url));
const PEERS = {wireit: "0.14.13", turbo: "2.11.11", "npm-run-all2": "9.0.4"};

/**
 * Stages that sleep, in seconds: what is measured is the waiting between them, also on a busy machine. Two at a time need as
 * long as the longest chain (a, c, f).
 */
const GRAPH = {
  a: {seconds: 2, needs: []},
  b: {seconds: 3, needs: []},
  c: {seconds: 6, needs: ["a"]},
  d: {seconds: 2, needs: ["b"]},
  e: {seconds: 3, needs: ["b"]},
  f: {seconds: 2, needs: ["c"]},
};
/** The same in groups, for the runner that knows no graph. */
const GROUPS = [["a", "b"], ["c", "d", "e"], ["f"]];

export async function measure() {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-engine-"));
  try {
    layOut(folder);
    const arms = {assay: await engineIn(folder), ...peersIn(folder)};
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) {
      const times = {};
      const names = Object.keys(arms);
      for (const name of round % 2 === 0 ? names : names.toReversed()) {
        const from = performance.now();
        await arms[name]();
        times[name] = performance.now() - from;
      }
      rounds.push(times);
    }
    const ms = Object.fromEntries(Object.keys(arms).map((name) => [name, median(rounds.map((round) => round[name]))]));
    const shortest = shortestMs();
    console.log(
      [["shortest", shortest], ...Object.entries(ms)]
        .map(([name, value]) => `${name} ${(value / 1000).toFixed(2)} s`)
        .join(", "),
    );
    const best = (round) =>
      Math.min(
        ...Object.keys(arms)
          .filter((name) => name !== "assay")
          .map((name) => round[name]),
      );
    return {
      peers: PEERS,
      shortest,
      medians: ms,
      rounds,
      bounds: [
        {
          what: "against the best of the others",
          value: median(rounds.map((r) => r.assay / best(r))),
          bound: 1.05,
          unit: "×",
        },
        {
          what: "against the longest chain",
          value: median(rounds.map((r) => r.assay / shortest)),
          bound: 1.02,
          unit: "×",
        },
      ],
    };
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

/** The longest chain, or all of it shared by the cores, whichever is more. */
function shortestMs() {
  const chain = (name) => GRAPH[name].seconds + Math.max(0, ...GRAPH[name].needs.map(chain));
  const all = Object.values(GRAPH).reduce((sum, {seconds}) => sum + seconds, 0);
  return 1000 * Math.max(all / CORES, ...Object.keys(GRAPH).map(chain));
}

function layOut(folder) {
  if (!existsSync(join(CACHE, "node_modules/.package-lock.json"))) {
    mkdirSync(CACHE, {recursive: true});
    writeFileSync(join(CACHE, "package.json"), JSON.stringify({private: true, dependencies: PEERS}));
    execFileSync("npm", ["install", "--no-audit", "--no-fund"], {cwd: CACHE, stdio: "ignore"});
  }
  execFileSync("cp", ["-a", join(CACHE, "node_modules"), join(folder, "node_modules")]);
  const write = (path, text) => writeFileSync(join(folder, path), text);
  const names = Object.keys(GRAPH);
  const sleep = (name) => `sleep ${GRAPH[name].seconds}`;
  const scripts = Object.fromEntries(
    names.flatMap((name) => [
      [name, sleep(name)],
      [`w:${name}`, "wireit"],
    ]),
  );
  /** @type {Record<string, {command?: string, dependencies: string[]}>} */
  const wireit = Object.fromEntries(
    names.map((name) => [
      `w:${name}`,
      {command: sleep(name), dependencies: GRAPH[name].needs.map((other) => `w:${other}`)},
    ]),
  );
  wireit["w:all"] = {dependencies: names.map((name) => `w:${name}`)};
  const manifest = {name: "graph", version: "1.0.0", private: true, packageManager: "npm@10.9.0"};
  write("package.json", JSON.stringify({...manifest, scripts: {...scripts, "w:all": "wireit"}, wireit}));
  write("package-lock.json", JSON.stringify({name: "graph", version: "1.0.0", lockfileVersion: 3, packages: {}}));
  const tasks = Object.fromEntries(names.map((name) => [name, {cache: false, dependsOn: GRAPH[name].needs}]));
  write("turbo.json", JSON.stringify({tasks}));
  const rules = names.map((name) => `${name}: ${GRAPH[name].needs.join(" ")}\n\t${sleep(name)}\n`);
  write("Makefile", `.PHONY: all ${names.join(" ")}\nall: ${names.join(" ")}\n${rules.join("")}`);
  write(".gitignore", "node_modules/\n.turbo/\n.wireit/\n");
  for (const name of names) {
    mkdirSync(join(folder, name));
    write(`${name}/file.txt`, "one\n");
  }
  const git = (...args) => execFileSync("git", args, {cwd: folder, stdio: "ignore"});
  git("init", "-q");
  git("add", "-A");
  git("-c", "user.name=bench", "-c", "user.email=bench@example.org", "commit", "-qm", "Graph");
}

/** The part of a verification that runs stages, with its look at what each of them did to files. */
async function engineIn(folder) {
  const repository = await openFrom({origin: folder, folder: join(folder, ".git/assay")});
  const {commit} = unwrap(await repository.fetch("HEAD"));
  const stages = Object.entries(GRAPH).map(([name, {seconds, needs}]) => ({
    name,
    kind: /** @type {const} */ ("lint"),
    command: `sleep ${seconds}`,
    cwd: name,
    timeout: seconds * 20,
    optional: false,
    needs,
    env: {},
    when: [],
    path: [],
    tools: [],
    origin: {file: "verify.json", key: "stages", why: ""},
  }));
  /** @type {import("../src/record/plan.ts").Plan} */
  const plan = {schema: "assay.plan/1", stages, setup: [], notRun: [], notes: []};
  const {signal} = new AbortController();
  /** @type {import("../src/engine/stage/stage.ts").StageEnvironment} */
  const shared = {
    folder,
    isolation: "degraded",
    signal,
    sandbox: () => null,
    variables: () => ({PATH: process.env.PATH ?? ""}),
  };
  return async () => {
    const done = await runStages({
      options: {
        plan,
        changes: [],
        only: [],
        failFast: false,
        previous: null,
        spent: () => null,
        flaky: [],
        onEvent: () => undefined,
      },
      checkouts: {shared, openAnother: null, isolated: new Set()},
      blockedBy: "",
      baseline: null,
      affectedPlan: null,
      scripts: async () => ({}),
      restoreRewritten: (checkout, except) => rewrittenFiles({repository, folder: checkout, except, commit}),
      machine: {cores: CORES, availableBytes: () => process.availableMemory()},
    });
    if (done.stages.some(({outcome}) => outcome !== "passed")) throw new Error(JSON.stringify(done.stages));
  };
}

function peersIn(folder) {
  const bin = (name) => join(folder, "node_modules/.bin", name);
  const env = {...process.env, WIREIT_PARALLEL: String(CORES), WIREIT_CACHE: "none", TURBO_TELEMETRY_DISABLED: "1"};
  const start = (program, args) => () => {
    const ran = spawnSync(program, args, {cwd: folder, env, encoding: "utf8"});
    if (ran.status !== 0) throw new Error(`${program} ended with ${ran.status}: ${ran.stdout}${ran.stderr}`);
  };
  const names = Object.keys(GRAPH);
  const group = (some) => `${bin("run-p")} --max-parallel ${CORES} ${some.join(" ")}`;
  return {
    make: start("make", ["-s", `-j${CORES}`, "all"]),
    wireit: start("npm", ["run", "-s", "w:all"]),
    turbo: start(bin("turbo"), ["run", ...names, `--concurrency=${CORES}`]),
    "npm-run-all2": start("/bin/sh", ["-ec", GROUPS.map(group).join("; ")]),
    shell: start("/bin/sh", ["-ec", names.map((name) => `sleep ${GRAPH[name].seconds}`).join("; ")]),
  };
}
