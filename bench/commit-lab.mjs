/** Real commits of fetched repositories, each with the checkouts and the plan of a verification of it; for `bite` and `sensitivity`. */
import {execFileSync} from "node:child_process";
import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync} from "node:fs";
import {homedir, tmpdir} from "node:os";
import {join} from "node:path";
import {openCheckouts} from "../src/engine/checkout/checkout.ts";
import {stageHome} from "../src/engine/isolation/home.ts";
import {openRepository} from "../src/git/repository.ts";
import {altersSources, changedTests} from "../src/integrity/changed-tests/new-tests.ts";
import {loadTestGrammars} from "../src/integrity/load-parsers.ts";
import {readChange} from "../src/integrity/read-change.ts";

const LIST = new URL("bite-repositories.json", import.meta.url);
/** @type {import("../src/engine/isolation/choose-sandbox.ts").StageIsolation} */
const OPEN = {level: "degraded", network: "all", refusal: null, confines: false, overlays: false, warning: null};
const KINDS = {
  fix: /\b(?:fix(?:e[sd])?|bug|regression|crash(?:es)?)\b/i,
  other: /\b(?:refactor\w*|docs?|docstrings?|typos?|renam\w+|clean ?up|simplif\w+|typing|style|reword|comments?)\b/i,
};
const NEITHER = /\b(?:ci|lint|release|bump|workflow|changelog|merge|revert)\b/i;

/** The repositories of the list that are in `ASSAY_REPOSITORIES` (`OWNER+NAME/repo`); null without that folder. */
export function repositoriesOf() {
  const folder = process.env.ASSAY_REPOSITORIES ?? "";
  if (folder === "") return null;
  const only = (process.env.ASSAY_BENCH_ONLY ?? "").split(",").filter((name) => name !== "");
  return JSON.parse(readFileSync(LIST, "utf8"))
    .filter(({name}) => only.length === 0 || only.some((one) => name.includes(one)))
    .map((entry) => ({...entry, git: join(folder, entry.name.replace("/", "+"), "repo")}))
    .filter(({git}) => existsSync(git));
}

/** Newest commits first: fixes that change tests and sources, or refactorings and documentation. */
export function commitsOf(git, {kind, most, newerThan = "2021-01-01"}) {
  const log = execFileSync(
    "git",
    ["--git-dir", git, "log", "--no-merges", `--since=${newerThan}`, "--format=%H%x09%s", "HEAD"],
    {
      encoding: "utf8",
      maxBuffer: 1 << 28,
    },
  );
  const isMeant = (subject) =>
    KINDS[kind].test(subject) &&
    !NEITHER.test(subject) &&
    (kind === "fix" ? !KINDS.other.test(subject) : !KINDS.fix.test(subject));
  const commits = [];
  for (const row of log.trim().split("\n")) {
    const [id, subject] = [row.slice(0, 40), row.slice(41)];
    if (isMeant(subject) && hasBoth(git, id, kind)) commits.push({id, subject});
    if (commits.length === most) break;
  }
  return commits;
}

function hasBoth(git, id, kind) {
  const names = execFileSync("git", ["--git-dir", git, "diff-tree", "-r", "--name-only", "--no-commit-id", id], {
    encoding: "utf8",
  });
  const paths = names.trim().split("\n");
  const isTest = (path) => /(?:^|[/_.])(?:tests?|spec|__tests__)(?:[/_.]|$)|Tests?\.java$/i.test(path);
  const code = paths.filter((path) => /\.(?:[cm]?[jt]sx?|py|go|rs|java)$/.test(path));
  const hasInline = code.some((path) => path.endsWith(".rs"));
  if (kind === "other") return paths.length > 0 && paths.length < 40;
  return code.length < 15 && code.some((path) => !isTest(path)) && (hasInline || code.some(isTest));
}

/** A clone with installed dependencies; the caller removes `folder`. */
export async function openLab(entry) {
  const folder = mkdtempSync(join(tmpdir(), "assay-lab-"));
  const clone = join(folder, "clone");
  execFileSync("git", ["clone", "-q", "--no-hardlinks", entry.git, clone]);
  const venv = join(folder, "venv");
  if (entry.language === "python") execFileSync("python3", ["-m", "venv", venv]);
  const path = [join(venv, "bin"), process.env.PATH].join(":");
  execFileSync("bash", ["-c", entry.install], {
    cwd: clone,
    env: {...process.env, PATH: path, VENV: venv},
    stdio: "pipe",
  });
  const opened = await openRepository({
    folder: join(folder, "git"),
    source: {kind: "local", folder: entry.git},
    variables: process.env,
  });
  if (!opened.ok) throw new Error(JSON.stringify(opened.failure));
  const home = stageHome({realHome: homedir(), variables: process.env, isolation: OPEN, private: []});
  const stage = stageOf(entry, venv);
  return {
    folder,
    clone,
    repository: opened.value,
    home,
    stage,
    setup: entry.language === "javascript" ? [INSTALLED] : [],
    plan: planOf(stage),
    remove: () => rmSync(folder, {recursive: true, force: true, maxRetries: 3}),
  };
}

const stageOf = ({command, env = {}, language}, venv) => ({
  name: "test",
  kind: "test",
  command,
  cwd: ".",
  timeout: 300,
  optional: false,
  env,
  when: [],
  needs: [],
  path: language === "python" ? [join(venv, "bin")] : [],
  tools: [],
  origin: {file: "bench", key: "", why: ""},
});
/** The install of `openLab`, which every commit gets: `node_modules` is copied from the clone, and nothing runs. */
const INSTALLED = {command: "true", cwd: ".", timeout: 60, tools: [], inputs: [], provides: ["node_modules"]};
const planOf = (stage) => ({schema: "assay.plan/1", stages: [stage], setup: [], notRun: [], notes: []});

let count = 0;

/** One commit with its parent as the base. Null if it has no new tests with sources, unless `needsTests` is false. */
export async function openCommit(lab, id, {needsTests = true} = {}) {
  const {repository, plan} = lab;
  const [base, head] = [await repository.fetch(`${id}^`), await repository.fetch(id)];
  if (!base.ok || !head.ok) return null;
  const candidate = {...head.value, base: base.value.commit};
  const changes = await repository.changes(candidate.base, candidate.commit);
  const change = await readChange({repository, base: candidate.base, head: candidate.commit, plan});
  if (change.ok) await loadTestGrammars(change.value);
  if (!changes.ok || !change.ok) return null;
  const tests = changedTests(change.value);
  if (needsTests && (tests.length === 0 || !altersSources(change.value))) return null;
  const controller = new AbortController();
  const folder = join(lab.folder, `checkouts-${++count}`);
  mkdirSync(folder, {recursive: true});
  const checkouts = openCheckouts({
    folder,
    repository,
    base: candidate.base,
    setup: lab.setup,
    dependencies: {kind: "folder", folder: lab.clone},
    home: lab.home,
    isolation: OPEN,
    signal: controller.signal,
    onEvent: () => undefined,
  });
  return {
    candidate,
    changes: changes.value,
    change: change.value,
    tests,
    plan,
    checkouts,
    repository,
    signal: controller.signal,
  };
}
