/** The way to GitHub's API: one bounded request at a time, repeated only where repeating is safe, answers checked. */

import {retry} from "@octokit/plugin-retry";
import {throttling} from "@octokit/plugin-throttling";
import {Octokit} from "@octokit/rest";
import type {z} from "zod";
import type {Failure} from "../record/failure.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {strictFetch} from "./fetch.ts";

/** A refusal of GitHub, or of the way to it. `status` is 0 when no answer came that could be read. */
export type Refused = Extract<Failure, {kind: "github-refused"}>;

/** Milliseconds, and a number of tries. Together they keep one call under about a minute (P13). */
export interface Patience {
  /** one request and its answer */
  readonly tryMs: number;
  /** one call, with all its tries and waits */
  readonly callMs: number;
  readonly tries: number;
  /** the first wait; it grows with the square of the tries */
  readonly backoffMs: number;
}
export const PATIENCE: Patience = {tryMs: 15_000, callMs: 65_000, tries: 3, backoffMs: 1_000};

export interface Connection {
  readonly token: string;
  /** such as https://api.github.com */
  readonly apiUrl: string;
  /** `owner/name` */
  readonly repository: string;
  readonly log: (line: string) => void;
  readonly patience?: Partial<Patience>;
}

/** What each request carries along; the retry policy reads the deadline. */
export interface Carried {
  readonly signal: AbortSignal;
  readonly deadline: number;
}

/** Sends one GraphQL document; the answer is the whole body, errors and all. */
export type AskGraph = (document: string, variables: object) => Promise<{readonly data: unknown}>;

/** One question to GitHub: its name for people, the form of a good answer, and the request. */
export interface Question<T> {
  readonly name: string;
  readonly answer: z.ZodType<T>;
  readonly send: (rest: Octokit["rest"], request: Carried, graph: AskGraph) => Promise<{readonly data: unknown}>;
}

export interface Transport {
  readonly owner: string;
  readonly repo: string;
  readonly patience: Patience;
  readonly log: (line: string) => void;
  /** never rejects */
  readonly ask: <T>(question: Question<T>) => Promise<Result<T, Refused>>;
}

/**
 * POSTs that give the same end when they are sent twice: a reaction is there once, the latest status wins, and the one
 * mutation there is, a commit on a branch, names the head that it expects there.
 */
const REPEATABLE_POSTS = [/\/reactions$/, /\/statuses\/[^/]+$/, /\/graphql$/];
/** Answers after which the same request may go through. */
const PASSING = new Set([429, 500, 502, 503, 504]);
/** The retry plugin would decide by its own table; here it only does the waiting. */
const EVERY_ERROR = Array.from({length: 200}, (_, index) => 400 + index);

/** Opens the way. Nothing is sent yet; `repository` must be of the form `owner/name`. */
export function openTransport(connection: Connection): Transport {
  const patience: Patience = {...PATIENCE, ...connection.patience};
  const [owner = "", repo = ""] = connection.repository.split("/");
  const {log} = connection;
  const Client = Octokit.plugin(politely(patience), retry, throttling);
  // one pace per server, repository and `lane`: at least a second between writes, three between comments
  const client = (lane: string) =>
    new Client({
      auth: connection.token,
      baseUrl: connection.apiUrl,
      userAgent: "assay",
      log: {debug: ignore, info: ignore, warn: log, error: ignore},
      request: {fetch: strictFetch(patience.tryMs)},
      // waits come from the policy below, in milliseconds
      retry: {doNotRetry: EVERY_ERROR, retryAfterBaseValue: 1},
      throttle: {
        id: `${connection.apiUrl} ${connection.repository} ${lane}`,
        retryAfterBaseValue: 1_000,
        onRateLimit: (after, options, _, count) => fits({after, count, options, log}),
        onSecondaryRateLimit: (after, options, _, count) => fits({after, count, options, log}),
      },
    });
  const octokit = client("");
  // The plugin counts every GraphQL request as a write; a query must not delay the run's first comment.
  const queries = client("queries");
  const ask: Transport["ask"] = async ({name, answer, send}) => {
    const signal = AbortSignal.timeout(patience.callMs);
    const carried: Carried = {signal, deadline: performance.now() + patience.callMs};
    const graph: AskGraph = (query, variables) =>
      (query.startsWith("query") ? queries : octokit).request({
        method: "POST",
        url: graphUrl(connection.apiUrl),
        query,
        variables,
        request: carried,
      });
    try {
      const response = await Promise.race([send(octokit.rest, carried, graph), atAbort(signal)]);
      const found = answer.safeParse(response.data);
      if (found.success) return ok(found.data);
      const fields = found.error.issues.map((issue) => issue.path.join(".") || "all of it").slice(0, 5);
      return refused(
        refusal({name, status: 0, message: `the answer has another form than expected: ${fields.join(", ")}`}),
      );
    } catch (error) {
      return refused(refusal({name, ...fromError(error)}));
    }
  };
  return {owner, repo, patience, log, ask};
}

/** On an Enterprise Server the two APIs have addresses of their own: https://docs.github.com/en/enterprise-server/graphql/guides */
function graphUrl(apiUrl: string): string {
  return `${apiUrl.replace(/\/v3\/?$/, "")}/graphql`;
}

/** True when GitHub may have done what was asked although no good answer came: look before asking again. */
export function isAmbiguous(failure: Refused): boolean {
  return failure.status === 0 || failure.status >= 500;
}

/**
 * Octokit plugin: says for each failed request whether and when the retry plugin sends it again. A create is sent again here
 * only after a 429, which GitHub says before it does anything: a lost answer does not mean a lost request.
 */
function politely({tries, backoffMs}: Patience): Parameters<typeof Octokit.plugin>[0] {
  return (octokit) => {
    octokit.hook.error("request", (error, options) => {
      if (!("request" in error)) throw error;
      const seen = fromError(error);
      const count = Number(options.request?.["retryCount"] ?? 0);
      const told = Number(error.response?.headers["retry-after"] ?? 0);
      const waitMs = waitBefore({
        count,
        backoffMs,
        toldSeconds: Number.isFinite(told) ? told : 0,
        chance: Math.random(),
      });
      const mayPass = seen.status === 0 || PASSING.has(seen.status);
      const again = mayPass && (seen.status === 429 || isRepeatable(options)) && waitMs < timeLeft(options.request);
      error.request.request = {...error.request.request, retries: again ? tries - 1 : 0, retryAfter: waitMs};
      throw error;
    });
  };
}

/**
 * Milliseconds to wait after the try number `count` (from 0): as long as GitHub has told, and a bit more by `chance` (0 to
 * 1), so that many runs do not come back at the same moment.
 */
export function waitBefore(o: {count: number; backoffMs: number; toldSeconds: number; chance: number}): number {
  const pause = o.backoffMs * (o.count + 1) ** 2;
  return Math.ceil(Math.max(pause, o.toldSeconds * 1_000) + (pause * o.chance) / 4);
}

function isRepeatable({method, url}: {method: string; url: string}): boolean {
  return method !== "POST" || REPEATABLE_POSTS.some((form) => form.test(url));
}

/** Rate limits are refusals before anything was done, so waiting is safe for writes too, once and if time allows. */
function fits(o: {after: number; count: number; options: object; log: (line: string) => void}): boolean {
  const request: unknown = "request" in o.options ? o.options.request : undefined;
  const again = o.count < 1 && o.after * 1_000 < timeLeft(request);
  o.log(
    `GitHub's rate limit is reached; ${again ? `going on in ${o.after} s` : `it asks for ${o.after} s, too long for this call`}.`,
  );
  return again;
}

function timeLeft(request: unknown): number {
  const known = typeof request === "object" && request !== null && "deadline" in request;
  return known && typeof request.deadline === "number" ? request.deadline - performance.now() : 0;
}

function atAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("no answer in the time allowed")), {once: true});
  });
}

/** Octokit gives a lost connection the status 500; only a response makes it GitHub's own word. */
function fromError(error: unknown): {status: number; message: string} {
  if (!(error instanceof Error)) return {status: 0, message: "no answer"};
  const answered = "response" in error && error.response !== undefined;
  const status = answered && "status" in error && typeof error.status === "number" ? error.status : 0;
  return {status, message: error.message};
}

/** GraphQL refuses with the status 200. */
export function graphRefused(
  request: string,
  errors: readonly {readonly message: string}[] | undefined,
): {ok: false; failure: Refused} {
  const message = errors?.[0]?.message || "the answer lacks what was asked for";
  return refused(refusal({name: request, status: 200, message}));
}

/** One line, no page of HTML: the sentence goes into a comment. */
function refusal({name, status, message}: {name: string; status: number; message: string}): Refused {
  const line = message.trimStart().startsWith("<") ? "an HTML page instead of an answer" : message.split("\n")[0];
  return {kind: "github-refused", request: name, status, message: (line ?? "").slice(0, 300)};
}

function ignore(): void {}
