/**
 * Distilling a long job log with the outputs of many tools in it: processor time for each MB beside the process start, and memory.
 * With `--corpus FOLDER` also how much of what a reader needs the excerpts of real logs show.
 */
import {spawnSync} from "node:child_process";
import {closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {fileURLToPath} from "node:url";
import {corpusBounds, measureCorpus} from "./distill-corpus.mjs";

const CLI = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
/** The `dist` of another version, for a paired run. */
const OTHER = process.env.ASSAY_BENCH_OTHER;
const SAMPLES = new URL("../tests/unit/diagnostics/samples/", import.meta.url);
const SMALL = 2_000_000;
const LARGE = 200_000_000;
const ROUNDS = 5;
const ORDINARY = [
  "2026-01-02T03:04:05.1234567Z Downloading https://packages.example/archive/something-1.2.3.tar.gz",
  "  ✓ src/account/transfer.test.ts > moves money between accounts",
  "[INFO] Compiling module-with-a-long-name into target/classes",
  "test scheduler::queue::keeps_the_order ... ok",
  "g++ -O2 -Wall -Iinclude -c source/parser/expression.cpp -o build/parser/expression.o",
  "    Requirement already satisfied: packaging>=20 in ./venv/lib/python3/site-packages",
];

const option = (name) => {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
};

export async function measure() {
  const folder = option("--corpus");
  const corpus =
    folder === undefined
      ? null
      : measureCorpus({folder, split: option("--split"), verbose: process.argv.includes("--verbose")});
  const cost = measureCost();
  return {...cost, corpus, bounds: [...cost.bounds, ...(corpus === null ? [] : corpusBounds(corpus))]};
}

function measureCost() {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-distill-"));
  try {
    const [none, small, large] = [0, SMALL, LARGE].map((bytes) => logOf(join(folder, `${bytes}.log`), bytes));
    const found = JSON.parse(distill(small).stdout);
    if (found.items.length === 0) throw new Error("nothing was found, so nothing was measured");
    // Side by side, so that a busy moment of the machine hits both.
    const own = (cli) => spent(small, cli).ms - spent(none, cli).ms;
    const rounds = Array.from({length: ROUNDS}, () => ({
      own: own(CLI),
      start: spent(none).ms,
      ...(OTHER && {other: own(join(OTHER, "cli.js"))}),
    }));
    const median = (of) => rounds.map(of).sort((a, b) => a - b)[Math.floor(ROUNDS / 2)];
    const each = median((round) => round.own / (SMALL / 1e6));
    console.log(`${found.items.length} items; start ${median((r) => r.start).toFixed(0)} ms`);
    return {
      items: found.items.length,
      rounds,
      bounds: [
        {what: "processor time beside the process start", value: each, bound: 40, unit: "ms/MB"},
        ...(OTHER ? [{what: `against ${OTHER}`, value: median((r) => r.own / r.other), bound: 0.6, unit: "×"}] : []),
        {what: `peak memory for ${LARGE / 1e6} MB`, value: spent(large).megabytes, bound: 150, unit: "MB"},
      ],
    };
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

/** Once in a while the real output of a tool, else what every job prints; no two lines are equal. */
function logOf(file, bytes) {
  const samples = readdirSync(SAMPLES).map((name) => readFileSync(new URL(name, SAMPLES), "utf8").slice(0, 20_000));
  const to = openSync(file, "w");
  let written = 0;
  for (let round = 0; written < bytes; round++) {
    const ordinary = Array.from({length: 5000}, (_, at) => `${ORDINARY[at % ORDINARY.length]} ${round}.${at}\n`);
    const text = `${ordinary.join("")}\n${samples[round % samples.length]}\n`;
    written += writeSync(to, text.slice(0, bytes - written));
  }
  closeSync(to);
  return file;
}

function distill(file, more = [], cli = CLI) {
  const stdin = openSync(file, "r");
  const ran = spawnSync(process.execPath, [...more, cli, "distill", "--json", "--max-chars", "4000"], {
    stdio: [stdin, "pipe", "pipe"],
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  closeSync(stdin);
  if (ran.status !== 0) throw new Error(`distill ended with ${ran.status}: ${ran.stderr}`);
  return ran;
}

/** Processor time and the largest resident size of the process, as the kernel counted them until its end. */
function spent(file, cli = CLI) {
  const say = "process.on('exit',()=>process.stderr.write('\\nSPENT '+JSON.stringify(process.resourceUsage())+'\\n'))";
  const {stderr} = distill(file, ["--import", `data:text/javascript,${encodeURIComponent(say)}`], cli);
  const [, json] = /SPENT (.*)/.exec(stderr) ?? [];
  if (json === undefined) throw new Error("what was spent was not told");
  const {userCPUTime, systemCPUTime, maxRSS} = JSON.parse(json);
  return {ms: (userCPUTime + systemCPUTime) / 1000, megabytes: maxRSS / 1024};
}
