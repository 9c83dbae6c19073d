/** The sentences of a report. The tables are exhaustive: a new kind does not compile until it has its text. */
import type {ConnectionCause} from "../diagnostics/environment-causes.ts";
import type {Verdict} from "../record/verification.ts";
import type {FailureKind, NothingReason, StageOutcome, UnverifiedReason} from "../record/words.ts";

export interface Headline {
  readonly icon: string;
  readonly headline: string;
  readonly sentence: string;
}

export const VERDICTS = {
  verified: {
    icon: "✅",
    headline: "Verified",
    sentence: "Every required check ran on this exact tree and passed.",
  },
  "verified-with-preexisting": {
    icon: "✅",
    headline: "Verified, no new failures",
    sentence: "The failures that remain also occur without this change.",
  },
  partial: {
    icon: "☑️",
    headline: "Requested checks passed",
    sentence: "Other required checks were not run, so the change is not verified.",
  },
  failed: {
    icon: "❌",
    headline: "Checks failed",
    sentence: "At least one required check fails because of this change.",
  },
  tampered: {
    icon: "🛑",
    headline: "Not verified: the change weakens its checks",
    sentence: "The checks pass, but the change weakens the checks themselves, so their result proves nothing.",
  },
  unverified: {
    icon: "⚠️",
    headline: "Unverified",
    sentence: "Assay cannot tell whether this change is correct.",
  },
  "nothing-to-verify": {icon: "💬", headline: "Nothing to verify", sentence: "No files changed."},
} satisfies Record<Verdict["kind"], Headline>;

/** The headline for `failed` if all failing checks are tests. */
export const TESTS_FAILED = "Tests failed";

/** The sentence for `failed` if there is no change. */
export const FAILED_UNCHANGED = "At least one required check fails on these files, without any change.";

/** The headline for `partial` if a requested stage fails as on the base. */
export const PARTIAL_PREEXISTING = "Requested checks found no new failures";

/** The sentence for `verified` with `--in-place`, which has no checkout of an exact tree. */
export const IN_PLACE = "Every required check passed in the working folder, where ignored files can make a check pass.";

/** A verified change that a person has to merge or allow (P14). The failure below names the reason. */
export const HELD: Headline = {
  icon: "✅",
  headline: "Verified, waiting for you",
  sentence: "It changes protected files, so no pull request was opened or updated.",
};

/** A good verdict in a run that failed elsewhere must not look green (P14). */
export const GREEN_BUT_FAILED: Headline = {
  icon: "⚠️",
  headline: "but the run failed",
  sentence: "Assay could not finish the run. The reason is below.",
};

/** A run that ended before the agent or a check started. */
export const NOT_STARTED: Headline = {
  icon: "⚠️",
  headline: "Not started",
  sentence: "Assay stopped before the agent or a check started. Nothing was changed.",
};

/** The sentence for `no-stages` if that is why the agent was not started. */
export const NO_CHECK_FOUND = "No checks were found in this repository, so the agent was not started.";

/** Why a change is unverified, and how to fix that; `cure` is empty if a second try may be enough. */
export const UNVERIFIED = {
  "no-stages": {
    sentence: "No checks were found for this change.",
    cure: "Add `stages` to `verify.json` on the default branch (`assay init` writes a template)",
  },
  unavailable: {
    sentence: "A required check could not run on this machine, for the reason below.",
    cure: "Install what is missing in the workflow or in `setup` of `verify.json`, or correct what the reason names",
  },
  "no-tests-ran": {
    sentence: "A test command ran no tests.",
    cure: "Add a test, or fix the command",
  },
  flaky: {
    sentence: "A test failed and then passed on the same tree.",
    cure: "Make the test reliable, or list it under `flaky` in `verify.json`",
  },
  "setup-failed": {
    sentence: "The setup before the checks failed.",
    cure: "Fix `setup` in `verify.json`, or the dependency that it installs",
  },
  "gate-error": {sentence: "Assay could not run your checks. The reason is below.", cure: "Fix it"},
  "not-covered": {
    sentence: "Some changed source files are not read by any check. They are listed below.",
    cure: "Add a stage for them to `verify.json`",
  },
  "not-comparable": {
    sentence: "A check fails with and without the change, and the output is not enough to compare the two failures.",
    cure: "Make the check run to the end on the base branch",
  },
  "still-failing": {
    sentence: "The check that the request asks to fix still fails, in the same way as without this change.",
    cure: "",
  },
  "out-of-time": {
    sentence: "The time ran out before all required checks finished.",
    cure: "Raise the limit named below, or make the checks faster",
  },
  cancelled: {sentence: "The run was cancelled before all required checks finished.", cure: ""},
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
  "only-set-aside": "Only workflow files changed. Assay does not push or check them. The patch is below.",
  disabled: '`verify.json` has `"enabled": false`, so no checks ran.',
  "plan-only": "No checks ran: `/plan` only lists them.",
} satisfies Record<NothingReason, string>;

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

/** Introduces the commit that `/undo` reverts. */
export const UNDOES = "This reverts";

/** Introduces changed paths that no stage reads, if they do not change the verdict. */
export const NOT_CHECKED = "Not checked, because no stage reads them:";

/** The final text of the comment of a run that never started. */
export const SUPERSEDED =
  "A later comment replaced this request before it started, so nothing was done. Comment again if you still want it.";
