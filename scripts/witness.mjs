/**
 * `npm run witness -- --repositories FOLDER --logs FOLDER` measures which rules decide something on material from outside, and compares that
 * with `witness.json`. FOLDER has bare repositories as `OWNER+NAME/repo`; the other has an `index.jsonl`, as for `npm run bench -- distill`.
 * `--commits N` for each repository (3), besides those in the table, or `--commits ID` for this one; `--write` adds the places that it
 * finds for rules without a row.
 */
import {execFileSync} from "node:child_process";
import {existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {parseArgs} from "node:util";
import {readCorpus} from "../bench/distill-corpus.mjs";
import {DEFAULT_CONFIG} from "../src/detect/config/config.ts";
import {ECOSYSTEMS} from "../src/detect/ecosystems/index.ts";
import {openProject} from "../src/detect/files/open-project.ts";
import {plan} from "../src/detect/plan.ts";
import {findRoots} from "../src/detect/proposals/project-roots.ts";
import {toolsOfLine} from "../src/detect/selection/stage-tools.ts";
import {distill} from "../src/diagnostics/distill.ts";
import {openLocalObjects} from "../src/git/local-objects.ts";
import {runnerTricks} from "../src/integrity/checks/runner-tricks.ts";
import {settings} from "../src/integrity/checks/settings.ts";
import {inspectChange} from "../src/integrity/inspect.ts";
import {loadParsers} from "../src/integrity/load-parsers.ts";
import {listTree, readChange} from "../src/integrity/read-change.ts";
import {TOOLS} from "../src/tools/all.ts";
import {listRules} from "../tests/contract/witness-rules.ts";

const TABLE = new URL("../witness.json", import.meta.url);
const TOUCHES =
  /(?:^|\/)(?:__tests__|tests?|specs?|features)\/|[._-](?:test|spec)s?\.|(?:Tests?|Spec)\.\w+$|\.(?:ya?ml|toml|cfg|ini|json|mk|sh|gradle|kts|xml)$|(?:^|\/)(?:Makefile|Rakefile|justfile|\.\w+rc)$|\.config\.\w+$/;
const MOST_FILES = 40;
/** The command of a tool that has another name. */
const COMMANDS = {rustfmt: "cargo fmt", "swift-testing": "swift test"};

const {values: options} = parseArgs({
  options: {
    repositories: {type: "string"},
    logs: {type: "string"},
    commits: {type: "string", default: "3"},
    write: {type: "boolean", default: false},
  },
});
if (options.repositories === undefined && options.logs === undefined) {
  console.log("witness: not measured; --repositories and --logs name folders with fetched material");
  process.exit(0);
}

const table = JSON.parse(readFileSync(TABLE, "utf8"));
const rules = listRules();
/** For each kind, the places where a rule decided something in this run: the one of its row, or the first. */
const seen = Object.fromEntries(Object.keys(rules).map((kind) => [kind, new Map()]));
const scratch = mkdtempSync(join(tmpdir(), "witness-"));
const counts = {repositories: 0, commits: 0, logs: 0};

function note(kind, id, place) {
  if (!seen[kind].has(id) || table[kind]?.[id] === place) seen[kind].set(id, place);
}

const git = (folder, ...args) =>
  execFileSync("git", ["--git-dir", folder, ...args], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "ignore"],
  });

/** The commit that `--commits` names, or a sample of so many. */
function chosenCommits(folder) {
  if (/^\d{1,5}$/.test(options.commits)) return sample(folder, Number(options.commits));
  return [git(folder, "rev-parse", "--verify", `${options.commits}^{commit}`).trim()];
}

/** Commits with one parent that touch a test or the configuration, spread over the newest; a fetched repository may lack the oldest. */
function sample(folder, count, newest = 1500) {
  const args = ["--no-merges", "--min-parents=1", `--max-count=${newest}`, "--format=%x00%H", "--name-only"];
  let log = "";
  try {
    log = git(folder, "log", ...args);
  } catch {
    return newest < 10 ? [] : sample(folder, count, Math.floor(newest / 5));
  }
  const touching = log.split("\0").flatMap((row) => {
    const [id, ...paths] = row.split("\n").filter((line) => line !== "");
    return id !== undefined && paths.length <= MOST_FILES && paths.some((path) => TOUCHES.test(path)) ? [id] : [];
  });
  const step = Math.max(1, Math.floor(touching.length / count));
  return touching.filter((_, at) => at % step === 0).slice(0, count);
}

async function readCommit(source, id) {
  const folder = mkdtempSync(join(scratch, "git-"));
  const opened = await openLocalObjects({folder, source, revisions: [`${id}~1`, id], variables: process.env});
  if (opened === null) return null;
  const [base = "", head = ""] = opened.commits;
  const change = await readChange({
    repository: {git: opened.git},
    base,
    head,
    plan: null,
    tree: listTree(opened.git, base),
  });
  rmSync(folder, {recursive: true, force: true});
  if (!change.ok) return null;
  await loadParsers(change.value);
  return change.value;
}

/** A row of a table decides if the findings are others without it. */
function rowsThatDecide(kind, check, {change, place}) {
  const findings = JSON.stringify(check.find(change));
  if (findings === "[]") return;
  for (const {id, row, part, none} of rules[kind]) {
    const isKnown = seen[kind].has(id) && table[kind]?.[id] !== place;
    if (isKnown) continue;
    const value = row[part];
    row[part] = none;
    const without = JSON.stringify(check.find(change));
    row[part] = value;
    if (without !== findings) note(kind, id, place);
  }
}

async function measureCommit({folder, name, id}) {
  const change = await readCommit(folder, id);
  if (change === null) return;
  counts.commits++;
  const place = `${name}@${id}`;
  const findings = inspectChange(change);
  for (const {message, fix, check} of findings) {
    for (const {id: rule, says} of rules.findings)
      if (says.test(message) || says.test(fix)) note("findings", rule, place);
    if (check !== "suppressions") continue;
    for (const {id: rule, name: word} of rules.suppressions)
      if (message.includes(`\`${word}\``)) note("suppressions", rule, place);
  }
  rowsThatDecide("settings", settings, {change, place});
  rowsThatDecide("tricks", runnerTricks, {change, place});
}

function parsePackage(text) {
  try {
    return JSON.parse(text ?? "{}");
  } catch {
    return {};
  }
}

/** It has something to say about one of the tree's folders. */
const proposes = (ecosystem, project) =>
  findRoots(project, ecosystem)
    .slice(0, 20)
    .some((root) =>
      Object.values(ecosystem.detect({project, root})).some((part) => Array.isArray(part) && part.length > 0),
    );

/** The plan of a tree, and the tools that its stages and its package scripts start. */
async function measurePlan({folder, name, id}) {
  const checkout = mkdtempSync(join(scratch, "tree-"));
  execFileSync("git", ["clone", "-q", "--shared", "--no-checkout", folder, checkout], {stdio: "ignore"});
  execFileSync("git", ["-C", checkout, "checkout", "-q", "--detach", id], {stdio: "ignore"});
  const project = await openProject(checkout);
  const made = plan({project, config: DEFAULT_CONFIG});
  const detected = ECOSYSTEMS.filter((one) => proposes(one, project));
  const {scripts = {}} = parsePackage(project.text("package.json"));
  rmSync(checkout, {recursive: true, force: true});
  if (!made.ok) return;
  const place = `${name}@${id}`;
  // Values are quoted in a sentence as they are.
  const text = JSON.stringify(made.value).replaceAll('\\"', '"');
  for (const {name: ecosystem} of detected) note("ecosystems", ecosystem, place);
  for (const {id: rule, says} of rules.reasons) if (says.test(text)) note("reasons", rule, place);
  const {stages, setup} = made.value;
  const lines = [...[...stages, ...setup].map(({command}) => command), ...Object.values(scripts)];
  const started = new Set(lines.flatMap((line) => (typeof line === "string" ? toolsOfLine(line) : [])));
  const words = new Set([...started, ...lines.flatMap((line) => String(line).split(/\s+/))]);
  for (const {id: tool} of rules.tools)
    if (words.has(tool) || [...started].some((one) => one.startsWith(COMMANDS[tool] ?? `${tool} `)))
      note("tools", tool, place);
}

/** A tool reads a log if it finds a problem in it, or its summary. */
function measureLog({name, log}) {
  counts.logs++;
  const {items, tests} = distill({log, maxChars: 4_000});
  for (const tool of new Set(items.map((item) => item.tool))) note("tools", tool, `log ${name}`);
  if (tests === null) return;
  for (const {name: tool, summaries = []} of TOOLS)
    if (summaries.some(({pattern}) => new RegExp(pattern).test(log))) note("tools", tool, `log ${name}`);
}

const rowsOf = Object.keys(rules).flatMap((kind) => Object.values(table[kind] ?? {}));
for (const entry of options.logs === undefined ? [] : readCorpus(options.logs)) measureLog(entry);
const folders = options.repositories === undefined ? [] : readdirSync(options.repositories);
for (const entry of folders) {
  const clone = join(options.repositories ?? "", entry, "repo");
  const folder = existsSync(join(clone, ".git")) ? join(clone, ".git") : clone;
  if (!existsSync(join(folder, "HEAD"))) continue;
  const name = entry.replace("+", "/");
  const listed = rowsOf.flatMap((place) => (place.startsWith(`${name}@`) ? [place.slice(name.length + 1)] : []));
  counts.repositories++;
  process.stderr.write(`${name}\n`);
  try {
    for (const id of new Set([...listed, ...chosenCommits(folder)])) await measureCommit({folder, name, id});
    const heads = Object.values({...table.ecosystems, ...table.reasons, ...table.tools}).filter((place) =>
      place.startsWith(`${name}@`),
    );
    const head = git(folder, "rev-parse", "HEAD").trim();
    for (const id of new Set([...heads.map((place) => place.slice(name.length + 1)), head]))
      await measurePlan({folder, name, id});
  } catch (error) {
    console.log(`${name}: ${String(error).slice(0, 200)}`);
  }
}
rmSync(scratch, {recursive: true, force: true});

console.log(`${counts.repositories} repositories, ${counts.commits} commits, ${counts.logs} logs`);
for (const kind of Object.keys(rules)) {
  const ids = rules[kind].map(({id}) => id);
  const rows = table[kind] ?? {};
  const again = ids.filter((id) => seen[kind].get(id) === rows[id] && rows[id] !== undefined);
  const elsewhere = ids.filter((id) => rows[id] !== undefined && seen[kind].has(id) && !again.includes(id));
  const without = ids.filter((id) => rows[id] === undefined && !seen[kind].has(id));
  console.log(
    `${kind}: ${ids.length} rules; ${again.length} decide at the place of their row, ${elsewhere.length} at another, ${without.length} have none`,
  );
  for (const id of without) console.log(`  no witness: ${id}`);
  const placeOf = (id) => rows[id] ?? seen[kind].get(id);
  const order = [...new Set([...Object.keys(rows), ...ids])].filter((id) => ids.includes(id));
  table[kind] = Object.fromEntries(order.flatMap((id) => (placeOf(id) === undefined ? [] : [[id, placeOf(id)]])));
  for (const id of order)
    if (rows[id] === undefined && seen[kind].has(id)) console.log(`  found: ${id}: ${placeOf(id)}`);
}
if (options.write) writeFileSync(TABLE, `${JSON.stringify(table, null, 2)}\n`);
