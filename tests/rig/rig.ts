/** One world for one test: a repository on a git server, its GitHub, a scripted model, and runs of the built product. */
import {mkdir, mkdtemp, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join, relative} from "node:path";
import {DEFAULT_PHRASE} from "../../src/request/default-phrase.ts";
import {git} from "./git.ts";
import {startGitServer} from "./git-server.ts";
import type {WorkflowRun} from "./github/additions.ts";
import {BOT, makePeople, OWNER} from "./github/people.ts";
import {startGitHub} from "./github.ts";
import {at, type Json, list, numberAt, object, textAt} from "./json.ts";
import {MODEL, startModel} from "./model.ts";
import type {Files} from "./origin.ts";
import {labelEvent, payloadOf, redEvent, reviewEvent, startEvent} from "./runner/payload.ts";
import {killProcessesOf, processesOf, watchToken} from "./runner/processes.ts";
import {checkOut} from "./runner/workspace.ts";
import {type Job, PRODUCT, type RunningStep, startAction} from "./runner.ts";
import {oneJob, type WalkingJobs, walkJobs} from "./separated.ts";
import {openConcurrencyGroups} from "./workflow/concurrency.ts";
import type {Begun, Comment, Outcome, PullRequest, Rig, RunOptions, WorldEvent} from "./world.ts";

/**
 * Makes the world. `onFailed` is the test framework's hook for a failing test, such as vitest's `onTestFailed`: then the
 * story is printed. Refuses to work inside a git checkout, so that no run can touch this one.
 */
export async function createRig(world: {
  files: Files;
  name?: string;
  isPrivate?: boolean;
  /** see `Job.product` */
  product?: string;
  onFailed?: (print: () => void) => void;
  /** false: nobody looks at which processes hold the token, which costs most of a sweep's time */
  watches?: boolean;
}): Promise<Rig> {
  const folder = await mkdtemp(join(tmpdir(), "rig-world-"));
  const inside = await git(folder, ["rev-parse", "--show-toplevel"]).catch(() => null);
  if (inside !== null || !relative(PRODUCT, folder).startsWith("..")) {
    await rm(folder, {recursive: true});
    throw new Error(`${folder} lies in a git checkout; set TMPDIR to a folder outside`);
  }
  const name = world.name ?? `${OWNER}/demo`;
  const people = makePeople();
  const access = (role: string) => (["admin", "maintain", "write"].includes(role) ? "write" : "read");
  const tokens: Record<string, "read" | "write"> = Object.fromEntries(
    people.map(({token, role}) => [token, access(role)]),
  );
  const server = await startGitServer({tokens});
  const origin = await server.create(name, {private: world.isPrivate ?? false});
  const base = await origin.commit({files: world.files, message: "First commit"});
  const github = await startGitHub({origin, people});
  const model = await startModel();
  const groups = openConcurrencyGroups();
  const ran: string[] = [];
  let last: WorldEvent | null = null;
  let runs = 0;

  const api = (path: string) => `/repos/${name}${path}`;
  const story = () => [...ran, ...model.unmatched.map((text) => `no answer scripted: ${text}`)].join("\n\n");
  world.onFailed?.(() => console.error(story()));
  async function openIssue({
    title,
    body = "",
    by = OWNER,
  }: {
    title: string;
    body?: string;
    by?: string;
  }): Promise<number> {
    return numberAt(await github.as(by, "POST", api("/issues"), {title, body}), "number");
  }

  async function start(now: WorldEvent, options: RunOptions): Promise<Begun> {
    last = now;
    runs += 1;
    const place = join(folder, `run-${runs}`);
    await mkdir(place);
    const token = github.tokenOf(BOT);
    const {OPENAI_API_KEY: key = ""} = await model.configure(join(place, "agent-config"));
    const agentConfig = {"agent-config": join(place, "agent-config")};
    const refsBefore = await origin.refs();
    const marked = {checks: github.checks.length, statuses: github.statuses.length};
    const watched = world.watches === false ? null : watchToken(token);
    const common: Job = {
      folder: place,
      apiUrl: github.url,
      serverUrl: server.url,
      repository: name,
      actor: now.actor,
      token,
      event: now.event,
      sha: refsBefore["refs/heads/main"] ?? base,
      inputs: {},
      env: {},
      ...(world.product !== undefined && {product: world.product}),
      ...(options.attempt !== undefined && {attempt: options.attempt}),
      ...(options.onOutput !== undefined && {onOutput: options.onOutput}),
      ...(options.watchesMachine !== undefined && {watchesMachine: options.watchesMachine}),
      ...(options.under !== undefined && {under: options.under}),
      runId: 4710 + runs,
    };
    const jobs: WorkflowRun["jobs"] = new Map();
    github.workflowRuns.set(4710 + runs, {event: now.event.name, at: now.at ?? new Date().toISOString(), jobs});
    const {separated, isStepOnly = false} = options;
    const isOneJob = separated === undefined;
    const check = {server: server.url, repository: name, branch: "main"};
    /** The step, with what an owner would have written into the workflow file. */
    function begin(step: Pick<Job, "inputs" | "env"> & Partial<Job>): Promise<RunningStep> {
      const {provider, model: named, ...others} = step.inputs;
      const isAgents = ["all", "work", "judge"].includes(others["job"] ?? "all");
      const agent = isAgents && !options.noModel ? {...step.inputs, ...agentConfig} : others;
      return startAction({
        ...common,
        ...step,
        inputs: {...agent, ...options.inputs},
        env: {...(options.noModel ? {} : step.env), ...options.env},
      });
    }

    async function stepOnly(): Promise<WalkingJobs> {
      await checkOut({...check, folder: join(place, "workspace"), token, persist: true});
      const step = await begin({inputs: {provider: MODEL.provider, model: MODEL.id}, env: {OPENAI_API_KEY: key}});
      const ended = step.post().then(({ran}) => ({ran, jobs: {}, tokens: []}));
      return {current: () => step, begun: Promise.resolve(), cancel: () => step.cancel(), ended};
    }

    const walking = isStepOnly
      ? await stepOnly()
      : walkJobs({
          workflow: separated ?? {text: oneJob(options.inputs?.["trigger-phrase"] ?? DEFAULT_PHRASE, options.triggers)},
          isOneJob,
          place,
          event: now.event,
          runId: 4710 + runs,
          secrets: {OPENAI_API_KEY: key},
          groups,
          jobs,
          jobToken(permissions) {
            if (isOneJob) return token;
            const made = github.jobToken(permissions);
            const {contents} = permissions;
            if (contents === "read" || contents === "write") tokens[made] = contents;
            return made;
          },
          checkOut: (more) => checkOut({...more, ...check}),
          start: begin,
        });
    const {runId = 0} = common;
    github.running.set(runId, walking.cancel);
    const ended = walking.ended.then(async ({ran: result, jobs, tokens: jobTokens}): Promise<Outcome> => {
      github.running.delete(runId);
      ran.push(`run ${runs}: main ${result.exitCode}, post ${result.postExitCode}\n${result.log}`);
      const comments = await commentsOf(now.thread);
      const isNotice = ({author, body}: Comment) => author === BOT && body.startsWith("<!-- assay:notice=");
      return {
        ...result,
        thread: now.thread,
        refsBefore,
        refs: await origin.refs(),
        comments: comments.filter((comment) => !isNotice(comment)),
        notices: comments.filter(isNotice),
        pullRequests: await pullRequests(),
        processes: processesOf(place),
        tokenHolders: watched?.stop() ?? [],
        marks: [
          ...github.checks
            .slice(marked.checks)
            .map((one) => ({commit: one.head_sha, name: one.name, conclusion: String(one.conclusion)})),
          ...github.statuses
            .slice(marked.statuses)
            .map((one) => ({commit: one.sha, name: one.context, conclusion: one.state})),
        ],
        jobs,
        jobTokens,
        secrets: [
          ...people.map((person) => person.token),
          ...jobTokens.map(({token}) => token),
          model.key,
          `rig-runtime-${token.slice(-12)}`,
        ],
      };
    });
    ended.catch(() => {}); // whoever waits for it hears of it
    await walking.begun;
    const step = () => {
      const found = isOneJob ? walking.current() : null;
      if (found === null) throw new Error("no step to talk to: the run waits, was skipped, or is several jobs");
      return found;
    };
    return {
      saw: async (pattern) => step().saw(pattern),
      kill: (signal) => step().kill(signal),
      cancel: walking.cancel,
      ended,
    };
  }

  async function commentsOf(thread: number): Promise<Comment[]> {
    if (thread === 0) return [];
    const found = await github.as(OWNER, "GET", api(`/issues/${thread}/comments?per_page=100`));
    return list(found).map((one) => ({
      id: numberAt(one, "id"),
      author: textAt(one, "user", "login"),
      body: textAt(one, "body"),
    }));
  }

  async function pullRequests(): Promise<PullRequest[]> {
    return list(await github.as(OWNER, "GET", api("/pulls?state=all&per_page=100"))).map((one) => ({
      number: numberAt(one, "number"),
      title: textAt(one, "title"),
      body: textAt(one, "body"),
      head: textAt(one, "head", "ref"),
      headCommit: textAt(one, "head", "sha"),
      base: textAt(one, "base", "ref"),
      state: textAt(one, "state"),
      isDraft: at(one, "draft") === true,
    }));
  }

  /** The parts of a payload that tell of this world; links to git lead to the git server. */
  async function parts(thread: number, by: string): Promise<Record<string, Json>> {
    return {...(await around(by)), issue: object(await github.as(OWNER, "GET", api(`/issues/${thread}`)))};
  }

  async function around(by: string): Promise<Record<"repository" | "sender", Json>> {
    const repository = object(await github.as(OWNER, "GET", api("")));
    return {
      repository: {...repository, clone_url: server.remote(name), default_branch: "main"},
      sender: object(at(await github.as(OWNER, "GET", `/users/${encodeURIComponent(by)}`))),
    };
  }

  const rig: Rig = {
    folder,
    git: server,
    origin,
    github,
    model,
    base,
    story,
    openIssue,
    async openPullRequest({title, branch, files, by = OWNER}) {
      await origin.commit({branch, from: "refs/heads/main", files});
      const made = await github.as(by, "POST", api("/pulls"), {title, head: branch, base: "main", body: ""});
      return numberAt(made, "number");
    },
    async openForkPullRequest({title, fork, branch, files}) {
      // the emulator knows this repository's branches only
      const number = await rig.openPullRequest({title, branch: "of-a-fork", files});
      await origin.setRef(`refs/pull/${number}/head`, "refs/heads/of-a-fork");
      await origin.deleteRef("refs/heads/of-a-fork");
      github.cameFrom(number, {repository: fork, branch, pushedAt: "2026-01-02T03:04:05Z"});
      return number;
    },
    async commentEvent(text, options = {}) {
      const by = options.by ?? OWNER;
      const on = options.on ?? last?.thread ?? (await openIssue({title: "Something is wrong"}));
      const comment = object(await github.as(by, "POST", api(`/issues/${on}/comments`), {body: text}));
      const payload = payloadOf(
        {name: "issue_comment", action: "created"},
        {...(await parts(on, by)), comment, ...options.payload},
      );
      return {thread: on, event: {name: "issue_comment", payload}, actor: by};
    },
    async issueEvent(issue, options = {}) {
      const by = issue.by ?? OWNER;
      const thread = await openIssue(issue);
      const payload = payloadOf({name: "issues", action: "opened"}, {...(await parts(thread, by)), ...options.payload});
      return {thread, event: {name: "issues", payload}, actor: by};
    },
    async review(text, options) {
      const {on, line} = options;
      const by = options.by ?? OWNER;
      const {issue, ...around} = await parts(on, by);
      const pull = object(await github.as(OWNER, "GET", api(`/pulls/${on}`)));
      const id = 900_000 + github.reviewComments.size;
      if (line !== undefined) github.reviewComments.add(id);
      const comments = (options.comments ?? []).map(({path, line, hunk, body}, at) => {
        github.reviewComments.add(id + 1 + at);
        return {id: id + 1 + at, body, path, line, diff_hunk: hunk};
      });
      const own = line === undefined ? [] : [{id, body: text, path: line.path, line: line.line, diff_hunk: line.hunk}];
      const review = line === undefined ? id : (options.review ?? id);
      if (!github.submitted.has(review))
        github.submitted.set(review, {body: line === undefined ? text : "", comments: [...own, ...comments]});
      const event = {
        thread: on,
        event: reviewEvent({around, pull, id, text, line, review, more: options.payload ?? {}}),
        actor: by,
      };
      return (await start(event, {triggers: ["reviews"], ...options})).ended;
    },
    async labelled(issue, {by = OWNER} = {}) {
      return {thread: issue.on, event: labelEvent(await parts(issue.on, by), issue), actor: by};
    },
    started: async (start, {by = OWNER} = {}) => startEvent({around: await around(by), start, by}),
    async pushed({by = OWNER, branch = "main", on = 0} = {}) {
      const parts = {...(await around(by)), ref: `refs/heads/${branch}`, after: (await origin.resolve(branch)) ?? ""};
      const at = new Date(Date.now() + 1_000).toISOString().replace(/\.\d+/, "");
      return {thread: on, actor: by, at, event: {name: "push", payload: parts}};
    },
    async ciEnded(given) {
      const open = (await pullRequests()).filter(({head, state}) => head === given.branch && state === "open");
      const run = {
        ...{id: 9_000 + github.ciRuns.length, name: "CI", file: "ci.yml", repository: name, conclusion: "failure"},
        // the clocks of git and of GitHub have seconds
        ...{endedAt: new Date(Date.now() + 1_000).toISOString().replace(/\.\d+/, ""), ...given},
      };
      github.ciRuns.push(run);
      return redEvent({around: await around(BOT), run, pulls: open.map(({number}) => number), by: BOT});
    },
    begin: async (text, options = {}) => start(await rig.commentEvent(text, options), options),
    comment: async (text, options) => (await rig.begin(text, options)).ended,
    issueOpened: async (issue, options = {}) => (await start(await rig.issueEvent(issue, options), options)).ended,
    run: async (event, options = {}) => (await start(event, options)).ended,
    async again(options = {}) {
      if (last === null) throw new Error("nothing has happened yet that could happen again");
      return (await start(last, options)).ended;
    },
    async [Symbol.asyncDispose]() {
      killProcessesOf(folder);
      await model[Symbol.asyncDispose]();
      await github[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await rm(folder, {recursive: true, force: true, maxRetries: 5});
    },
  };
  return rig;
}
