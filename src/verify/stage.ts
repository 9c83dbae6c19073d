/** Runs one command of the plan in a checkout and turns what happened into a stage result; nothing here can call an unknown a pass. */
import {isAbsolute, join} from "node:path";
import {MOST_DIAGNOSTICS} from "../evidence/compare.ts";
import {distill} from "../evidence/distill.ts";
import {findProgram, isFolder} from "../process/isolation.ts";
import {type Ran, run} from "../process/run.ts";
import type {Sandbox} from "../process/sandbox.ts";
import type {Captured, StageResult} from "../record/evidence.ts";
import type {Stage} from "../record/plan.ts";
import type {Isolation} from "../record/verification.ts";
import type {Exit, FailureKind, StageOutcome} from "../words.ts";
import type {Logs} from "./logs.ts";

/** How much of a stage's output its excerpt may carry. */
export const EXCERPT_CHARS = 6_000;

/** What the stages of one checkout share. `environment` makes the allow-listed variables for folders put first in PATH. */
export interface Surroundings {
  readonly folder: string;
  readonly isolation: Isolation;
  readonly signal: AbortSignal;
  /** true where the stage must not slow down anything else on this machine */
  readonly isBackground?: boolean;
  /** folders that are empty for a stage in a process namespace; a sandbox says more */
  readonly hidden?: readonly string[];
  /** where long outputs are kept; without it only their head and tail are */
  readonly logs?: Logs;
  /** what a stage with this environment may see and write; null where there is no sandbox */
  readonly sandbox: (env: Readonly<Record<string, string>>) => Sandbox | null;
  readonly environment: (o: {
    pathFirst: readonly string[];
    extra: Readonly<Record<string, string>>;
  }) => Record<string, string>;
}

type Command = Pick<Stage, "name" | "kind" | "command" | "cwd" | "timeout" | "optional" | "env" | "path" | "tools">;

/** Runs `stage` and never rejects. A missing program, a signal, a timeout or a spawn error is an outcome, never a pass (P7). */
export async function runStage(stage: Command, surroundings: Surroundings): Promise<StageResult> {
  const {folder, isolation, signal} = surroundings;
  const pathFirst = stage.path.map((entry) => (isAbsolute(entry) ? entry : join(folder, entry)));
  const env = surroundings.environment({pathFirst, extra: stage.env});
  const cwd = join(folder, stage.cwd);
  if (!isFolder(cwd)) {
    return notRun(stage, {outcome: "unavailable", reason: `the folder \`${stage.cwd}\` does not exist in this commit`});
  }
  const missing = stage.tools.find((tool) => findProgram(tool.name, {cwd, path: env["PATH"] ?? ""}) === null);
  if (missing !== undefined) {
    return notRun(stage, {outcome: "unavailable", reason: `\`${missing.name}\` is not installed: ${missing.hint}`});
  }
  const sandbox = surroundings.sandbox(env);
  const shell = ["/bin/bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", stage.command] as const;
  const background = surroundings.isBackground === true;
  const spill = surroundings.logs?.begin(stage.name) ?? null;
  const ran = await run(
    {argv: background ? ["nice", "-n", "19", ...shell] : shell, cwd, env},
    {
      timeoutMs: stage.timeout * 1000,
      signal,
      isolation,
      ...(background && {graceMs: 200}),
      ...(sandbox !== null && {sandbox}),
      ...(surroundings.hidden && {hidden: surroundings.hidden}),
      ...(spill !== null && {spill}),
    },
  );
  // Paths below the checkout are shown as the repository has them: where it lay on this machine helps nobody.
  const shorten = (text: string) => text.replaceAll(`${folder}/`, "");
  const {spilled, output} = ran;
  const long = spill && (await surroundings.logs?.finish({to: spill, spilled, output}));
  const {head, tail, droppedBytes} = output;
  const shown = {head: shorten(head), tail: shorten(tail), droppedBytes, ...(long?.log && {log: long.log})};
  return judge(stage, {ran: {...ran, output: shown}, text: long ? shorten(long.text) : wholeText(shown)});
}

/** A result for a stage that was not started; `reason` is what the report shows. */
export function notRun(
  stage: Omit<Command, "timeout" | "env" | "path" | "tools">,
  why: {outcome: "skipped" | "unavailable"; reason: string},
): StageResult {
  return {
    ...identity(stage),
    outcome: why.outcome,
    failureKind: why.outcome === "unavailable" ? "environment" : null,
    reason: why.reason,
    exit: null,
    durationMs: 0,
    output: null,
    excerpt: "",
    diagnostics: [],
    tests: null,
    baseline: null,
  };
}

/** `text` is what the evidence is read from: the output, or as much of a long one as can be held. */
function judge(stage: Command, {ran, text}: {ran: Ran; text: string}): StageResult {
  const evidence = distill({log: text, maxChars: EXCERPT_CHARS});
  const seen = outcomeOf({exit: ran.exit, kind: stage.kind, evidence: {...evidence, notFound: isNotFound(text)}});
  return {
    ...identity(stage),
    ...seen,
    exit: ran.exit,
    durationMs: ran.durationMs,
    output: ran.output,
    excerpt: seen.outcome === "passed" ? "" : evidence.excerpt,
    diagnostics: seen.outcome === "passed" ? [] : evidence.items.slice(0, MOST_DIAGNOSTICS),
    tests: stage.kind === "test" || stage.kind === "check" ? evidence.tests : null,
    baseline: null,
  };
}

interface Evidence {
  readonly kind: FailureKind;
  readonly tests: {passed: number; failed: number; skipped: number} | null;
  /** a runner of targets says of each that failed that its command was not found */
  readonly notFound: boolean;
}

/** The one table from a process's end to a stage's outcome. */
export function outcomeOf(o: {exit: Exit; kind: Stage["kind"]; evidence: Evidence}): {
  outcome: StageOutcome;
  failureKind: FailureKind | null;
  reason: string;
} {
  const {exit, evidence} = o;
  switch (exit.kind) {
    case "timed-out":
      return {
        outcome: "timed-out",
        failureKind: "timeout",
        reason: `stopped after ${Math.round(exit.afterMs / 1000)} s; raise its \`timeout\` in verify.json if that is too short`,
      };
    case "cancelled":
      return {outcome: "skipped", failureKind: null, reason: "cancelled while it ran"};
    case "not-started":
      return {outcome: "unavailable", failureKind: "environment", reason: `could not be started: ${exit.message}`};
    case "signaled":
      // SIGKILL from outside is the kernel short of memory; any other signal is a crash, unless the program names its reason.
      return {
        outcome: "failed",
        failureKind: exit.signal === "SIGKILL" || evidence.kind === "environment" ? "environment" : "code",
        reason: `ended by ${exit.signal}`,
      };
    case "exited":
      if (exit.code === 0) return passOrNoTests(o.kind, evidence);
      // POSIX shells answer 126 and 127 when a command cannot be run or found (POSIX.1-2017, XCU 2.8.2).
      if (exit.code === 126 || exit.code === 127 || evidence.notFound) {
        return {
          outcome: "unavailable",
          failureKind: "environment",
          reason: `exit code ${exit.code}: a command was not found`,
        };
      }
      if (evidence.kind === "no-check") {
        return {outcome: "unavailable", failureKind: "no-check", reason: `exit code ${exit.code}: no test was run`};
      }
      return {outcome: "failed", failureKind: evidence.kind, reason: `exit code ${exit.code}`};
  }
}

/** make and Task end with a code of their own (2, 201) and tell what the shell's was. A target that failed otherwise is a failure. */
function isNotFound(log: string): boolean {
  const makes = [...log.matchAll(/^g?make(?:\[(\d+)\])?: \*\*\* \[[^\n]*\] Error (\d+)$/gm)].map(
    ([, level = "0", code = ""]) => ({level: Number(level), code}),
  );
  const deepest = Math.max(0, ...makes.map(({level}) => level));
  // A make ends with 2 when one that it started has failed, whatever happened in that.
  const told = makes.filter(({level, code}) => code !== "2" || level === deepest).map(({code}) => code);
  const tasks = [...log.matchAll(/^task: Failed to run task "[^"\n]*": exit status (\d+)$/gm)].map(([, code]) => code);
  const codes = [...told, ...tasks];
  return codes.length > 0 && codes.every((code) => code === "127");
}

/** Exit 0 proves nothing when the runner itself says that no test ran (P6). */
function passOrNoTests(kind: Stage["kind"], evidence: Evidence): ReturnType<typeof outcomeOf> {
  const {tests} = evidence;
  if (kind === "test" && tests !== null && tests.passed + tests.failed === 0) {
    return {outcome: "unavailable", failureKind: "no-check", reason: "exit code 0, but no test was run"};
  }
  return {outcome: "passed", failureKind: null, reason: ""};
}

const identity = (stage: Pick<Stage, "name" | "kind" | "command" | "cwd" | "optional">) => ({
  name: stage.name,
  kind: stage.kind,
  command: stage.command,
  cwd: stage.cwd,
  optional: stage.optional,
});

/** The text of an output, with a line of ours where bytes are missing. */
export function wholeText(output: Captured): string {
  if (output.droppedBytes === 0) return output.head + output.tail;
  return `${output.head}\n[… ${output.droppedBytes} bytes left out …]\n${output.tail}`;
}
