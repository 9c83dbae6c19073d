/** Planning a synthetic repository of 100,000 files in 1,000 packages, beside git's own listing of it plus a process start. */
import {spawnSync} from "node:child_process";
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {fileURLToPath} from "node:url";

const CLI = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
const PACKAGES = 1000;
const FILES = 100;
const ROUNDS = 9;

export async function measure() {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-plan-"));
  try {
    synthesise(folder);
    const plan = () => run(process.execPath, [CLI, "plan", "--json"], folder);
    const list = () => run("/bin/sh", ["-c", "git ls-files | wc -l"], folder);
    const start = () => run(process.execPath, ["-e", ""], folder);
    // Not in the bound: how much of planning is the command line's own start.
    const own = () => run(process.execPath, [CLI, "--version"], folder);
    const files = Number(list().stdout);
    const found = JSON.parse(plan().stdout);
    if (found.stages.length === 0) throw new Error("nothing was planned, so nothing was measured");
    // Side by side, so that a busy moment of the machine hits all three.
    const rounds = Array.from({length: ROUNDS}, () => ({
      plan: plan().ms,
      list: list().ms,
      start: start().ms,
      own: own().ms,
    }));
    const median = (of) => rounds.map(of).sort((a, b) => a - b)[Math.floor(ROUNDS / 2)];
    const ratio = median((round) => round.plan / (round.list + round.start));
    const memory = peakMegabytes(folder);
    const ms = {
      plan: median((r) => r.plan),
      list: median((r) => r.list),
      start: median((r) => r.start),
      own: median((r) => r.own),
    };
    console.log(
      `${files} files, ${found.stages.length} stages: plan ${ms.plan.toFixed(0)} ms, git ls-files ${ms.list.toFixed(0)} ms, node ${ms.start.toFixed(0)} ms, assay --version ${ms.own.toFixed(0)} ms`,
    );
    return {
      files,
      stages: found.stages.length,
      medians: ms,
      rounds,
      bounds: [
        {what: "time against listing and process start", value: ratio, bound: 1.5, unit: "×"},
        {what: "peak memory", value: memory, bound: 150, unit: "MB"},
      ],
    };
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

function synthesise(folder) {
  const manifest = (name, more) => `${JSON.stringify({name, version: "1.0.0", private: true, ...more})}\n`;
  const scripts = {test: "vitest run", lint: "eslint .", typecheck: "tsc --noEmit"};
  writeFileSync(join(folder, "package.json"), manifest("root", {workspaces: ["packages/*"]}));
  writeFileSync(join(folder, "package-lock.json"), "{}\n");
  for (let p = 0; p < PACKAGES; p++) {
    const place = join(folder, "packages", `p${p}`);
    mkdirSync(join(place, "src"), {recursive: true});
    writeFileSync(join(place, "package.json"), manifest(`p${p}`, {scripts}));
    for (let f = 1; f < FILES; f++) writeFileSync(join(place, "src", `f${f}.ts`), "");
  }
  for (const args of [
    ["init", "--quiet"],
    ["add", "--all"],
    ["-c", "user.name=B", "-c", "user.email=b@b", "commit", "-qm", "Start"],
  ])
    run("git", args, folder);
}

function run(program, args, cwd) {
  const from = performance.now();
  const ran = spawnSync(program, args, {cwd, encoding: "utf8", maxBuffer: 256 * 1024 * 1024});
  if (ran.status !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${ran.status}: ${ran.stderr}`);
  return {ms: performance.now() - from, stdout: ran.stdout, stderr: ran.stderr};
}

/** The largest resident size of the planning process, as the kernel counted it until its end. */
function peakMegabytes(folder) {
  const say = "process.on('exit',()=>process.stderr.write('\\nPEAK '+process.resourceUsage().maxRSS+'\\n'))";
  const preload = `data:text/javascript,${encodeURIComponent(say)}`;
  const {stderr} = run(process.execPath, ["--import", preload, CLI, "plan", "--json"], folder);
  const [, kilobytes] = /PEAK (\d+)/.exec(stderr) ?? [];
  if (kilobytes === undefined) throw new Error("the peak was not told");
  return Number(kilobytes) / 1024;
}
