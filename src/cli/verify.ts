/** `assay verify`: verifies the working tree or a commit on a developer's machine. */
import {mkdtemp} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import picocolors from "picocolors";
import {openRemover} from "../engine/checkout/folders.ts";
import {chooseSandbox} from "../engine/isolation/choose-sandbox.ts";
import {unknownStages} from "../engine/schedule/skip-reasons.ts";
import {finishedFacts} from "../record/event-line.ts";
import type {OnEvent} from "../record/events.ts";
import type {Failure} from "../record/failure.ts";
import {recordedFindings} from "../record/integrity.ts";
import type {RunRecord} from "../record/record.ts";
import {isVerified, ok, type Result, refused} from "../record/words.ts";
import {openEventFile} from "../run/event-file.ts";
import {VERSION} from "../run/version.ts";
import {createRedactor} from "../secrets/redact.ts";
import {openReporter, type ReporterName} from "./choose-reporter.ts";
import {printFailure} from "./error-text.ts";
import {gitTop, repositoryFolder} from "./git-top.ts";
import {type LocalSetup, prepareLocal, type WrongArgument} from "./local-setup.ts";
import {verdictExitCode} from "./reporters/charged.ts";
import {STOP_HOOK} from "./stop-hook.ts";
import {attemptLocally, type LocalAttempt} from "./verify-locally.ts";
import {nextChange} from "./watch.ts";

interface VerifyCommandOptions {
  base: string;
  head?: string;
  stage: string[];
  inPlace?: boolean;
  affected?: boolean;
  watch?: boolean;
  sensitivity?: boolean;
  executedLines?: boolean;
  json?: boolean;
  reporter?: ReporterName;
  quiet?: boolean;
  eventLog?: string;
  /** rules that turn verification off are no answer */
  needsEvidence?: boolean;
}

/**
 * Exit 0 verified (or nothing to verify), 1 failed or tampered, 2 partial or unverified, 3 a mistake in configuration
 * or arguments. With `--watch`, of the last verdict; 2 if it is ended while newer files are verified.
 */
export async function verifyCommand(paths: readonly string[], options: VerifyCommandOptions): Promise<number> {
  const controller = new AbortController();
  const {signal} = controller;
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => controller.abort());
  if (!options.watch) return (await verifyOnce(paths, {...options, signal})).code ?? 2;
  let last = {code: 2, tree: null as string | null};
  for (let affected = options.affected === true; !signal.aborted; affected = true) {
    // It starts before the files are read, so that no change is missed.
    const changed = await nextChange(repositoryFolder(process.cwd()), signal);
    if (!changed.ok) return printFailure({kind: "wrong-argument", sentence: changed.failure});
    const round = await verifyOnce(paths, {...options, affected, signal, isUnlike: last.tree});
    // A mistake in the arguments stays; one in verify.json can be corrected.
    if (round.tree === null && last.tree === null) return round.code ?? 2;
    // What is on disk now has no verdict.
    if (signal.aborted && round.tree !== last.tree) return round.code ?? 2;
    if (round.code !== null) last = {code: round.code, tree: round.tree ?? last.tree};
    if (!signal.aborted) process.stderr.write("Waiting for a change. Ctrl-C ends.\n");
    await changed.value;
  }
  return last.code;
}

/** `code` is null if there is no new verdict, and `tree` if the files could not be read. */
interface Round {
  readonly code: number | null;
  readonly tree: string | null;
}

interface OnceOptions extends VerifyCommandOptions {
  readonly signal: AbortSignal;
  /** files that were verified already; they are not verified again */
  readonly isUnlike?: string | null;
}

async function verifyOnce(paths: readonly string[], options: OnceOptions): Promise<Round> {
  const {signal} = options;
  const remove = openRemover();
  const scratch = await mkdtemp(join(tmpdir(), "assay-"));
  // Its probes run while the plan is detected. The result is reused when verify.json makes its choice.
  const probes = chooseSandbox({sandbox: "auto", network: "all", folder: scratch, mayBeOpen: true}).catch(() => null);
  let setup: LocalSetup | null = null;
  const reporter = await openReporter(options.json ? "json" : (options.reporter ?? null), {
    out: process.stdout,
    err: process.stderr,
    colors: picocolors,
    isQuiet: options.quiet === true,
    readText: async (path) => (setup === null ? null : readCandidate(setup, path)),
  });
  try {
    const startedAt = new Date().toISOString();
    const preparation = await prepare(paths, {...options, scratch});
    if (!preparation.ok) {
      reporter.close();
      // After Ctrl-C, an interrupted git is no error.
      return {code: signal.aborted ? null : printFailure(preparation.failure), tree: null};
    }
    const {only} = preparation.value;
    setup = preparation.value.setup;
    const {tree} = setup.candidate;
    if (tree === options.isUnlike) return {code: null, tree};
    // Opened after the working folder was read, because the file may be in that folder.
    const events = options.eventLog === undefined ? null : openEventLog(options.eventLog);
    if (events?.ok === false)
      return {code: printFailure({kind: "wrong-argument", sentence: events.failure}), tree: null};
    const onEvent: OnEvent = (event) => {
      reporter.onEvent(event);
      events?.value.onEvent(event);
    };
    const attempt = await attemptLocally(setup, {...options, only, scratch, onEvent});
    if (options.watch && signal.aborted) return {code: null, tree};
    const record = recordOf({setup, ...attempt, startedAt, only, wanted: options});
    events?.value.onEvent({kind: "attempt-finished", attempt: attempt.attempt});
    events?.value.write(finishedFacts(record, verdictExitCode(record.verdict) === 0));
    events?.value.close();
    await reporter.finish(record);
    const {verdict} = record;
    const isDisabled = verdict.kind === "nothing-to-verify" && verdict.why === "disabled";
    return {code: options.needsEvidence && isDisabled ? 2 : verdictExitCode(verdict), tree};
  } finally {
    reporter.close();
    await probes;
    await remove(scratch);
  }
}

/** On a developer's machine, no secret is known by its value, but some have a known form. */
const openEventLog = (path: string) =>
  openEventFile({
    path,
    top: gitTop(process.cwd()),
    redact: createRedactor({secrets: []}),
    now: () => new Date().toISOString(),
  });

async function prepare(
  paths: readonly string[],
  {base, head, stage, scratch}: VerifyCommandOptions & {scratch: string},
): Promise<Result<{setup: LocalSetup; only: readonly string[]}, Failure | WrongArgument>> {
  if (stage.length > 0 && paths.length > 0)
    return refused({kind: "wrong-argument", sentence: "error: give either paths or --stage."});
  // The stop hook lets no agent pass unverified because it broke verify.json.
  const mayBreakConfig = process.env[STOP_HOOK] !== undefined;
  const setup = await prepareLocal({scratch, cwd: process.cwd(), base, head: head ?? null, paths, mayBreakConfig});
  if (!setup.ok) return setup;
  const only = stagesToRequest(setup.value, stage);
  return only.ok ? ok({setup: setup.value, only: only.value}) : only;
}

const MAX_FRAME_BYTES = 1_000_000;

/** A file of the candidate, for a code frame. */
async function readCandidate({repository, candidate}: LocalSetup, path: string): Promise<string | null> {
  const text = await repository.readText(candidate.commit, path, {maxBytes: MAX_FRAME_BYTES});
  return text.ok ? text.value : null;
}

/** The names and kinds to run; empty for all. */
function stagesToRequest(setup: LocalSetup, named: readonly string[]): Result<readonly string[], WrongArgument> {
  const refuse = (sentence: string) => refused({kind: "wrong-argument" as const, sentence});
  const unknown = unknownStages(named, setup.plan.stages);
  if (unknown.length === 0) return ok(setup.pathStages ?? named);
  const knownNames = setup.plan.stages.map((stage) => stage.name).join(", ");
  const choice =
    knownNames === "" ? "No checks were found here. Run `assay plan` to see why." : `Checks here: ${knownNames}`;
  return refuse(`error: unknown check ${unknown.join(", ")}. ${choice}`);
}

interface LocalRun extends LocalAttempt {
  readonly setup: LocalSetup;
  readonly startedAt: string;
  readonly only: readonly string[];
  readonly wanted: Pick<VerifyCommandOptions, "sensitivity" | "executedLines">;
}

const NO_LINES =
  "No line was recorded: no changed line is one that tests run, the project has no coverage tool that its test command can use, or there was no time.";
const NO_FAULT =
  "No fault was tried: no changed line is one that tests can notice, or a run of the tests takes too long for a quarter of the time of this verification.";

function recordOf(run: LocalRun): RunRecord {
  const {setup, attempt, startedAt, warning, wanted} = run;
  const {sensitivity, executedLines} = run.measured;
  const isMissing = (name: keyof typeof wanted) =>
    wanted[name] === true && run.measured[name] === null && isVerified(attempt.verdict);
  return {
    schema: "assay.record/1",
    run: {id: `local-${startedAt}`, url: null, startedAt, finishedAt: new Date().toISOString(), assay: VERSION},
    request: {kind: "verify", only: [...run.only]},
    thread: null,
    base: {ref: setup.baseName, ...setup.base},
    rules: {ref: setup.baseName, commit: setup.rules},
    plan: setup.plan,
    attempts: [attempt],
    ...recordedFindings([attempt]),
    verdict: attempt.verdict,
    publication: {kind: "none"},
    ...(sensitivity && {sensitivity}),
    ...(executedLines && {executedLines}),
    failures: [],
    notes: [
      ...(warning === null ? [] : [warning]),
      ...setup.notes,
      ...setup.versionNotes,
      ...(isMissing("executedLines") ? [{about: "executed lines", text: NO_LINES}] : []),
      ...(isMissing("sensitivity") ? [{about: "sensitivity", text: NO_FAULT}] : []),
    ],
    session: null,
  };
}
