/** The GitHub client of a dry run: it sends reading requests, and collects writing ones for the job's summary. */
import {ok} from "../record/words.ts";
import type {GitHub} from "./client.ts";
import type {Reaction, ThreadComment} from "./comments.ts";

/** One write that a dry run does not send. `push` has no commit if the ref would be deleted. */
export type WithheldWrite =
  | {readonly kind: "comment"; readonly number: number | null; readonly body: string}
  | {readonly kind: "reaction"; readonly content: Reaction}
  | {readonly kind: "push"; readonly ref: string; readonly commit: string | null}
  | {
      readonly kind: "pull-request";
      readonly title: string;
      readonly body: string;
      readonly head: string;
      readonly base: string;
    }
  | {readonly kind: "cancellation"; readonly workflowRun: string}
  | {readonly kind: "review-request"; readonly reviewer: string}
  | {readonly kind: "labels"; readonly labels: readonly string[]}
  | {readonly kind: "check"; readonly name: string; readonly conclusion: string; readonly commit: string};

export type ReadVerb =
  | "permission"
  | "writes"
  | "whoami"
  | "comments"
  | "recentComments"
  | "readComments"
  | "issue"
  | "shownIssue"
  | "shownComment"
  | "runStart"
  | "workflowRuns"
  | "runJobs"
  | "endedRun"
  | "reviewComments"
  | "reviewText"
  | "runOfCommit"
  | "endedJobs"
  | "jobLog"
  | "commitOf"
  | "rateLimit"
  | "contentLimit"
  | "fileOnDefaultBranch"
  | "pullRequestsSince"
  | "mainHistory"
  | "repositoriesWith"
  | "findComment"
  | "pullRequest"
  | "pushedAt"
  | "pullRequestOf"
  | "openPullRequests"
  | "isConflicting"
  | "shownLines"
  | "knownPlaces"
  | "attestations";
/** Every verb that writes has to be replaced, including new ones. */
type Writes = Omit<GitHub, ReadVerb>;

/** No comment or pull request has this number. */
const NO_ID = 0;

const notSent = async () => {
  throw new Error("a dry run does not ask for this");
};

export function withholdWrites(github: Pick<GitHub, ReadVerb>, withheld: WithheldWrite[]): GitHub {
  const keep = (write: WithheldWrite) => void withheld.push(write);
  const commentOf = (id: number, body: string): ThreadComment => ({
    id,
    body,
    author: null,
    createdAt: "",
    updatedAt: "",
  });
  const writes: Writes = {
    async createComment({number, body}) {
      keep({kind: "comment", number, body});
      return ok(commentOf(NO_ID, body));
    },
    async updateComment(id, body) {
      keep({kind: "comment", number: null, body});
      return ok(commentOf(id, body));
    },
    async replyInReview({number, body}) {
      keep({kind: "comment", number, body});
      return ok(null);
    },
    async react({content}) {
      keep({kind: "reaction", content});
      return ok(NO_ID);
    },
    unreact: async () => ok(null),
    async openOrUpdatePullRequest({head, base, title, body}) {
      keep({kind: "pull-request", title, body, head, base});
      const place = {headCommit: "", headBranch: head, headRepository: null, headRepositoryPushedAt: null};
      return ok({number: NO_ID, url: "", baseBranch: base, isClosed: false, ...place, created: true});
    },
    async cancelRun(workflowRun) {
      keep({kind: "cancellation", workflowRun});
      return ok("cancelled");
    },
    async requestReview({reviewer}) {
      keep({kind: "review-request", reviewer});
      return ok(null);
    },
    async addLabels({labels}) {
      keep({kind: "labels", labels});
      return ok(null);
    },
    async createCheck({commit, name, text}) {
      keep({kind: "check", name, conclusion: text.conclusion, commit});
      return ok(null);
    },
    async setCommitStatus({commit, context, state}) {
      keep({kind: "check", name: context, conclusion: state, commit});
      return ok(null);
    },
    createSignedCommit: notSent,
    storeAttestation: notSent,
    commentOnLines: notSent,
    resolveThreads: notSent,
  };
  return {...github, ...writes};
}
