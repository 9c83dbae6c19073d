/**
 * Questions whose answer the history of a repository knows: a text that describes a change, the specs there were before it, and
 * those that it then changed. OpenSpec: the `## Why` of an archived proposal. spec-sync: the message of a commit that changes specs and code.
 */
import {spawnSync} from "node:child_process";

const MAX_QUERIES = 80;
const SMALLEST_CORPUS = 8;
const QUERY_CHARS = 1500;
const MAX_TARGETS = 4;
const SPEC_SYNC = /^specs\/(?:.*\/)?(?!_)[^/]+\.spec\.md$/;
const OPENSPEC = /^openspec\/specs\/(.+)\/spec\.md$/;

/** `{task, specs: [{path, text}], targets: [path], paths}` of a git directory; `paths` are all files before the change. */
export function queriesOf(git) {
  const queries = [...openSpecQueries(git), ...specSyncQueries(git)].filter(
    ({specs, targets}) => specs.length >= SMALLEST_CORPUS && targets.length > 0,
  );
  const step = Math.max(1, queries.length / MAX_QUERIES);
  const chosen = Array.from({length: Math.min(MAX_QUERIES, queries.length)}, (_, at) => queries[Math.floor(at * step)]);
  const texts = blobs(git, new Set(chosen.flatMap(({specs}) => specs.map(({id}) => id))));
  return chosen.map((query) => ({...query, specs: query.specs.map(({path, id}) => ({path, text: texts.get(id)}))}));
}

function openSpecQueries(git) {
  const head = list(git, "HEAD", "openspec/changes").map(({path}) => path);
  const folders = new Map();
  for (const path of head) {
    const [, slug, capability] =
      /^openspec\/changes\/archive\/\d{4}-\d\d-\d\d-([^/]+)\/specs\/(.+)\/spec\.md$/.exec(path) ?? [];
    if (slug !== undefined) folders.set(slug, [...(folders.get(slug) ?? []), `openspec/specs/${capability}/spec.md`]);
  }
  const added = run(git, [
    ...["log", "--reverse", "--diff-filter=A", "--no-renames", "--name-only", "--format=%x00%H"],
    ...["--", "openspec/changes"],
  ]);
  const proposals = new Map();
  for (const entry of added.split("\0").slice(1)) {
    const [commit, ...paths] = entry.split("\n").filter(Boolean);
    for (const path of paths) {
      const [, slug] = /^openspec\/changes\/(?:archive\/(?:\d{4}-\d\d-\d\d-)?)?([^/]+)\/proposal\.md$/.exec(path) ?? [];
      if (slug !== undefined && !proposals.has(slug)) proposals.set(slug, {commit, path});
    }
  }
  return [...proposals].flatMap(([slug, {commit, path}]) => {
    const targets = folders.get(slug);
    if (targets === undefined || !exists(git, `${commit}^`)) return [];
    const text = run(git, ["show", `${commit}:${path}`]);
    const task = (/^## Why\s*\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(text)?.[1] ?? "").trim().slice(0, QUERY_CHARS);
    return task === "" ? [] : [query(git, {commit, task, targets, corpus: "openspec/specs", pattern: OPENSPEC})];
  });
}

function specSyncQueries(git) {
  const log = run(git, ["log", "--reverse", "--no-merges", "--no-renames", "--name-only", "--format=%x00%H%x01%B%x01"]);
  return log
    .split("\0")
    .slice(1)
    .flatMap((entry) => {
      const [commit, message, names = ""] = entry.split("\x01");
      const paths = names.split("\n").filter(Boolean);
      const targets = paths.filter((path) => SPEC_SYNC.test(path));
      const hasCode = paths.some((path) => /\.(?:ts|tsx|js|mjs|rs|py|go|java|kt|swift)$/.test(path));
      if (targets.length === 0 || targets.length > MAX_TARGETS || !hasCode || !exists(git, `${commit}^`)) return [];
      const lines = message
        .split("\n")
        .filter((line) => !/^(?:co-authored-by|signed-off-by|claude-session):/i.test(line));
      const task = lines
        .join("\n")
        .replace(/^\w+(?:\([^)]*\))?!?:\s*/, "")
        .trim()
        .slice(0, QUERY_CHARS);
      return [query(git, {commit, task, targets, corpus: "specs", pattern: SPEC_SYNC})];
    });
}

function query(git, {commit, task, targets, corpus, pattern}) {
  const specs = list(git, `${commit}^`, corpus).filter(({path}) => pattern.test(path));
  const known = new Set(specs.map(({path}) => path));
  return {commit, task, specs, targets: targets.filter((path) => known.has(path))};
}

const exists = (git, revision) => spawnSync("git", ["--git-dir", git, "cat-file", "-e", revision]).status === 0;

function list(git, revision, folder) {
  const rows = run(git, ["ls-tree", "-r", "-z", "--full-tree", revision, "--", folder]).split("\0").filter(Boolean);
  return rows.map((row) => ({path: row.slice(row.indexOf("\t") + 1), id: row.slice(12, row.indexOf("\t"))}));
}

function blobs(git, ids) {
  const texts = new Map();
  const bytes = Buffer.from(
    run(git, ["cat-file", "--batch"], {input: Buffer.from([...ids].join("\n")), encoding: "latin1"}),
    "latin1",
  );
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf("\n", at);
    const [id, , size] = bytes.toString("latin1", at, end).split(" ");
    texts.set(id, bytes.toString("utf8", end + 1, end + 1 + Number(size)));
    at = end + 1 + Number(size) + 1;
  }
  return texts;
}

function run(git, args, options = {}) {
  const ran = spawnSync("git", ["--git-dir", git, ...args], {encoding: "utf8", maxBuffer: 1 << 30, ...options});
  if (ran.status !== 0) throw new Error(`git ${args[0]}: ${ran.stderr}`);
  return ran.stdout;
}
