/** The sentences about failures and broken turns, in exhaustive tables like those of `wording.ts`. */
import type {TurnEnd} from "../record/attempt.ts";
import type {Failure} from "../record/failure.ts";
import type {ClaimPlace} from "./claims.ts";

/** How a turn ended, and the next step if that ended the run. `{retry}` is the way to try again. */
export const TURN_END = {
  answered: {text: "The agent finished its turn.", next: "To continue, {retry}."},
  "model-failed": {
    text: "The model refused or stopped early.",
    next: "Fix the cause that the message names, then {retry}.",
  },
  "no-answer": {
    text: "The agent ended without an answer.",
    next: "To continue, {retry}.",
  },
  "timed-out": {
    text: "The agent ran out of time.",
    next: "Raise `agent-timeout-minutes` in the workflow or ask for less at once, then {retry}.",
  },
  killed: {
    text: "The agent was killed by a signal. If it happens again, the machine may be running out of memory.",
    next: "To continue, {retry}.",
  },
  exited: {text: "The agent stopped with an error.", next: "Fix the cause that the message names, then {retry}."},
  "not-started": {
    text: "The agent could not be started.",
    next: "If the message names a missing program, install it in a workflow step before Assay, then {retry}.",
  },
  cancelled: {
    text: "The run ended while the agent was working.",
    next: "To continue, {retry}.",
  },
} satisfies Record<TurnEnd["kind"], {text: string; next: string}>;

interface FailureWords {
  readonly headline: string;
  readonly claim?: ClaimPlace;
  readonly effect?: string;
  readonly next: string;
  readonly unsaved?: string;
}

/**
 * What happened, background that is true of every run, and the one next step, which the report shows in bold at the end.
 * `claim` says what it means for the work of this run, and `unsaved` is the next step if no changes are saved. In a next step, `{retry}` is the way to try again, `{publish}` publishes saved changes without the agent, and `{log}` is a link.
 */
export const FAILURES: Readonly<Record<Failure["kind"], FailureWords>> = {
  "config-invalid": {
    headline: "The configuration has mistakes",
    effect: "On GitHub, Assay reads `verify.json` from the default branch, or from the base branch of a pull request.",
    next: "Fix them, then {retry}.",
  },
  "missing-key": {
    headline: "The API key of the model's provider is missing",
    effect: "Assay needs it to start the agent.",
    next: "Pass the key to Assay in `env:` of its step, or in `secrets:` of the job that calls Assay's workflow, then {retry}.",
  },
  "missing-permission": {
    headline: "The workflow's token lacks permissions",
    effect: "Assay needs them to publish the changes.",
    next: "Add these lines to the job, then {retry}:",
  },
  "program-missing": {
    headline: "The agent was not started: a program of the checks is missing",
    effect: "Its work could not be verified.",
    next: "Install the program as the reason says, or give the check another command in `verify.json`, then {retry}.",
  },
  "agent-unavailable": {
    headline: "The agent is not installed",
    next: "Install it in a workflow step before Assay, then {retry}.",
  },
  "no-sandbox": {
    headline: "The agent was not started: this machine has no sandbox",
    next: 'Add the step `sudo apt-get install -y bubblewrap` before Assay (`assay init` writes it), or set `"sandbox": "off"` in `verify.json`, then {retry}.',
  },
  "agent-broke": {
    headline: "The agent stopped early",
    claim: "work",
    next: "To continue, {retry}.",
  },
  "candidate-refused": {
    headline: "Assay does not accept this change",
    next: "Correct or remove the paths listed above, or add what is not part of the change to `.gitignore`, then {retry}.",
  },
  "protected-paths": {
    headline: "The change includes protected files",
    next: 'Review these files, then merge the saved branch yourself, or add `"protectedPaths": ["!the/path"]` to `verify.json` on the base branch and comment `/verify`.',
    unsaved:
      'Review these files, add `"protectedPaths": ["!the/path"]` to `verify.json` on the base branch, then {retry}.',
  },
  "judge-objects": {
    headline: "The second opinion objects",
    next: "Comment `/continue <hint>` to let the agent continue, or `/verify` to publish the change as it is.",
    unsaved: "To continue, {retry}.",
  },
  grown: {
    headline: "The fixes have grown",
    next: "Is all of it wanted? Then comment `/approve <id>`; otherwise `/continue` and say what to leave out.",
    unsaved: "To continue, {retry}.",
  },
  "approval-refused": {
    headline: "The approval was not accepted",
    next: "Review the saved changes, then comment `/approve <id>` as a person who did not request them.",
  },
  "undo-refused": {
    headline: "Nothing was undone",
    next: "To undo a commit yourself, run `git revert <commit>`.",
  },
  "update-refused": {
    headline: "The branch was not updated",
    next: "To update it yourself, run `git merge` and push, or use the button on the pull request's page.",
  },
  "change-too-large": {
    headline: "The change is too large",
    next: "Comment `/continue <hint>` with a smaller request, or raise `limits` in `verify.json` on the base branch.",
  },
  "spending-limit": {
    headline: "The limit in dollars is reached",
    next: "Wait until it renews, or raise it in `verify.json` or in the organization's policy, then {retry}.",
  },
  "secret-in-change": {
    headline: "The change contains a secret",
    claim: "leftOut",
    effect:
      "If the secret is real, revoke it. If it is an example, add it to `exampleSecrets` in `verify.json` on the base branch.",
    next: "Comment `/continue remove the secret` to get the change without it.",
  },
  "could-not-search": {
    headline: "Some files could not be searched for secrets",
    claim: "leftOut",
    effect: "They are too large or too many.",
    next: "Comment `/continue leave out these files` to get the change without them.",
  },
  "handover-refused": {
    headline: "The results of the jobs do not match",
    next: "Read the job `work` in {log}, then {retry}.",
  },
  "job-without-result": {
    headline: "A job ended without a result",
    effect:
      "Usually a step before Assay's failed, such as `.github/actions/assay-setup`, which installs the tools of the checks.",
    next: "Find the failed step in {log}, correct it on the default branch, then {publish}.",
  },
  "signing-refused": {
    headline: "GitHub cannot sign this change",
    next: "Sign and push the saved branch yourself, or set `sign-commits: false` in the workflow and comment `/verify`.",
    unsaved: "Set `sign-commits: false` in the workflow, then {retry}.",
  },
  "push-refused": {
    headline: "The push was refused",
    next: "Allow it in the branch rules or in the workflow's `permissions`, then {publish}.",
  },
  "push-lost": {
    headline: "The branch changed during the run",
    next: "On an issue, comment `/verify`; on a pull request, or if the same lines changed, comment `/continue`.",
    unsaved: "To repeat the change on the new commits, {retry}.",
  },
  "git-refused": {
    headline: "Git reported an error",
    next: "Fix the problem that git reports, then {retry}.",
  },
  "github-refused": {
    headline: "GitHub refused a request",
    effect: "If the permissions are correct, the server may have a problem of its own.",
    next: "Check the `permissions` of the workflow, then {retry}.",
  },
  "head-moved": {
    headline: "The pull request changed after the comment",
    next: "Review the new commits, then {retry}.",
  },
  interrupted: {
    headline: "The run was interrupted",
    claim: "work",
    next: "To continue, {retry}.",
  },
  internal: {
    headline: "Internal error in Assay",
    claim: "work",
    next: "Please report it at {issues} with {log}.",
  },
};
