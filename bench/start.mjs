/** Start-up of the built product beside an empty Node process, alternating: `assay --version`, and the action up to its first question. */
import {spawnSync} from "node:child_process";
import {fileURLToPath} from "node:url";
import {median} from "./median.mjs";

const ROUNDS = 25;
const DIST = fileURLToPath(new URL("../dist/", import.meta.url));
/** Nothing is given to the action, so that it loads, looks at its inputs and says what is wrong with them. */
const CASES = {empty: ["-e", ""], cli: [`${DIST}cli.js`, "--version"], main: [`${DIST}main.js`]};
const ENDS = {empty: 0, cli: 0, main: 1};

export async function measure() {
  const rounds = Array.from({length: ROUNDS}, () =>
    Object.fromEntries(Object.keys(CASES).map((name) => [name, timed(name)])),
  );
  const ms = Object.fromEntries(Object.keys(CASES).map((name) => [name, median(rounds.map((round) => round[name]))]));
  console.log(
    `empty ${ms.empty.toFixed(0)} ms, assay --version ${ms.cli.toFixed(0)} ms, action ${ms.main.toFixed(0)} ms`,
  );
  const bound = (what, name) => ({
    what,
    value: median(rounds.map((round) => round[name] / round.empty)),
    bound: 2.5,
    unit: "×",
  });
  return {
    medians: ms,
    rounds,
    bounds: [bound("`assay --version` against an empty process", "cli"), bound("action against it", "main")],
  };
}

function timed(name) {
  const from = performance.now();
  const ran = spawnSync(process.execPath, CASES[name], {env: {PATH: process.env.PATH ?? ""}, encoding: "utf8"});
  const ms = performance.now() - from;
  if (ran.status !== ENDS[name]) throw new Error(`${name} ended with ${ran.status}: ${ran.stderr}`);
  return ms;
}
