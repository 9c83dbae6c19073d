/** The GitHub client of a run on a person's machine: that person may start it, and nothing is read or posted. */
import {ok, refused} from "../record/words.ts";
import type {GitHub} from "./client.ts";
import type {Refused} from "./transport.ts";
import {type ReadVerb, withholdWrites} from "./withhold-writes.ts";

const NO_GITHUB: {ok: false; failure: Refused} = refused({
  kind: "github-refused",
  request: "",
  status: 0,
  message: "this run has no GitHub",
});
const noGitHub = async () => NO_GITHUB;

/** Answers as a repository without issues, pull requests and other runs, whose owner asks. */
export function offlineGitHub(): GitHub {
  const reads: Pick<GitHub, ReadVerb> = {
    permission: async () => ok({permission: "admin", role: null, userId: null}),
    writes: async () => true,
    whoami: noGitHub,
    comments: async () => ok([]),
    recentComments: async () => ok([]),
    readComments: async () => ok([]),
    findComment: async () => ok(null),
    issue: noGitHub,
    shownIssue: noGitHub,
    shownComment: noGitHub,
    runStart: noGitHub,
    workflowRuns: async () => ok([]),
    runJobs: async () => ok([]),
    endedRun: noGitHub,
    reviewComments: noGitHub,
    reviewText: noGitHub,
    runOfCommit: noGitHub,
    endedJobs: noGitHub,
    jobLog: noGitHub,
    commitOf: noGitHub,
    rateLimit: () => null,
    contentLimit: () => ({remainingShare: 1, pauseMs: 0}),
    fileOnDefaultBranch: noGitHub,
    pullRequestsSince: noGitHub,
    mainHistory: noGitHub,
    repositoriesWith: noGitHub,
    pullRequest: noGitHub,
    pushedAt: async () => ok(null),
    pullRequestOf: async () => ok(null),
    openPullRequests: noGitHub,
    isConflicting: noGitHub,
    shownLines: noGitHub,
    knownPlaces: noGitHub,
    attestations: noGitHub,
  };
  return withholdWrites(reads, []);
}
