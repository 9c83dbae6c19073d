/** The sentences of a report. The tables are exhaustive: a new kind does not compile until it has its text. */
import type {ConnectionCause} from "../diagnostics/environment-causes.ts";
import type {Verdict} from "../record/verification.ts";
import type {FailureKind, NothingReason, RedJobOutcome, StageOutcome, UnverifiedReason} from "../record/words.ts";

export interface Headline {
  readonly icon: string;
  readonly headline: string;
  readonly sentence: string;
}

/** A headline whose sentence is one of the claims, or depends on the reason. */
export type Title = Omit<Headline, "sentence">;

export const VERDICTS = {
  verified: {icon: "✅", headline: "Verified"},
  "verified-with-preexisting": {icon: "✅", headline: "Verified, no new failures"},
  partial: {icon: "☑️", headline: "Requested checks passed"},
  failed: {icon: "❌", headline: "Checks failed"},
  tampered: {icon: "🛑", headline: "Not verified: the change weakens its checks"},
  unverified: {icon: "⚠️", headline: "Unverified"},
  "nothing-to-verify": {icon: "💬", headline: "Nothing to verify"},
} satisfies Record<Verdict["kind"], Title>;

/** The headline for a proposed `verify.json`. */
export const PROPOSED = "Checks proposed";

/** The headline for `failed` if all failing checks are tests. */
export const TESTS_FAILED = "Tests failed";

/** The headline for `partial` if a requested stage fails as on the base. */
export const PARTIAL_PREEXISTING = "Requested checks found no new failures";

/** A verified change that a person has to merge or allow (P14). The failure below names the reason. */
export const HELD: Title = {icon: "✅", headline: "Verified, waiting for you"};

/** A good verdict in a run that failed elsewhere must not look green (P14). */
export const GREEN_BUT_FAILED: Title = {icon: "⚠️", headline: "but the run failed"};

/** A run that ended before the agent or a check started. */
export const NOT_STARTED: Title = {icon: "⚠️", headline: "Not started"};

/** Why a change is unverified, and how to fix that; `cure` is empty if a second try may be enough. */
export const UNVERIFIED = {
  "no-stages": {
    sentence: "No required check ran for this change.",
    cure: "Add `stages` to `verify.json` on the default branch (`assay init` writes a template)",
  },
  unavailable: {
    sentence: "A required check gave no result, for the reason below.",
    cure: "Install what is missing in the workflow or in `setup` of `verify.json`, or correct what the reason names",
  },
  "no-tests-ran": {
    sentence: "A required check ran, but checked nothing.",
    cure: "Add a test, or fix the command",
  },
  flaky: {
    sentence: "A check failed and then passed on the same files.",
    cure: "Make the test reliable, or list it under `flaky` in `verify.json`",
  },
  "setup-failed": {
    sentence: "The setup before the checks failed.",
    cure: "Fix what the failed setup step names: its command, a dependency, a tool or a variable",
  },
  "gate-error": {sentence: "Assay could not run your checks. The reason is below.", cure: "Fix it"},
  "not-covered": {
    sentence: "No check is known to read some changed source files. They are listed below.",
    cure: "Add a check for them to `verify.json`",
  },
  "not-comparable": {
    sentence:
      "A check does not pass with or without the change, and the output is not enough to compare the two results.",
    cure: "Make the check run to the end on the base branch",
  },
  "still-failing": {
    sentence: "The check that the request asks to fix still fails, in the same way as without this change.",
    cure: "",
  },
  "out-of-time": {
    sentence: "The time ran out before the verification finished.",
    cure: "Raise the limit named below, or make the checks faster",
  },
  cancelled: {sentence: "The run was cancelled before the verification finished.", cure: ""},
  unfinished: {sentence: "The run ended before its checks had a result.", cure: ""},
} satisfies Record<UnverifiedReason, {sentence: string; cure: string}>;

/** How to fix a connection that the setup could not make. */
export const SETUP_CURES = {
  certificate:
    "The setup failed on a certificate that this machine does not trust. Set `NODE_EXTRA_CA_CERTS`, `SSL_CERT_FILE` or `REQUESTS_CA_BUNDLE` to the file with your CA certificates, in `env:` of the workflow's job (if the job calls Assay's workflow: with a step of `.github/actions/assay-setup/action.yml` that writes it to `$GITHUB_ENV`)",
  network:
    "The setup could not reach a server. Check its address, and the network and the proxy (`HTTPS_PROXY`) of this machine",
} satisfies Record<ConnectionCause, string>;

/** The same for a person at a terminal, where it differs. */
export const LOCAL_CURES: Partial<Record<UnverifiedReason | ConnectionCause, string>> = {
  "no-stages": "Add `stages` to `verify.json` (`assay init` writes a template) and commit it",
  unavailable:
    "Install what is missing on this machine or in `setup` of `verify.json`, or correct what the reason names",
  certificate:
    "The setup failed on a certificate that this machine does not trust. Set `NODE_EXTRA_CA_CERTS`, `SSL_CERT_FILE` or `REQUESTS_CA_BUNDLE` to the file with your CA certificates",
};

/**
 * The way to try again. `/verify` needs saved work; runs without a thread have no comments.
 */
export const RETRY = {
  "saved-work": "comment `/verify`",
  request: "comment again",
  work: "comment your request again",
  terminal: "run the command again",
  workflow: "start the workflow again",
} as const;

export const NOTHING = {
  "no-change": "No files changed.",
  "only-skipped-paths": "Only documentation, or files that match `skipPatterns`, changed, so no checks ran.",
  "only-set-aside": "Only files of workflows or of the memory changed. Assay does not push or check them.",
  disabled: '`verify.json` has `"enabled": false`, so no checks ran.',
  "plan-only": "No checks ran: `/plan` only lists them.",
  "case-passes": "The only changes are tests of the reported case, which pass without a fix.",
  proposal: "Nothing takes effect before a person merges the proposed `verify.json`.",
  "nothing-proposed": "The agent's proposal has no entry that can be kept, so `verify.json` stays as it is.",
  "up-to-date": "The branch already has the newest commit of its base branch.",
  "red-not-run": "Assay does not run a check that failed, so it could not verify a fix, and the agent was not started.",
  "red-on-base":
    "The failed jobs also fail on the default branch, or no check in them failed, so the agent was not started.",
  "red-machine":
    "No check failed, only the machine or the set-up, so the agent was not started. Run the workflow again.",
  "red-budget": "The `budget` of the runs that failed workflows start is used up, so the agent was not started.",
  "nothing-saved": "Nothing is saved here, so there is nothing to approve, continue or undo.",
} satisfies Record<NothingReason, string>;

/** What is known of a failed job of CI. */
export const RED_JOB = {
  fix: "Assay runs this check, too",
  "not-run": "Assay does not run this check",
  "on-base": "also fails on the default branch",
  machine: "no check failed, but the machine or the set-up",
} satisfies Record<RedJobOutcome, string>;

export const STAGE_OUTCOME = {
  passed: {icon: "✅", label: "passed"},
  failed: {icon: "❌", label: "failed"},
  flaky: {icon: "⚠️", label: "flaky"},
  "timed-out": {icon: "❌", label: "timed out"},
  unavailable: {icon: "⚠️", label: "could not run"},
  skipped: {icon: "⏭️", label: "skipped"},
} satisfies Record<StageOutcome, {icon: string; label: string}>;
/** The result of a stage that ran, but is `unavailable` because it checked nothing. */
export const NO_CHECK = {icon: "⚠️", label: "checked nothing"};

export const FAILURE_KIND = {
  code: "The code is at fault.",
  environment: "The machine is at fault, not the code: check its tools, dependencies, disk and network.",
  timeout: "The check took longer than its `timeout`.",
  "no-check": "The command ran, but checked nothing.",
} satisfies Record<FailureKind, string>;

/** The final text of the comment of a run that never started. */
export const SUPERSEDED =
  "A later comment replaced this request before it started, so nothing was done. Comment again if you still want it.";
