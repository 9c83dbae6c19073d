/** The decision about an event, with facts that admit it unless a test says otherwise. */
import {ok, type Result, refused} from "../../../src/record/words.ts";
import {
  type Access,
  type AdmissionFacts,
  admit,
  type GitHubFailure,
  type PullRequestHead,
  screen,
} from "../../../src/request/admission.ts";
import type {Account, Event} from "../../../src/request/event.ts";

export const ada: Account = {login: "ada", id: 7, type: "User"};
export const eventWith = (changes: Partial<Event> & {pull?: boolean; closed?: boolean}): Event => ({
  trigger: changes.trigger ?? {kind: "comment", id: 1},
  thread: {
    number: 1,
    isPullRequest: changes.pull ?? false,
    title: "t",
    body: "b",
    state: changes.closed ? "closed" : "open",
  },
  text: changes.text ?? "/assay fix it",
  author: changes.author === undefined ? ada : changes.author,
  code: null,
  subject: changes.subject ?? null,
  createdAt: "2026-01-01T00:00:00Z",
  repository: {fullName: "Own/Repo", defaultBranch: "main"},
});
export const writer: Access = {permission: "write", role: "write", userId: 7};
export const broken = (status: number) =>
  refused({kind: "github-refused" as const, request: "permission", status, message: "no"} satisfies GitHubFailure);

interface Decided extends Partial<AdmissionFacts> {
  readonly phrase?: string;
  readonly head?: Result<PullRequestHead, GitHubFailure> | null;
}

export function decide(event: Event, {phrase = "/assay", head = null, ...facts}: Decided = {}) {
  const asked = screen(event, {phrase, label: "Assay", assignee: "robot"});
  if (asked.kind !== "asked") return asked;
  return admit(asked, event, {
    access: ok(writer),
    pullRequest: head,
    thread: ok({earlierId: null, times: []}),
    isRerun: false,
    runsPerHour: 20,
    automaticRuns: null,
    automaticRunsPerDay: 5,
    currentText: null,
    policy: ok(null),
    allowed: {agents: [], models: []},
    runsApart: false,
    lacksArtifacts: false,
    ...facts,
  });
}
