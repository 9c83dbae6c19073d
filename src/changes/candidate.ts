/** The candidate: one commit of exactly what the agent did, made by the bot and kept on a ref from then on (P8). */

import {caseCollisions, linkProblem, modeProblem, pathProblem, prefixesOf} from "../git/forbidden-entries.ts";
import {gitRefused} from "../git/git.ts";
import {entriesAt, type IndexEntry, updateIndex, withIndex} from "../git/private-index.ts";
import type {RawEntry} from "../git/raw-diff.ts";
import {readBlobs} from "../git/read-blobs.ts";
import type {Repository} from "../git/repository.ts";
import {type OwnFolder, snapshotFolder} from "../git/snapshot.ts";
import type {Failure} from "../record/failure.ts";
import type {Candidate, Change} from "../record/verification.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {filterProblems} from "./filtered-files.ts";

/** Candidates of a run, by number; recovery after a crash finds them here. */
export const CANDIDATE_REFS = "refs/assay/candidates";
/** The tree of the working folder before the agent started. */
export const LEFTOVERS_REF = "refs/assay/leftovers";

const MAX_LINK_BYTES = 4096;

/** A tree that is to become a candidate on `base`. */
interface ProposedTree {
  readonly repository: Repository;
  readonly base: string;
  readonly tree: string;
}

interface CandidateSource {
  readonly repository: Repository;
  /** the agent's working folder */
  readonly folder: string;
  /** a commit that is in the repository */
  readonly base: string;
}

/**
 * Records how the folder differs from `base` before the agent starts, because those differences are not the agent's
 * work. Returns the tree for `makeCandidate`; a ref keeps it for recovery after a crash.
 */
export async function snapshotLeftovers(options: CandidateSource): Promise<Result<string, Failure>> {
  const tree = await snapshotFolder({...options, commit: options.base});
  if (!tree.ok) return tree;
  const refUpdate = await options.repository.git(["update-ref", LEFTOVERS_REF, tree.value]);
  return refUpdate.ok ? tree : gitRefused(refUpdate.failure);
}

/**
 * Makes a commit on `base` of all the agent's changes in the folder, committed or not. Without `leftovers` (a
 * developer's own folder) every difference from `base` counts, except missing files of `skipped`. Fails as
 * `candidate-refused` and names all problems; `changes` is empty if the agent changed nothing. With `leaveOut`, refused
 * paths are as on the base, and the candidate is for saving, not for publishing; `leftOut` lists the refused changes of
 * the tree.
 */
export async function makeCandidate(
  options: CandidateSource & {
    leftovers?: string | null;
    leaveOut?: boolean;
    skipped?: readonly IndexEntry[];
    own?: OwnFolder;
    /** the candidate is only verified here, and published by other means */
    isLocal?: boolean;
  },
): Promise<Result<{candidate: Candidate; changes: Change[]; leftOut: readonly string[]}, Failure>> {
  const {repository, base} = options;
  const snapshot = await snapshotFolder({...options, commit: base});
  if (!snapshot.ok) return snapshot;
  const fullTree = options.leftovers
    ? await withoutLeftovers({repository, base, leftovers: options.leftovers, tree: snapshot.value})
    : snapshot;
  if (!fullTree.ok) return fullTree;
  const candidateTree = options.leaveOut
    ? await withoutProblems({repository, base, tree: fullTree.value})
    : ok({tree: fullTree.value, leftOut: []});
  if (!candidateTree.ok) return candidateTree;
  const {tree, leftOut} = candidateTree.value;
  const isLocal = options.isLocal ?? false;
  const [admissible, commit] = await Promise.all([
    inspect({repository, base, tree, isLocal}),
    makeCommit({repository, base, tree}),
  ]);
  if (!admissible.ok) return admissible;
  if (!commit.ok) return commit;
  // The developer's folder still has the work, so no ref needs to keep the commit.
  const keptCommit = isLocal ? commit : await nameCandidate(repository, commit.value);
  if (!keptCommit.ok) return keptCommit;
  const changes = await repository.changes(base, commit.value);
  if (!changes.ok) return changes;
  return ok({candidate: {commit: commit.value, tree, base}, changes: changes.value, leftOut});
}

/** The base with the differences between the leftovers and the folder's tree. */
async function withoutLeftovers(options: ProposedTree & {leftovers: string}): Promise<Result<string, Failure>> {
  const agentChanges = await options.repository.rawChanges(options.leftovers, options.tree);
  if (!agentChanges.ok) return agentChanges;
  const entries = agentChanges.value.map(({newMode, newId, path}) => ({mode: newMode, id: newId, path}));
  return treeWith({repository: options.repository, commit: options.base, entries});
}

/**
 * Returns the candidate without some of its changes: these paths are as on the base, the others stay. A new tree is a
 * new candidate on a separate ref: the earlier verification proves nothing about it (P3).
 */
export async function resetPaths(options: {
  repository: Repository;
  candidate: Candidate;
  paths: ReadonlySet<string>;
}): Promise<Result<Candidate, Failure>> {
  const {repository, candidate} = options;
  const {base} = candidate;
  const tree = await treeAsOnBase({...candidate, repository}, (path) => options.paths.has(path));
  if (!tree.ok) return tree;
  const commit = await keepCandidate({repository, base, tree: tree.value});
  return commit.ok ? ok({commit: commit.value, tree: tree.value, base}) : commit;
}

/** The tree with some of its paths as they are on the base. */
async function treeAsOnBase(
  {repository, base, tree}: ProposedTree,
  isMeant: (path: string) => boolean,
): Promise<Result<string, Failure>> {
  const changedEntries = await repository.rawChanges(base, tree);
  if (!changedEntries.ok) return changedEntries;
  const entries = changedEntries.value
    .filter(({path}) => isMeant(path))
    .map(({oldMode, oldId, path}) => ({mode: oldMode, id: oldId, path}));
  return treeWith({repository, commit: tree, entries});
}

/** The tree with every path that may not be in a candidate as on the base. */
async function withoutProblems(options: ProposedTree): Promise<Result<{tree: string; leftOut: string[]}, Failure>> {
  const problems = await findProblems({...options, isLocal: false});
  if (!problems.ok) return problems;
  const refusedPaths = new Set(problems.value.flatMap((problem) => problem.paths));
  const tree = await treeAsOnBase(options, (path) => prefixesOf(path).some((prefix) => refusedPaths.has(prefix)));
  return tree.ok ? ok({tree: tree.value, leftOut: problems.value.map(({text}) => text)}) : tree;
}

/** The commit's tree with these entries replaced; mode `000000` removes an entry. */
export async function treeWith(options: {
  repository: Repository;
  commit: string;
  entries: readonly IndexEntry[];
}): Promise<Result<string, Failure>> {
  const {folder} = options.repository;
  const place = {git: options.repository.git, repository: folder, commit: options.commit, folder};
  return withIndex(place, async ({git, gitlinks}) => {
    const links = gitlinks.map(({path, id}) => ({mode: "160000", id, path}));
    const updateResult = await updateIndex(git, [...links, ...options.entries]);
    if (!updateResult.ok) return updateResult;
    const tree = await git(["write-tree", "--missing-ok"]);
    return tree.ok ? ok(tree.value.trim()) : gitRefused(tree.failure);
  });
}

/**
 * Checks a commit that another job made like one of this job: reads its parent, its tree and its changes from the
 * objects, and searches for everything that a candidate may not contain. Fails as `candidate-refused`.
 */
export async function examineCandidate(options: {
  repository: Repository;
  base: string;
  commit: string;
}): Promise<Result<{candidate: Candidate; changes: Change[]}, Failure>> {
  const {repository, base, commit} = options;
  const commitObjects = await repository.git(["rev-parse", `${commit}^{tree}`, `${commit}^@`]);
  if (!commitObjects.ok) return gitRefused(commitObjects.failure);
  const [tree = "", ...parents] = commitObjects.value.split("\n").filter(Boolean);
  if (parents.join(" ") !== base) {
    return refused({
      kind: "candidate-refused",
      problems: [`its parent is ${parents.join(" and ") || "nothing"}, not ${base}`],
    });
  }
  const admissible = await inspect({repository, base, tree, isLocal: false});
  if (!admissible.ok) return admissible;
  const changes = await repository.changes(base, commit);
  return changes.ok ? ok({candidate: {commit, tree, base}, changes: changes.value}) : changes;
}

async function inspect(options: ProposedTree & {isLocal: boolean}): Promise<Result<null, Failure>> {
  const problems = await findProblems(options);
  if (!problems.ok) return problems;
  if (problems.value.length === 0) return ok(null);
  return refused({kind: "candidate-refused", problems: problems.value.map(({text}) => text)});
}

async function findProblems(
  options: ProposedTree & {isLocal: boolean},
): Promise<Result<{paths: readonly string[]; text: string}[], Failure>> {
  const {git} = options.repository;
  const diff = await options.repository.rawChanges(options.base, options.tree);
  if (!diff.ok) return diff;
  const problems: {paths: readonly string[]; text: string}[] = [];
  const targets = await linkTargets(options.repository, diff.value);
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
  const writtenFiles = diff.value.filter(({letter, newMode}) => letter !== "D" && newMode.startsWith("100"));
  const paths = options.isLocal ? [] : writtenFiles.map(({path}) => path);
  const filtered = await filterProblems({
    git,
    repository: options.repository.folder,
    base: options.base,
    tree: options.tree,
    paths,
  });
  if (!filtered.ok) return filtered;
  problems.push(...filtered.value.map(({path, why}) => ({paths: [path], text: `${path}: ${why}`})));
  const addedPaths = new Set(diff.value.filter((entry) => entry.letter === "A").map((entry) => entry.path));
  if (addedPaths.size > 0) {
    const entries = await entriesAt({git, commit: options.tree});
    if (!entries.ok) return entries;
    const clashes = caseCollisions(
      addedPaths,
      entries.value.map(({path}) => path),
    );
    const why = "the names differ only in upper and lower case";
    problems.push(...clashes.map((paths) => ({paths, text: `${paths.join(" and ")}: ${why}`})));
  }
  return ok(problems);
}

/** The targets of the changed links, by the id of their content; unreadable ones are missing. */
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

/** Commits the tree on `base`, and keeps the commit on a ref. Returns its id. */
export async function keepCandidate(options: ProposedTree): Promise<Result<string, Failure>> {
  const commit = await makeCommit(options);
  return commit.ok ? nameCandidate(options.repository, commit.value) : commit;
}

async function makeCommit({repository, base, tree}: ProposedTree): Promise<Result<string, Failure>> {
  const commit = await repository.git(["commit-tree", "-p", base, tree], {input: "Candidate\n"});
  return commit.ok ? ok(commit.value.trim()) : gitRefused(commit.failure);
}

/** Numbers continue after the existing ones, so that a second try never hides the first. */
async function nameCandidate({git}: Repository, id: string): Promise<Result<string, Failure>> {
  const listedRefs = await git(["for-each-ref", "--format=%(refname:lstrip=3)", CANDIDATE_REFS]);
  if (!listedRefs.ok) return gitRefused(listedRefs.failure);
  const lastNumber = Math.max(0, ...listedRefs.value.split("\n").map(Number));
  const refUpdate = await git(["update-ref", `${CANDIDATE_REFS}/${lastNumber + 1}`, id, "0".repeat(40)]);
  return refUpdate.ok ? ok(id) : gitRefused(refUpdate.failure);
}

/** The last candidate of a run, for recovery after a crash; null if there is none. */
export async function lastCandidate(repository: Repository): Promise<Result<Candidate | null, Failure>> {
  const format = "%(refname:lstrip=3) %(objectname) %(tree) %(parent)";
  const listedRefs = await repository.git(["for-each-ref", `--format=${format}`, CANDIDATE_REFS]);
  if (!listedRefs.ok) return gitRefused(listedRefs.failure);
  const rows = listedRefs.value.split("\n").filter(Boolean);
  const candidates = rows.map((row) => row.split(" ")).sort((a, b) => Number(a[0]) - Number(b[0]));
  const [, commit, tree, base] = candidates.at(-1) ?? [];
  return ok(commit && tree && base ? {commit, tree, base} : null);
}
