/** Words the result of `assay replay`: what was the same, a table of agreement, and one next step. */
import type {Agreement, ReplayDocument, ReplayReason, SeenCheck} from "../../record/replay.ts";
import {withCount} from "../../report/format.ts";
import {plain} from "../reporters/plain-text.ts";
import type {Colors} from "../reporters/reporter.ts";

const FETCH = "Fetch the branch with the verified commit and its whole history, and replay again.";
const READ_COMMANDS = "Read the commands above. If you trust them, add --trust-commands.";
const COMPARE = "Compare `assay plan` with the record.";

/** What each reason means, and the step that helps. */
const REASONS: Readonly<Record<ReplayReason, readonly [text: string, next: string]>> = {
  "no-verification": ["the record has no verification of a commit", "Replay a run whose checks ran in a checkout."],
  "no-files": ["this clone does not have the verified files", FETCH],
  "other-files": ["the commit has other files than were verified", "Run `assay verify` on these files."],
  "no-base": ["this clone does not have the commit before the change", FETCH],
  "foreign-base": ["the rules are not in the history of the default branch", READ_COMMANDS],
  "foreign-command": ["the record names commands that are not in this clone's plan", READ_COMMANDS],
  "no-sandbox": ["this machine has no sandbox", "Install bubblewrap (`apt-get install bubblewrap`), and replay again."],
  "not-started": ["the verification could not start", "Run `assay plan` to see why."],
  outcome: ["another result", "Read the output of the check above."],
  tests: ["other tests, or tests with another result", "Run the tests that differ."],
  "only-recorded": ["it is not in this clone's plan", COMPARE],
  "only-here": ["the record does not have it", COMPARE],
  "part-only": ["only a part of it ran", "Replay the record of a whole run."],
  chance: ["it is flaky, so its result is chance", "Make the test reliable, and verify again."],
  "not-run-here": ["it could not run here", "Install what it needs, and replay again."],
  "verdict-only": ["only the verdict is recorded", "Run `assay verify` on these files."],
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
const SIGNED = "Its signature was not verified: `assay check` does that.";
const UNSIGNED = "It is unsigned: anyone can write one.";
const MAX_COMMANDS = 20;
const MAX_TESTS = 10;

/** Installing something changes none of these. */
const OWN_STEPS: ReadonlySet<string> = new Set(["commands", "approval"]);

/** The step after a replay that did not reproduce the record; empty after one that did. */
export function nextStep({result, reason, checks, circumstances}: ReplayDocument): string {
  if (result === "reproduced") return "";
  const isOther = circumstances.some(({name, recorded, here}) => !OWN_STEPS.has(name) && recorded && recorded !== here);
  if (reason === null && isOther) return "Install the recorded versions, and replay again.";
  const unlike = checks.find(({agreement}) => agreement === "differs") ?? checks.find((check) => check.reason !== null);
  return REASONS[reason ?? unlike?.reason ?? "verdict-only"][1];
}

export function replayText(document: ReplayDocument, colors: Colors): string {
  const {run, circumstances, foreignCommands, checks, verdict, result, reason, detail, next} = document;
  const commands = foreignCommands
    .slice(0, MAX_COMMANDS)
    .map(({name, command, cwd}) => `  ${plain(name)}: ${plain(command)}${cwd && ` (in ${plain(cwd)})`}`);
  const left = foreignCommands.length - commands.length;
  const same = checks.filter(({agreement}) => agreement === "reproduced").length;
  const named = checks.reduce((sum, {tests}) => sum + (tests?.reproduced ?? 0), 0);
  const byName = named === 0 ? "" : ` and ${withCount(named, "test")} by name`;
  const isVerdictOnly = checks.length > 0 && checks.every(({reason}) => reason === "verdict-only");
  const summary = isVerdictOnly
    ? "the verdict, which alone is recorded"
    : `${same} of ${withCount(checks.length, "check")}${byName} as recorded`;
  const rows = checks.map(({name, recorded, here, agreement, reason}) => {
    const why = reason === null ? "" : `: ${REASONS[reason][0]}`;
    return [name, seen(recorded), seen(here), `${AGREEMENTS[agreement]}${why}`];
  });
  const tests = checks.flatMap(({name, tests}) =>
    (tests?.differing ?? []).map((test) => [name, test.name, test.recorded ?? "–", test.here ?? "–"]),
  );
  const parts = [
    colors.dim(`Record of the run ${plain(run) || "unknown"}. ${document.hasSignature ? SIGNED : UNSIGNED}`),
    columns(circumstances.map(({name, recorded, here}) => [`  ${name}`, ...compared(recorded, here)])),
    commands.length > 0 ? ["Commands that are not in this clone's plan:", ...commands].join("\n") : "",
    left > 0 ? `… and ${left} more` : "",
    rows.length > 0
      ? columns([
          ["Check", "Record", "Here", "Agreement"],
          ...rows,
          ["Verdict", verdict.recorded, verdict.here ?? "–", AGREEMENTS[verdict.agreement]],
        ])
      : "",
    tests.length > 0 ? columns([["Check", "Test", "Record", "Here"], ...tests.slice(0, MAX_TESTS)]) : "",
    tests.length > MAX_TESTS ? `… and ${tests.length - MAX_TESTS} more (--json shows 200)` : "",
    `${colors.bold(RESULTS[result])}: ${reason === null ? summary : REASONS[reason][0]}${detail && `: ${plain(detail)}`}.`,
    next === "" ? "" : `${colors.bold("Next:")} ${next}`,
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function compared(recorded: string | null, here: string | null): [state: string, values: string] {
  if (recorded !== null && recorded === here) return ["same", here];
  const state = recorded === null || here === null ? "unknown" : "differs";
  return [state, `${recorded ?? "unknown"} in the record, ${here ?? "unknown"} here`];
}

function seen(check: SeenCheck | null): string {
  if (check === null) return "–";
  const {outcome, exitCode, tests} = check;
  const counted = tests === null ? "" : `, ${withCount(tests.passed + tests.failed, "test")}`;
  return `${outcome}${counted}${exitCode === null || exitCode === 0 ? "" : `, exit ${exitCode}`}`;
}

/** A table of foreign texts; only the last column may be long. */
function columns(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(plain));
  const widthOf = (column: number) => Math.min(48, Math.max(0, ...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widthOf(at)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
