/** A simulated organization: real reservations and reports of many repositories, at a simulated time; no agent runs. */
import {mkdtemp, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {type Config, withDefaults} from "../../src/detect/config/config.ts";
import type {ConfigFile} from "../../src/detect/config/schema.ts";
import {connect} from "../../src/github/client.ts";
import {parseInputs} from "../../src/github/inputs.ts";
import type {Failure} from "../../src/record/failure.ts";
import type {Publication} from "../../src/record/record.ts";
import type {Verdict} from "../../src/record/verification.ts";
import {renderRefusal} from "../../src/report/live.ts";
import {renderReport} from "../../src/report/markdown.ts";
import {renderLiveProgress} from "../../src/report/progress.ts";
import {startProgress} from "../../src/report/progress-state.ts";
import type {Event} from "../../src/request/event.ts";
import {createRecord, openRun} from "../../src/run/admitted-run.ts";
import {failureLines} from "../../src/run/failure-lines.ts";
import {readOrganizationPolicy, refuseAgent} from "../../src/run/organization-policy.ts";
import {configOf, type PreparedRun} from "../../src/run/prepare-run.ts";
import {reserveSpending, settleSpending} from "../../src/run/reserve-spending.ts";
import type {RunContext} from "../../src/run/run-context.ts";
import {type GitServer, startGitServer} from "../rig/git-server.ts";
import {BOT} from "../rig/github/people.ts";
import {attempt, id as objectId, turn} from "../unit/report/records.ts";
import {type OrganizationApi, startOrganizationApi} from "./organization-api.ts";

export const OWNER = "acme";
export const CENTRAL = `${OWNER}/.github`;
export const monthRef = (month: string) => `refs/assay/spending/${month}`;
const TOKEN = "a-token-that-writes";

export interface Spending {
  readonly spent: Readonly<Record<string, number>>;
  readonly reserved: Readonly<Record<string, {day: string; usd: number}>>;
}

/** A request, and what it will cost; null for a run whose machine is lost after its reservation. */
export interface SimulatedRequest {
  readonly id: number;
  readonly repository: string;
  readonly at: Date;
  readonly usd: number | null;
  /** of the whole run */
  readonly minutes: number;
  readonly verdict: Verdict;
  /** of its pull request, if it is verified */
  readonly fate: "merged" | "closed" | "open";
  /** as in the workflow */
  readonly inputs: Readonly<Record<string, string>>;
  readonly verify: ConfigFile;
}

export interface Answer {
  readonly kind: "done" | "lost machine" | "no policy" | "refused agent" | "limit";
  readonly text: string;
  readonly config: Config | null;
}

export interface Organization extends AsyncDisposable {
  readonly git: GitServer;
  readonly api: OrganizationApi;
  /** the limits that the run with this key has read */
  readonly limitsOf: ReadonlyMap<string, Config>;
  ask(request: SimulatedRequest): Promise<Answer>;
}

/** `onSpending` hears of each change of a document, before the server answers the push. */
export async function makeOrganization(options: {
  repositories: readonly string[];
  onSpending: (change: {repository: string; before: Spending | null; after: Spending}) => void;
}): Promise<Organization> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "assay-organization-"));
  stack.defer(() => rm(folder, {recursive: true, force: true}));
  const git = stack.use(
    await startGitServer({
      tokens: {[TOKEN]: "write"},
      async onUpdate({repository, ref, before, after}, origin) {
        const read = async (commit: string | null): Promise<Spending | null> =>
          commit === null ? null : JSON.parse((await origin.read(commit, "spending.json")) ?? "null");
        const now = await read(after);
        if (ref.startsWith("refs/assay/spending/") && now !== null)
          options.onSpending({repository, before: await read(before), after: now});
      },
    }),
  );
  for (const name of options.repositories) await git.create(name, {private: true});
  const api = stack.use(await startOrganizationApi(options.repositories));
  const limitsOf = new Map<string, Config>();

  async function ask(request: SimulatedRequest): Promise<Answer> {
    const {id, repository, at, usd, verdict, fate} = request;
    const given: Record<string, string> = {
      ...{"github-token": TOKEN, "policy-token": TOKEN, policy: CENTRAL, job: "admit"},
      ...request.inputs,
    };
    const inputs = parseInputs((name) => given[name]);
    if (!inputs.ok) throw new Error("the inputs are wrong");
    // Octokit spaces the requests to one address, and here are many machines in one process.
    const apiUrl = `${api.url}/${id}`;
    const runUrl = `${git.url}/${repository}/actions/runs/${id}/attempts/1`;
    const variables = {PATH: process.env["PATH"], ...LOOSENING_VARIABLES};
    const log = () => {};
    const context: RunContext = {
      ...{inputs: inputs.value, variables, secrets: [], event: "", withheld: null, clone: null, log},
      ...{end: log, realHome: folder, version: "0", redact: (text: string) => text, now: () => at.toISOString()},
      runner: {
        ...{workspace: folder, temp: folder, eventName: "issue_comment", eventPath: "", apiUrl},
        ...{serverUrl: git.url, repository, runAttempt: "1", runUrl},
      },
      github: connect({token: TOKEN, apiUrl, repository, log}),
      signal: new AbortController().signal,
    };
    const event = {
      trigger: {kind: "comment", id},
      ...{author: {login: "ada", id: 1, type: "User"}, text: "/assay work", createdAt: at.toISOString()},
      thread: {number: 1, isPullRequest: false, title: "", body: "", state: "open"},
      repository: {fullName: repository, defaultBranch: "main"},
    } as unknown as Event;
    const marker = {run: `comment-${id}`, session: null};
    const first = renderLiveProgress({state: startProgress(at.getTime()), nowMs: at.getTime(), marker, runUrl});
    api.comments.push({id, repository, at, login: BOT, body: first});
    const pinned = await readOrganizationPolicy(context);
    if (!pinned.ok) {
      await context.github.updateComment(id, renderRefusal({marker, line: "The policy could not be read."}));
      return {kind: "no policy", text: failureLines(pinned.failure).join("\n"), config: null};
    }
    const start = {startedAt: at.toISOString(), showsPlan: false, commentId: id};
    const record = createRecord({context, event}, {...start, request: {kind: "work", text: "work"}});
    const admitted = openRun({context, event, record, commentId: id, policy: pinned.value});
    const config = await configOf(admitted, withDefaults("verify.json", request.verify));
    const run = {...admitted, config} as PreparedRun;
    limitsOf.set(runUrl, config);
    const end = async (kind: Answer["kind"], minutes: number, failure?: Failure): Promise<Answer> => {
      if (failure !== undefined) record.addFailure(failure);
      record.update({
        run: {...record.current().run, finishedAt: new Date(at.getTime() + minutes * 60_000).toISOString()},
      });
      const report = await run.comment.finish(renderReport(record.current()));
      if (!report.ok) throw new Error(`the report of ${id} is lost`);
      await settleSpending(run);
      return {kind, text: failure === undefined ? "" : failureLines(failure).join("\n"), config};
    };
    const refusal = refuseAgent(run);
    if (refusal !== null) return end("refused agent", 0, refusal);
    const limit = await reserveSpending(run);
    if (limit !== null) return end("limit", 0, limit);
    if (usd === null) return {kind: "lost machine", text: "", config};
    record.update({verdict, attempts: [attempt({verdict, turn: turn({usage: {...turn().usage, costUsd: usd}})})]});
    if (verdict.kind === "verified") {
      const opened = new Date(at.getTime() + request.minutes * 60_000).toISOString();
      const [merged, closed] = [fate === "merged" ? opened : null, fate === "open" ? null : opened];
      api.pulls.unshift({number: id, repository, opened, closed, merged});
      record.update({publication: publicationOf(id)});
    }
    return end("done", request.minutes);
  }
  const all = stack.move();
  return {
    ...{git, api, limitsOf, ask},
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

const publicationOf = (number: number): Publication => ({
  ...{kind: "published", ref: `refs/heads/assay/issue-${number}`, withWarning: false},
  ...{commit: objectId("c"), tree: objectId("7"), parent: objectId("b"), pullRequest: {number, url: "", isNew: true}},
});

/** Variables of a repository that have the names of settings. They change nothing. */
const LOOSENING_VARIABLES = {
  ...{BUDGET: "100000", BUDGET_USD: "100000", ASSAY_BUDGET: "100000", SANDBOX: "off", POLICY: "", ASSAY_POLICY: "{}"},
  ...{INPUT_BUDGET: "100000", INPUT_SANDBOX: "off", INPUT_PROTECTEDPATHS: "", ASSAY_EXTENDS: "/dev/null"},
};
