/** Every sentence that words an outcome: total tables, so that a new kind does not compile until it is worded. */

import type {TurnEnd} from "../record/attempt.ts";
import type {Failure} from "../record/failure.ts";
import type {Publication} from "../record/record.ts";
import type {Verdict} from "../record/verification.ts";
import type {FailureKind, NothingReason, PushedWorkflows, StageOutcome, UnverifiedReason} from "../record/words.ts";

export interface Headline {
  readonly icon: string;
  readonly headline: string;
  readonly sentence: string;
}

export const VERDICTS = {
  verified: {
    icon: "✅",
    headline: "Verified",
    sentence: "Every required stage ran on this exact tree and passed.",
  },
  "verified-with-preexisting": {
    icon: "✅",
    headline: "Verified, with failures that were there before",
    sentence: "The change adds no failure: what still fails, fails in the same way without it.",
  },
  partial: {
    icon: "☑️",
    headline: "Requested checks passed",
    sentence: "Other required checks were not run, so the change is not verified.",
  },
  failed: {
    icon: "❌",
    headline: "Not verified: a required stage fails",
    sentence: "The change breaks at least one required stage.",
  },
  tampered: {
    icon: "🛑",
    headline: "Not verified: the checks were weakened",
    sentence: "The change makes its own checks say less, so that their result proves nothing.",
  },
  unverified: {
    icon: "⚠️",
    headline: "Unverified",
    sentence: "Nothing can be claimed about this change.",
  },
  "nothing-to-verify": {
    icon: "💬",
    headline: "Nothing to verify",
    sentence: "No code changed.",
  },
} satisfies Record<Verdict["kind"], Headline>;

/** The sentence of `failed` where nothing was changed. */
export const FAILED_AS_IT_STANDS =
  "At least one required stage fails on these files as they stand, without any change.";

/** The headline of `partial` where a requested stage fails as on the base. */
export const PARTIAL_PREEXISTING = "Requested checks show no new failure";

/** The sentence of `verified` for `--in-place`, which has no checkout of an exact tree. */
export const IN_PLACE =
  "Every required stage passed in the working folder itself. Ignored files there can make a stage pass.";

/** A verified change that a person has to take over or allow; the failure below says which guard holds it (P14). */
export const HELD: Headline = {
  icon: "✅",
  headline: "Verified, waiting for you",
  sentence: "The change touches protected files, so Assay did not publish it. They are listed below.",
};

/** A good verdict in a run that failed elsewhere must not look green (P14). */
export const GREEN_BUT_FAILED: Headline = {
  icon: "⚠️",
  headline: "but the run failed",
  sentence: "The checks allow this change, but Assay could not finish the run. The reason is below.",
};

/** A run that ended before it had an agent's turn or a check to report. */
export const NOT_STARTED: Headline = {
  icon: "⚠️",
  headline: "Not started",
  sentence: "Assay stopped before the agent or a check started, and changed nothing. The reason is below.",
};

/** The sentence of `no-stages` where the agent was not started for that reason. */
export const NO_CHECK_FOUND = "No check was found in this repository, so the agent was not started.";

/** The sentence that takes the place of the verdict's own, and what to change; empty where a second try is enough. */
export const UNVERIFIED = {
  "no-stages": {
    sentence: "No check was found that could verify this change.",
    cure: "Add `stages` to `verify.json` on the default branch (`assay init` writes a template)",
  },
  unavailable: {
    sentence: "A required check could not run, because a tool or a dependency is missing.",
    cure: "Install it in the workflow or in `setup` of `verify.json`",
  },
  "no-tests-ran": {
    sentence: "A test check ended without an error, but ran no test.",
    cure: "Add a test, or correct the check's command",
  },
  flaky: {
    sentence: "A test failed and then passed on the same tree.",
    cure: "Make the test reliable, or list it under `flaky` in `verify.json`",
  },
  "setup-failed": {
    sentence: "The install before the checks failed.",
    cure: "Correct `setup` in `verify.json`, or what it installs",
  },
  "gate-error": {sentence: "Assay could not run your checks. The reason is below.", cure: "Fix it"},
  "not-covered": {
    sentence: "No check reads some of the changed source files. They are listed below.",
    cure: "Add a stage for them to `verify.json`",
  },
  "not-comparable": {
    sentence: "A check fails with and without the change, and one of the two runs shows too little to compare them.",
    cure: "Make the check run to its end on the default branch",
  },
  "out-of-time": {
    sentence: "The time ran out before every required check had ended.",
    cure: "Raise the limit that is named below, or make the checks faster",
  },
  cancelled: {sentence: "The run was cancelled before every required check had run.", cure: ""},
} satisfies Record<UnverifiedReason, {sentence: string; cure: string}>;

/** How to try again: `/verify` needs saved work, or was the request itself; on the command line there are no comments. */
export const RETRY = {
  "saved-work": "comment `/verify`",
  request: "comment again",
  terminal: "run the command again",
} as const;

export const NOTHING = {
  "no-change": "The files are as they were: there is nothing to check.",
  "only-skipped-paths": "Only documentation changed. It was not checked.",
  "only-set-aside":
    "Only workflow files changed, which Assay leaves to people. They stand below as a patch, and were not checked.",
  disabled: 'Verification is switched off by `"enabled": false` in `verify.json`. Nothing was checked.',
} satisfies Record<NothingReason, string>;

export const STAGE_OUTCOME = {
  passed: {icon: "✅", label: "passed"},
  failed: {icon: "❌", label: "failed"},
  flaky: {icon: "⚠️", label: "flaky"},
  "timed-out": {icon: "❌", label: "timed out"},
  unavailable: {icon: "⚠️", label: "could not run"},
  skipped: {icon: "⏭️", label: "skipped"},
} satisfies Record<StageOutcome, {icon: string; label: string}>;
/** A stage that is unavailable because of what it did not do: it ran well enough. */
export const NO_CHECK = {icon: "⚠️", label: "checked nothing"};

export const FAILURE_KIND = {
  code: "The code itself is at fault.",
  environment: "The machine is at fault: a tool, a dependency or the network. No change to the code can mend it.",
  timeout: "The stage did not end in its time.",
  "no-check": "The stage ran and checked nothing.",
} satisfies Record<FailureKind, string>;

export const TURN_END = {
  answered: "The agent finished its turn.",
  "model-failed": "The model refused or broke off. Look at the message below, then comment again.",
  "no-answer": "The agent ended without an answer. Comment again to go on in the same session.",
  "timed-out": "The agent did not finish in its time. Ask for less at once, or raise the agent's time limit.",
  killed: "The agent was ended by a signal. Comment again; if it happens twice, the machine may be short of memory.",
  exited: "The agent stopped with an error. Look at the message below, then comment again.",
  "not-started": "The agent could not be started. Check the agent that the workflow installs.",
  cancelled: "The run was cancelled during the agent's turn. Comment again to go on in the same session.",
} satisfies Record<TurnEnd["kind"], string>;

export const FAILURES = {
  "config-invalid": {
    headline: "The configuration has mistakes",
    next: "Fix them, then try again. On GitHub, Assay reads `verify.json` from the branch that the change is for.",
  },
  "missing-key": {
    headline: "The key for the model's provider is missing",
    next: "Pass it to Assay in the workflow with this line, below `env:` of its step (below `secrets:` if the job calls Assay's workflow), and comment again:",
  },
  "missing-permission": {
    headline: "The workflow's token lacks permissions",
    next: "Without them the work could not be published. Add these lines to the job, then comment again:",
  },
  "agent-unavailable": {
    headline: "The agent is not there",
    next: "Let the workflow install it, or give its command in the action's inputs.",
  },
  "no-sandbox": {
    headline: "The agent was not started: this machine has no sandbox",
    next: 'Install bubblewrap in a step before Assay (`assay init` writes it), or set `"sandbox": "off"` in `verify.json`.',
  },
  "agent-broke": {
    headline: "The agent's turn broke off",
    next: "What it had done until then was kept and checked.",
  },
  "candidate-refused": {
    headline: "The change cannot be taken as it is",
    next: "Comment again and ask for a change without these.",
  },
  "protected-paths": {
    headline: "The change touches protected paths",
    next: 'So it is not proposed. Take it over yourself if you want it, or allow a path for good with `"protectedPaths": ["!the/path"]` in `verify.json` of the base, and comment `/verify`.',
  },
  "change-too-large": {
    headline: "The change is too large to be proposed",
    next: "Comment again and ask for it in parts, or raise `limits` in `verify.json` of the base.",
  },
  "secret-in-change": {
    headline: "There is a secret in the change",
    next: "It is not proposed, and these files are left out of what is parked. If the secret is real, revoke it: the agent has seen it. Then comment again and ask for the work without it; an example is let through by `exampleSecrets` in `verify.json` of the base.",
  },
  "could-not-search": {
    headline: "Some files could not be searched for secrets",
    next: "They are too large or too many, so they are not pushed: the branch has the rest of the work. Comment again and ask for the work without them.",
  },
  "handover-refused": {
    headline: "What one job handed to the next does not fit",
    next: "Nothing was proposed. Look at the log of the job `work`, then comment again.",
  },
  "signing-refused": {
    headline: "GitHub cannot sign the change as it was verified",
    next: "So it is not proposed. Take the parked branch over and sign it yourself, or set `sign-commits: false` in the workflow and comment `/verify`.",
  },
  "push-refused": {
    headline: "The server refused the push",
    next: "Look at its message: branch rules or the workflow's permissions have to allow it. Then comment again.",
  },
  "push-lost": {
    headline: "The branch moved during the run",
    next: "Nothing was overwritten. On an issue, comment `/verify`: the work is put onto the new state, verified there, and published if it passes. On a pull request, or where the same lines were changed, comment `/continue`.",
  },
  "git-refused": {
    headline: "Git could not do its part",
    next: "Look at the message; if the repository itself is sound, run it again.",
  },
  "github-refused": {
    headline: "GitHub refused a request",
    next: "Check the workflow's `permissions`; if they are right, run it again later.",
  },
  "head-moved": {
    headline: "The pull request changed after the comment",
    next: "Look at the new commits and comment again.",
  },
  interrupted: {
    headline: "The run was interrupted",
    next: "What was done until then is kept. Comment again to go on.",
  },
  internal: {
    headline: "Assay itself has a fault",
    next: "Please report it with the run's log. What was done until then is kept.",
  },
} satisfies Record<Failure["kind"], {headline: string; next: string}>;

/** Where the work went; `nextStep` is what its owner can do now. */
export const PUBLICATIONS = {
  none: {label: "Nothing was committed.", nextStep: ""},
  published: {label: "Pushed to", nextStep: ""},
  parked: {
    label: "Kept, but not proposed: the work is on",
    nextStep:
      "To go on, comment `/continue` and say what to do differently, or take the branch yourself. It is kept for 30 days.",
  },
  "parked-locally": {
    label: "Kept on the machine that ran this, because no push went through: the work is on",
    nextStep: "Fetch it from this folder before the machine is gone:",
  },
} satisfies Record<Publication["kind"], {label: string; nextStep: string}>;

/** What the push means for the repository's own workflows, and what to press. */
export const WORKFLOWS = {
  "wait-for-approval":
    "Workflows that run on pull requests here wait for you: press **Approve workflows to run** in the pull request's merge box. With [an app's token](https://github.com/assay-run/assay/blob/main/docs/app-token.md) they start by themselves.",
  "not-started":
    "This repository's other workflows do not start for this push, because a workflow's own token made it. With [an app's token](https://github.com/assay-run/assay/blob/main/docs/app-token.md) they do.",
  started: "This repository's other workflows start for this push.",
} satisfies Record<PushedWorkflows, string>;

/** Why parked work is on a ref that is no branch. */
export const HIDDEN =
  "A rule of this repository refused the branch for it, so the work is on a ref that GitHub's list of branches does not show. This command gets it:";

/** What stands above the patch of workflow files that are no part of the commit. */
export const SET_ASIDE =
  "**Workflow files are left out.** Assay does not push what decides how workflows run, and nothing here was checked with these changes. To take them over, save the patch below and run `git apply` on it.";

/** What stands before changed paths that no stage reads, and that do not change the verdict. */
export const NOT_CHECKED = "Not checked, because no stage reads them:";

/** What stands before the names of files that deserve a person's look although nothing is wrong with them. */
export const FLAGGED = "Look at these before you merge, they bring in code or decide how it is checked:";

/** What stands on a comment whose run is over without having run. */
export const SUPERSEDED =
  "A later comment on this thread took this run's place. Nothing was done for this one: comment again if it is still wanted.";
