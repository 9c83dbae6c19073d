/** `npm run bench -- PART…`: measures parts of the product, prints a line for each bound, and keeps the numbers in bench/results/. */
import {mkdirSync, writeFileSync} from "node:fs";

/** Each part gives `{bounds: [{what, value, bound, unit}], …}` for the results; without names all run but those of `ONLY_BY_NAME`. */
const PARTS = {
  plan: () => import("./plan.mjs"),
  start: () => import("./start.mjs"),
  verify: () => import("./verify.mjs"),
  output: () => import("./output.mjs"),
  distill: () => import("./distill.mjs"),
  spawn: () => import("./spawn.mjs"),
  baseline: () => import("./baseline.mjs"),
  loop: () => import("./loop.mjs"),
  comment: () => import("./comment.mjs"),
  replay: () => import("./replay.mjs"),
  engine: () => import("./engine.mjs"),
  coverage: () => import("./coverage.mjs"),
  specs: () => import("./specs.mjs"),
  real: () => import("./real.mjs"),
  judge: () => import("./judge.mjs"),
  "ci-account": () => import("./ci-account.mjs"),
  bite: () => import("./bite.mjs"),
  sensitivity: () => import("./sensitivity.mjs"),
  inspect: () => import("./inspect.mjs"),
  required: () => import("./required.mjs"),
  stats: () => import("./stats.mjs"),
  shards: () => import("./shards.mjs"),
};
/** `shards` waits for minutes. The others need repositories of other people or a model's key; `real` also runs those repositories' code, for half an hour. */
const ONLY_BY_NAME = ["specs", "real", "judge", "ci-account", "bite", "sensitivity", "inspect", "required", "shards"];

/** Options after the names belong to a part. */
const given = process.argv.slice(2);
const firstOption = given.findIndex((word) => word.startsWith("--"));
const wanted = firstOption < 0 ? given : given.slice(0, firstOption);
const names = wanted.length > 0 ? wanted : Object.keys(PARTS).filter((name) => !ONLY_BY_NAME.includes(name));
const unknown = names.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  console.error(`no such part: ${unknown.join(", ")}; there are: ${Object.keys(PARTS).join(", ")}`);
  process.exit(2);
}
const results = new URL("results/", import.meta.url);
mkdirSync(results, {recursive: true});
for (const name of names) {
  const {measure} = await PARTS[name]();
  const measured = await measure();
  const machine = {node: process.version, platform: process.platform, arch: process.arch};
  writeFileSync(new URL(`${name}.json`, results), `${JSON.stringify({part: name, machine, ...measured}, null, 2)}\n`);
  for (const {what, value, bound, unit} of measured.bounds) {
    const isKept = value <= bound;
    if (!isKept) process.exitCode = 1;
    console.log(`${isKept ? "✅" : "❌"} ${name}: ${what} ${value.toFixed(2)} ${unit} (at most ${bound} ${unit})`);
  }
}
