/** Lets a second session write tests before the work, where the agent cannot read them, and runs them on its work. */
import {rm} from "node:fs/promises";
import {join} from "node:path";
import {emptyAgentFolder} from "../agent/agent-files.ts";
import {heldOutPrompt, missingBehaviorPrompt} from "../agent/held-out-prompt.ts";
import type {PromptTask} from "../agent/prompts.ts";
import {openSession, type SessionOptions} from "../agent/session.ts";
import {prepareWorkspace} from "../agent/workspace.ts";
import {makeCandidate} from "../changes/candidate.ts";
import {overlayCommit} from "../changes/overlay.ts";
import {judgeHeldOut, runHeldOut, testEntries} from "../proof/held-out/judge-tests.ts";
import {type Attempt, keptAttempt} from "../record/attempt.ts";
import type {IntegrityFinding} from "../record/finding.ts";
import {countedTests, type HeldOut, type HeldOutTest} from "../record/held-out.ts";
import {NO_USAGE} from "../record/usage.ts";
import {claimsSomething, ok, type Result, refused} from "../record/words.ts";
import {budgetAfter} from "./budget.ts";
import {confineAgent} from "./confine-agent.ts";
import type {HeldOutPort} from "./fix-loop.ts";
import {copyConfig} from "./judge-agent.ts";
import type {PreparedRun} from "./prepare-run.ts";
import {priceOf, withPrice} from "./prices.ts";
import {requestRules} from "./request-rules.ts";
import type {Verifier} from "./verifier.ts";

type Runs = Pick<Verifier, "checkouts">;

/**
 * Records the tests, with the reason of each that does not count. Does nothing unless `verify.json` asks for it, and for a
 * request that is not new work.
 */
export async function writeHeldOut(
  run: PreparedRun,
  {verifier, ...options}: {verifier: Runs; thread: PromptTask; timeoutMs: () => number},
): Promise<void> {
  const {record, config, plan} = run;
  if (!config.heldOut || record.current().request?.kind !== "work") return;
  const startMs = performance.now();
  const none = {commit: null, tests: [], problem: "", usage: NO_USAGE, durationMs: 0};
  const hasTests = plan.stages.some(({kind}) => kind === "test");
  const written = hasTests ? await askForTests(run, options) : refused("no check runs tests");
  // The working agent's sandbox hides this folder, too.
  const folder = heldOutFolder(run);
  await emptyAgentFolder(folder, "").then(() => rm(folder, {recursive: true, force: true}));
  const heldOut = written.ok ? {...none, ...written.value} : {...none, problem: written.failure};
  const {commit} = heldOut;
  const tests = commit === null ? [] : await judgeHeldOut(placeOf(run, verifier, commit));
  record.update({heldOut: {...heldOut, tests, durationMs: performance.now() - startMs}});
}

/** The run with the rest of its budget. */
export function afterHeldOut(run: PreparedRun): PreparedRun {
  const {heldOut, reservation} = run.record.current();
  const isUnknown = reservation !== undefined && heldOut?.usage.hasUnknownCost === true;
  const usd = isUnknown ? (run.config.budget.usd ?? 0) : (heldOut?.usage.costUsd ?? 0);
  return {...run, config: {...run.config, budget: budgetAfter(run.config.budget, {minutes: 0, usd})}};
}

const heldOutFolder = ({folder}: PreparedRun): string => join(folder, "held-out");

const placeOf = ({repository, plan, base, event, context, ...run}: PreparedRun, {checkouts}: Runs, commit: string) => ({
  ...{repository, plan, checkouts, commit, base: base.commit, signal: context.signal},
  request: [requestRules(run).task, event.thread.title, event.thread.body].join("\n"),
});

/** One turn in its own checkout, home and sandbox. Fails with the reason. */
async function askForTests(
  run: PreparedRun,
  {thread, timeoutMs}: {thread: PromptTask; timeoutMs: () => number},
): Promise<Result<Pick<HeldOut, "commit" | "usage" | "problem">, string>> {
  const {context, repository, base} = run;
  const {inputs, variables, signal, realHome} = context;
  const folder = heldOutFolder(run);
  const [checkout, home] = [join(folder, "checkout"), join(folder, "home")];
  const workspace = await prepareWorkspace({folder: checkout, repository, base: base.commit});
  const fence = await confineAgent(run, {checkout, home});
  const settings = copyConfig(inputs["agent-config"], join(folder, "config"));
  if (!workspace.ok || settings.problem !== "") return refused("its checkout could not be made");
  const {confinement, isolation} = fence.ok ? fence.value : {};
  // Without a sandbox, the working agent could read the tests.
  if (confinement === undefined || isolation === undefined) return refused("agents have no sandbox here");
  const options: SessionOptions = {
    ...{agent: inputs.agent, provider: inputs.provider, model: inputs.model, thinking: inputs.thinking},
    ...{extraArguments: inputs["agent-args"], variables, folder: checkout, home: realHome, timeoutMs, signal},
    ...{file: join(folder, "sessions", "1.jsonl"), scratch: join(folder, "scratch"), isolation, confinement},
    ...(settings.folder !== null && {configFolder: settings.folder}),
    protectsKey: inputs["protect-key"],
  };
  const session = await openSession(options);
  if (!session.ok) return refused("the session could not be started");
  const {end, model, ...asked} = await session.value.ask(heldOutPrompt(thread));
  const priced = withPrice(asked.usage, priceOf(run.config.prices, inputs.model, model));
  // Some agents report the cost only with the answer.
  const usage = end.kind === "answered" || priced.costUsd > 0 ? priced : {...priced, hasUnknownCost: true};
  const problem = end.kind === "answered" ? "" : "the session ended without an answer";
  const commit = await keepTests(run, checkout);
  return ok({commit, usage, problem: commit === null ? problem || "it wrote no test file" : ""});
}

/** The commit on the base with the new test files of a folder; null without any, or if one has a secret. */
async function keepTests({repository, base, context}: PreparedRun, folder: string): Promise<string | null> {
  const place = {repository, folder, base: base.commit, leaveOut: true, isLocal: true};
  const written = await makeCandidate(place);
  if (!written.ok) return null;
  const {commit} = written.value.candidate;
  const entries = await testEntries(repository, base.commit, commit);
  for (const {path} of entries) {
    const text = await repository.readText(commit, path, {maxBytes: MAX_BYTES});
    if (!text.ok || text.value === null || context.redact(text.value) !== text.value) return null;
  }
  const kept = entries.length === 0 ? null : await overlayCommit({repository, onto: base.commit, entries});
  return kept?.ok ? kept.value.commit : null;
}

const MAX_BYTES = 512 * 1024;

/** Asks the agent once about behavior that a failing test shows to be missing. */
export function heldOutInLoop(run: PreparedRun, verifier: Runs, thread: PromptTask): HeldOutPort | null {
  if (countedTests(run.record.current().heldOut ?? {tests: []}).length === 0) return null;
  return {
    async prompt(attempt) {
      const failing = (await runOn(run, verifier, attempt)).filter(fails);
      if (failing.length === 0) return null;
      const {attempts} = run.record.current();
      const heldOutFailures = failing.length;
      run.record.update({
        attempts: attempts.map((one) => (one.number === attempt.number ? {...one, heldOutFailures} : one)),
      });
      return missingBehaviorPrompt(failing, thread);
    },
  };
}

const fails = ({onCandidate}: HeldOutTest): boolean => onCandidate === "fails";

/** Results by tests and tree, of this process. */
const known = new Map<string, Promise<HeldOutTest[]>>();

function runOn(run: PreparedRun, verifier: Runs, {candidate, verdict}: Attempt): Promise<HeldOutTest[]> {
  const {commit = null, tests = []} = run.record.current().heldOut ?? {};
  const rows = tests.map(({onCandidate: _, ...row}) => row);
  if (commit === null || candidate === null || !claimsSomething(verdict)) return Promise.resolve(rows);
  const key = `${commit} ${candidate.tree}`;
  const result =
    known.get(key) ?? runHeldOut(placeOf(run, verifier, commit), {candidate: candidate.commit, rows}).catch(() => rows);
  known.set(key, result);
  return result;
}

/** Records the results on the work that counts, and one finding if a test fails on it. It never blocks. */
export async function recordHeldOut(run: PreparedRun, verifier: Runs): Promise<void> {
  const {record, context} = run;
  const {heldOut, attempts} = record.current();
  const kept = keptAttempt(attempts);
  if (heldOut === undefined || kept === undefined || context.signal.aborted) return;
  const tests = await runOn(run, verifier, kept);
  const found = findingOf(tests);
  const {verification} = kept;
  const isFound = found !== null && verification !== null;
  // A second try with the same files has the verification of the first, with its finding.
  const others = (verification?.findings ?? []).filter(({check}) => check !== "held-out");
  const withFinding = isFound && {verification: {...verification, findings: [...others, found]}};
  record.update({
    heldOut: {...heldOut, tests: [...tests]},
    ...(isFound && {attempts: attempts.map((one) => (one === kept ? {...one, ...withFinding} : one))}),
  });
}

function findingOf(tests: readonly HeldOutTest[]): IntegrityFinding | null {
  const counted = countedTests({tests});
  const failing = counted.filter(fails);
  if (failing.length === 0) return null;
  return {
    ...{check: "held-out", level: "flag", path: ".", line: null},
    message: `${failing.length} of ${counted.length} tests that another session wrote from the request ${failing.length === 1 ? "fails" : "fail"} with this change`,
    fix: "Compare the change with the request. The tests are below: one of them may be wrong.",
  };
}
