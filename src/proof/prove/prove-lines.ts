/** Runs lines once each on clean checkouts of the base, without a network, and returns what was observed. */
import {join} from "node:path";
import {type Checkout, openCheckouts} from "../../engine/checkout/checkout.ts";
import {openRemover} from "../../engine/checkout/folders.ts";
import {type CheckoutOptions, OFFLINE_VARIABLES} from "../../engine/checkout/stage-environment.ts";
import {chooseSandbox, type StageIsolation} from "../../engine/isolation/choose-sandbox.ts";
import {findLackingCommand, findLackingPart} from "../../engine/stage/outcome.ts";
import {notRun, runStage, type StageEnvironment, wholeText} from "../../engine/stage/stage.ts";
import {clip} from "../../markdown/escape.ts";
import {findProgram} from "../../process/isolation.ts";
import type {StageResult} from "../../record/evidence.ts";
import type {Failure} from "../../record/failure.ts";
import type {Stage} from "../../record/plan.ts";
import type {LineProof} from "../../record/proof.ts";
import {ok, type Result} from "../../record/words.ts";
import {watchNetwork} from "./network-attempts.ts";
import {proofOutcome} from "./proof-outcome.ts";

/** A line to run, as the stage that it is or would become. */
export interface ProofLine {
  readonly stage: Stage;
  /** stages that run before it in the same checkout, because it reads what they build */
  readonly before: readonly Stage[];
  readonly mayUseNetwork: boolean;
}

export interface ProveOptions extends CheckoutOptions {
  /** called before each run, for progress */
  readonly onStart?: (line: ProofLine) => void;
  readonly onProof?: (proof: LineProof) => void;
  /** masks secrets in excerpts */
  readonly redact: (text: string) => string;
}

export interface ProvedLines {
  /** the set-up on the base; if a required step did not pass, no line ran */
  readonly setup: readonly StageResult[];
  /** in the order of the lines */
  readonly proofs: readonly LineProof[];
}

/**
 * Runs each line in its own fresh checkout of `options.base` after the set-up, and never rejects. Files that git
 * ignores, such as build outputs, could make a later line pass, so no checkout is used twice. `options.isolation`
 * is that of `chooseProvingSandbox`.
 */
export async function proveLines(
  lines: readonly ProofLine[],
  options: ProveOptions,
): Promise<Result<ProvedLines, Failure>> {
  const checkouts = openCheckouts(options);
  const remove = openRemover();
  const proofs: LineProof[] = [];
  let setup: readonly StageResult[] = [];
  try {
    for (const line of lines) {
      if (options.signal.aborted) break;
      options.onStart?.(line);
      const checkout = await checkouts.open({commit: options.base, changes: []});
      if (!checkout.ok) return checkout;
      setup = checkout.value.setup;
      if (!checkout.value.isReady) break;
      const proof = await proveLine(line, checkout.value, options);
      proofs.push(proof);
      options.onProof?.(proof);
      await remove(checkout.value.environment.folder);
    }
    return ok({setup, proofs});
  } finally {
    await checkouts.dispose();
  }
}

/** The sandbox for `proveLines`, whatever verify.json allows: refused without bubblewrap, and no network after the set-up. */
export const chooseProvingSandbox = (options: {
  network: StageIsolation["network"];
  folder: string;
}): Promise<StageIsolation> =>
  chooseSandbox({...options, sandbox: "required", network: options.network === "none" ? "none" : "setup"});

async function proveLine(line: ProofLine, checkout: Checkout, options: ProveOptions): Promise<LineProof> {
  const {stage, before, mayUseNetwork} = line;
  const {environment} = checkout;
  const {folder} = environment;
  const isWatched = options.isolation.level === "sandbox" && options.isolation.network !== "all" && !mayUseNetwork;
  const watch = isWatched ? watchNetwork(folder) : null;
  const lineEnvironment: StageEnvironment = {
    ...environment,
    ...(watch && {around: watch.around}),
    ...(mayUseNetwork && withNetwork(environment)),
  };
  const blockedBy = await firstNotPassed(before, environment);
  const filesBefore = new Set(await newFiles(options, folder));
  const result =
    blockedBy === "" ? await runStage(stage, lineEnvironment) : notRun(stage, {outcome: "skipped", reason: blockedBy});
  const networkAttempts = (await watch?.attempts()) ?? null;
  const files = (await newFiles(options, folder)).filter((path) => !filesBefore.has(path));
  const trackedFiles = await options.repository.trackedChanges({folder, commit: options.base});
  const changedFiles = [...(trackedFiles.ok ? trackedFiles.value : [NOT_COMPARED]), ...files];
  const observed = {result, changedFiles, missingTools: missingTools(stage, {result, environment}), networkAttempts};
  await checkout.saveCaches(stage, options.signal);
  const {result: _, ...facts} = observed;
  return {
    ...{name: stage.name, command: stage.command, cwd: stage.cwd, env: stage.env},
    outcome: proofOutcome(stage, {...observed, result: withOwnWords(result, options.redact)}),
    exitCode: result.exit?.kind === "exited" ? result.exit.code : null,
    tests: result.tests,
    ...facts,
    durationMs: result.durationMs,
    excerpt: options.redact(result.excerpt),
  };
}

const MAX_WORDS = 160;

/** A failure with the first complaint of its output, redacted, because it is stored and shown in one line. */
function withOwnWords(result: StageResult, redact: (text: string) => string): StageResult {
  const [first] = result.diagnostics;
  if (result.outcome !== "failed" || first === undefined) return result;
  return {...result, reason: `${result.reason}: ${clip(redact(first.message).split("\n")[0] ?? "", MAX_WORDS)}`};
}

/** The owner's variables come later, and win. */
const ONLINE = Object.fromEntries(Object.keys(OFFLINE_VARIABLES).map((name) => [name, "false"]));

const withNetwork = (environment: StageEnvironment): Pick<StageEnvironment, "sandbox" | "variables"> => ({
  variables: ({pathFirst, extra}) => environment.variables({pathFirst, extra: {...ONLINE, ...extra}}),
  sandbox: (env, kept) => {
    const confined = environment.sandbox(env, kept);
    return confined && {...confined, network: true};
  },
});

/** Stands in the list of changed files, so that an impossible comparison proves nothing. */
const NOT_COMPARED = "(not comparable)";

async function newFiles({repository, base}: ProveOptions, folder: string): Promise<string[]> {
  const files = await repository.untrackedFiles({folder, commit: base});
  return files.ok ? files.value : [NOT_COMPARED];
}

/** Empty if all of them passed. */
async function firstNotPassed(stages: readonly Stage[], environment: StageEnvironment): Promise<string> {
  for (const stage of stages) {
    const {outcome, reason} = await runStage(stage, environment);
    if (outcome !== "passed") return `\`${stage.name}\`, which runs before it, did not pass: ${reason}`;
  }
  return "";
}

/** The programs that the stage requires and this machine lacks, and the one that its shell did not find. */
function missingTools(
  stage: Stage,
  {result, environment}: {result: StageResult; environment: StageEnvironment},
): string[] {
  if (result.outcome !== "unavailable") return [];
  if (result.exit !== null) {
    const text = result.output === null ? "" : wholeText(result.output);
    const named = findLackingCommand(text) ?? findLackingPart(text);
    return named === null || result.failureKind !== "environment" ? [] : [named];
  }
  const {folder} = environment;
  const pathFirst = stage.path.map((entry) => join(folder, entry));
  const path = environment.variables({pathFirst, extra: stage.env})["PATH"] ?? "";
  const isMissing = (name: string) => findProgram(name, {cwd: join(folder, stage.cwd), path}) === null;
  return stage.tools.map(({name}) => name).filter(isMissing);
}
