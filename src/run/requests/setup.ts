/** Handles `/setup`: proves the `verify.json` that the agent proposed, and makes the commit that only adds the rest of it. */

import {join} from "node:path";
import {examineCandidate, keepCandidate, treeWith} from "../../changes/candidate.ts";
import {allMistakes} from "../../detect/all-mistakes.ts";
import {composeProposal} from "../../detect/config/compose-proposal.ts";
import {CONFIG_FILES} from "../../detect/config/config.ts";
import {MAX_CONFIG_BYTES, readConfig} from "../../detect/config/read-config.ts";
import {plan as makePlan} from "../../detect/plan.ts";
import {stageHome} from "../../engine/isolation/home.ts";
import {gitRefused} from "../../git/git.ts";
import type {HandoverPart} from "../../handover/bundle.ts";
import {judgeProposal, type ProposalOptions} from "../../proof/prove/judge-proposal.ts";
import {chooseProvingSandbox, proveLines} from "../../proof/prove/prove-lines.ts";
import type {Failure} from "../../record/failure.ts";
import type {SetupProposal} from "../../record/proposal.ts";
import type {Candidate, Verdict} from "../../record/verification.ts";
import {ok, type Result, refused} from "../../record/words.ts";
import {recordFailure} from "../catch-bug.ts";
import {extendedOf} from "../extended-config.ts";
import {openCommit} from "../open-commit.ts";
import type {PreparedRun} from "../prepare-run.ts";
import {endBeforeJob, unfinished} from "../verifier.ts";

const verdictOf = (why: "proposal" | "nothing-proposed"): Verdict => ({kind: "nothing-to-verify", why, detail: ""});

/** The verdict on a `verify.json` whose entries another machine proves. */
export const PROPOSED = verdictOf("proposal");

/** Where the repository has its file, or would have it. */
export const configPath = ({config}: PreparedRun): string => config.file ?? CONFIG_FILES[0];

/** Proves the proposal in the agent's work, and records it with the single attempt. Nothing of it runs outside the sandbox. */
export async function proveProposal(run: PreparedRun, work: HandoverPart): Promise<void> {
  const {record, context} = run;
  const {candidate, changes} = work;
  endBeforeJob(run);
  const judged = await judgeWork(run, work);
  const kept = judged.ok && judged.value.rows.some(({isKept}) => isKept);
  const settled = verdictOf(kept ? "proposal" : "nothing-proposed");
  const failed: Verdict = {kind: "unverified", why: "gate-error", detail: ""};
  const verdict = context.signal.aborted ? unfinished(run, "") : judged.ok ? settled : failed;
  record.update({
    attempts: [{number: 1, turn: null, candidate, changes: [...changes], verification: null, verdict}],
    verdict,
    ...(judged.ok && {proposal: judged.value}),
  });
  if (!judged.ok) recordFailure(run, judged.failure);
}

async function judgeWork(run: PreparedRun, work: HandoverPart): Promise<Result<SetupProposal, Failure>> {
  const {repository, wholePlan, config, context, base} = run;
  const project = await openCommit({repository, commit: base.commit, folder: join(run.folder, "proposal")});
  if (!project.ok) return project;
  const asProposal = (failure: Failure) => refused(ofAgent(allMistakes(failure, project.value)));
  const files = await readFiles(run, work.candidate);
  if (!files.ok) return asProposal(files.failure);
  const {file, text, before} = files.value;
  const otherPaths = work.changes.map(({path}) => path).filter((path) => path !== file);
  if (text === null || text === before) return ok({file, rows: [], weaker: [], otherPaths, tree: null});
  const plan = makePlan({project: project.value, config: files.value.config});
  if (!plan.ok) return asProposal(plan.failure);
  const isolation = await chooseProvingSandbox({network: config.network, folder: run.folder});
  if (isolation.refusal !== null) return refused({kind: "no-sandbox", message: isolation.refusal});
  const {runner, realHome, variables, signal, redact} = context;
  let count = 0;
  const prove: ProposalOptions["prove"] = (lines, setup) =>
    proveLines(lines, {
      folder: join(run.folder, `proofs-${++count}`),
      ...{repository, base: base.commit, setup, isolation, signal, redact, onEvent: run.onEvent},
      dependencies: {kind: "install"},
      home: stageHome({realHome, variables, isolation, private: [runner.temp, runner.workspace]}),
    });
  const proposed = {text, plan: plan.value};
  const judged = await judgeProposal({file, base: {text: before, plan: wholePlan}, proposed, prove});
  if (!judged.ok) return judged;
  const final = await proposalCandidate(run, work, judged.value);
  if (!final.ok) return final;
  const remaining = await readFiles(run, final.value.candidate);
  if (!remaining.ok) return asProposal(remaining.failure);
  return ok({file, ...judged.value, otherPaths, tree: final.value.candidate.tree});
}

/** The agent's file and the one of the base; null where there is none. Fails with the mistakes in the agent's. */
async function readFiles(run: PreparedRun, {commit, base}: Candidate) {
  const read = (at: string, path: string) => run.repository.readText(at, path, {maxBytes: MAX_CONFIG_BYTES});
  const config = await readConfig((path) => read(commit, path), extendedOf(run));
  if (!config.ok) return config;
  const file = config.value.file ?? configPath(run);
  const [text, before] = [await read(commit, file), await read(base, file)];
  if (!text.ok) return text;
  return before.ok ? ok({file, config: config.value, text: text.value, before: before.value}) : before;
}

/** The mistakes are in the agent's file, and not in the one on the default branch. */
const ofAgent = (failure: Failure): Failure =>
  failure.kind === "config-invalid" ? {...failure, file: `${failure.file} of the agent`} : failure;

/**
 * The commit with the kept entries of the agent's file, and nothing else of its work. Runs nothing, so that the job that
 * publishes can make it itself.
 */
export async function proposalCandidate(
  run: PreparedRun,
  {candidate}: HandoverPart,
  {rows}: Pick<SetupProposal, "rows">,
): Promise<Result<HandoverPart, Failure>> {
  const {repository} = run;
  const {base} = candidate;
  const files = await readFiles(run, candidate);
  if (!files.ok) return files;
  const {file, text, before} = files.value;
  const input = composeProposal({base: before, text: text ?? "{}", rows});
  const blob = await repository.git(["hash-object", "-w", "--stdin"], {input});
  if (!blob.ok) return gitRefused(blob.failure);
  const entries = [{mode: "100644", id: blob.value.trim(), path: file}];
  const tree = await treeWith({repository, commit: base, entries});
  if (!tree.ok) return tree;
  const kept = await keepCandidate({repository, base, tree: tree.value});
  return kept.ok ? examineCandidate({repository, base, commit: kept.value}) : kept;
}
