/** One public repository for the bench `real`: a plain shell and Assay on clones of the same commit. */
import {execFileSync, spawnSync} from "node:child_process";
import {existsSync, mkdtempSync, readFileSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {delimiter, join} from "node:path";
import {fileURLToPath} from "node:url";
import {parseYaml} from "../src/detect/files/parse-yaml.ts";

const ASSAY = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
/** What no command of the list may take, on a machine that has little to do. */
const TIMEOUT_MS = 900_000;
/** @type {{encoding: "utf8", maxBuffer: number, timeout: number}} */
const OUTPUT = {encoding: "utf8", maxBuffer: 1024 ** 3, timeout: TIMEOUT_MS};

/**
 * `ASSAY_REPOSITORIES` is a folder with a git directory `OWNER+NAME/repo` for each repository; without it they come from
 * GitHub. The commands of these repositories run on this machine: in Assay's sandbox, and by hand without one.
 */
export function openRealRepository({name, commit, install, checks, bug, honest}) {
  const folder = mkdtempSync(join(tmpdir(), "assay-real-"));
  const stored = process.env.ASSAY_REPOSITORIES ?? "";
  const source = stored === "" ? `https://github.com/${name}` : join(stored, name.replace("/", "+"), "repo");
  let clones = 0;
  const clone = () => {
    const at = join(folder, String(++clones));
    execFileSync("git", ["clone", "--quiet", "--no-checkout", source, at], {stdio: "pipe"});
    execFileSync("git", ["-C", at, "checkout", "--quiet", "--detach", commit], {stdio: "pipe"});
    return at;
  };
  try {
    clone();
  } catch (problem) {
    return {
      ok: false,
      why: lastLine(problem instanceof Error && "stderr" in problem ? String(problem.stderr) : String(problem)),
    };
  }
  return {
    ok: true,
    value: {folder, inPlainShell: () => plainShell(clone, {install, checks, bug, honest}), ...assay(clone)},
  };
}

/**
 * The repository's own commands, and those of the plan in another clone: what an install has built must not spare the stages of one
 * side their work. `seconds` is the time of the plan's stages, one after the other, after the plan's set-up.
 */
function plainShell(clone, {install, checks, bug, honest}) {
  const at = clone();
  const wrong = firstFailure(at, install) ?? firstFailure(at, checks);
  if (wrong !== null) return {ok: false, why: wrong};
  const restore = change(at, honest);
  const rejected = firstFailure(at, checks);
  if (rejected !== null) return {ok: false, why: `with the honest change: ${rejected}`};
  restore();
  change(at, bug);
  const isCaught = firstFailure(at, checks) !== null;
  if (!isCaught) return {ok: false, why: "its own commands pass with the bug"};
  const planned = clone();
  const plan = JSON.parse(runAssay(planned, ["plan"]).stdout);
  const setup = plan.setup.map((step) => shell(planned, step)).find(({failed}) => failed);
  if (setup !== undefined) return {ok: false, why: `the plan's set-up fails too: ${setup.why}`};
  const stages = plan.stages.map((stage) => ({...shell(planned, stage), stage}));
  const failing = stages.filter(({failed, stage}) => failed && !stage.optional);
  return {
    ok: true,
    seconds: stages.reduce((sum, {seconds}) => sum + seconds, 0),
    stages: stages.map(({stage, seconds, failed}) => ({name: stage.name, command: stage.command, seconds, failed})),
    failing: failing.map(({stage, why}) => ({stage: stage.name, why: `fails in a plain shell too: ${why}`})),
  };
}

function firstFailure(at, commands) {
  for (const command of commands) {
    const {failed, why} = shell(at, {command});
    if (failed) return `\`${command}\` fails in a plain shell: ${why}`;
  }
  return null;
}

/** As a step of GitHub Actions runs it. */
function shell(root, {command, cwd = ".", path = [], env = {}}) {
  const PATH = [...path.map((one) => join(root, one)), process.env.PATH].join(delimiter);
  const from = performance.now();
  const ended = spawnSync("bash", ["-eo", "pipefail", "-c", command], {
    ...OUTPUT,
    cwd: join(root, cwd),
    env: {...process.env, CI: "true", ...env, PATH},
  });
  const seconds = (performance.now() - from) / 1000;
  return {seconds, failed: ended.status !== 0, why: lastLine(`${ended.stdout}\n${ended.stderr}`)};
}

function assay(clone) {
  return {
    /** Empty where every file that `init` wrote can be read, by Assay too. */
    init() {
      const at = clone();
      const made = runAssay(at, ["init"]);
      if (made.status !== 0) return lastLine(made.stderr);
      const status = ["-C", at, "status", "--porcelain", "-z", "--untracked-files=all"];
      const names = execFileSync("git", status, {encoding: "utf8"})
        .split("\0")
        .map((row) => row.slice(3));
      try {
        for (const name of names.filter((one) => /\.ya?ml$/.test(one))) parseYaml(readFileSync(join(at, name), "utf8"));
      } catch (problem) {
        return String(problem);
      }
      const planned = runAssay(at, ["plan"]);
      return planned.status === 0 ? "" : lastLine(planned.stderr);
    },
    /** The verdict on the head with `edit`; `seconds` leave out the set-up. */
    verify(edit) {
      const at = clone();
      if (edit !== null) change(at, edit);
      const from = performance.now();
      const eventLog = `${at}.events`;
      const {stdout, stderr} = runAssay(at, ["verify", "--event-log", eventLog]);
      const wall = (performance.now() - from) / 1000;
      const attempt = stdout.startsWith("{") ? JSON.parse(stdout).attempts.at(-1) : undefined;
      const verification = attempt?.verification ?? null;
      if (verification === null)
        return {verdict: "none", seconds: wall, stages: [], notPassed: [{stage: "-", why: lastLine(stderr)}]};
      const {verdict, setup, stages} = verification;
      const ran = [...setup, ...stages];
      const notPassed = ran.filter(({outcome, optional}) => outcome !== "passed" && !optional);
      return {
        verdict: verdict.kind,
        why: verdict.why ?? "",
        wall,
        seconds: wall - setUpSeconds(eventLog),
        stages: ran.map(({name, outcome, durationMs}) => ({name, outcome, seconds: durationMs / 1000})),
        notPassed: notPassed.map(({name, outcome, reason}) => ({stage: name, why: `${outcome}: ${reason}`})),
      };
    },
  };
}

/** The time of every install, also of those that the record does not have: on the base, for a comparison. */
function setUpSeconds(eventLog) {
  const lines = readFileSync(eventLog, "utf8").split("\n");
  const events = lines.filter((line) => line !== "").map((line) => JSON.parse(line));
  const ends = events.filter(({event}) => event === "setup-finished");
  return ends.reduce((sum, {durationMs}) => sum + durationMs / 1000, 0);
}

function runAssay(cwd, [command, ...options]) {
  return spawnSync(process.execPath, [ASSAY, command, ...options, ...(command === "init" ? [] : ["--json"])], {
    ...OUTPUT,
    cwd,
  });
}

/** Replaces one text in one file; gives back what undoes it. */
function change(at, {file, from, to}) {
  const path = join(at, file);
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  if (text.split(from).length !== 2) throw new Error(`${file}: not exactly once: ${from}`);
  writeFileSync(path, text.split(from).join(to));
  return () => writeFileSync(path, text);
}

function lastLine(text) {
  return text.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
}
