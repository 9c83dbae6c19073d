/** What a test has in its hands: the world, what may be asked of it, and what a run of the product leaves. */
import type {GitServer} from "./git-server.ts";
import type {CiRun} from "./github/ci-runs.ts";
import type {GitHub} from "./github.ts";
import type {Json} from "./json.ts";
import type {Model} from "./model.ts";
import type {Files, Origin} from "./origin.ts";
import type {Ran, Running} from "./runner.ts";
import type {JobToken, Separated} from "./separated.ts";
import type {JobEnd} from "./workflow.ts";

export interface Comment {
  readonly id: number;
  readonly author: string;
  readonly body: string;
}

export interface PullRequest {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly head: string;
  readonly headCommit: string;
  readonly base: string;
  readonly state: string;
  readonly isDraft: boolean;
}

/** One run of the product, and the world as it was before and after. */
export interface Outcome extends Ran {
  readonly thread: number;
  readonly refsBefore: Readonly<Record<string, string>>;
  readonly refs: Readonly<Record<string, string>>;
  /** of the run's thread, without the replies that notify somebody */
  readonly comments: readonly Comment[];
  /** of the run's thread, the replies that notify somebody */
  readonly notices: readonly Comment[];
  readonly pullRequests: readonly PullRequest[];
  /** what this run said of commits, as checks and as statuses */
  readonly marks: readonly {readonly commit: string; readonly name: string; readonly conclusion: string}[];
  /** processes of this run that are still there */
  readonly processes: readonly string[];
  /** what held the job's token while the run went on, beside the product and its git */
  readonly tokenHolders: readonly string[];
  /** how each job ended; empty for a step alone, and where the run was dropped while it waited */
  readonly jobs: Readonly<Record<string, JobEnd>>;
  /** the token of each job, where the run was several */
  readonly jobTokens: readonly JobToken[];
  /** what must not be seen anywhere */
  readonly secrets: readonly string[];
}

export interface RunOptions {
  readonly by?: string;
  /** number of an issue or pull request; default: the last one made, or a new issue */
  readonly on?: number;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly attempt?: number;
  /** without a model's key and configuration */
  readonly noModel?: boolean;
  /** changes to the payload, by its top-level key */
  readonly payload?: Readonly<Record<string, Json>>;
  /** optional triggers of the workflow of a single job, as for `assay init --on` */
  readonly triggers?: readonly string[];
  /** as the jobs of this workflow, instead of the one of a single job */
  readonly separated?: Separated;
  /** the action's own step alone, for tests of that entry point: no workflow says whether it starts, or waits */
  readonly isStepOnly?: boolean;
  /** hears what the run prints, as it comes */
  readonly onOutput?: (text: string) => void;
  /** see `Ran.changedOnMachine` */
  readonly watchesMachine?: boolean;
  /** see `Job.under` */
  readonly under?: readonly string[];
}

export interface Begun extends Omit<Running, "ended"> {
  /** what somebody does who presses "Cancel workflow"; for a step alone, what the runner then does to it */
  cancel(): void;
  readonly ended: Promise<Outcome>;
}

export interface ReviewedLine {
  readonly path: string;
  readonly line: number;
  readonly hunk: string;
}

/** Something that people did, as GitHub tells its workflows. */
export interface WorldEvent {
  readonly thread: number;
  readonly event: {readonly name: string; readonly payload: Json};
  readonly actor: string;
  /** when the workflow run was requested; default: when it is run */
  readonly at?: string;
}

export interface Rig extends AsyncDisposable {
  readonly folder: string;
  readonly git: GitServer;
  readonly origin: Origin;
  readonly github: GitHub;
  readonly model: Model;
  /** the first commit of `main` */
  readonly base: string;
  openIssue(issue: {title: string; body?: string; by?: string}): Promise<number>;
  openPullRequest(pull: {title: string; branch: string; files: Files; by?: string}): Promise<number>;
  /** The same from `branch` of somebody else's repository (`owner/name`); only one in a world. */
  openForkPullRequest(pull: {title: string; fork: string; branch: string; files: Files}): Promise<number>;
  /** Writes a comment, and runs nothing. */
  commentEvent(text: string, options?: Pick<RunOptions, "by" | "on" | "payload">): Promise<WorldEvent>;
  /** Opens an issue, and runs nothing. */
  issueEvent(
    issue: {title: string; body: string; by?: string},
    options?: Pick<RunOptions, "payload">,
  ): Promise<WorldEvent>;
  /** Adds a label to an issue, or assigns it, and runs nothing. */
  labelled(
    issue: {on: number} & ({label: string} | {assignee: string}),
    options?: Pick<RunOptions, "by">,
  ): Promise<WorldEvent>;
  /** Presses "Run workflow", or lets the time of a schedule come; runs nothing. */
  started(
    start: {issue?: number | string; text?: string} | {cron: string},
    options?: Pick<RunOptions, "by">,
  ): Promise<WorldEvent>;
  /** Lets a workflow of the repository's CI end for a commit, which starts nothing yet. */
  ciEnded(run: Partial<CiRun> & Pick<CiRun, "commit" | "branch" | "jobs">): Promise<WorldEvent>;
  /** The event of a push to a branch, which `origin.commit` has made; it may start a run on the pull request `on`. */
  pushed(options?: {by?: string; branch?: string; on?: number}): Promise<WorldEvent>;
  /** Writes a comment and runs the product for it, to its end. */
  comment(text: string, options?: RunOptions): Promise<Outcome>;
  /** As `comment`, but gives the run while it goes on, or while it waits in its concurrency group. */
  begin(text: string, options?: RunOptions): Promise<Begun>;
  /**
   * Reviews a pull request with this text, or comments on a line of a file of it, and runs the product in a workflow
   * with the triggers for reviews.
   */
  review(
    text: string,
    options: RunOptions & {
      on: number;
      line?: ReviewedLine;
      /** the other comments of the same review */
      comments?: readonly (ReviewedLine & {readonly body: string})[];
      /** the id of the earlier review that the comment is part of */
      review?: number;
    },
  ): Promise<Outcome>;
  /** Opens an issue and runs the product for that. */
  issueOpened(issue: {title: string; body: string; by?: string}, options?: RunOptions): Promise<Outcome>;
  /** Runs the product for something that has happened. */
  run(event: WorldEvent, options?: RunOptions): Promise<Outcome>;
  /** The last event once more, on a new runner. */
  again(options?: RunOptions): Promise<Outcome>;
  /** Everything that every run printed, for a failing test. */
  story(): string;
}
