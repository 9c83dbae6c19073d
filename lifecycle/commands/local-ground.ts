/** What `assay verify` stands on: a repository of our own over the developer's, the base's rules, and the candidate. */
import {mkdir} from "node:fs/promises";
import {join} from "node:path";
import {makeCandidate} from "../../src/changes/candidate.ts";
import {hardenedGit} from "../../src/changes/git.ts";
import {openRepository, type Repository, type Revision} from "../../src/changes/repository.ts";
import type {Config} from "../../src/plan/config.ts";
import {MAX_CONFIG_BYTES, readConfig} from "../../src/plan/config-files.ts";
import {plan as makePlan} from "../../src/plan/plan.ts";
import {openProject} from "../../src/plan/project.ts";
import type {Failure} from "../../src/record/failure.ts";
import type {Note, Plan} from "../../src/record/plan.ts";
import {type Candidate, type Change, changedPaths} from "../../src/record/verification.ts";
import {ok, type Result, refused} from "../../src/words.ts";
import {gitTop} from "./git-top.ts";

export interface LocalGround {
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
  readonly notes: Note[];
}

/** The sentence names the option, and what to give instead. */
export interface WrongArgument {
  readonly kind: "wrong-argument";
  readonly sentence: string;
}

/** A folder without a repository, or a repository without a commit, has no base: its own files are the rules then, and a note says so. */
export async function layLocal(o: {
  scratch: string;
  cwd: string;
  base: string;
  head: string | null;
}): Promise<Result<LocalGround, Failure | WrongArgument>> {
  const top = gitTop(o.cwd);
  const folder = top ?? o.cwd;
  const source = {kind: "local" as const, folder: top ?? (await emptyRepository(o.scratch))};
  const opened = await openRepository({folder: join(o.scratch, "git"), source, variables: process.env});
  if (!opened.ok) return opened;
  const repository = opened.value;

  const found = top === null ? null : await repository.fetch(o.base);
  if (found?.ok === false && o.base !== "HEAD") return noSuch("--base", found.failure);
  // An unborn HEAD is given as a commit without files: there are no rules in it.
  const named = found?.ok && found.value.tree === EMPTY_TREE ? null : found;
  const base = named?.ok ? ok(named.value) : await emptyCommit(repository);
  if (!base.ok) return base;
  const seen =
    o.head === null
      ? await makeCandidate({repository, folder, base: base.value.commit})
      : await headOf({repository, head: o.head, base: base.value.commit});
  if (!seen.ok) return seen;

  const rules = named?.ok ? named.value.commit : seen.value.candidate.commit;
  const config = await readConfig((path) => repository.readText(rules, path, {maxBytes: MAX_CONFIG_BYTES}));
  if (!config.ok) return config;
  const rulesFolder = join(o.scratch, "rules");
  const placed = await repository.checkOut({commit: rules, folder: rulesFolder});
  if (!placed.ok) return placed;
  const plan = makePlan({project: await openProject(rulesFolder, process.env), config: config.value});
  if (!plan.ok) return plan;
  const notes = notesOn({hasBase: named?.ok === true, changes: seen.value.changes});
  const baseName = named?.ok ? o.base : "none";
  return ok({
    folder,
    repository,
    baseName,
    base: base.value,
    rules,
    ...seen.value,
    config: config.value,
    plan: plan.value,
    notes,
  });
}

function notesOn(o: {hasBase: boolean; changes: readonly Change[]}): Note[] {
  if (!o.hasBase)
    return [{about: "base", text: "There is no base commit; verify.json and the plan are the working folder's own."}];
  const touched = changedPaths(o.changes).some((path) => /(^|\/)verify\.json$/.test(path));
  const text = "It differs from the base's, which counts here; it takes effect once it is committed there.";
  return touched ? [{about: "verify.json", text}] : [];
}

/** A revision that was given and is not there is a mistake in the arguments, not a fault of git. */
function noSuch(option: string, failure: Failure): Result<never, Failure | WrongArgument> {
  if (failure.kind !== "git-refused") return refused(failure);
  const sentence = `${option}: ${failure.message}; give a branch, a tag or a commit of it.`;
  return refused({kind: "wrong-argument", sentence});
}

async function headOf(o: {
  repository: Repository;
  head: string;
  base: string;
}): Promise<Result<{candidate: Candidate; changes: Change[]}, Failure | WrongArgument>> {
  const head = await o.repository.fetch(o.head);
  if (!head.ok) return noSuch("--head", head.failure);
  const changes = await o.repository.changes(o.base, head.value.commit);
  return changes.ok ? ok({candidate: {...head.value, base: o.base}, changes: changes.value}) : changes;
}

/** The id of the tree without entries, which every git knows (sha1 object format). */
const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

async function emptyCommit(repository: Repository): Promise<Result<Revision, Failure>> {
  const commit = await repository.git(["commit-tree", EMPTY_TREE], {input: "Nothing yet\n"});
  if (!commit.ok) return refused({kind: "git-refused", message: commit.failure.message});
  return ok({commit: commit.value.trim(), tree: EMPTY_TREE});
}

async function emptyRepository(scratch: string): Promise<string> {
  const folder = join(scratch, "no-repository");
  await mkdir(folder);
  await hardenedGit({folder, variables: {}})(["init", "--quiet"], {cwd: folder, timeoutMs: 30_000});
  return folder;
}
