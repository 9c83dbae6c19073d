/** The sentences of a report. The tables are exhaustive: a new kind does not compile until it has its text. */
import type {ConnectionCause} from "../diagnostics/environment-causes.ts";
import type {TurnEnd} from "../record/attempt.ts";
import type {Failure} from "../record/failure.ts";
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
    sentence: "A required check could not run, because a tool or a dependency is missing.",
    cure: "Install it in the workflow or in `setup` of `verify.json`",
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
    cure: "Comment `/continue` with a hint, or fix it yourself",
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
    "The setup failed on a certificate that this machine does not trust. Set `NODE_EXTRA_CA_CERTS`, `SSL_CERT_FILE` or `REQUESTS_CA_BUNDLE` to your authority's file, in `env:` of the workflow's job",
  network:
    "The setup could not reach a server. Check its address, and the network and the proxy (`HTTPS_PROXY`) of this machine",
} satisfies Record<ConnectionCause, string>;

/**
 * The way to try again. `/verify` needs saved work, or was the request itself; runs without a thread have no comments.
 */
export const RETRY = {
  "saved-work": "comment `/verify`",
  request: "comment again",
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

export const TURN_END = {
  answered: "The agent finished its turn.",
  "model-failed": "The model refused or stopped early. Read the message below, then comment again.",
  "no-answer": "The agent ended without an answer. Comment again to continue in the same session.",
  "timed-out": "The agent ran out of time. Ask for less at once, or raise `agent-timeout-minutes` in the workflow.",
  killed:
    "The agent was killed by a signal. Comment again. If it happens again, the machine may be running out of memory.",
  exited: "The agent stopped with an error. Read the message below, then comment again.",
  "not-started":
    "The agent could not be started. Read the message below. If a program is missing, install it in the workflow.",
  cancelled: "The run was cancelled while the agent was working. Comment again to continue in the same session.",
} satisfies Record<TurnEnd["kind"], string>;

export const FAILURES = {
  "config-invalid": {
    headline: "The configuration has mistakes",
    next: "Fix them, then try again. On GitHub, Assay reads `verify.json` from the default branch, or from the base branch of a pull request.",
  },
  "missing-key": {
    headline: "The API key of the model's provider is missing",
    next: "Pass it to Assay in the workflow with this line, under `env:` of its step (under `secrets:` if the job calls Assay's workflow), then comment again:",
  },
  "missing-permission": {
    headline: "The workflow's token lacks permissions",
    next: "Assay needs them to publish the changes. Add these lines to the job, then comment again:",
  },
  "agent-unavailable": {
    headline: "The agent is not installed",
    next: "Install it in a workflow step before Assay.",
  },
  "no-sandbox": {
    headline: "The agent was not started: this machine has no sandbox",
    next: 'Install bubblewrap in a step before Assay (`assay init` writes it), or set `"sandbox": "off"` in `verify.json`.',
  },
  "agent-broke": {
    headline: "The agent stopped early",
    next: "Its changes so far were saved and checked.",
  },
  "candidate-refused": {
    headline: "Assay does not accept this change",
    next: "Correct or remove the paths listed below, then try again.",
  },
  "protected-paths": {
    headline: "The change includes protected files",
    next: 'Review them and merge the saved branch yourself. To allow a path permanently, add `"protectedPaths": ["!the/path"]` to `verify.json` on the base branch, then comment `/verify`.',
  },
  "judge-objects": {
    headline: "The second opinion objects",
    next: "To publish the change as it is, comment `/verify`. To let the agent continue, comment `/continue <hint>`.",
  },
  "approval-refused": {headline: "The approval was not accepted", next: "Nothing was published."},
  "undo-refused": {
    headline: "Nothing was undone",
    next: "The branch is unchanged.",
  },
  "change-too-large": {
    headline: "The change is too large",
    next: "Comment again and ask for smaller parts, or raise `limits` in `verify.json` on the base branch.",
  },
  "secret-in-change": {
    headline: "The change contains a secret",
    next: "These files are not on the saved branch. If the secret is real, revoke it, because the agent has seen it. Then comment again and ask for the change without it. If it is an example, add it to `exampleSecrets` in `verify.json` on the base branch.",
  },
  "could-not-search": {
    headline: "Some files could not be searched for secrets",
    next: "They are too large or too many, so they are not on the saved branch. Comment again and ask for the change without them.",
  },
  "handover-refused": {
    headline: "The results of the jobs do not match",
    next: "No pull request was opened or updated. Check the log of the job `work`, then comment again.",
  },
  "job-without-result": {
    headline: "A job ended without a result",
    next: "Open the log: usually a step before Assay's failed, such as `.github/actions/assay-setup`, which installs the tools of the checks. Correct it on the default branch, then comment again.",
  },
  "signing-refused": {
    headline: "GitHub cannot sign this change",
    next: "It was not published without a signature. Sign and push the saved branch yourself, or set `sign-commits: false` in the workflow and comment `/verify`.",
  },
  "push-refused": {
    headline: "The server refused the push",
    next: "Allow it in the branch rules or in the workflow's `permissions`, then comment again.",
  },
  "push-lost": {
    headline: "The branch changed during the run",
    next: "Nothing was overwritten. On an issue, comment `/verify`: Assay applies the saved changes to the new commits, verifies the result, and publishes it if it passes. On a pull request, or if the same lines changed, comment `/continue`.",
  },
  "git-refused": {
    headline: "Git reported an error",
    next: "Fix the problem that git reports, then try again.",
  },
  "github-refused": {
    headline: "GitHub refused a request",
    next: "Check the `permissions` of the workflow. If they are correct, try again later.",
  },
  "head-moved": {
    headline: "The pull request changed after the comment",
    next: "Review the new commits, then comment again.",
  },
  interrupted: {
    headline: "The run was interrupted",
    next: "The work so far is saved. Comment again to continue.",
  },
  internal: {
    headline: "Internal error in Assay",
    next: "Please report it with the run's log. The work so far is saved.",
  },
} satisfies Record<Failure["kind"], {headline: string; next: string}>;

/** Introduces the commit that `/undo` reverts. */
export const UNDOES = "This reverts";

/** Introduces changed paths that no stage reads, if they do not change the verdict. */
export const NOT_CHECKED = "Not checked, because no stage reads them:";

/** The final text of the comment of a run that never started. */
export const SUPERSEDED =
  "A later comment replaced this request before it started, so nothing was done. Comment again if you still want it.";
