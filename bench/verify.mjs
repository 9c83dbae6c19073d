/**
 * What `assay verify` takes beside the plain command, on a small project with a warm cache: its own time for a check that takes none, and
 * the ratio for one of ten seconds.
 */
import {execFileSync, spawnSync} from "node:child_process";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {fileURLToPath} from "node:url";
import {median} from "./median.mjs";

const CLI = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
const CASES = {short: {recipe: "@true", rounds: 10}, long: {recipe: "@sleep 10", rounds: 3}};

export async function measure() {
  const rounds = Object.fromEntries(Object.entries(CASES).map(([name, one]) => [name, measureCase(one)]));
  return {
    rounds,
    bounds: [
      {
        what: "own time on a small project",
        value: median(rounds.short.map(({verify, plain}) => verify - plain)),
        bound: 0.6,
        unit: "s",
      },
      {
        what: "time for a check of 10 s against the plain command",
        value: median(rounds.long.map(({verify, plain}) => verify / plain)),
        bound: 1.06,
        unit: "×",
      },
    ],
  };
}

/** Alternating, after one round that fills the caches. */
function measureCase({recipe, rounds}) {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-verify-"));
  try {
    const git = (...args) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], {cwd: folder});
    const stage = {name: "build", kind: "build", command: "make"};
    const files = {
      Makefile: `all:\n\t${recipe}\n`,
      "a.c": "int a;\n",
      "verify.json": JSON.stringify({stages: [stage]}),
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "First");
    writeFileSync(join(folder, "a.c"), "int b;\n");
    const seconds = (...command) => {
      const startMs = performance.now();
      const {status, stderr} = spawnSync(command[0], command.slice(1), {cwd: folder, encoding: "utf8"});
      if (status !== 0) throw new Error(`${command.join(" ")} ended with ${status}: ${stderr}`);
      return (performance.now() - startMs) / 1000;
    };
    const round = () => ({verify: seconds(process.execPath, CLI, "verify"), plain: seconds("make")});
    round();
    return Array.from({length: rounds}, round);
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}
