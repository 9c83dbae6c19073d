/**
 * Points the workflows that we ship at the newest commit: `node scripts/pin.mjs [NAME]`, where NAME is the release's, else
 * `main`. Two commits, because the workflow that others call has to run the action before anybody can call it by its commit.
 */
import {execFileSync} from "node:child_process";
import {readFileSync, writeFileSync} from "node:fs";

const [name = "main"] = process.argv.slice(2);
const root = new URL("..", import.meta.url);
const run = (program, ...args) => execFileSync(program, args, {cwd: root, encoding: "utf8"}).trim();

if (run("git", "status", "--porcelain") !== "") {
  console.error("Commit everything first: the workflows are pointed at a commit.");
  process.exit(1);
}
const action = run("git", "rev-parse", "--short=7", "HEAD");
pin(/^(export const ASSAY = "assay-run\/assay)@.*"/m, {label: name, subject: `Run ${name} in the called workflow`});
// A branch has many commits, so its name alone would stand at both. Programs that update actions read a release's name.
const label = name === "main" ? `main, runs the action of ${action}` : name;
const called = /^( {2}"assay-run\/assay\/\.github\/workflows\/separated\.yml)@.*"/m;
pin(called, {label, subject: `Call the workflow that runs ${name}`});

function pin(line, {label, subject}) {
  const file = new URL("src/onboarding/init/action-pins.ts", root);
  const before = readFileSync(file, "utf8");
  if (!line.test(before)) throw new Error(`src/onboarding/init/action-pins.ts has no line ${line}`);
  writeFileSync(file, before.replace(line, `$1@${run("git", "rev-parse", "HEAD")} # ${label}"`));
  run(process.execPath, "scripts/workflows.mjs");
  run("node_modules/.bin/bun", "scripts/build.mjs");
  run("git", "add", "dist");
  run("git", "commit", "--quiet", "--all", "--message", subject);
}
