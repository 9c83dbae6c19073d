/** One thread with red CI, reviews, pushes to main, people, bots, `/stop` and tries at random moments. Only the agent's work and its verdict are drawn. */
import {mkdtemp, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {admit} from "../../lifecycle/1-admit.ts";
import {publish} from "../../lifecycle/3-publish.ts";
import {recover, settle} from "../../lifecycle/4-settle.ts";
import {prepare} from "../../lifecycle/run.ts";
import {keepCandidate} from "../../src/changes/candidate.ts";
import {type OverlayEntry, overlayCommit} from "../../src/changes/overlay.ts";
import {readMarker} from "../../src/github/marker.ts";
import {NOT_MEASURED} from "../../src/proof/after-verification.ts";
import type {Rebased} from "../../src/publish/rebase.ts";
import type {Attempt} from "../../src/record/attempt.ts";
import {NO_USAGE} from "../../src/record/usage.ts";
import type {Candidate, Change, Verdict} from "../../src/record/verification.ts";
import {ok, type Result} from "../../src/record/words.ts";
import {isProgress} from "../../src/report/live.ts";
import {keptPayload} from "../../src/request/event.ts";
import {isRoundId} from "../../src/request/triggers.ts";
import type {AdmittedRun} from "../../src/run/admitted-run.ts";
import {markCommit, requestReview} from "../../src/run/after-push.ts";
import {costOf} from "../../src/run/budget.ts";
import {applyParkedWork, deliversWork} from "../../src/run/parked-work.ts";
import type {PreparedRun} from "../../src/run/prepare-run.ts";
import {requestRules} from "../../src/run/request-rules.ts";
import {openRunContext, type RunContext} from "../../src/run/run-context.ts";
import {runTries} from "../../src/run/tries.ts";
import {settledByConflicts} from "../../src/run/update-branch.ts";
import {answerThreads} from "../../src/run/whole-review.ts";
import {git} from "../rig/git.ts";
import {BOT} from "../rig/github/people.ts";
import {isObject, type Json, numberAt, textAt} from "../rig/json.ts";
import {reviewEvent} from "../rig/runner/payload.ts";
import type {Rig, WorldEvent} from "../rig/world.ts";
import {shuffled} from "./random.ts";

/** The client spaces its writes by a second, and nobody has to be spared here. Longer timers are limits of git. */
const {setTimeout: realTimeout} = globalThis;
Object.assign(globalThis, {
  setTimeout: Object.assign(
    (action: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
      realTimeout(action, ms > 600 && ms < 20_000 ? 0 : ms, ...args),
    realTimeout,
  ),
});

const BUDGET_USD = 10;
/** Not the product's own number, which may be wrong. */
const MAX_ROUNDS = 2;
const STOP = new Error("the machine is gone");

export interface LoopCounts {
  runs: number;
  published: number;
  saved: number;
  rounds: number;
  /** the rounds that pushes to main have started */
  updates: number;
  stopped: number;
  crashed: number;
  refused: number;
}

interface Step {
  readonly kind: "ask" | "foreign" | "push" | "main" | "red" | "review" | "update";
  /** the same event comes twice */
  readonly isTwice: boolean;
}

const STEPS: readonly Step["kind"][] = [
  ...(["ask", "foreign", "push", "main", "review", "update"] as const),
  ...(["red", "red", "red", "red", "red", "main", "main"] as const),
];
const REQUESTS = [
  "/assay tries=3 add a word",
  "/assay tries=2 more",
  "/continue with another word",
  "@assay more words",
];
const ended = (kind: string) => ({name: "test", conclusion: "failure", steps: {[kind]: "failure"}, log: "not ok 1"});

let pushing: Promise<void> = Promise.resolve();

/** Plays one thread, and gives what was wrong. */
export async function playLoops({
  rig,
  steps: length,
  random,
  counts,
}: {
  rig: Rig;
  /** after the first request */
  steps: number;
  random: () => number;
  counts: LoopCounts;
}): Promise<string[]> {
  const wrong: string[] = [];
  const issue = await rig.openIssue({title: "Words", by: "will"});
  const branch = `assay/issue-${issue}`;
  const threads = new Set([issue]);
  /** commits of people, and trees of the work that a report speaks of */
  const [theirs, trees] = [new Set<string>(), new Map<string, string>()];
  const seenUpdates = rig.git.updates.length;
  const delivered = new Set<number>();
  const asked = new Map<string, number>();
  let words = 0;
  let pull: number | null = null;

  const some = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const pick = (chance: number) => random() < chance;
  const name = () => {
    words += 1;
    return `word-${issue}-${words}`;
  };

  async function comments(thread: number): Promise<Json[]> {
    const found = await rig.github.as("ada", "GET", `/repos/${rig.origin.name}/issues/${thread}/comments?per_page=100`);
    return (Array.isArray(found) ? found : []).filter(isObject);
  }

  async function findPull(): Promise<number | null> {
    const found = await rig.github.as("ada", "GET", `/repos/${rig.origin.name}/pulls?state=all&per_page=100`);
    const own = (Array.isArray(found) ? found : []).find((one) => textAt(one, "head", "ref") === branch);
    return own === undefined ? null : numberAt(own, "number");
  }

  /** A person's commit on a branch; some, and most on main, are on the lines that Assay changes. */
  async function pushTo(to: string): Promise<void> {
    if ((await rig.origin.resolve(`refs/heads/${to}`)) === null) return;
    const path = pick(to === "main" ? 0.8 : 0.4) ? `src/shared-${issue}.js` : `src/${name()}.js`;
    const files = {[path]: `export const by = "${name()}";\n`};
    // Two imports at the same moment would lose one of their commits.
    pushing = pushing.then(async () => void theirs.add(await rig.origin.commit({branch: to, files})));
    await pushing;
  }

  async function red(): Promise<WorldEvent | null> {
    const tip = await rig.origin.resolve(`refs/heads/${branch}`);
    if (tip === null) return null;
    const parent = (await rig.origin.facts(tip)).parents[0] ?? tip;
    const isOld = pick(0.1);
    const repository = pick(0.05) ? "otto/demo" : rig.origin.name;
    const jobs = [pick(0.8) ? ended("Run node --test") : ended("Set up job")];
    return rig.ciEnded({commit: isOld ? parent : tip, branch, jobs, repository});
  }

  async function review(by: string, text: string): Promise<WorldEvent | null> {
    if (pull === null) return null;
    const repository = await rig.github.as("ada", "GET", `/repos/${rig.origin.name}`);
    const sender = await rig.github.as("ada", "GET", `/users/${encodeURIComponent(by)}`);
    const found = await rig.github.as("ada", "GET", `/repos/${rig.origin.name}/pulls/${pull}`);
    if (!isObject(repository) || !isObject(sender) || !isObject(found)) return null;
    const around = {repository: {...repository, default_branch: "main"}, sender};
    const id = 900_000 + rig.github.reviewComments.size + rig.github.submitted.size;
    rig.github.submitted.set(id, {body: text, comments: []});
    return {
      thread: pull,
      actor: by,
      event: reviewEvent({around, pull: found, id, text, line: undefined, more: {}, review: id}),
    };
  }

  /** The event that a step makes; null if the step starts no workflow. `id` is the run that must answer it. */
  async function happen(kind: Step["kind"]): Promise<{event: WorldEvent; id: string | null} | null> {
    const on = pull !== null && pick(0.5) ? pull : issue;
    const comment = async (by: string, text: string, isRequest: boolean) => {
      const event = await rig.commentEvent(text, {by, on});
      const id = isObject(event.event.payload) ? numberAt(event.event.payload["comment"], "id") : 0;
      delivered.add(id);
      return {event, id: isRequest ? `comment-${id}` : null};
    };
    switch (kind) {
      case "ask":
        return comment("will", some(REQUESTS), true);
      case "update":
        return comment("will", "/update", true);
      case "foreign": {
        if (pick(0.3)) {
          const event = await review("renovate[bot]", "/assay do what I say");
          return event && {event, id: null};
        }
        return comment(some(["renovate[bot]", "otto"]), some(["/assay delete all", "/update", "/continue"]), false);
      }
      case "review": {
        const event = await review("will", pick(0.7) ? "/assay another word" : "looks good");
        const id = event && isObject(event.event.payload) ? numberAt(event.event.payload["review"], "id") : 0;
        const text = event && isObject(event.event.payload) ? textAt(event.event.payload["review"], "body") : "";
        return event && {event, id: text.startsWith("/assay") ? `review-${id}` : null};
      }
      case "red": {
        const event = await red();
        return event && {event, id: null};
      }
      case "push":
        await pushTo(branch);
        return null;
      case "main": {
        await pushTo("main");
        const by = some(["will", "will", "ada", "ada", "renovate[bot]", BOT]);
        return {event: await rig.pushed({by, on: pull ?? 0}), id: null};
      }
    }
  }

  /** One workflow run for an event, from its admission to its report. */
  async function play({event, id}: {event: WorldEvent; id: string | null}, isAgain = false): Promise<void> {
    const controller = new AbortController();
    const place = await mkdtemp(join(rig.folder, "loop-"));
    const runId = 50_000 + rig.github.workflowRuns.size;
    rig.github.workflowRuns.set(runId, {event: event.event.name, at: event.at ?? now(), jobs: new Map()});
    const open = async () => onlyOf(branch, await contextOf({rig, event, place, runId, signal: controller.signal}));
    const outcome = await admit(await open());
    if (outcome.kind === "over") {
      counts.refused += 1;
      return;
    }
    const {run} = outcome;
    if (isAgain) wrong.push(`${run.marker.run} ran twice`);
    const {request, earlier} = run.record.current();
    if (event.actor === BOT && request?.kind !== "ci") wrong.push("a comment of Assay started a run");
    if (["otto", "renovate[bot]"].includes(event.actor)) wrong.push(`${event.actor} started a run`);
    if (id !== null) asked.set(id, (asked.get(id) ?? 0) + 1);
    counts.runs += 1;
    if (isRoundId(run.marker.run)) {
      counts.rounds += 1;
      counts.updates += request?.kind === "update" ? 1 : 0;
      if ((earlier?.rounds.runs ?? 0) >= MAX_ROUNDS)
        wrong.push(`round ${earlier?.rounds.runs} of #${run.event.thread.number}`);
    }
    rig.github.running.set(runId, () => {
      counts.stopped += 1;
      controller.abort();
    });
    const dies = await work(run).then(
      () => false,
      (error: unknown) => {
        if (error !== STOP) throw error;
        return true;
      },
    );
    rig.github.running.delete(runId);
    if (dies) counts.crashed += 1;
    // The runner keeps the event of `main` for `post`.
    if (dies) await recover({...(await open()), event: keptPayload(run.event)}, {hasMainEnded: true});
    else await settle(run, [() => markCommit(run), () => answerThreads(run)]);
    note(run);
  }

  /** What a run has made must be on the server afterwards. */
  function note(run: AdmittedRun): void {
    const {attempts, tries, publication, verdict} = run.record.current();
    const kept = attempts.at(-1);
    if (publication.kind === "published") counts.published += 1;
    if (publication.kind === "parked") counts.saved += 1;
    if (kept?.candidate && kept.changes.length > 0)
      trees.set(kept.candidate.tree, `${run.marker.run}, ${verdict.kind}`);
    // The chosen one is the attempt above, which may have been rebased.
    for (const row of tries?.rows ?? [])
      if (row.candidate !== null && row.number !== tries?.chosen)
        trees.set(
          row.candidate.tree,
          `try ${row.number} of ${run.marker.run}, ${row.ref ?? row.unsaved ?? "not saved"}`,
        );
  }

  async function work(run: AdmittedRun): Promise<void> {
    const prepared = (await prepare(run))?.run ?? null;
    if (prepared === null) return;
    const {record, context} = prepared;
    const parked = value(await applyParkedWork(prepared));
    const {task, isUpdate} = requestRules(prepared);
    if (task === null && !isUpdate) {
      record.update({verdict: {kind: "verified"}});
      return;
    }
    const earlierUsd = record.current().request?.kind === "ci" ? (record.current().earlier?.rounds.usd ?? 0) : 0;
    const onto = parked?.candidate.commit ?? prepared.base.commit;
    const attemptOf = async (number: number): Promise<Attempt> => {
      const files: OverlayEntry[] = [...(parked?.conflicts ?? []), `src/${name()}.js`].flatMap((path, at, all) => {
        const isLeft = isUpdate && (at === all.length - 1 || pick(0.3));
        const text = `export const by = "${run.marker.run} ${number} ${words}";\n`;
        return isLeft ? [] : [{mode: "100644", path, content: {kind: "text" as const, text}}];
      });
      if (!isUpdate && pick(0.5))
        files.push({mode: "100644", path: `src/shared-${issue}.js`, content: {kind: "text", text: `// ${name()}\n`}});
      return drawn(prepared, {onto, files, number, conflicts: isUpdate ? (parked?.conflicts ?? []) : []});
    };
    if (isUpdate) {
      const attempt = await attemptOf(1);
      record.update({attempts: [attempt], verdict: attempt.verdict});
      await meanwhile();
    } else
      await runTries(prepared, {
        work: async (_, earlier) => {
          const spent = earlierUsd + costOf(earlier);
          if (spent >= BUDGET_USD) wrong.push(`a try started after ${spent} dollars`);
          await meanwhile();
          const attempt = await attemptOf(1);
          record.update({attempts: [attempt], verdict: attempt.verdict});
          return {session: ""};
        },
        measure: async () => NOT_MEASURED,
        compare: async () => null,
        limits: () => ({elapsedMs: 0, job: null, stagesMs: 0, attempts: []}),
      });
    if (context.signal.aborted) {
      const cancelled: Verdict = {kind: "unverified", why: "cancelled", detail: ""};
      record.update({verdict: cancelled});
    }
    const {attempts, verdict} = record.current();
    if (pick(0.3)) await pushTo(pick(0.5) ? branch : "main");
    const verifyRebased = isUpdate ? null : reverify;
    if (deliversWork(prepared)) await publish(prepared, {work: {attempts, verdict}, verifyRebased});
    if (pick(0.1)) throw STOP;
    await requestReview(prepared);
  }

  /** A rebased change is new, and gets its own verdict. */
  async function reverify({record}: PreparedRun, {candidate, changes}: Rebased): Promise<Attempt> {
    const {attempts} = record.current();
    const verdict = verdictOf();
    const attempt = {
      number: attempts.length + 1,
      turn: null,
      candidate,
      changes: [...changes],
      verification: null,
      verdict,
    };
    record.update({attempts: [...attempts, attempt], verdict});
    return attempt;
  }

  function verdictOf(): Verdict {
    if (pick(0.65)) return {kind: "verified"};
    return pick(0.7)
      ? {kind: "failed", stages: ["test"]}
      : {kind: "unverified", why: "flaky", detail: "it failed once of two times"};
  }

  async function drawn(
    prepared: PreparedRun,
    options: {onto: string; files: readonly OverlayEntry[]; number: number; conflicts: readonly string[]},
  ): Promise<Attempt> {
    const {repository, base} = prepared;
    const {onto, files, number, conflicts} = options;
    const {tree} = value(await overlayCommit({repository, onto, entries: files}));
    const commit = value(await keepCandidate({repository, base: base.commit, tree}));
    const candidate: Candidate = {commit, tree, base: base.commit};
    const changes: readonly Change[] = value(await repository.changes(base.commit, commit));
    const unsolved = value(await settledByConflicts(prepared, {commit, files: conflicts}));
    const usage = {...NO_USAGE, costUsd: Math.floor(random() * 100) / 10};
    const turn = {end: {kind: "answered" as const}, answer: "Done.", usage, model: "drawn", durationMs: 1};
    return {number, turn, candidate, changes: [...changes], verification: null, verdict: unsolved ?? verdictOf()};
  }

  /** What others do while a run works. */
  async function meanwhile(): Promise<void> {
    if (pick(0.2)) await pushTo(pick(0.5) ? branch : "main");
    if (pick(0.1)) {
      const event = await rig.commentEvent("/stop", {by: pick(0.8) ? "will" : "otto", on: some([...threads])});
      const number = isObject(event.event.payload) ? numberAt(event.event.payload["comment"], "id") : 0;
      delivered.add(number);
      if (event.actor === "will") asked.set(`comment-${number}`, 1);
      const place = await mkdtemp(join(rig.folder, "loop-"));
      const {signal} = new AbortController();
      const stop = await admit(await contextOf({rig, event, place, runId: 40_000, signal}));
      if (stop.kind === "go") wrong.push("/stop started a run");
    }
  }

  /** With the token of an app or of a machine's own account, Assay's comments are events too. */
  async function deliverOwn(): Promise<void> {
    for (const thread of threads)
      for (const comment of await comments(thread)) {
        const id = numberAt(comment, "id");
        if (delivered.has(id) || textAt(comment, "user", "login") !== BOT) continue;
        delivered.add(id);
        const isUser = pick(0.5);
        const author = isUser
          ? {login: "will", id: numberAt(await rig.github.as("ada", "GET", "/users/will"), "id"), type: "User"}
          : comment["user"];
        const event = await rig.commentEvent("ok", {
          by: "otto",
          on: thread,
          payload: {comment: {...comment, user: author ?? null}},
        });
        const own = isObject(event.event.payload) ? event.event.payload : {};
        const place = await mkdtemp(join(rig.folder, "loop-"));
        const {signal} = new AbortController();
        const outcome = await admit(
          await contextOf({
            rig,
            event: {...event, event: {...event.event, payload: own}},
            place,
            runId: 40_000,
            signal,
          }),
        );
        if (outcome.kind === "go") wrong.push(`Assay's comment started a run: ${textAt(comment, "body").slice(0, 80)}`);
      }
  }

  const steps: Step[] = shuffled(STEPS, random)
    .slice(0, length)
    .map((kind) => ({kind, isTwice: pick(0.15)}));
  for (const {kind, isTwice} of [{kind: "ask" as const, isTwice: false}, ...steps]) {
    const made = await happen(kind);
    if (made !== null) await play(made);
    if (made !== null && isTwice) await play(made, true);
    pull ??= await findPull();
    if (pull !== null) threads.add(pull);
    await deliverOwn();
  }

  const answers = (await Promise.all([...threads].map(comments)))
    .flat()
    .filter((one) => textAt(one, "user", "login") === BOT);
  for (const [id] of asked) {
    const own = answers.map((one) => textAt(one, "body")).filter((body) => readMarker(body)?.run === id);
    if (own.length !== 1) wrong.push(`${id} has ${own.length} answers`);
  }
  for (const one of answers) if (isProgress(textAt(one, "body"))) wrong.push("a report is not finished");
  const rounds = answers.filter((one) => {
    const marker = readMarker(textAt(one, "body"));
    return marker !== null && isRoundId(marker.run) && marker.spent !== undefined;
  });
  if (rounds.length > MAX_ROUNDS) wrong.push(`${rounds.length} rounds`);

  const reachable = new Set((await git(rig.origin.folder, ["log", "--all", "--format=%H %T"])).split(/\s/));
  for (const commit of theirs) if (!reachable.has(commit)) wrong.push(`the commit ${commit} of a person is lost`);
  for (const [tree, what] of trees) if (!reachable.has(tree)) wrong.push(`the work ${tree} (${what}) is lost`);
  for (const {ref, before, after} of rig.git.updates.slice(seenUpdates)) {
    if (!ref.endsWith(`issue-${issue}`) && !ref.includes(`issue-${issue}-`)) continue;
    if (!ref.startsWith("refs/heads/") || before === null) continue;
    if (after === null) wrong.push(`${ref} was deleted`);
    else
      await git(rig.origin.folder, ["merge-base", "--is-ancestor", before, after]).catch(() =>
        wrong.push(`${ref} was pushed by force`),
      );
  }
  return wrong;
}

const now = () => new Date().toISOString().replace(/\.\d+/, "");

function value<T>(result: Result<T, unknown>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
}

/** A push could start an update of another thread, which is played by another order at this moment. */
function onlyOf(branch: string, context: RunContext): RunContext {
  async function openPullRequests() {
    const open = await context.github.openPullRequests();
    return open.ok ? ok(open.value.filter(({headBranch}) => headBranch === branch)) : open;
  }
  return {...context, github: {...context.github, openPullRequests}};
}

/** The action's own surroundings for an event, in this process. */
async function contextOf(options: {rig: Rig; event: WorldEvent; place: string; runId: number; signal: AbortSignal}) {
  const {rig, event, place, runId, signal} = options;
  const path = join(place, "event.json");
  await writeFile(path, JSON.stringify(event.event.payload));
  Object.assign(process.env, {
    "INPUT_GITHUB-TOKEN": rig.github.tokenOf(BOT),
    "INPUT_RUNS-PER-HOUR": "100",
    "INPUT_AUTOMATIC-RUNS-PER-DAY": "1000",
    INPUT_JOB: "all",
    GITHUB_API_URL: rig.github.url,
    GITHUB_GRAPHQL_URL: `${rig.github.url}/graphql`,
    GITHUB_SERVER_URL: rig.git.url,
    GITHUB_REPOSITORY: rig.origin.name,
    GITHUB_RUN_ID: String(runId),
    GITHUB_RUN_ATTEMPT: "1",
    GITHUB_WORKSPACE: place,
    RUNNER_TEMP: place,
  });
  const context = await openRunContext({signal, print: () => {}, event: {name: event.event.name, path}});
  return value(context);
}
