/** Maps a stage's exit and evidence to its outcome, kind of failure and reason. */
import {whyUnfinished} from "../../diagnostics/doubtful-pass.ts";
import type {Summary} from "../../diagnostics/last-summary.ts";
import type {Reported, StageResult, TestCounts} from "../../record/evidence.ts";
import type {Stage} from "../../record/plan.ts";
import type {Exit, FailureKind, StageOutcome} from "../../record/words.ts";
import {TOOLS} from "../../tools/all.ts";

/** The evidence of a stage in addition to its exit. */
export interface RunEvidence {
  readonly kind: FailureKind;
  readonly tests: TestCounts | null;
  /** the output, or the start and end of a long one */
  readonly text: string;
  /** true if the output or the runner's report says that no test ran */
  readonly saysNoneRan: boolean;
  readonly reported: Reported | null;
  /** the last test summary in the output; only read if the exit code is 0 and a test failed */
  readonly lastSummary: Summary | null;
}

type JudgedStage = Pick<Stage, "kind" | "command" | "swallowedIn" | "rewrittenBy" | "countedBy">;

/** Kinds of stages whose output is never read as test output. */
export const runsNoTest = (kind: Stage["kind"]): boolean => kind === "typecheck" || kind === "lint";

const BROKEN_PIPE =
  "exit code 141: a command still wrote into a pipe that `head`, `grep -q` or another reader had closed (checks run with `pipefail`); let the reader read to the end, for example `grep … >/dev/null`, or write to a file first";

/** The one table from a process's end to a stage's outcome; only exit code 0 can be a pass (P7). */
export function outcomeOf({exit, stage, evidence}: {exit: Exit; stage: JudgedStage; evidence: RunEvidence}): {
  outcome: StageOutcome;
  failureKind: FailureKind | null;
  reason: string;
} {
  switch (exit.kind) {
    case "timed-out":
      return {
        outcome: "timed-out",
        failureKind: "timeout",
        reason: `stopped after ${Math.round(exit.afterMs / 1000)} s${whileRunning(exit.running, stage.command)}; raise its \`timeout\` in verify.json if that is too short`,
      };
    case "cancelled":
      return {outcome: "skipped", failureKind: null, reason: "cancelled while it ran"};
    case "not-started":
      return {outcome: "unavailable", failureKind: "environment", reason: `could not be started: ${exit.message}`};
    case "signaled":
      // SIGKILL means that the kernel is out of memory; any other signal is a crash, unless the program names its
      // reason.
      return {
        outcome: "failed",
        failureKind: exit.signal === "SIGKILL" || evidence.kind === "environment" ? "environment" : "code",
        reason: `ended by ${exit.signal}`,
      };
    case "exited": {
      if (exit.code === 0) return passOrNoTests(stage, evidence);
      // POSIX shells answer 126 and 127 when a command cannot be run or found (POSIX.1-2017, XCU 2.8.2).
      if (exit.code === 126 || exit.code === 127 || isNotFound(evidence.text)) {
        return {
          outcome: "unavailable",
          failureKind: "environment",
          reason: `exit code ${exit.code}: ${missingCommandReason(exit.code, findLackingCommand(evidence.text))}`,
        };
      }
      const part = evidence.kind === "environment" ? findLackingPart(evidence.text) : null;
      if (part !== null) {
        const reason = `exit code ${exit.code}: \`${part}\` is not installed`;
        return {outcome: "unavailable", failureKind: "environment", reason};
      }
      // Automake, Meson and CTest read this code as "skipped": the check found that it cannot run here. Some runners
      // exit with their number of failures.
      if (exit.code === 77 && !hasFailedTest(evidence))
        return {outcome: "unavailable", failureKind: "environment", reason: "exit code 77: it skipped itself"};
      if (evidence.kind === "no-check") {
        return {outcome: "unavailable", failureKind: "no-check", reason: `exit code ${exit.code}: no test was run`};
      }
      // 128 + SIGPIPE: with `pipefail`, a command whose reader has ended makes the line fail.
      if (exit.code === 141) return {outcome: "failed", failureKind: evidence.kind, reason: BROKEN_PIPE};
      return {outcome: "failed", failureKind: evidence.kind, reason: `exit code ${exit.code}`};
    }
  }
}

/** Which part of a longer command ran; empty if that is the whole command, or unknown. */
function whileRunning(running: readonly string[] = [], command: string): string {
  const parts = running.filter((part) => part !== command).map((part) => `\`${shortCommand(part)}\``);
  return parts.length === 0 ? "" : `, while it ran ${parts.slice(0, 3).join(" and ")}`;
}

const shortCommand = (text: string): string => {
  const line = text.replaceAll(/[\s`]+/g, " ").trim();
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
};

const hasFailedTest = ({tests, reported}: RunEvidence): boolean =>
  (tests?.failed ?? 0) > 0 || (reported?.counts.failed ?? 0) > 0;

function missingCommandReason(code: number, name: string | null): string {
  const command = name === null ? "a command" : `the command \`${name}\``;
  return code === 126 ? `${command} could not be executed` : `${command} was not found`;
}

/**
 * The last command in the log that a shell (bash, dash, zsh, busybox), env or make did not find, or could not execute.
 */
export function findLackingCommand(log: string): string | null {
  const patterns = [
    /^(?:\S*(?:sh|busybox|env|make)(?:\[\d+\])?: )(?:.*?: )?(?:line )?(?:\d+: )?[‘'"]?([\w@.+/-]+)[’'"]?: (?:command not found|not found|No such file or directory|Permission denied)$/gm,
    /^zsh:(?:\d+:)? command not found: ([\w@.+/-]+)$/gm,
  ];
  const matches = patterns.flatMap((pattern) => [...log.matchAll(pattern)]);
  return matches.at(-1)?.[1] ?? null;
}

const LACKING = TOOLS.flatMap(({notInstalled = []}) =>
  notInstalled.filter(({source}) => source.includes("(?<missing>")),
);

/** The interpreter that a maker of environments did not find, or the subcommand that is a program of its own. */
export function findLackingPart(log: string): string | null {
  const names = LACKING.map((pattern) => new RegExp(pattern, "m").exec(log)?.groups?.["missing"]);
  return names.find((name) => name !== undefined) ?? null;
}

/**
 * make and Task exit with their own code (2, 201), and print the shell's code. A target that fails with another code is
 * an ordinary failure.
 */
function isNotFound(log: string): boolean {
  const makes = [...log.matchAll(/^g?make(?:\[(\d+)\])?: \*\*\* \[[^\n]*\] Error (\d+)$/gm)].map(
    ([, level = "0", code = ""]) => ({level: Number(level), code}),
  );
  const deepest = Math.max(0, ...makes.map(({level}) => level));
  // A make exits with 2 if a nested make failed for any reason.
  const makeCodes = makes.filter(({level, code}) => code !== "2" || level === deepest).map(({code}) => code);
  const tasks = [...log.matchAll(/^task: Failed to run task "[^"\n]*": exit status (\d+)$/gm)].map(([, code]) => code);
  const codes = [...makeCodes, ...tasks];
  return codes.length > 0 && codes.every((code) => code === "127");
}

/**
 * Exit code 0 proves nothing if the runner itself reports that no test ran (P6) or that tests failed: a script may drop
 * its exit code.
 */
function passOrNoTests(stage: JudgedStage, evidence: RunEvidence): ReturnType<typeof outcomeOf> {
  const {kind, countedBy, swallowedIn} = stage;
  const {reported, saysNoneRan, lastSummary, tests, text} = evidence;
  const counts = stage.rewrittenBy === undefined ? tests : reported?.counts;
  if (reported !== null && reported.counts.failed > 0) {
    const [first] = reported.failed;
    const titleSuffix = first === undefined ? "" : `: ${first.title}`;
    const reason = `exit code 0, but the report of ${reported.tool} has ${reported.counts.failed} failed${titleSuffix}`;
    return {outcome: "failed", failureKind: "code", reason};
  }
  // A report is more reliable: it comes from the stage's own runner, and marks retries and expected failures.
  if (!runsNoTest(kind) && reported === null && lastSummary !== null && lastSummary.counts.failed > 0) {
    const reason = `exit code 0, but the final summary of ${lastSummary.tool} has ${lastSummary.counts.failed} failed`;
    return {outcome: "failed", failureKind: "code", reason};
  }
  if (kind === "test" && saysNoneRan) {
    return {outcome: "unavailable", failureKind: "no-check", reason: "exit code 0, but no test was run"};
  }
  const unfinishedReason = kind === "test" && reported === null ? whyUnfinished(text) : "";
  if (unfinishedReason !== "") {
    return {outcome: "unavailable", failureKind: "no-check", reason: `exit code 0, but ${unfinishedReason}`};
  }
  if (kind === "test" && countedBy !== undefined && tests === null) {
    const reason = `exit code 0, but \`${countedBy}\` gave no count of its tests: it may have ended before they ran`;
    return {outcome: "unavailable", failureKind: "no-check", reason};
  }
  // The exit code is not evidence, but counted passed tests are (P6).
  if (kind === "test" && swallowedIn !== undefined && (counts?.passed ?? 0) === 0) {
    const reason = `its exit code is always 0 (lost in ${swallowedIn}), and no passed test was counted`;
    return {outcome: "unavailable", failureKind: "no-check", reason};
  }
  const retried = runsNoTest(kind) ? null : (reported?.retried?.[0] ?? retriedIn(text));
  if (retried !== null) {
    const reason = `exit code 0, but a test failed first and passed when it was run again: ${retried}`;
    return {outcome: "flaky", failureKind: null, reason};
  }
  return {outcome: "passed", failureKind: null, reason: ""};
}

/** The line that names or counts a test which passed only when it was run again; null if there is none. */
function retriedIn(text: string): string | null {
  const lines = TOOLS.flatMap(({retried}) => (retried === undefined ? [] : (retried.exec(text)?.[0] ?? [])));
  return lines[0]?.trim() ?? null;
}

const CONTENTION = /time[d-]?[ -]?out|deadline|EADDRINUSE|ECONN|address already in use|\bKilled\b/i;

/** True for a pass, and for a failure that would also occur on an idle machine. */
export function isDeterministic({outcome, failureKind, output, diagnostics}: StageResult): boolean {
  if (outcome === "passed") return true;
  if (outcome !== "failed" || failureKind !== "code") return false;
  const texts = [output?.head ?? "", output?.tail ?? "", ...diagnostics.map(({message}) => message)];
  return !texts.some((text) => CONTENTION.test(text));
}
