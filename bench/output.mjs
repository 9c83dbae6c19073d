/** A stage that prints a gigabyte, run by the built command line, beside the same lines into `cat >/dev/null`. */
import {spawnSync} from "node:child_process";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {fileURLToPath} from "node:url";
import {median} from "./median.mjs";

const CLI = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
const BYTES = 1_000_000_000;
const PRINT = `yes 'an ordinary line of output, as long as most' | head -c ${BYTES}`;
const ROUNDS = 3;
const say = "process.on('exit',()=>process.stderr.write('\\nPEAK '+process.resourceUsage().maxRSS+'\\n'))";
const PEAK = `data:text/javascript,${encodeURIComponent(say)}`;

export async function measure() {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-output-"));
  spawnSync("git", ["init", "-q", folder]);
  try {
    // A pipe that is closed early is no failure of `yes`, so that the stage does without pipefail.
    const stage = {name: "print", kind: "build", command: `set +o pipefail; ${PRINT}`, timeout: 600};
    writeFileSync(join(folder, "verify.json"), JSON.stringify({stages: [stage], setup: false}));
    const rounds = Array.from({length: ROUNDS}, () => ({cat: cat(folder), ...assay(folder)}));
    const ms = {cat: median(rounds.map((r) => r.cat)), stage: median(rounds.map((r) => r.ms))};
    console.log(`1 GB: cat ${ms.cat.toFixed(0)} ms, stage ${ms.stage.toFixed(0)} ms`);
    const bounds = [
      {
        what: "time of 1 GB against cat >/dev/null",
        value: median(rounds.map((r) => r.ms / r.cat)),
        bound: 3,
        unit: "×",
      },
      {what: "peak memory", value: Math.max(...rounds.map((r) => r.megabytes)), bound: 150, unit: "MB"},
    ];
    return {medians: ms, rounds, bounds};
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

function cat(folder) {
  const from = performance.now();
  const ran = spawnSync("/bin/sh", ["-c", `${PRINT} | cat >/dev/null`], {cwd: folder});
  if (ran.status !== 0) throw new Error(`cat ended with ${ran.status}`);
  return performance.now() - from;
}

/** The whole process, its start and its report included; and the largest resident size that the kernel counted. */
function assay(folder) {
  const argv = ["--import", PEAK, CLI, "verify", "--in-place", "--json"];
  const from = performance.now();
  const ran = spawnSync(process.execPath, argv, {cwd: folder, encoding: "utf8", maxBuffer: 64 * 1024 * 1024});
  const ms = performance.now() - from;
  const {output} = JSON.parse(ran.stdout).attempts[0].verification.stages[0];
  const seen = Buffer.byteLength(output.head) + output.droppedBytes + Buffer.byteLength(output.tail);
  if (seen !== BYTES) throw new Error(`${seen} bytes were accounted for, not ${BYTES}`);
  return {ms, megabytes: Number(/PEAK (\d+)/.exec(ran.stderr)?.[1]) / 1024};
}
