/** Prepares `assay verify`: a separate repository with the developer's objects, the base's rules, and the candidate. */

import {join} from "node:path";
import {allMistakes} from "../detect/all-mistakes.ts";
import {versionsOfCi} from "../detect/ci/tool-versions.ts";
import {type Config, DEFAULT_CONFIG} from "../detect/config/config.ts";
import {integrityNotes} from "../detect/config/config-notes.ts";
import {MAX_CONFIG_BYTES, readConfig} from "../detect/config/read-config.ts";
import type {Project} from "../detect/files/project.ts";
import {plan as makePlan} from "../detect/plan.ts";
import {compareWithCi} from "../engine/program-versions.ts";
import {refuseMissingFiles, workTreeProblem} from "../git/local-state.ts";
import {isNamed} from "../git/paths.ts";
import {openRepository, type Repository, type Revision} from "../git/repository.ts";
import type {Failure} from "../record/failure.ts";
import type {Note, Plan} from "../record/plan.ts";
import {type Candidate, type Change, changedPaths} from "../record/verification.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {openCommit} from "../run/open-commit.ts";
import {type CapturedFolder, captureFolder} from "./capture-folder.ts";
import {extendedFile} from "./extended-file.ts";
import {bareProblem, gitTop, revisionHint} from "./git-top.ts";
import {withLocalHints} from "./local-hints.ts";
import {locatePaths, stagesOfPaths} from "./path-stages.ts";
import {withStoredProofs} from "./proof-store.ts";

export interface LocalSetup {
  /** the top of the working folder */
  readonly folder: string;
  readonly repository: Repository;
  readonly baseName: string;
  readonly base: Revision;
  /** the commit that verify.json and the plan come from */
  readonly rules: string;
  readonly candidate: Candidate;
  readonly changes: Change[];
  readonly config: Config;
  readonly plan: Plan;
  /** the files of that commit */
  readonly project: Project;
  /** the stages that concern the requested paths; null if all stages are requested */
  readonly pathStages: readonly string[] | null;
  /** programs of this machine in another version than CI's */
  readonly versionNotes: readonly Note[];
  readonly notes: Note[];
}

/** The name of the base in a repository without a commit. */
export const NO_BASE = "none";

/** The sentence names the wrong option and a correct value. */
export interface WrongArgument {
  readonly kind: "wrong-argument";
  readonly sentence: string;
}

/**
 * Without a commit there is no base. Then the rules come from the folder itself, and a note is added.
 */
export async function prepareLocal(options: {
  scratch: string;
  cwd: string;
  base: string;
  head: string | null;
  /** relative to `cwd`; empty for the whole repository */
  paths: readonly string[];
  /** verify although the change breaks verify.json */
  mayBreakConfig: boolean;
}): Promise<Result<LocalSetup, Failure | WrongArgument>> {
  const problemHere = bareProblem(options.cwd);
  if (problemHere !== null) return refused({kind: "wrong-argument", sentence: problemHere});
  const folder = gitTop(options.cwd);
  if (folder === null) return refused({kind: "wrong-argument", sentence: outsideRepository(options.cwd)});
  const paths = await locatePaths(options.paths, {cwd: options.cwd, folder});
  if (!paths.ok) return paths;
  const repositoryResult = await openRepository({
    folder: join(options.scratch, "git"),
    source: {kind: "local", folder},
    variables: process.env,
    lfsFolder: folder,
  });
  if (!repositoryResult.ok) return repositoryResult;
  const repository = repositoryResult.value;
  const [problem, baseResult] = await Promise.all([
    workTreeProblem({git: repository.git, folder}),
    findBase({...options, repository, folder}),
  ]);
  if (problem !== null) return refused({kind: "git-refused", message: problem});
  if (!baseResult.ok) return baseResult;
  const {baseCommit, base} = baseResult.value;
  const capture =
    options.head === null
      ? captureFolder({repository, folder, base: base.commit})
      : headOf({repository, folder, head: options.head, base: base.commit});
  const place = {folder, paths: paths.value, repository};
  // The base's rules do not depend on the folder, so both are read in parallel.
  const baseRules = baseCommit === null ? null : readRules({...options, ...place, commit: baseCommit.commit});
  const [captured, earlyRules] = await Promise.all([capture, baseRules]);
  if (!captured.ok) return captured;
  const commit = baseCommit?.commit ?? captured.value.candidate.commit;
  const rules = earlyRules ?? (await readRules({...options, ...place, commit}));
  if (!rules.ok) return rules;
  const {candidate, changes} = captured.value;
  const isConfigTouched = changedPaths(changes).some((path) => isNamed(path, "verify.json"));
  if (baseCommit !== null && isConfigTouched && !options.mayBreakConfig) {
    const mistakes = await mistakesOf(candidate.commit, {repository, scratch: options.scratch});
    if (mistakes !== null) return refused(mistakes);
  }
  const isConfigured = rules.value.config !== DEFAULT_CONFIG;
  const notes = [
    ...notesOn({hasBase: baseCommit !== null, isConfigured, isConfigTouched}),
    ...integrityNotes(rules.value.config),
    ...captured.value.notes,
  ];
  const baseName = baseCommit === null ? NO_BASE : options.base;
  return ok({folder, repository, baseName, base, candidate, changes, ...rules.value, notes});
}

/** The mistakes of a commit's verify.json; null without any. */
async function mistakesOf(
  commit: string,
  {repository, scratch}: {repository: Repository; scratch: string},
): Promise<Failure | null> {
  const rules = await readRules({
    scratch: join(scratch, "candidate-rules"),
    folder: scratch,
    repository,
    commit,
    paths: [],
  });
  return !rules.ok && rules.failure.kind === "config-invalid" ? rules.failure : null;
}

interface LocalBase {
  /** Null without a repository and for an unborn HEAD, because neither has rules. */
  readonly baseCommit: Revision | null;
  /** The commit to compare with: `baseCommit`, or a commit without files. */
  readonly base: Revision;
}

async function findBase(options: {
  repository: Repository;
  folder: string;
  base: string;
}): Promise<Result<LocalBase, Failure | WrongArgument>> {
  const {repository, folder, base: revision} = options;
  const fetchResult = await repository.fetch(revision);
  if (!fetchResult.ok)
    return revision === "HEAD" ? fetchResult : unknownRevision(fetchResult.failure, {option: "--base", folder});
  const emptyReason = await whyEmptied(repository, fetchResult.value);
  if (emptyReason !== null) return refused({kind: "git-refused", message: emptyReason});
  const baseCommit = fetchResult.value.tree === EMPTY_TREE ? null : fetchResult.value;
  const base = baseCommit === null ? await emptyCommit(repository) : ok(baseCommit);
  if (!base.ok) return base;
  const completeness = await refuseMissingFiles({git: repository.git, folder, revision, commit: base.value.commit});
  return completeness.ok ? ok({baseCommit, base: base.value}) : completeness;
}

/** Reads verify.json and makes the plan, both from the files of `commit`. */
async function readRules(options: {
  scratch: string;
  folder: string;
  repository: Repository;
  commit: string;
  paths: readonly string[];
}): Promise<
  Result<Pick<LocalSetup, "rules" | "config" | "plan" | "project" | "pathStages" | "versionNotes">, Failure>
> {
  const {repository, commit, paths} = options;
  const config = await readConfig(
    (path) => repository.readText(commit, path, {maxBytes: MAX_CONFIG_BYTES}),
    extendedFile,
  );
  if (!config.ok && config.failure.kind !== "config-invalid") return config;
  const project = await openCommit({repository, commit, folder: join(options.scratch, "rules")});
  if (!project.ok) return project;
  if (!config.ok) return refused(allMistakes(config.failure, project.value));
  const detectedPlan = makePlan({project: project.value, config: config.value});
  if (!detectedPlan.ok) return detectedPlan;
  const proofs = {folder: options.folder, project: project.value};
  const plan = await withStoredProofs(detectedPlan.value, proofs);
  const narrowPlan = makePlan({project: project.value, config: config.value, changed: paths});
  const isWhole = paths.length === 0 || !narrowPlan.ok;
  const pathStages = isWhole ? null : stagesOfPaths(plan, await withStoredProofs(narrowPlan.value, proofs), paths);
  const place = {folder: options.folder, variables: process.env};
  const versionNotes = await compareWithCi(versionsOfCi(project.value, plan.stages), place);
  return ok({
    rules: commit,
    config: config.value,
    plan: withLocalHints(plan, {variables: process.env, project: project.value}),
    project: project.value,
    pathStages,
    versionNotes,
  });
}

function notesOn(options: {hasBase: boolean; isConfigured: boolean; isConfigTouched: boolean}): Note[] {
  if (!options.hasBase)
    return [
      {about: "base", text: "There is no base commit, so verify.json and the plan come from the working folder."},
    ];
  if (!options.isConfigTouched) return [];
  const usedConfig = options.isConfigured
    ? "This run used the base's verify.json."
    : "This run used the detected checks, because the base has no verify.json.";
  const text = `This change to verify.json takes effect after it is committed to the base. ${usedConfig}`;
  return [{about: "verify.json", text}];
}

/** An unknown revision is a mistake in the arguments, not an error of git. */
function unknownRevision(
  failure: Failure,
  {option, folder}: {readonly option: string; readonly folder: string},
): Result<never, Failure | WrongArgument> {
  if (failure.kind !== "git-refused") return refused(failure);
  const sentence = `error: ${option}: ${failure.message}. ${revisionHint(folder)}`;
  return refused({kind: "wrong-argument", sentence});
}

async function headOf(options: {
  repository: Repository;
  folder: string;
  head: string;
  base: string;
}): Promise<Result<CapturedFolder, Failure | WrongArgument>> {
  const head = await options.repository.fetch(options.head);
  if (!head.ok) return unknownRevision(head.failure, {option: "--head", folder: options.folder});
  const completeness = await refuseMissingFiles({
    git: options.repository.git,
    folder: options.folder,
    revision: options.head,
    commit: head.value.commit,
  });
  if (!completeness.ok) return completeness;
  const changes = await options.repository.changes(options.base, head.value.commit);
  return changes.ok ? ok({candidate: {...head.value, base: options.base}, changes: changes.value, notes: []}) : changes;
}

/** The id of the empty tree in the SHA-1 object format. */
export const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** A base without files is accepted only if no earlier commit has files, because the rules come from the base. */
export async function whyEmptied(repository: Repository, {commit, tree}: Revision): Promise<string | null> {
  if (tree !== EMPTY_TREE) return null;
  const trees = await repository.git(["log", "--format=%T", commit]);
  if (!trees.ok) return trees.failure.message;
  if (trees.value.split("\n").every((one) => one === "" || one === EMPTY_TREE)) return null;
  return "the base commit has no files, but earlier commits have some. Name another commit with `--base`.";
}

async function emptyCommit(repository: Repository): Promise<Result<Revision, Failure>> {
  const commit = await repository.git(["commit-tree", EMPTY_TREE], {input: "Nothing yet\n"});
  if (!commit.ok) return refused({kind: "git-refused", message: commit.failure.message});
  return ok({commit: commit.value.trim(), tree: EMPTY_TREE});
}

/** Without a repository, nothing says what has changed, and the folder may be a home or a whole disk. */
const outsideRepository = (cwd: string): string =>
  `error: ${cwd} is not in a git repository, so nothing says what changed. Run the command in a clone, or run \`git init\` first.`;
