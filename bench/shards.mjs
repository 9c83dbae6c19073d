/** One slow check as one process and as four, divided by the times of its own first run: equal files, and a skewed suite. */
import {spawn} from "node:child_process";
import {createReadStream, mkdtempSync, rmSync, symlinkSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {fileURLToPath} from "node:url";
import {readJunit} from "../src/diagnostics/reports/junit.ts";
import {reportRequestFor} from "../src/diagnostics/reports/request-report.ts";
import {openTally} from "../src/diagnostics/reports/tally.ts";
import {divideChecks} from "../src/handover/split-checks.ts";
import {planSchema} from "../src/record/plan.ts";

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
    for (let at = 0; at < FILES; at += 1) writeFileSync(join(folder, file(at)), text(msOf(at), at));
    writeFileSync(join(folder, "package.json"), '{"type": "module"}\n');
    symlinkSync(MODULES, join(folder, "node_modules"));
    const report = join(folder, "report.xml");
    const request = reportRequestFor({command, scripts: {}, file: report});
    const form = request?.rule.format;
    if (!request || !form || typeof form === "string") throw new Error(`no report of ${command}`);
    const whole = await timeOf(request.command, folder, request.variables);
    const tally = openTally({isLenient: true});
    if (!(await readJunit({parts: createReadStream(report, "utf8"), form, tally})))
      throw new Error("no readable report");
    const stage = {name: "test", kind: "test", command, cwd: ".", timeout: 600, optional: false, env: {}, when: []};
    const whys = {needs: [], path: [], tools: [], origin: {file: "", key: "", why: ""}};
    const plan = planSchema.parse({schema: "assay.plan/1", stages: [{...stage, ...whys}], setup: [], notes: []});
    const times = {test: {command, files: tally.result().fileMs ?? {}}};
    const divided = divideChecks({plan, machines: MACHINES, times, scriptsOf: () => ({})});
    if (divided.plan.stages.length !== MACHINES) throw new Error(`not divided: ${JSON.stringify(times)}`);
    const parts = await Promise.all(divided.plan.stages.map((part) => timeOf(part.command, folder)));
    return {whole, parts};
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

/** @returns {Promise<number>} */
function timeOf(command, cwd, variables = {}) {
  const from = performance.now();
  return new Promise((resolve, reject) => {
    spawn("/bin/sh", ["-c", command], {cwd, env: {...process.env, ...variables}, stdio: "ignore"}).on(
      "close",
      (code) => (code === 0 ? resolve(performance.now() - from) : reject(new Error(`${command} ended with ${code}`))),
    );
  });
}
