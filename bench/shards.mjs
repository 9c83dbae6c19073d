/** One slow check as one process and as four, divided by the times of its own first run: equal files, and a skewed suite. */
import {spawn, spawnSync} from "node:child_process";
import {mkdtempSync, rmSync, symlinkSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {fileURLToPath} from "node:url";
import {divideChecks, fileTimesOf} from "../src/handover/split-checks.ts";

const CLI = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
const MODULES = fileURLToPath(new URL("../node_modules", import.meta.url));
const MACHINES = 4;
const FILES = 40;
const RUNNERS = {
  pytest: {
    command: "python3 -m pytest -q -p no:cacheprovider",
    file: (at) => `test_${at}.py`,
    text: (ms, at) => `import time\ndef test_${at}():\n    time.sleep(${ms / 1000})\n`,
  },
  vitest: {
    command: "npx vitest run --no-file-parallelism",
    file: (at) => `file-${at}.test.js`,
    text: (ms, at) =>
      `import {test} from "vitest";\ntest("waits ${at}", () => new Promise((done) => setTimeout(done, ${ms})), 60_000);\n`,
  },
};
/** One file takes a tenth of all, and the others between a fifth of a second and five. */
const SUITES = {
  even: () => 1_600,
  skewed: (at) => (at === 0 ? 9_000 : 200 + ((at * 1_373) % 3_500)),
};

export async function measure() {
  const bounds = [];
  for (const [runner, rule] of Object.entries(RUNNERS))
    for (const [suite, msOf] of Object.entries(SUITES)) {
      const {whole, parts} = await measureOne(rule, msOf);
      const longest = Math.max(...parts);
      const mean = parts.reduce((sum, one) => sum + one, 0) / parts.length;
      console.log(
        `${runner}, ${suite}: whole ${whole.toFixed(0)} ms, parts ${parts.map((ms) => ms.toFixed(0)).join(" ")} ms`,
      );
      bounds.push({
        what: `${runner}, ${suite}: longest part against the mean`,
        value: longest / mean,
        bound: 1.3,
        unit: "×",
      });
      if (suite === "even")
        bounds.push({what: `${runner}: four parts against one`, value: longest / whole, bound: 0.35, unit: "×"});
    }
  return {bounds};
}

async function measureOne({command, file, text}, msOf) {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-shards-"));
  try {
    spawnSync("git", ["init", "-q", folder]);
    for (let at = 0; at < FILES; at += 1) writeFileSync(join(folder, file(at)), text(msOf(at), at));
    writeFileSync(join(folder, ".gitignore"), "node_modules\n");
    writeFileSync(join(folder, "package.json"), '{"type": "module"}\n');
    symlinkSync(MODULES, join(folder, "node_modules"));
    const stage = {name: "test", kind: "test", command, timeout: 600};
    writeFileSync(join(folder, "verify.json"), JSON.stringify({stages: [stage], setup: false}));
    const argv = [CLI, "verify", "--in-place", "--json"];
    const ran = spawnSync(process.execPath, argv, {cwd: folder, encoding: "utf8", maxBuffer: 64 * 1024 * 1024});
    if (ran.stdout === "") throw new Error(`nothing printed: ${ran.status} ${ran.signal} ${ran.error} ${ran.stderr}`);
    const record = JSON.parse(ran.stdout);
    const [result] = record.attempts[0].verification.stages;
    const {plan} = divideChecks({
      plan: record.plan,
      machines: MACHINES,
      times: fileTimesOf(record.attempts),
      scriptsOf: () => ({}),
    });
    if (plan.stages.length !== MACHINES) throw new Error(`not divided: ${result.reason} ${ran.stderr}`);
    const parts = await Promise.all(plan.stages.map((part) => timeOf(part.command, folder)));
    return {whole: result.durationMs, parts};
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

/** @returns {Promise<number>} */
function timeOf(command, cwd) {
  const from = performance.now();
  return new Promise((resolve, reject) => {
    spawn("/bin/sh", ["-c", command], {cwd, stdio: "ignore"}).on("close", (code) =>
      code === 0 ? resolve(performance.now() - from) : reject(new Error(`${command} ended with ${code}`)),
    );
  });
}
