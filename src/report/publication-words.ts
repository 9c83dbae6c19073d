/** The sentences about where the work is, in exhaustive tables like those of `wording.ts`. */
import type {Publication} from "../record/record.ts";
import type {Try} from "../record/tries.ts";
import type {PushedWorkflows} from "../record/words.ts";

/** What the owner of the work can do now. */
export const PUBLICATIONS = {
  none: "",
  published: "",
  parked: "**Next:** comment `/continue <hint>` to try again, or check out the branch.",
  withheld: "**Next:** set `dry-run` to `false`, then comment again.",
  "parked-locally": "They are in this folder until the machine is deleted:",
} satisfies Record<Publication["kind"], string>;

/**
 * Used for a change that waits for a person, if the failure above names the commands, and for a run without a thread.
 */
export const CHECK_OUT_BRANCH = "To look at them, check out the branch:";

const APP_TOKEN = "[an app token](https://github.com/assay-run/assay/blob/main/docs/app-token.md)";
/** Whether the repository's own workflows run for the push, and what to do if they do not. */
export const WORKFLOWS = {
  "wait-for-approval": `Workflows that run on pull requests wait for your approval: press **Approve workflows to run** in the merge box. With ${APP_TOKEN}, they start automatically.`,
  "not-started": `This repository's other workflows do not start for this push, because it was made with the workflow's token. With ${APP_TOKEN}, they do.`,
  started: "This repository's other workflows start for this push.",
} satisfies Record<PushedWorkflows, string>;

/** Used for saved changes on a ref that is not a branch. */
export const HIDDEN =
  "This is not a branch but a ref that GitHub's list of branches does not show. Fetch it with this command:";

/** Introduces the patch of workflow files that are not in the commit. */
export const SET_ASIDE =
  "**Files of workflows or of the memory are not included.** Assay does not push an agent's changes to them, and no check ran with them. To apply them, save the patch below and run `git apply` on it.";

/** Introduces new files that may not belong into the repository. */
export const BUILD_OUTPUTS = "New executables, binaries or reports of tools. Check that no build left them by mistake:";

/** Introduces the files that a person should review although no check failed. */
export const FLAGGED = "Review these files before you merge. They add code or decide how it is checked:";

/** The texts around the table of tries. */
export const TRIES = {
  order:
    "Tries are compared by result, tests of another session, findings, tests of other tries that fail, other tries that its tests reject, executed lines, noticed faults, size and cost, in this order.",
  equal: "As good as the chosen one:",
  head: "| Try | Result | Findings | Other tries with failing tests | Executed lines | Noticed faults | Lines | Cost | Saved on |",
  chosen: "chosen",
  unsaved: {
    secret: "⚠️ not saved: it may contain a secret",
    unsearched: "⚠️ not saved: not searched for secrets",
    refused: "⚠️ not saved: git or the server refused it",
  } satisfies Record<NonNullable<Try["unsaved"]>, string>,
} as const;
