/** The candidate: one commit of exactly what the agent did, made by the bot and kept on a ref from then on (P8). */

import {caseCollisions, linkProblem, modeProblem, pathProblem, prefixesOf} from "../git/forbidden-entries.ts";
import {gitRefused} from "../git/git.ts";
import {type IndexEntry, updateIndex, withIndex} from "../git/private-index.ts";
import type {RawEntry} from "../git/raw-diff.ts";
import {readBlobs} from "../git/read-blobs.ts";
import type {Repository} from "../git/repository.ts";
import {snapshotFolder} from "../git/snapshot.ts";
import type {Failure} from "../record/failure.ts";
import type {Candidate, Change} from "../record/verification.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {filterProblems} from "./filtered-files.ts";

/** Candidates of a run, by number; what crashed later finds them here. */
export const CANDIDATE_REFS = "refs/assay/candidates";
/** The tree of the working folder before the agent started. */
export const LEFTOVERS_REF = "refs/assay/leftovers";

const MAX_LINK_BYTES = 4096;

interface Place {
  readonly repository: Repository;
  /** the agent's working folder */
  readonly folder: string;
  /** a commit that is in the repository */
  readonly base: string;
}

/**
 * Remembers how the folder differs from `base` before the agent starts: those differences are not the agent's work.
 * Gives the tree to hand to `makeCandidate`; it also stands on a ref, for whoever goes on after a crash.
 */
export async function snapshotLeftovers(o: Place): Promise<Result<string, Failure>> {
  const tree = await snapshotFolder({...o, commit: o.base});
  if (!tree.ok) return tree;
  const kept = await o.repository.git(["update-ref", LEFTOVERS_REF, tree.value]);
  return kept.ok ? tree : gitRefused(kept.failure);
}

/**
 * Makes a commit on `base` of everything the agent left in the folder, whether it committed it or not. Without `leftovers`
 * (a developer's own folder) every difference from `base` counts, but for files of `skipped` that are missing. Fails as `candidate-refused` naming all problems;
 * `changes` is empty when the agent changed nothing. With `leaveOut` what it would refuse is as on the base instead, and the
 * rest is the candidate, for keeping it and not for publishing it; `leftOut` has what the tree showed of that.
 */
export async function makeCandidate(
  o: Place & {
    leftovers?: string | null;
    leaveOut?: boolean;
    skipped?: readonly IndexEntry[];
    /** the candidate is only verified here, and published by other means */
    isLocal?: boolean;
  },
): Promise<Result<{candidate: Candidate; changes: Change[]; leftOut: readonly string[]}, Failure>> {
  const {repository, base} = o;
  const left = await snapshotFolder({...o, commit: base});
  if (!left.ok) return left;
  const whole = o.leftovers
    ? await withoutLeftovers({repository, base, leftovers: o.leftovers, tree: left.value})
    : left;
  if (!whole.ok) return whole;
  const rest = o.leaveOut
    ? await withoutProblems({repository, base, tree: whole.value})
    : ok({tree: whole.value, leftOut: []});
  if (!rest.ok) return rest;
  const {tree, leftOut} = rest.value;
  const admissible = await inspect({repository, base, tree, isLocal: o.isLocal ?? false});
  if (!admissible.ok) return admissible;
  const commit = await keepCandidate({repository, base, tree});
  if (!commit.ok) return commit;
  const changes = await repository.changes(base, commit.value);
  return changes.ok ? ok({candidate: {commit: commit.value, tree, base}, changes: changes.value, leftOut}) : changes;
}

/** The base with what differs between the leftovers and the tree of the folder. */
async function withoutLeftovers(o: {
  repository: Repository;
  base: string;
  leftovers: string;
  tree: string;
}): Promise<Result<string, Failure>> {
  const did = await o.repository.rawChanges(o.leftovers, o.tree);
  if (!did.ok) return did;
  const entries = did.value.map(({newMode, newId, path}) => ({mode: newMode, id: newId, path}));
  return treeWith({repository: o.repository, commit: o.base, entries});
}

/**
 * The candidate without some of its changes: these paths are as on the base again, the rest stays. A new tree, and so a new
 * candidate, kept on a ref of its own: what was verified before says nothing about it (P3).
 */
export async function putBack(o: {
  repository: Repository;
  candidate: Candidate;
  paths: ReadonlySet<string>;
}): Promise<Result<Candidate, Failure>> {
  const {repository, candidate} = o;
  const {base} = candidate;
  const tree = await treeAsOnBase({repository, base, tree: candidate.tree, isMeant: (path) => o.paths.has(path)});
  if (!tree.ok) return tree;
  const commit = await keepCandidate({repository, base, tree: tree.value});
  return commit.ok ? ok({commit: commit.value, tree: tree.value, base}) : commit;
}

/** The tree with some of its paths as they are on the base. */
async function treeAsOnBase(o: {
  repository: Repository;
  base: string;
  tree: string;
  isMeant: (path: string) => boolean;
}): Promise<Result<string, Failure>> {
  const {repository, base, tree} = o;
  const changed = await repository.rawChanges(base, tree);
  if (!changed.ok) return changed;
  const entries = changed.value
    .filter(({path}) => o.isMeant(path))
    .map(({oldMode, oldId, path}) => ({mode: oldMode, id: oldId, path}));
  return treeWith({repository, commit: tree, entries});
}

/** The tree with every path that may not be in a candidate as on the base. */
async function withoutProblems(o: {
  repository: Repository;
  base: string;
  tree: string;
}): Promise<Result<{tree: string; leftOut: string[]}, Failure>> {
  const found = await findProblems({...o, isLocal: false});
  if (!found.ok) return found;
  const bad = new Set(found.value.flatMap((problem) => problem.paths));
  const isMeant = (path: string) => prefixesOf(path).some((prefix) => bad.has(prefix));
  const tree = await treeAsOnBase({...o, isMeant});
  return tree.ok ? ok({tree: tree.value, leftOut: found.value.map(({text}) => text)}) : tree;
}

/** The commit's tree with these entries in place of what it has there; mode `000000` removes. */
async function treeWith(o: {
  repository: Repository;
  commit: string;
  entries: readonly IndexEntry[];
}): Promise<Result<string, Failure>> {
  const {folder} = o.repository;
  const place = {git: o.repository.git, repository: folder, commit: o.commit, folder};
  return withIndex(place, async ({git, gitlinks}) => {
    const links = gitlinks.map(({path, id}) => ({mode: "160000", id, path}));
    const updated = await updateIndex(git, [...links, ...o.entries]);
    if (!updated.ok) return updated;
    const tree = await git(["write-tree", "--missing-ok"]);
    return tree.ok ? ok(tree.value.trim()) : gitRefused(tree.failure);
  });
}

/**
 * Looks at a commit that was made elsewhere as if it had been made here: what it stands on, its tree and its changes are read
 * from the objects, and everything that a candidate may not have is looked for. Fails as `candidate-refused`.
 */
export async function examineCandidate(o: {
  repository: Repository;
  base: string;
  commit: string;
}): Promise<Result<{candidate: Candidate; changes: Change[]}, Failure>> {
  const {repository, base, commit} = o;
  const shown = await repository.git(["rev-parse", `${commit}^{tree}`, `${commit}^@`]);
  if (!shown.ok) return gitRefused(shown.failure);
  const [tree = "", ...parents] = shown.value.split("\n").filter(Boolean);
  if (parents.join(" ") !== base) {
    return refused({
      kind: "candidate-refused",
      problems: [`it stands on ${parents.join(" and ") || "nothing"}, not on ${base}`],
    });
  }
  const admissible = await inspect({repository, base, tree, isLocal: false});
  if (!admissible.ok) return admissible;
  const changes = await repository.changes(base, commit);
  return changes.ok ? ok({candidate: {commit, tree, base}, changes: changes.value}) : changes;
}

async function inspect(o: {
  repository: Repository;
  base: string;
  tree: string;
  isLocal: boolean;
}): Promise<Result<null, Failure>> {
  const problems = await findProblems(o);
  if (!problems.ok) return problems;
  if (problems.value.length === 0) return ok(null);
  return refused({kind: "candidate-refused", problems: problems.value.map(({text}) => text)});
}

async function findProblems(o: {
  repository: Repository;
  base: string;
  tree: string;
  isLocal: boolean;
}): Promise<Result<{paths: readonly string[]; text: string}[], Failure>> {
  const {git} = o.repository;
  const diff = await o.repository.rawChanges(o.base, o.tree);
  if (!diff.ok) return diff;
  const problems: {paths: readonly string[]; text: string}[] = [];
  const targets = await linkTargets(o.repository, diff.value);
  for (const entry of diff.value) {
    const {path} = entry;
    const paths = [path];
    const mode = modeProblem(entry);
    if (mode !== null) problems.push({paths, text: `${path}: ${mode}`});
    if (entry.letter === "D") continue;
    const name = pathProblem(path);
    if (name !== null) problems.push({paths, text: `${path}: ${name}`});
    if (entry.newMode !== "120000") continue;
    const target = targets.get(entry.newId);
    const link = target === undefined ? "its target cannot be read" : linkProblem(path, target);
    if (link !== null) problems.push({paths, text: `${path}: ${link}`});
  }
  const written = diff.value.filter(({letter, newMode}) => letter !== "D" && newMode.startsWith("100"));
  const paths = o.isLocal ? [] : written.map(({path}) => path);
  const filtered = await filterProblems({git, repository: o.repository.folder, base: o.base, tree: o.tree, paths});
  if (!filtered.ok) return filtered;
  problems.push(...filtered.value.map(({path, why}) => ({paths: [path], text: `${path}: ${why}`})));
  const added = new Set(diff.value.filter((entry) => entry.letter === "A").map((entry) => entry.path));
  if (added.size > 0) {
    const all = await git(["ls-tree", "-r", "-z", "--name-only", o.tree]);
    if (!all.ok) return gitRefused(all.failure);
    const clashes = caseCollisions(added, all.value.split("\0").filter(Boolean));
    const why = "one name where upper and lower case are the same";
    problems.push(...clashes.map((paths) => ({paths, text: `${paths.join(" and ")}: ${why}`})));
  }
  return ok(problems);
}

/** Where the changed links lead, by the id of their content; what cannot be read is missing. */
async function linkTargets(repository: Repository, entries: readonly RawEntry[]): Promise<Map<string, string>> {
  const links = entries.filter(({letter, newMode}) => letter !== "D" && newMode === "120000");
  const targets = new Map<string, string>();
  await readBlobs({
    repository,
    ids: links.map(({newId}) => newId),
    limits: {fileBytes: MAX_LINK_BYTES, allBytes: MAX_LINK_BYTES * links.length},
    take: (id, content) => void targets.set(id, content.toString("utf8")),
  });
  return targets;
}

/** Numbers go on after what is there, so that a second try never hides the first. */
export async function keepCandidate(o: {
  repository: Repository;
  base: string;
  tree: string;
}): Promise<Result<string, Failure>> {
  const {git} = o.repository;
  const commit = await git(["commit-tree", "-p", o.base, o.tree], {input: "Candidate\n"});
  if (!commit.ok) return gitRefused(commit.failure);
  const id = commit.value.trim();
  const listed = await git(["for-each-ref", "--format=%(refname:lstrip=3)", CANDIDATE_REFS]);
  if (!listed.ok) return gitRefused(listed.failure);
  const last = Math.max(0, ...listed.value.split("\n").map(Number));
  const kept = await git(["update-ref", `${CANDIDATE_REFS}/${last + 1}`, id, "0".repeat(40)]);
  return kept.ok ? ok(id) : gitRefused(kept.failure);
}

/** The last candidate that a run made, for whoever goes on after a crash; null when there is none. */
export async function lastCandidate(repository: Repository): Promise<Result<Candidate | null, Failure>> {
  const format = "%(refname:lstrip=3) %(objectname) %(tree) %(parent)";
  const listed = await repository.git(["for-each-ref", `--format=${format}`, CANDIDATE_REFS]);
  if (!listed.ok) return gitRefused(listed.failure);
  const rows = listed.value.split("\n").filter(Boolean);
  const found = rows.map((row) => row.split(" ")).sort((a, b) => Number(a[0]) - Number(b[0]));
  const [, commit, tree, base] = found.at(-1) ?? [];
  return ok(commit && tree && base ? {commit, tree, base} : null);
}
