/**
 * Runs the tests that try random faults, races, crash points and texts, in their long form: `node scripts/sweep.mjs [NAME …]`. A name
 * is part of a test file's path; without one, all of them run. A variable that is set already keeps its value.
 */
import {spawnSync} from "node:child_process";
import {readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";

const LONG = {
  ASSAY_FUZZ: "10000",
  ASSAY_SWEEP: "1",
  ASSAY_CRASHES: "900",
  ASSAY_RACES: "100",
  ASSAY_FAULTS: "9999",
  // of each of five workflows
  ASSAY_THREADS: "100",
};
const root = join(import.meta.dirname, "..");
const hasLongForm = (file) =>
  /^tests\/(?:sweeps|visual)\//.test(file) ||
  /ASSAY_(FUZZ|CRASHES|RACES|FAULTS|THREADS)\b|\/(sweep|fault-cases)\.ts"/.test(readFileSync(join(root, file), "utf8"));
const names = process.argv.slice(2);
const files = readdirSync(join(root, "tests"), {recursive: true})
  .map((name) => `tests/${name}`)
  .filter((file) => file.endsWith(".test.ts") && hasLongForm(file))
  .filter((file) => names.length === 0 || names.some((name) => file.includes(name)));
if (files.length === 0) throw new Error(`no such sweep: ${names.join(" ")}`);

const {status} = spawnSync(join(root, "node_modules/.bin/vitest"), ["run", ...files], {
  cwd: root,
  env: {...LONG, ...process.env},
  stdio: "inherit",
});
process.exitCode = status ?? 1;
