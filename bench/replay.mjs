/**
 * What the runs of the default branch's tests on a change add: nothing where the change touches no test and no file that decides how
 * tests run, and less than the test stage otherwise.
 */
import {spawnSync} from "node:child_process";
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {homedir, tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";
import {DEFAULT_CONFIG} from "../src/detect/config/config.ts";
import {openCheckouts} from "../src/engine/checkout/checkout.ts";
import {chooseSandbox} from "../src/engine/isolation/choose-sandbox.ts";
import {stageHome} from "../src/engine/isolation/home.ts";
import {verify} from "../src/verify/verify.ts";
import {median} from "./median.mjs";
import {openFrom, openOrigin, unwrap} from "./origin.mjs";

const ROUNDS = Number(process.env.ASSAY_BENCH_ROUNDS ?? 5);
const CLI = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
/** The other test files wait, so that all of them take much longer than one. */
const WAITING = 'import test from "node:test";\ntest("waits", () => new Promise((done) => setTimeout(done, 4000)));\n';
const TESTS = (more) =>
  `import assert from "node:assert";\nimport test from "node:test";\nimport {sum} from "../src/sum.js";\ntest("adds", () => assert.equal(sum(1, 2), 3));\n${more}`;
const FILES = {
  "package.json": '{"type": "module", "scripts": {"test": "node --test"}}\n',
  "src/sum.js": "export const sum = (one, other) => one + other;\n",
  "test/sum.test.js": TESTS(""),
  "test/waiting.test.js": WAITING,
};
const SOURCE = {"src/sum.js": "export const sum = (one, other) => other + one;\n"};
const CHANGES = {untouched: SOURCE, touched: {...SOURCE, "test/sum.test.js": TESTS('test("b", () => sum(0, 0));\n')}};

export async function measure() {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-replay-"));
  try {
    const {origin, git, commit} = openOrigin(folder);
    write(origin, FILES);
    const base = commit("Base").commit;
    const candidates = Object.entries(CHANGES).map(([name, files]) => {
      git("checkout", "-q", base);
      write(origin, files);
      return [name, {...commit(name), base}];
    });
    git("checkout", "-q", base);
    const engine = await openEngine({folder, origin, base});
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++)
      for (const [name, candidate] of candidates)
        rounds.push({name, ...(await compare(engine, candidate, round % 2 === 0))});
    await engine.dispose();
    const of = (name, key) => median(rounds.filter((one) => one.name === name).map((one) => one[key]));
    const line = (name) =>
      `${name}: without ${of(name, "without").toFixed(0)} ms, with ${of(name, "with").toFixed(0)} ms`;
    console.log(candidates.map(([name]) => line(name)).join("; "));
    return {
      rounds,
      bounds: [
        {what: "runs after the stages, gate untouched", value: of("untouched", "runs"), bound: 0, unit: "runs"},
        {
          what: "time with integrity against without, gate untouched",
          value: of("untouched", "ratio"),
          bound: 1.05,
          unit: "×",
        },
        {
          what: "time with integrity against without, a test changed",
          value: of("touched", "ratio"),
          bound: 2,
          unit: "×",
        },
      ],
    };
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

function write(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), {recursive: true});
    writeFileSync(join(folder, path), text);
  }
}

async function compare(engine, candidate, isWithFirst) {
  const arms = {with: () => engine.look(candidate, true), without: () => engine.look(candidate, false)};
  const times = {};
  for (const arm of isWithFirst ? ["with", "without"] : ["without", "with"]) times[arm] = await arms[arm]();
  return {
    with: times.with.ms,
    without: times.without.ms,
    ratio: times.with.ms / times.without.ms,
    runs: times.with.checkouts - times.without.checkouts,
  };
}

async function openEngine({folder, origin, base}) {
  const repository = await openFrom({origin, folder: join(folder, "git")});
  const plan = JSON.parse(spawnSync(process.execPath, [CLI, "plan", "--json"], {cwd: origin, encoding: "utf8"}).stdout);
  const fence = await chooseSandbox({sandbox: "auto", network: "all", folder});
  const {signal} = new AbortController();
  const opened = openCheckouts({
    ...{folder: join(folder, "checkouts"), repository, base, setup: plan.setup, dependencies: {kind: "install"}},
    ...{home: stageHome({realHome: homedir(), variables: process.env, isolation: fence, private: []})},
    ...{isolation: fence, signal, onEvent: () => undefined},
  });
  let count = 0;
  const open = (wanted) => {
    count += 1;
    return opened.open(wanted);
  };
  const shared = {
    ...{checkouts: {...opened, open}, baseline: null, repository, plan, isolation: fence.level, signal, previous: null},
    ...{only: [], failFast: false, spent: () => null, flaky: [], mayRunAffectedFirst: false, toolchain: null},
    ...{coverageRules: {...DEFAULT_CONFIG, wholePlan: plan}, onEvent: () => undefined},
  };
  const rules = {...DEFAULT_CONFIG.integrity, bite: /** @type {const} */ ("off")};
  return {
    async look(candidate, isEnabled) {
      unwrap(await repository.fetch(candidate.commit));
      const changes = unwrap(await repository.changes(base, candidate.commit));
      const from = count;
      const result = await verify({...shared, candidate, changes, integrity: isEnabled ? rules : null});
      if (result.verdict.kind !== "verified") throw new Error(JSON.stringify(result.verdict));
      return {ms: result.durationMs, checkouts: count - from};
    },
    dispose: () => opened.dispose(),
  };
}
