/** Words the result of `assay replay`: what was the same, a table of agreement, and one next step. */
import type {
  Agreement,
  Circumstance,
  NamedCommand,
  ReplayDocument,
  ReplayedCheck,
  ReplayReason,
  SeenCheck,
} from "../../record/replay.ts";
import {withCount} from "../../report/format.ts";
import {VERDICTS} from "../../report/wording.ts";
import {plain} from "../reporters/plain-text.ts";
import type {Colors} from "../reporters/reporter.ts";

/** What each reason means, and the step that helps. */
const REASONS: Readonly<Record<ReplayReason, {readonly text: string; readonly next: string}>> = {
  "no-verification": {
    text: "the record has no verification of a commit",
    next: "Replay the record of a run whose checks ran in a checkout.",
  },
  "no-files": {
    text: "this clone does not have the verified files",
    next: "Fetch the branch with the verified commit, and replay again.",
  },
  "other-files": {text: "the commit has other files than were verified", next: "Run `assay verify` on these files."},
  "no-base": {
    text: "this clone does not have the commit before the change",
    next: "Fetch the whole history (`git fetch --unshallow`), and replay again.",
  },
  "foreign-base": {
    text: "the rules come from a commit outside of the history of HEAD and of the default branch",
    next: "Check out the branch that the change was made for. If you trust the commands above, add --trust-commands.",
  },
  "foreign-command": {
    text: "the record names commands that are not in this clone's plan",
    next: "Read the commands above. If you trust them, add --trust-commands.",
  },
  "no-sandbox": {
    text: "this machine has no sandbox",
    next: "Install bubblewrap (`apt-get install bubblewrap`), and replay again.",
  },
  "not-started": {text: "the verification could not start", next: "Run `assay plan` to see why."},
  outcome: {text: "another result", next: "Read the output of the check above."},
  "exit-code": {text: "another exit code", next: "Read the output of the check above."},
  "test-counts": {text: "another number of tests", next: "Compare the tests of the two runs."},
  tests: {text: "other tests, or tests with another result", next: "Run the tests that differ."},
  report: {text: "the test runner reports other tests", next: "Compare the tests of the two runs."},
  "other-verdict": {text: "another verdict", next: "Run `assay verify` on these files."},
  "only-recorded": {text: "it is not in this clone's plan", next: "Compare `assay plan` with the record."},
  "only-here": {text: "the record does not have it", next: "Compare `assay plan` with the record."},
  "part-only": {text: "only a part of it ran", next: "Replay the record of a whole run."},
  chance: {text: "it is flaky, so its result is chance", next: "Make the test reliable, and verify again."},
  "not-run-here": {text: "it could not run here", next: "Install what it needs, and replay again."},
  "other-tool": {text: "another version", next: "Install the recorded versions, and replay again."},
  "other-isolation": {text: "another isolation", next: "Replay on a machine with the recorded isolation."},
  "other-assay": {text: "another version", next: "Replay with the recorded version of Assay."},
  "unknown-here": {text: "unknown here", next: "Install the recorded tools, and replay again."},
  "unknown-recorded": {text: "not in the record", next: "Replay the record of a newer run."},
};

const RESULTS: Readonly<Record<ReplayDocument["result"], string>> = {
  reproduced: "✅ Reproduced",
  differs: "❌ Differs",
  refused: "🛑 Refused, nothing was run",
  undecided: "⚠️  Could not be decided",
};

const AGREEMENTS: Readonly<Record<Agreement, string>> = {
  reproduced: "reproduced",
  differs: "differs",
  "not-replayed": "could not be replayed",
};

/** The step after a replay that did not reproduce the record; empty after one that did. */
export function nextStep({result, reason, checks, circumstances}: ReplayDocument): string {
  if (result === "reproduced") return "";
  const differing = circumstances.find((one) => one.reason === "other-tool");
  const unlike = checks.find(({agreement}) => agreement === "differs") ?? checks.find((one) => one.reason !== null);
  const cause = reason ?? differing?.reason ?? unlike?.reason ?? "other-verdict";
  return REASONS[cause].next;
}

const MAX_COMMANDS = 20;
const MAX_TESTS = 10;

export function replayText(document: ReplayDocument, colors: Colors): string {
  const {source, circumstances, foreignCommands, checks, result, reason, detail, next} = document;
  const isUndecided = result === "undecided" || reason !== null;
  const why = [reason === null ? "" : REASONS[reason].text, isUndecided ? plain(detail) : ""]
    .filter(Boolean)
    .join(": ");
  const parts = [
    colors.dim(`${ORIGINS[source.kind]} ${plain(source.run)}. It is unsigned: anyone can write one.`),
    columns(circumstances.map((one) => circumstanceRow(one))),
    foreignCommands.length === 0 ? "" : commandList(foreignCommands),
    checks.length === 0 ? "" : agreementTable(document, colors),
    `${colors.bold(RESULTS[result])}${why === "" ? `: ${summary(document)}` : `: ${why}`}.`,
    next === "" ? "" : `${colors.bold("Next:")} ${next}`,
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

const ORIGINS = {record: "Record of the run", commit: "Commit of the run"} as const;

/** `unknown` is no agreement, but no difference either. */
function circumstanceRow({name, recorded, here, reason}: Circumstance): string[] {
  const isUnknown = reason === "unknown-here" || reason === "unknown-recorded";
  const values = reason === null ? (here ?? "") : `${recorded ?? "unknown"} in the record, ${here ?? "unknown"} here`;
  return [`  ${name}`, reason === null ? "same" : isUnknown ? "unknown" : "differs", plain(values)];
}

function commandList(commands: readonly NamedCommand[]): string {
  const shown = commands.slice(0, MAX_COMMANDS).map(({name, command, cwd}) => {
    const folder = cwd === "." ? "" : `  (in ${plain(cwd)})`;
    return `  ${plain(name)}: ${plain(command)}${folder}`;
  });
  const left = commands.length - shown.length;
  return ["Commands that are not in this clone's plan:", ...shown, ...(left > 0 ? [`  … and ${left} more`] : [])].join(
    "\n",
  );
}

function agreementTable({checks, verdict}: ReplayDocument, colors: Colors): string {
  const rows = [
    ["Check", "Record", "Here", "Agreement"],
    ...checks.map((check) => [plain(check.name), seen(check.recorded), seen(check.here), agreementOf(check)]),
    ["Verdict", headline(verdict.recorded), headline(verdict.here ?? ""), AGREEMENTS[verdict.agreement]],
  ];
  const [header = "", ...lines] = columns(rows).split("\n");
  const tests = checks.flatMap(({name, tests}) =>
    (tests?.differing ?? []).map((test) => [plain(name), plain(test.name), test.recorded ?? "–", test.here ?? "–"]),
  );
  const shown = tests.slice(0, MAX_TESTS);
  const more = tests.length > shown.length ? [`… and ${tests.length - shown.length} more (--json shows 200)`] : [];
  const testTable = [columns([["Check", "Test", "Record", "Here"], ...shown]), ...more].join("\n");
  return [colors.bold(header), ...lines, ...(tests.length === 0 ? [] : ["", testTable])].join("\n");
}

const headline = (kind: string): string => Object.entries(VERDICTS).find(([one]) => one === kind)?.[1].headline ?? "–";

function agreementOf({agreement, reason, recorded}: ReplayedCheck): string {
  if (recorded === null && reason === null) return "only the verdict is recorded";
  return `${AGREEMENTS[agreement]}${reason === null ? "" : `: ${REASONS[reason].text}`}`;
}

function seen(check: SeenCheck | null): string {
  if (check === null) return "–";
  const {outcome, exitCode, tests} = check;
  const ran = tests === null ? 0 : tests.passed + tests.failed;
  const counted = tests === null ? "" : `, ${tests.failed === 0 ? "" : `${tests.failed} of `}${withCount(ran, "test")}`;
  return `${outcome}${counted}${outcome === "failed" && exitCode !== null ? `, exit ${exitCode}` : ""}`;
}

function summary({checks, verdict, result}: ReplayDocument): string {
  const named = checks.reduce((sum, {tests}) => sum + (tests?.reproduced ?? 0), 0);
  const same = checks.filter(({agreement}) => agreement === "reproduced").length;
  if (result !== "reproduced") return `${same} of ${withCount(checks.length, "check")} agree`;
  const byName = named === 0 ? "" : ` and ${withCount(named, "test")} by name`;
  return `the verdict \`${verdict.recorded}\`, ${withCount(same, "check")}${byName}`;
}

function columns(rows: readonly (readonly string[])[]): string {
  const widthOf = (column: number) => Math.min(48, Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widthOf(at)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
