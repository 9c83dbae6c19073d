/** Finds the commits, the rules and the commands of a recorded verification in this clone. */
import {commonAncestor} from "../../git/history.ts";
import {refuseMissingFiles} from "../../git/local-state.ts";
import type {Repository, Revision} from "../../git/repository.ts";
import type {NamedCommand, ReplayReason} from "../../record/replay.ts";
import {ok, type Result, refused} from "../../record/words.ts";
import {SPEC_DRIFT} from "../../verify/spec-drift.ts";
import {captureFolder} from "../capture-folder.ts";
import type {LocalSetup} from "../local-setup.ts";
import {planCommands, type VerificationClaim} from "./claim.ts";

/** Why nothing can be run; `detail` names what was found instead. */
export interface Obstacle {
  readonly reason: ReplayReason;
  readonly detail: string;
}

interface SearchedClone {
  readonly repository: Repository;
  readonly folder: string;
}

/** The verified commit and the one before the change, as this clone has them. */
export interface FoundCommits {
  readonly commit: string;
  readonly base: Revision;
}

/** Searches the clone for the recorded commits. The working folder counts if it has exactly the recorded files. */
export async function findCommits(
  claim: VerificationClaim,
  clone: SearchedClone,
): Promise<Result<FoundCommits, Obstacle>> {
  const {repository} = clone;
  const rules = await repository.fetch(claim.rules);
  if (!rules.ok) return refused({reason: "no-base", detail: claim.rules});
  const head = await findFiles(claim, rules.value, clone);
  if (!head.ok) return head;
  const ancestor = claim.base ?? (await commonAncestor(repository, rules.value.commit, head.value));
  const base = ancestor === null ? null : await repository.fetch(ancestor);
  if (!base?.ok) return refused({reason: "no-base", detail: ancestor ?? claim.rules});
  return ok({commit: head.value, base: base.value});
}

async function findFiles(
  {commit, tree}: VerificationClaim,
  rules: Revision,
  {repository, folder}: SearchedClone,
): Promise<Result<string, Obstacle>> {
  const known = await repository.fetch(commit);
  if (known.ok && known.value.tree === tree) return ok(commit);
  const isHere = (await repository.git(["rev-parse", "--verify", `${tree}^{tree}`])).ok;
  if (known.ok) {
    const changes = isHere ? await repository.changes(tree, commit) : null;
    const paths = changes?.ok ? changes.value.map(({path}) => path).slice(0, 10) : [];
    return refused({reason: "other-files", detail: [known.value.tree, ...paths].join(", ")});
  }
  if (isHere) {
    const made = await repository.git(["commit-tree", "-p", rules.commit, tree], {input: "Candidate\n"});
    return made.ok ? ok(made.value.trim()) : refused({reason: "no-files", detail: made.failure.message});
  }
  const captured = await captureFolder({repository, folder, base: rules.commit});
  const here = captured.ok ? captured.value.candidate : null;
  return here?.tree === tree ? ok(here.commit) : refused({reason: "no-files", detail: here?.tree ?? ""});
}

/** True if the default branch has the commit of the rules; without a known one, HEAD, which may be of a pull request. */
export async function isTrusted(rules: string, repository: Repository): Promise<boolean> {
  const branch = await repository.fetch("refs/remotes/origin/HEAD");
  const tip = branch.ok ? branch : await repository.fetch("HEAD");
  return tip.ok && (await commonAncestor(repository, rules, tip.value.commit)) === rules;
}

/** The commands of the record that this clone's plan does not have. */
export function foreignCommands({commands}: VerificationClaim, {plan}: Pick<LocalSetup, "plan">): NamedCommand[] {
  const keyOf = ({command, cwd}: Omit<NamedCommand, "name">) => JSON.stringify([command, cwd]);
  const known = new Set([...planCommands(plan), ...plan.stages].map(keyOf));
  const foreign = commands.filter((one) => one.name !== SPEC_DRIFT && !known.has(keyOf(one)));
  return [...new Map(foreign.map((one) => [keyOf(one), one])).values()];
}

/** The setup of `assay verify` with the commits of the record, and with its commands if the person trusts them. */
export async function withClaim(
  setup: LocalSetup,
  {claim, commits, usesCommands}: {claim: VerificationClaim; commits: FoundCommits; usesCommands: boolean},
): Promise<Result<LocalSetup, Obstacle>> {
  const {repository, folder} = setup;
  const {commit, base} = commits;
  const complete = await refuseMissingFiles({git: repository.git, folder, revision: commit, commit});
  const changes = await repository.changes(base.commit, commit);
  if (!complete.ok || !changes.ok) return refused({reason: "no-files", detail: claim.tree});
  const lines = usesCommands && claim.plan ? {stages: claim.plan.stages, setup: claim.plan.setup} : {};
  const candidate = {commit, tree: claim.tree, base: base.commit};
  return ok({...setup, base, candidate, changes: changes.value, plan: {...setup.plan, ...lines}});
}
