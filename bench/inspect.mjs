/**
 * `assay inspect` on the newest commits of real repositories: how many are blocked or flagged, and the time of one commit beside
 * the start of the process with all that it loads, which is measured before each commit, on a commit without a change.
 * `ASSAY_REPOSITORIES=FOLDER npm run bench -- inspect`, with the listed repositories in FOLDER as `OWNER+NAME/repo`.
 */
import {execFileSync, spawnSync} from "node:child_process";
import {existsSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {fileURLToPath} from "node:url";
import {median} from "./median.mjs";

const CLI = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
const LIST = new URL("inspect-repositories.json", import.meta.url);
const COMMITS = Number(process.env.ASSAY_BENCH_COMMITS ?? 40);

export async function measure() {
  const repositories = repositoriesOf();
  if (repositories.length === 0) {
    console.log("inspect: not measured; set ASSAY_REPOSITORIES to a folder with the listed repositories");
    return {bounds: []};
  }
  const commits = repositories.flatMap(inspectRepository);
  const ofLevel = (level) => commits.filter(({findings}) => findings.some((one) => one.level === level));
  const share = (part) => (100 * part.length) / commits.length;
  const [blocked, flagged] = [ofLevel("block"), ofLevel("flag").filter((one) => !ofLevel("block").includes(one))];
  const besideStart = (key) => commits.map(({time, start}) => Math.max(0, time[key] - start[key]));
  const times = besideStart("cpuMs").toSorted((one, other) => one - other);
  const start = median(commits.map((one) => one.start.cpuMs));
  console.log(
    `${commits.length} commits of ${repositories.length} repositories: ${blocked.length} blocked, ${flagged.length} flagged; process start ${start.toFixed(0)} ms of CPU time; a commit beside it: median ${median(besideStart("elapsedMs")).toFixed(0)} ms elapsed, ${median(times).toFixed(0)} ms of CPU time (95 % at most ${times[Math.floor(times.length * 0.95)]?.toFixed(0)} ms)`,
  );
  return {
    commits: commits.filter(({findings}) => findings.length > 0),
    times,
    bounds: [
      {what: "commits that a finding blocks", value: share(blocked), bound: 1, unit: "%"},
      {what: "commits that a finding flags", value: share(flagged), bound: 8, unit: "%"},
      {what: "median CPU time of a commit beside the process start", value: median(times), bound: 100, unit: "ms"},
    ],
  };
}

function repositoriesOf() {
  const folder = process.env.ASSAY_REPOSITORIES ?? "";
  if (folder === "") return [];
  const only = (process.env.ASSAY_BENCH_ONLY ?? "").split(",").filter((name) => name !== "");
  return JSON.parse(readFileSync(LIST, "utf8"))
    .filter(({name}) => only.length === 0 || only.some((one) => name.includes(one)))
    .map((entry) => ({...entry, git: join(folder, entry.name.replace("/", "+"), "repo")}))
    .filter(({git}) => existsSync(git));
}

/** The newest commits up to the listed one; merges repeat what their commits changed. */
function inspectRepository({name, commit, git}) {
  const args = ["log", "--no-merges", "--first-parent", "--min-parents=1", "--format=%H", `-n${COMMITS}`, commit];
  const ids = execFileSync("git", ["--git-dir", git, ...args], {encoding: "utf8"})
    .split("\n")
    .filter((id) => id !== "");
  return ids.flatMap((id) => {
    const start = run(["inspect", "--base", id, "--head", id, "--json"], git);
    const ran = run(["inspect", "--base", `${id}~1`, "--head", id, "--json"], git);
    if (ran.status > 1) {
      console.log(`${name} ${id.slice(0, 12)}: exit code ${ran.status}: ${ran.stderr.slice(0, 200)}`);
      return [];
    }
    const findings = JSON.parse(ran.stdout).findings.filter(({level}) => level !== "note");
    for (const {level, check, path, line, message} of findings)
      console.log(`${name} ${id.slice(0, 12)} ${level} ${check} ${path}:${line ?? ""} ${message}`);
    return [{name, id, start: timeOf(start), time: timeOf(ran), findings}];
  });
}

const timeOf = ({cpuMs, elapsedMs}) => ({cpuMs, elapsedMs});

/** The shell adds up the CPU time of the process and of the git commands that it started: a busy machine does not change it. */
function run(args, cwd) {
  const script = '"$@"; code=$?; times >&2; exit $code';
  const from = performance.now();
  const ran = spawnSync("/bin/sh", ["-c", script, "sh", process.execPath, CLI, ...args], {
    cwd,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  const elapsedMs = performance.now() - from;
  const children = ran.stderr.trim().split("\n").at(-1) ?? "";
  const cpuMs = [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + 60_000 * Number(minutes) + 1000 * Number(seconds),
    0,
  );
  if (cpuMs === 0) throw new Error(`no CPU time was printed: ${ran.stderr}`);
  return {status: ran.status ?? 2, stdout: ran.stdout, stderr: ran.stderr, cpuMs, elapsedMs};
}
