/** How many real commits would be `not-covered`: plans the parent and attributes the changed paths, without running a stage. */
import {execFileSync, spawnSync} from "node:child_process";
import {existsSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {decideFromPaths, matchExtensions} from "../src/changes/trigger.ts";
import {DEFAULT_CONFIG} from "../src/detect/config/config.ts";
import {createFileList} from "../src/detect/files/file-list.ts";
import {parseYaml} from "../src/detect/files/parse-yaml.ts";
import {viewFiles} from "../src/detect/files/project.ts";
import {plan} from "../src/detect/plan.ts";
import {attributeChanges} from "../src/engine/coverage/attribute.ts";

const LIST = new URL("coverage-commits.json", import.meta.url);
const isSource = matchExtensions(DEFAULT_CONFIG.codeExtensions);
const isSkipped = (path) => decideFromPaths([{path, status: "modified"}], DEFAULT_CONFIG, new Map()).kind === "skip";

/** `ASSAY_REPOSITORIES` is a folder with a git directory `OWNER+NAME/repo` for each repository of the list. */
export async function measure() {
  const folder = process.env.ASSAY_REPOSITORIES ?? "";
  if (folder === "") {
    console.log("coverage: not measured; set ASSAY_REPOSITORIES to a folder with the listed repositories");
    return {bounds: []};
  }
  const groups = JSON.parse(readFileSync(LIST, "utf8"));
  const bounds = [];
  const results = {};
  for (const [group, repositories] of Object.entries(groups)) {
    const commits = [];
    for (const [name, ids] of Object.entries(repositories)) {
      const git = join(folder, name.replace("/", "+"), "repo");
      if (!existsSync(git)) throw new Error(`${name} is not in ${folder}`);
      for (const id of ids) commits.push({name, ...judged(git, id)});
    }
    for (const {name, id, uncovered, listed} of commits) {
      if (uncovered.length > 0)
        console.log(`not-covered  ${name} ${id.slice(0, 10)}  ${uncovered.slice(0, 8).join(" ")}`);
      if (listed.length > 0) console.log(`  not checked  ${name} ${id.slice(0, 10)}  ${listed.slice(0, 6).join(" ")}`);
    }
    const share = (100 * commits.filter(({uncovered}) => uncovered.length > 0).length) / commits.length;
    const withList = commits.filter(({listed}) => listed.length > 0).length;
    console.log(`${group}: ${commits.length} commits, ${withList} with paths that are only listed`);
    bounds.push({what: `${group}: commits that are not covered`, value: share, bound: 2, unit: "%"});
    results[group] = commits;
  }
  return {bounds, results};
}

function judged(git, id) {
  const made = plan({project: projectOf(git, `${id}^`), config: DEFAULT_CONFIG});
  if (!made.ok) throw new Error(JSON.stringify(made.failure));
  const tree = projectOf(git, id);
  const paths = attributeChanges({
    plan: made.value,
    tree,
    changes: changesOf(git, id),
    isSource,
    isSkipped,
    machine: process,
  });
  const uncovered = paths.filter(({project, takenIn}) => project !== null && takenIn.length === 0);
  const listed = paths.filter((one) => one.stages.length === 0 && !uncovered.includes(one));
  const names = (list) => list.map(({path}) => path);
  return {id, stages: made.value.stages.map(({name}) => name), uncovered: names(uncovered), listed: names(listed)};
}

/** Contents by their object ids: from one commit to the next nearly all manifests stay as they are. */
const texts = new Map();

/** The tree of a commit, read from the repository itself. */
function projectOf(git, revision) {
  const listed = execFileSync("git", ["--git-dir", git, "ls-tree", "-r", "-z", revision], {
    encoding: "utf8",
    maxBuffer: 1024 ** 3,
  });
  const rows = listed.split("\0").map((row) => /^(\d+) blob (\w+)\t(.*)$/s.exec(row));
  const ids = new Map(rows.flatMap((row) => (row === null ? [] : [[row[3], row[2]]])));
  const read = (path) => {
    const id = ids.get(path);
    if (!texts.has(id)) texts.set(id, blob(git, id));
    return texts.get(id);
  };
  return viewFiles({files: createFileList(ids.keys()), read, parseYaml});
}

function blob(git, id) {
  const found = spawnSync("git", ["--git-dir", git, "cat-file", "blob", id], {maxBuffer: 1024 ** 3});
  if (found.status !== 0 || found.stdout.length > 1_000_000) return {kind: "none", why: "it cannot be read"};
  return {kind: "bytes", bytes: found.stdout};
}

function changesOf(git, id) {
  const args = ["--git-dir", git, "diff-tree", "-r", "-z", "-M", "--name-status", `${id}^`, id];
  const fields = execFileSync("git", args, {encoding: "utf8", maxBuffer: 1024 ** 3}).split("\0");
  const changes = [];
  for (let at = 0; at + 1 < fields.length; ) {
    const [status, path] = [fields[at], fields[at + 1]];
    const isRename = /^[RC]/.test(status);
    changes.push({path: isRename ? fields[at + 2] : path, status: status === "D" ? "deleted" : "modified"});
    at += isRename ? 3 : 2;
  }
  return changes;
}
