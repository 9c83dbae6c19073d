/** The effects of each kind of request on a run. Only few other files, such as the admission, read the kind. */
import {botBranchNames, SETUP_BRANCHES} from "../publish/target.ts";
import type {Request} from "../record/record.ts";
import {type AdmittedRun, workOwner} from "./admitted-run.ts";

export interface RequestRules {
  /** the task of the agent; null if only the stages run */
  readonly task: string | null;
  /** the request in the commit message; null: the title of the thread */
  readonly title: string | null;
  /** names of the only stages to run; empty: all */
  readonly only: readonly string[];
  /** the kinds of thread where the run continues with the parked work */
  readonly resumesIn: readonly ("issue" | "pull-request")[];
  /** the id, or its first characters, of the tree whose changes to its own checks are accepted; null: none */
  readonly approves: string | null;
  /** the run undoes an earlier one */
  readonly isUndo: boolean;
  /** the run merges the base branch into a branch of Assay */
  readonly isUpdate: boolean;
  /** the second model is asked about the verified head */
  readonly isReview: boolean;
  /** the run ends with the plan */
  readonly isPlanOnly: boolean;
  /** the agent proposes a `verify.json`, and nothing else of its work counts */
  readonly isSetup: boolean;
}

const NO_WORK: RequestRules = {
  task: null,
  title: null,
  only: [],
  resumesIn: [],
  approves: null,
  isUndo: false,
  isUpdate: false,
  isReview: false,
  isPlanOnly: false,
  isSetup: false,
};

function rulesOf(request: Request | null): RequestRules {
  switch (request?.kind) {
    case "work":
      return {...NO_WORK, task: request.text, title: request.text};
    case "continue":
      return {
        ...NO_WORK,
        task: request.hint || "Continue with the earlier request.",
        resumesIn: ["issue", "pull-request"],
      };
    case "verify":
      // On a pull request, its head is verified instead.
      return {...NO_WORK, only: request.only, resumesIn: ["issue"]};
    case "approve":
      return {...NO_WORK, resumesIn: ["issue", "pull-request"], approves: request.tree};
    case "undo":
      return {...NO_WORK, isUndo: true};
    case "update": {
      const task = `Solve the conflicts between this branch and its base branch.\n\n${request.hint ?? ""}`.trim();
      return {...NO_WORK, task: request.conflicts.length === 0 ? null : task, isUpdate: true};
    }
    case "review":
      return {...NO_WORK, isReview: true};
    case "plan":
      return {...NO_WORK, isPlanOnly: true};
    case "setup":
      return {...NO_WORK, task: "Propose a verify.json.", title: "Propose verify.json", isSetup: true};
    case "ci": {
      const task = `The workflow "${request.workflow}" fails on this pull request, which is your work. The ends of its failed jobs' logs are below. Find the cause, and fix it.`;
      return {...NO_WORK, task, title: `Fix what fails in ${request.workflow}`};
    }
    case "remember":
    case "help":
    case "status":
    case "stop":
    case "unknown":
    case undefined:
      return NO_WORK;
  }
}

/** The names of the run's branch, in the order that they are tried in. */
export const branchNames = (run: Pick<AdmittedRun, "record" | "event">): string[] =>
  requestRules(run).isSetup ? SETUP_BRANCHES : botBranchNames(workOwner(run.event));

export function requestRules({record}: Pick<AdmittedRun, "record">): RequestRules {
  return rulesOf(record.current().request);
}
