/** `assay plan --prove`: runs each line that is not required yet once on the last commit, and shows what was seen. */
import {homedir} from "node:os";
import {join} from "node:path";
import picocolors from "picocolors";
import {plan as makePlan} from "../detect/plan.ts";
import {chooseSandbox} from "../engine/isolation/choose-sandbox.ts";
import {stageHome} from "../engine/isolation/home.ts";
import {showInvisible} from "../markdown/escape.ts";
import {listedCandidates, neededBy, proofCandidates} from "../proof/prove/candidates.ts";
import {wordProof} from "../proof/prove/proof-outcome.ts";
import {chooseProvingSandbox, type ProofLine, type ProvedLines, proveLines} from "../proof/prove/prove-lines.ts";
import {asProved, proofKey} from "../proof/prove/stored-proofs.ts";
import type {Failure} from "../record/failure.ts";
import type {Stage} from "../record/plan.ts";
import type {LineProof, ProofOutcome} from "../record/proof.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {duration, withCount} from "../report/format.ts";
import {createRedactor} from "../secrets/redact.ts";
import {printFailure} from "./error-text.ts";
import {withLocalHints} from "./local-hints.ts";
import type {LocalSetup, WrongArgument} from "./local-setup.ts";
import {onLastCommit, printable, type TrialRun} from "./on-last-commit.ts";
import {proofContext, storeProofs} from "./proof-store.ts";
import {jsonText} from "./reporters/json-text.ts";
import {plain} from "./reporters/plain-text.ts";

interface ProveCommandOptions {
  /** names of checks; empty for all that are not required */
  readonly names: readonly string[];
  readonly allowNetwork: readonly string[];
  readonly needsSandbox: boolean;
  readonly json: boolean;
}

/** Exit 0; 3 for wrong arguments, mistakes in verify.json and a machine without a sandbox; 2 if nothing could be run. */
export const proveCommand = (options: ProveCommandOptions): Promise<number> =>
  onLastCommit(async (setup, run) => {
    // Proofs of earlier runs do not decide what is tried.
    const plan = makePlan(setup);
    if (!plan.ok) return printFailure(plan.failure);
    const proved = await prove({...setup, plan: plan.value}, {...options, ...run});
    if (!proved.ok) return printFailure(proved.failure);
    const document = {...plan.value, proofs: proved.value};
    if (options.json) process.stdout.write(jsonText(document));
    return 0;
  });

/** What `assay init` waits for at most, so that the first minutes with Assay stay short. */
const INIT_MS = 5 * 60_000;

export interface InitialProofs {
  readonly proofs: readonly LineProof[];
  /** a sentence on the checks that were not run, and how to run them; empty if all were */
  readonly remaining: readonly string[];
}

/** For `assay init`: the same for all candidates, and only in a sandbox. What keeps it from running is no failure of `init`. */
export async function proveForInit({json}: {json: boolean}): Promise<InitialProofs> {
  let result: InitialProofs = {proofs: [], remaining: []};
  await onLastCommit(async (setup, run) => {
    const plan = makePlan(setup);
    const count = plan.ok && setup.baseName !== "none" ? proofCandidates(plan.value).length : 0;
    if (!plan.ok || count === 0) return 0;
    const checks = withCount(count, "check");
    const {refusal} = await chooseProvingSandbox({network: setup.config.network, folder: run.scratch});
    if (refusal !== null) {
      const remaining = `${checks} not tried, because this machine has no sandbox. \`assay plan --prove\` shows the commands, and how to run them.`;
      result = {proofs: [], remaining: [remaining]};
      return 0;
    }
    const text = `\nRunning ${checks} once on the last commit, in the sandbox, after the set-up (at most 5 minutes; Ctrl-C skips it):`;
    process.stderr.write(printable(text));
    const signal = AbortSignal.any([run.signal, AbortSignal.timeout(INIT_MS)]);
    const options = {...run, signal, names: [], allowNetwork: [], needsSandbox: true, json};
    const proved = await prove({...setup, plan: plan.value}, options);
    // A set-up that a person has stopped is no error.
    if (!proved.ok && !signal.aborted) return printFailure(proved.failure);
    const proofs = proved.ok ? proved.value : [];
    const left = count - proofs.filter(({outcome}) => outcome.kind !== "not-run").length;
    const remaining = left === 0 ? [] : [`${withCount(left, "check")} not tried. \`assay plan --prove\` runs them.`];
    result = {proofs, remaining};
    return 0;
  });
  return result;
}

async function prove(
  setup: LocalSetup,
  options: ProveCommandOptions & TrialRun,
): Promise<Result<readonly LineProof[], Failure | WrongArgument>> {
  const print = (text: string) => (options.json ? process.stderr : process.stdout).write(printable(text));
  const {config, repository, folder, project} = setup;
  const plan = withLocalHints(setup.plan, {variables: process.env, project});
  const lines = linesToProve({...setup, plan}, options);
  if (!lines.ok) return lines;
  const base = setup.base.commit;
  const confined = await chooseProvingSandbox({network: config.network, folder: options.scratch});
  const isolation =
    confined.refusal === null || options.needsSandbox
      ? confined
      : await chooseSandbox({sandbox: "auto", network: "all", folder: options.scratch, mayBeOpen: true});
  if (isolation.level !== "sandbox" || lines.value.length === 0) print(introduction(lines.value));
  if (isolation.refusal !== null) return refused({kind: "wrong-argument", sentence: NO_SANDBOX});
  const width = Math.max(0, ...lines.value.map(({stage}) => stage.name.length));
  let count = 0;
  const result = await proveLines(lines.value, {
    folder: join(options.scratch, "checkouts"),
    ...{repository, base, setup: plan.setup, isolation, signal: options.signal},
    dependencies: {kind: "install"},
    home: stageHome({realHome: homedir(), variables: process.env, isolation, private: [folder]}),
    onEvent: (event) => {
      if (event.kind === "setup-started")
        process.stderr.write(printable(picocolors.dim(`set-up: ${plain(event.command)}`)));
    },
    onStart: ({stage}) =>
      process.stderr.write(printable(picocolors.dim(`${++count} of ${lines.value.length}: ${plain(stage.command)}`))),
    onProof: (proof) => print(proofLine(proof, width)),
    redact: createRedactor({secrets: []}),
  });
  if (!result.ok) return result;
  const {proofs} = result.value;
  const context = await proofContext(plan, setup);
  const at = new Date().toISOString();
  const stored = lines.value.flatMap(({stage}, i) => {
    const outcome = proofs[i]?.outcome ?? null;
    return outcome === null || outcome.kind === "not-run" ? [] : [{key: proofKey(stage, plan, context), at, outcome}];
  });
  const problem = await storeProofs(folder, stored);
  if (!options.json) print(summary(lines.value, result.value, problem === null));
  if (problem !== null) process.stderr.write(printable(`warning: ${plain(problem)}`));
  return ok(proofs);
}

function linesToProve(
  {plan}: LocalSetup,
  {names, allowNetwork}: ProveCommandOptions,
): Result<ProofLine[], WrongArgument> {
  const all = [...plan.stages.map((stage) => ({stage, before: neededBy(stage, plan)})), ...listedCandidates(plan)];
  const isNamed = ({stage}: {stage: Stage}, words: readonly string[]) =>
    words.includes(stage.name) || words.includes(stage.command);
  const unknown = [...names, ...allowNetwork].filter((name) => !all.some((one) => isNamed(one, [name])));
  if (unknown.length > 0) {
    const known = all.map(({stage}) => stage.name).join(", ");
    return refused({
      kind: "wrong-argument",
      sentence: `error: unknown check ${unknown.join(", ")}. Checks here: ${known}`,
    });
  }
  const chosen = names.length === 0 ? proofCandidates(plan) : all.filter((one) => isNamed(one, names));
  return ok(chosen.map((one) => ({...one, mayUseNetwork: isNamed(one, allowNetwork)})));
}

const NO_SANDBOX =
  "error: there is no sandbox on this machine, so these commands could read and change your files. Install bubblewrap (`apt-get install bubblewrap`), or add --no-sandbox-ok if you trust all of them.";

function introduction(lines: readonly ProofLine[]): string {
  if (lines.length === 0) return "Nothing to prove: every check that was found here is required.";
  const rows = lines.map(
    ({stage}) => `  ${plain(stage.command)}${stage.cwd === "." ? "" : `  (in ${plain(stage.cwd)})`}`,
  );
  return ["These commands would run here, without a sandbox:", ...rows, ""].join("\n");
}

const ICONS: Readonly<Record<ProofOutcome["kind"], string>> = {
  proved: "✅",
  "changed-files": "⚠️ ",
  "no-evidence": "⚠️ ",
  failed: "❌",
  "wanted-network": "⚠️ ",
  "tools-missing": "⚠️ ",
  "timed-out": "❌",
  "not-run": "⚠️ ",
};

function proofLine({name, command, outcome, tests, durationMs}: LineProof, width: number): string {
  const counted = tests === null || outcome.kind !== "proved" ? "" : `, ${withCount(tests.passed, "test")}`;
  const time = duration(durationMs).padStart(10);
  const dimmed = picocolors.dim(`(${plain(command)})`);
  return `${ICONS[outcome.kind]} ${name.padEnd(width)}  ${time}  ${plain(wordProof(outcome))}${counted} ${dimmed}`;
}

function summary(lines: readonly ProofLine[], {setup, proofs}: ProvedLines, isStored: boolean): string {
  const failedStep = setup.find(({outcome, optional}) => outcome !== "passed" && !optional);
  if (proofs.length === 0 && failedStep !== undefined) {
    const {command, reason, excerpt} = failedStep;
    return `No check was run, because the set-up did not pass: \`${plain(command)}\`: ${plain(reason)}\n${showInvisible(excerpt)}`;
  }
  if (proofs.length === 0) return "";
  const proved = lines.filter((_, i) => proofs[i]?.outcome.kind === "proved").map(({stage}) => stage);
  const required = proved.filter((stage) => !asProved(stage).optional).map(({name}) => name);
  const more =
    required.length === 0 || !isStored
      ? ""
      : ` From the next run on this machine, required: ${plain(required.join(", "))}.`;
  const network = proofs.some(({outcome}) => outcome.kind === "wanted-network")
    ? "\nAllow a check the network with --allow-network NAME if you trust it."
    : "";
  return `\n${proved.length} of ${withCount(proofs.length, "check")} passed in one run on the last commit.${more}${network}`;
}
