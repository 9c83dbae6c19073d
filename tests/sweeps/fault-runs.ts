/** The kinds of run that meet every place where the product asks GitHub's API, each with the places that it is here for. */
import {runMarker} from "../../src/github/marker.ts";
import type {Fault} from "../rig/github/faults.ts";
import {BOT} from "../rig/github/people.ts";
import {oldParkedCommit} from "../rig/old-parked.ts";
import {PRODUCT_FILES} from "../rig/projects.ts";
import {SEPARATED} from "../rig/separated.ts";
import type {Outcome, Rig, RunOptions} from "../rig/world.ts";

export interface RunKind {
  readonly name: string;
  /** GitHub's name of the operation, for each such request of the run; with `#n` the n-th only */
  readonly places: readonly string[];
  /** what is wrong already, so that the product asks what it asks only then */
  readonly given?: readonly Fault[];
  /** Makes the world as it is before the run; `arm` is to be called at the moment from which requests count. */
  readonly go: (options: {rig: Rig; options: RunOptions; arm: () => void}) => Promise<Outcome>;
}

/** A place that every request from the n-th on is at: there GitHub fails as a whole. */
export const ANYTHING = "anything";

const COMMENTS = "issues/list-comments";
const PERMISSION = "repos/get-collaborator-permission-level";
/** What a whole run on an issue asks. */
const WHOLE = [
  PERMISSION,
  "graphql",
  COMMENTS,
  "issues/create-comment",
  "issues/update-comment",
  "reactions/create-for-issue-comment",
  "reactions/delete-for-issue-comment",
  "pulls/list",
  "pulls/create",
  "pulls/request-reviewers",
  "checks/create",
];

/** As GitHub writes a picture that somebody attaches. */
const PICTURE = "![shot](https://github.com/user-attachments/assets/aaaaaaaa-1111-2222-3333-aaaaaaaaaaaa)";

/** A short answer, and nothing else. */
const SHORT = [PERMISSION, "graphql", COMMENTS, "issues/create-comment"];

export const KINDS: readonly RunKind[] = [
  {
    name: "work on an issue",
    places: [...WHOLE, ANYTHING],
    go: on((rig) => rig.openIssue({title: "Products"}), "/assay multiply"),
  },
  {
    name: "work that goes on with an open pull request",
    places: [`${PERMISSION}#2`, "pulls/list", "pulls/update"],
    go: on(async (rig) => {
      const issue = await rig.openIssue({title: "Products"});
      const notes = {"NOTES.md": "begun\n"};
      await rig.openPullRequest({title: "Products", branch: `assay/issue-${issue}`, files: notes, by: BOT});
      await say({rig, issue, by: "will", body: "That would be useful."});
      // the emulator's clock has whole seconds, and only what stood there before the request is read
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return issue;
    }, "/assay multiply"),
  },
  {
    name: "`/verify` on a pull request that fails",
    places: ["pulls/get", "repos/list-activities", "checks/create", "issues/update-comment"],
    go: on(failingPullRequest, "/verify"),
  },
  {
    name: "`/continue` of parked work, with an expired branch and a dropped comment",
    places: [COMMENTS, "pulls/list", "issues/create-comment", PERMISSION],
    go: on(parkedIssue, "/continue"),
  },
  {
    name: "an issue that is a request",
    places: ["reactions/create-for-issue", "reactions/delete-for-issue"],
    go: ({rig, options, arm}) => {
      arm();
      return rig.issueOpened({title: "Products", body: "/assay multiply"}, options);
    },
  },
  {
    name: "a comment on a line of a pull request",
    places: [
      "reactions/create-for-pull-request-review-comment",
      "reactions/delete-for-pull-request-comment",
      "pulls/list-review-comments",
      "pulls/create-reply-for-review-comment",
    ],
    go: async ({rig, options, arm}) => {
      const number = await failingPullRequest(rig);
      arm();
      return rig.review("/verify", {...options, on: number, line: {path: "src/product.js", line: 1, hunk: "@@ @@"}});
    },
  },
  {
    name: "a request with pictures",
    places: ["issues/get", "issues/get-comment"],
    go: on((rig) => rig.openIssue({title: "Products", body: PICTURE}), `/assay multiply, as in ${PICTURE}`),
  },
  {
    name: "a label",
    places: ["issues/get", "issues/list-comments-for-repo", "reactions/create-for-issue"],
    go: async ({rig, options, arm}) => {
      const event = await rig.labelled({on: await rig.openIssue({title: "multiply"}), label: "assay"});
      arm();
      return rig.run(event, {triggers: ["label:assay"], ...options});
    },
  },
  {
    name: "a run by hand for an issue",
    places: ["actions/get-workflow-run", "issues/get"],
    go: ({rig, options, arm}) => start({rig, options, arm, text: "multiply", issue: true}),
  },
  {
    name: "a schedule",
    places: ["actions/list-workflow-runs", "pulls/list", "pulls/create", "checks/create"],
    go: ({rig, options, arm}) => start({rig, options, arm, text: "multiply"}),
  },
  {
    name: "a refusal",
    places: SHORT,
    go: on((rig) => rig.openIssue({title: "Products"}), "/assay multiply", {by: "otto"}),
  },
  {name: "`/help`", places: SHORT, go: on((rig) => rig.openIssue({title: "Products"}), "/help")},
  {
    name: "a token that may make no check",
    places: ["repos/create-commit-status"],
    given: [{method: "POST", path: /\/check-runs$/, times: 99, does: {kind: "status", status: 403}}],
    go: on((rig) => rig.openIssue({title: "Products"}), "/verify"),
  },
  {
    name: "a commit that GitHub makes",
    places: ["graphql#2"],
    go: on((rig) => rig.openIssue({title: "Products"}), "/assay multiply", {inputs: {"sign-commits": "true"}}),
  },
  {
    name: "the step after a killed one",
    places: [
      "graphql",
      COMMENTS,
      "issues/update-comment",
      "reactions/create-for-issue-comment",
      "reactions/delete-for-issue-comment",
    ],
    go: async ({rig, options, arm}) => {
      const run = await rig.begin("/assay multiply", {...options, on: await rig.openIssue({title: "Products"})});
      await run.saw(/Attempt 1: /);
      run.kill("SIGKILL");
      arm();
      return run.ended;
    },
  },
  {
    name: "creates whose first answer is lost",
    places: [`${COMMENTS}#2`, "pulls/list#2", "checks/list-for-ref"],
    given: [/\/comments$/, /\/pulls$/, /\/check-runs$/].map(
      (path): Fault => ({method: "POST", path, does: {kind: "answer-lost"}}),
    ),
    go: on((rig) => rig.openIssue({title: "Products"}), "/assay multiply"),
  },
  {
    name: "a pull request that somebody else has opened meanwhile",
    places: ["pulls/list#2"],
    given: [{method: "POST", path: /\/pulls$/, times: 99, does: {kind: "status", status: 422}}],
    go: on((rig) => rig.openIssue({title: "Products"}), "/assay multiply"),
  },
  {
    name: "a comment that somebody deletes during the run",
    places: [`${COMMENTS}#2`, `${COMMENTS}#3`, "issues/create-comment#2"],
    go: async ({rig, options, arm}) => {
      const issue = await rig.openIssue({title: "Products"});
      arm();
      const run = await rig.begin("/verify", {...options, on: issue});
      // a fault can end the run before it plans
      const isPlanned = await run.saw(/stage: test/).then(
        () => true,
        () => false,
      );
      if (!isPlanned) return run.ended;
      const own = (await commentsOf(rig, issue)).find(({user}) => user.login === BOT);
      const gone = `/repos/${rig.origin.name}/issues/comments/${own?.id}`;
      if (own !== undefined) await rig.github.as("ada", "DELETE", gone);
      return run.ended;
    },
  },
  {
    name: "separate jobs",
    places: WHOLE,
    go: on((rig) => rig.openIssue({title: "Products"}), "/assay multiply", {separated: {text: SEPARATED}}),
  },
];

function on(prepare: (rig: Rig) => Promise<number>, text: string, more: RunOptions = {}): RunKind["go"] {
  return async ({rig, options, arm}) => {
    const issue = await prepare(rig);
    arm();
    return rig.comment(text, {...options, ...more, on: issue});
  };
}

/** By hand for an issue, or else by schedule. */
async function start(options: {rig: Rig; options: RunOptions; arm: () => void; text: string; issue?: true}) {
  const {rig, arm, text} = options;
  const issue = options.issue && (await rig.openIssue({title: "multiply"}));
  const event = await rig.started(issue === undefined ? {cron: "0 5 * * 1"} : {issue, text});
  arm();
  const inputs = {"schedule-text": text, "automatic-runs-per-day": "9999"};
  return rig.run(event, {triggers: ["dispatch", "schedule:0 5 * * 1"], ...options.options, inputs});
}

function say({rig, issue, by, body}: {rig: Rig; issue: number; by: string; body: string}): Promise<unknown> {
  return rig.github.as(by, "POST", `/repos/${rig.origin.name}/issues/${issue}/comments`, {body});
}

async function commentsOf(rig: Rig, issue: number): Promise<{id: number; user: {login: string}}[]> {
  const found: unknown = await rig.github.as("ada", "GET", `/repos/${rig.origin.name}/issues/${issue}/comments`);
  return Array.isArray(found) ? found : [];
}

let pulls = 0;
async function failingPullRequest(rig: Rig): Promise<number> {
  pulls += 1;
  const files = {"src/product.js": PRODUCT_FILES.wrong};
  const number = await rig.openPullRequest({title: "Products", branch: `products-${pulls}`, files});
  // what was pushed in the same second or later is not what was asked about
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  return number;
}

/** As a run left it that could not make its work pass, and two comments that came since. */
async function parkedIssue(rig: Rig): Promise<number> {
  const {origin, base} = rig;
  const issue = await rig.openIssue({title: "Products"});
  const files = {"src/product.js": PRODUCT_FILES.wrong};
  const message = "Parked\n\nAssay-Run: comment-0\n";
  const parked = await origin.commit({branch: `assay/parked/issue-${issue}`, from: base, files, message});
  const marker = runMarker({run: "comment-0", session: null, parked});
  await say({rig, issue, by: BOT, body: `${marker}\n**❌ Not verified.** Parked.`});
  await say({rig, issue, by: "will", body: "/assay add a difference"});
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await origin.setRef("refs/heads/assay/parked/issue-999", await oldParkedCommit(rig));
  return issue;
}
