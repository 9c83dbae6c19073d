/** Planning two synthetic repositories of 100,000 files in 1,000 packages, beside git's own listing of them plus a process start. */
import {spawnSync} from "node:child_process";
import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {fileURLToPath} from "node:url";
import {median} from "./median.mjs";
import {synthesise} from "./synthetic.mjs";

const CLI = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
const ROUNDS = 11;

export async function measure() {
  const kinds = [
    {kind: "workspace", what: "one npm workspace"},
    {kind: "independent", what: "1,000 projects that know nothing of each other"},
  ].map(({kind, what}) => ({kind, ...measured(kind, what)}));
  return {
    ...Object.fromEntries(kinds.map(({kind, bounds: _, ...numbers}) => [kind, numbers])),
    bounds: kinds.flatMap(({bounds}) => bounds),
  };
}

function measured(kind, what) {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-plan-"));
  try {
    synthesise(folder, kind);
    const plan = () => run(process.execPath, [CLI, "plan", "--json"], folder);
    const list = () => run("/bin/sh", ["-c", "git ls-files | wc -l"], folder);
    const start = () => run(process.execPath, ["-e", ""], folder);
    // Not in the bound: how much of planning is the command line's own start, and git's work when nobody counts its lines.
    const own = () => run(process.execPath, [CLI, "--version"], folder);
    const git = () => run("git", ["ls-files", "-z"], folder);
    const files = Number(list().stdout);
    const found = JSON.parse(plan().stdout);
    if (found.stages.length === 0) throw new Error("nothing was planned, so nothing was measured");
    // Side by side, so that a busy moment of the machine hits all of them.
    const timed = {plan, list, start, own, git};
    const rounds = Array.from({length: ROUNDS}, () =>
      Object.fromEntries(Object.entries(timed).map(([name, once]) => [name, once().ms])),
    );
    const ms = Object.fromEntries(Object.keys(timed).map((name) => [name, median(rounds.map((round) => round[name]))]));
    console.log(
      `${what}: ${files} files, ${found.stages.length} stages: plan ${ms.plan.toFixed(0)} ms; git ls-files | wc -l ${ms.list.toFixed(0)} ms, empty node ${ms.start.toFixed(0)} ms; assay --version ${ms.own.toFixed(0)} ms, git ls-files -z ${ms.git.toFixed(0)} ms`,
    );
    const ratio = median(rounds.map((round) => round.plan / (round.list + round.start)));
    return {
      files,
      stages: found.stages.length,
      medians: ms,
      rounds,
      bounds: [
        {what: `${kind}: time against listing and process start`, value: ratio, bound: 1.5, unit: "×"},
        {what: `${kind}: peak memory`, value: peakMegabytes(folder), bound: 150, unit: "MB"},
      ],
    };
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
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
