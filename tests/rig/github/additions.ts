/** What the emulated GitHub lacks and the bot uses: permissions as GitHub words them, reactions, commit statuses, checks. */
import type {Origin} from "../origin.ts";
import {answerCiRuns, type CiRun} from "./ci-runs.ts";
import {type Person, permissionOf} from "./people.ts";

export interface Asked {
  readonly method: string;
  /** without the query */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
  readonly person: Person;
}

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export interface WorkflowRun {
  readonly event: string;
  /** ISO 8601 */
  readonly at: string;
  /** by their names; those that wait for others are missing */
  readonly jobs: Map<
    string,
    {readonly status: "in_progress" | "completed"; readonly started_at: string; readonly completed_at?: string}
  >;
}

/** In the thread of a comment on a file of a pull request. */
export interface Reply {
  readonly to: number;
  readonly body: string;
}

/** A person's review, with its comments on lines. */
export interface SubmittedReview {
  readonly body: string;
  readonly comments: readonly {
    readonly id: number;
    readonly body: string;
    readonly path: string;
    readonly line: number;
    readonly diff_hunk: string;
  }[];
}

export interface Reaction {
  readonly id: number;
  /** `comments/<id>` or `<issue number>` */
  readonly on: string;
  readonly login: string;
  readonly content: string;
}

export interface Status {
  readonly id: number;
  readonly sha: string;
  readonly state: string;
  readonly context: string;
  readonly description: string;
  readonly target_url: string;
}

/** A check run as it was made. */
export interface Check {
  readonly id: number;
  readonly head_sha: string;
  readonly name: string;
  readonly external_id: string;
  readonly conclusion: string;
  readonly output: {readonly title: string; readonly summary: string; readonly annotations: readonly unknown[]};
}

interface Statement {
  readonly predicateType: string;
  readonly subject: readonly {readonly digest: Readonly<Record<string, string>>}[];
}

export function json(status: number, value: unknown): Answer {
  return {status, headers: {"content-type": "application/json; charset=utf-8"}, body: JSON.stringify(value)};
}

export const notFound = (): Answer => json(404, {message: "Not Found", status: "404"});

/** GitHub's form of a 422: https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api */
export function invalid(field: string, message: string): Answer {
  const errors = [{resource: "Rig", field, code: "custom", message}];
  return json(422, {message: `Validation Failed: ${field} ${message}`, errors, status: "422"});
}

const TIME = "2026-01-02T03:04:05Z";

/** Gives the answer to an operation that is kept here, or null for the emulator's. */
export function makeAdditions(options: {
  people: readonly Person[];
  /** the emulator's account ids, by login */
  ids: Readonly<Record<string, number>>;
  origin: Origin;
  /** whether a comment or an issue is there, by its path */
  exists: (path: string) => Promise<boolean>;
  readonly workflowRuns: ReadonlyMap<number, WorkflowRun>;
  readonly ciRuns: readonly CiRun[];
  readonly submitted: ReadonlyMap<number, SubmittedReview>;
  /** cancels a workflow run; false if it is over */
  cancel: (run: number) => boolean;
}) {
  const reactions: Reaction[] = [];
  const statuses: Status[] = [];
  const checks: Check[] = [];
  const replies: Reply[] = [];
  const attestations: {readonly bundle: object; readonly statement: Statement}[] = [];
  let next = 1;

  async function answer({method, path, query, body, person}: Asked): Promise<Answer | null> {
    const about = /\/collaborators\/([^/]+)\/permission$/.exec(path)?.[1];
    if (about !== undefined) {
      const login = decodeURIComponent(about).toLowerCase();
      const found = options.people.find((one) => one.login.toLowerCase() === login);
      return found === undefined ? notFound() : json(200, {...permissionOf(found.role), user: userOf(found)});
    }
    const [, thing, on = "", reaction] =
      /^(.*\/(?:issues|pulls)\/((?:comments\/)?\d+))\/reactions(?:\/(\d+))?$/.exec(path) ?? [];
    if (thing !== undefined) {
      if (!(await options.exists(thing))) return notFound();
      return answerReaction({method, on, reaction, body, person});
    }
    if (method === "GET" && /\/pulls\/\d+\/comments$/.test(path))
      return json(200, replies.map(({to, body: text}) => ({id: next++, in_reply_to_id: to, body: text})).reverse());
    const [, ofReview, isComments] = /\/pulls\/\d+\/reviews\/(\d+)(\/comments)?$/.exec(path) ?? [];
    if (method === "GET" && ofReview !== undefined) {
      const review = options.submitted.get(Number(ofReview));
      if (review === undefined) return notFound();
      return json(200, isComments === undefined ? {id: Number(ofReview), body: review.body} : review.comments);
    }
    const [, comment, id] = /^(.*\/pulls)\/\d+\/comments\/(\d+)\/replies$/.exec(path) ?? [];
    if (comment !== undefined) {
      if (!(await options.exists(`${comment}/comments/${id}`))) return notFound();
      replies.push({to: Number(id), body: JSON.parse(body).body});
      return json(201, {id: next++});
    }
    const run = /\/actions\/runs\/(\d+)\/cancel$/.exec(path)?.[1];
    if (run !== undefined) {
      return options.cancel(Number(run))
        ? json(202, {})
        : json(409, {message: "Cannot cancel a workflow run that is completed."});
    }
    if (method === "GET" && path.includes("/actions/"))
      return answerCiRuns(options.ciRuns, path, query) ?? answerRuns(path, query);
    const shown = /\/git\/commits\/([0-9a-f]{40})$/.exec(path)?.[1];
    if (shown !== undefined) {
      if ((await options.origin.resolve(shown)) !== shown) return notFound();
      const {commit, tree, parents, message} = await options.origin.facts(shown);
      return json(200, {sha: commit, tree: {sha: tree}, parents: parents.map((sha) => ({sha})), message});
    }
    const sha = /\/statuses\/([^/]+)$/.exec(path)?.[1];
    if (method === "POST" && sha !== undefined) {
      if ((await options.origin.resolve(sha)) !== sha) return invalid("sha", `No commit found for SHA: ${sha}`);
      const {state, context = "default", description = "", target_url = ""} = JSON.parse(body);
      const status = {id: next++, sha, state, context, description, target_url};
      statuses.push(status);
      return json(201, {...status, created_at: TIME, updated_at: TIME, creator: userOf(person)});
    }
    const ref = /\/commits\/([^/]+)\/statuses$/.exec(path)?.[1];
    if (ref !== undefined) {
      const commit = await options.origin.resolve(decodeURIComponent(ref));
      if (commit === null) return notFound();
      return json(200, statuses.filter((status) => status.sha === commit).reverse());
    }
    if (method === "POST" && path.endsWith("/check-runs")) {
      // only apps may: a person's token gets what GitHub says to it
      if (person.type !== "Bot") return json(403, {message: "You must authenticate via a GitHub App."});
      const asked = JSON.parse(body);
      if ((await options.origin.resolve(asked.head_sha)) !== asked.head_sha)
        return invalid("head_sha", "No commit found");
      if ((asked.output?.annotations?.length ?? 0) > 50) return invalid("annotations", "exceeds a maximum quantity");
      if ((asked.output?.summary?.length ?? 0) > 65_535) return invalid("summary", "is too long");
      const check: Check = {id: next++, external_id: "", ...asked};
      checks.push(check);
      return json(201, check);
    }
    const digest = /\/attestations(?:\/(.+))?$/.exec(path)?.[1];
    if (digest !== undefined) {
      const wanted = query.get("predicate_type");
      const isAbout = ({subject, predicateType}: Statement) =>
        predicateType === wanted &&
        subject.some((one) => `sha256:${one.digest["sha256"]}` === decodeURIComponent(digest));
      const found = attestations.filter(({statement}) => isAbout(statement)).map(({bundle}) => ({bundle}));
      return json(200, {attestations: found.reverse()});
    }
    if (method === "POST" && path.endsWith("/attestations")) {
      const {bundle} = JSON.parse(body);
      const statement = JSON.parse(Buffer.from(bundle.dsseEnvelope.payload, "base64").toString());
      attestations.push({bundle, statement});
      return json(201, {id: next++});
    }
    if (method === "GET" && path.endsWith("/activity")) {
      // the rig keeps no list of pushes: people there commit when they push
      const ref = query.get("ref") ?? "";
      const tip = await options.origin.resolve(ref);
      if (tip === null) return json(200, []);
      return json(200, [{id: next++, ref, after: tip, timestamp: await options.origin.committedAt(tip)}]);
    }
    const checked = /\/commits\/([^/]+)\/check-runs$/.exec(path)?.[1];
    if (checked !== undefined) {
      const found = checks.filter(({head_sha}) => head_sha === decodeURIComponent(checked)).reverse();
      return json(200, {total_count: found.length, check_runs: found});
    }
    return null;
  }

  function answerRuns(path: string, query: URLSearchParams): Answer {
    const all = [...options.workflowRuns].map(([id, {event, at}]) => ({id, event, created_at: at, run_started_at: at}));
    const ofJobs = /\/actions\/runs\/(\d+)\/jobs$/.exec(path)?.[1];
    if (ofJobs !== undefined) {
      const jobs = [...(options.workflowRuns.get(Number(ofJobs))?.jobs ?? [])];
      const shown = jobs.map(([name, job]) => ({name: `Assay / ${name}`, html_url: `https://x.test/${name}`, ...job}));
      return json(200, {total_count: jobs.length, jobs: shown});
    }
    const id = /\/actions\/runs\/(\d+)$/.exec(path)?.[1];
    const run = all.find((one) => String(one.id) === id);
    if (id !== undefined) return run === undefined ? notFound() : json(200, run);
    if (!path.endsWith("/actions/workflows/assay.yml/runs")) return notFound();
    const runs = all.filter(({event}) => event === query.get("event"));
    return json(200, {total_count: runs.length, workflow_runs: runs});
  }

  function answerReaction(a: {method: string; on: string; reaction: string | undefined; body: string; person: Person}) {
    const mine = reactions.filter((one) => one.on === a.on);
    if (a.method === "GET") return json(200, mine.map(shown));
    if (a.method === "DELETE") {
      const at = reactions.findIndex((one) => one.on === a.on && String(one.id) === a.reaction);
      if (at === -1) return notFound();
      if (reactions[at]?.login !== a.person.login) return json(403, {message: "Must have admin rights."});
      reactions.splice(at, 1);
      return {status: 204, headers: {}, body: ""};
    }
    const {content} = JSON.parse(a.body);
    const before = mine.find((one) => one.login === a.person.login && one.content === content);
    if (before !== undefined) return json(200, shown(before));
    const made: Reaction = {id: next++, on: a.on, login: a.person.login, content};
    reactions.push(made);
    return json(201, shown(made));
  }

  function shown({id, login, content}: Reaction) {
    const person = options.people.find((one) => one.login === login);
    return {id, node_id: `REA_${id}`, user: person && userOf(person), content, created_at: TIME};
  }

  function userOf(person: Person) {
    const id = options.ids[person.login] ?? 0;
    return {login: person.login, id, node_id: `U_${id}`, type: person.type, site_admin: false};
  }

  return {answer, reactions, statuses, checks, replies, attestations};
}
