/** Sends requests to GitHub's API: each is bounded, repeated only where that is safe, and its answer is checked. */

import {setTimeout as wait} from "node:timers/promises";
import {throttling} from "@octokit/plugin-throttling";
import {Octokit} from "@octokit/rest";
import {z} from "zod";
import type {Failure} from "../record/failure.ts";
import {ok, type Result, refused} from "../record/words.ts";
import {type ContentLimit, openContentCount} from "./content-limit.ts";
import {sendByProxy, strictFetch} from "./fetch.ts";

/** GitHub refused, or could not be reached. `status` is 0 if there was no readable answer. */
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
const PATIENCE: Patience = {tryMs: 15_000, callMs: 65_000, tries: 3, backoffMs: 1_000};

export interface Connection {
  readonly token: string;
  /** such as https://api.github.com */
  readonly apiUrl: string;
  /** `owner/name` */
  readonly repository: string;
  readonly log: (line: string) => void;
  readonly patience?: Partial<Patience>;
}

/** The limits of one call; the retry policy reads the deadline. */
interface CallLimits {
  readonly signal: AbortSignal;
  readonly deadline: number;
}

/** Sends one GraphQL document; the answer is the whole body, including its errors. */
type SendGraphQL = (document: string, variables: object) => Promise<{readonly data: unknown}>;

export interface ApiCall<T> {
  /** for people */
  readonly name: string;
  /** the schema of a valid answer */
  readonly answer: z.ZodType<T>;
  readonly send: (
    rest: Octokit["rest"],
    request: CallLimits,
    graphql: SendGraphQL,
  ) => Promise<{readonly data: unknown}>;
}

export interface Transport {
  readonly owner: string;
  readonly repo: string;
  readonly patience: Patience;
  readonly log: (line: string) => void;
  /** the rate limit of the newest answer; null before the first one, and on servers without a limit */
  readonly rateLimit: () => RateLimit | null;
  readonly contentLimit: () => ContentLimit;
  /** never rejects */
  readonly call: <T>(apiCall: ApiCall<T>) => Promise<Result<T, Refused>>;
}

/**
 * POSTs whose repetition changes nothing: a reaction exists once, the latest status wins, a thread can be resolved
 * twice, equal attestations count as one, and the mutation for a commit on a branch names the head that it expects there.
 */
const REPEATABLE_POSTS = [/\/reactions$/, /\/statuses\/[^/]+$/, /\/attestations$/, /\/graphql$/];
/** After one of these statuses, or without an answer, the same request may succeed. */
const TEMPORARY = new Set([0, 429, 500, 502, 503, 504]);

/** Returns a function that makes one client for each lane; the throttling plugin paces each lane separately. */
function openLanes({token, apiUrl, repository, log}: Connection, patience: Patience, refusedFor: (s: number) => void) {
  /** GitHub refuses for a rate limit before it does anything, so a repeated write is safe: once, and if time allows. */
  const mayWait = (seconds: number, options: object, _: unknown, count: number): boolean => {
    refusedFor(seconds);
    const isShort = count < 1 && seconds * 1_000 < timeLeft("request" in options ? options.request : undefined);
    log(
      `GitHub's rate limit is reached; ${isShort ? `continuing in ${seconds} s` : `it asks for ${seconds} s, too long for this call`}.`,
    );
    return isShort;
  };
  const options = {
    baseUrl: apiUrl,
    userAgent: "assay",
    log: {debug: ignore, info: ignore, warn: log, error: ignore},
    request: {fetch: strictFetch(patience.tryMs, sendByProxy(apiUrl))},
  };
  const Client = Octokit.plugin(repeatRequests(patience), throttling);
  // At least a second between writes, three between comments.
  return (lane: string, groups: object = {}) => {
    const id = `${apiUrl} ${repository} ${lane}`;
    const throttle = {id, retryAfterBaseValue: 1_000, onRateLimit: mayWait, onSecondaryRateLimit: mayWait, ...groups};
    return new Client({...options, auth: token, throttle});
  };
}

/** Sends nothing yet. `repository` must be of the form `owner/name`. */
export function openTransport(connection: Connection): Transport {
  const patience: Patience = {...PATIENCE, ...connection.patience};
  const [owner = "", repo = ""] = connection.repository.split("/");
  const {log} = connection;
  const content = openContentCount(() => performance.now());
  const client = openLanes(connection, patience, content.refused);
  const octokit = client("");
  octokit.hook.before("request", ({method}) => content.add(method));
  // The plugin paces every GraphQL request as a write, which a query is not.
  const queries = client("queries", {write: {key: () => ({schedule: (_: object, start: () => unknown) => start()})}});
  let rate: RateLimit | null = null;
  const call: Transport["call"] = async ({name, answer, send}) => {
    const signal = AbortSignal.timeout(patience.callMs);
    const request: CallLimits = {signal, deadline: performance.now() + patience.callMs};
    const graphql: SendGraphQL = (query, variables) =>
      (query.startsWith("query") ? queries : octokit).request({
        method: "POST",
        // On an Enterprise Server the two APIs have different addresses: https://docs.github.com/en/enterprise-server/graphql/guides
        url: `${connection.apiUrl.replace(/\/v3\/?$/, "")}/graphql`,
        query,
        variables,
        request,
      });
    try {
      const response = await Promise.race([send(octokit.rest, request, graphql), atAbort(signal)]);
      rate = rateSchema.safeParse(response).data ?? rate;
      const parsed = answer.safeParse(response.data);
      if (parsed.success) return ok(parsed.data);
      const fields = parsed.error.issues.map((issue) => issue.path.join(".") || "all of it").slice(0, 5);
      return refused(
        refusal({name, status: 0, message: `the answer has a different form than expected: ${fields.join(", ")}`}),
      );
    } catch (error) {
      return refused(refusal({name, ...readError(error)}));
    }
  };
  return {owner, repo, patience, log, call, rateLimit: () => rate, contentLimit: content.limit};
}

export interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
}

/** GraphQL has its own limit. */
const rateSchema = z
  .object({
    headers: z.object({
      "x-ratelimit-limit": z.coerce.number(),
      "x-ratelimit-remaining": z.coerce.number(),
      "x-ratelimit-resource": z.literal("core").default("core"),
    }),
  })
  .transform(
    ({headers}): RateLimit => ({limit: headers["x-ratelimit-limit"], remaining: headers["x-ratelimit-remaining"]}),
  );

/** True if GitHub may have done what was requested although no valid answer came: then search before sending again. */
export function isAmbiguous(failure: Refused): boolean {
  return failure.status === 0 || failure.status >= 500;
}

/**
 * Octokit plugin: repeats a failed request if that is safe and may help. A create is repeated only after a 429, which
 * GitHub answers before it does anything: a lost answer does not mean a lost request.
 */
function repeatRequests({tries, backoffMs}: Patience): Parameters<typeof Octokit.plugin>[0] {
  return (octokit) => {
    octokit.hook.wrap("request", async (request, options) => {
      for (let count = 0; ; count += 1) {
        try {
          return await request(options);
        } catch (error) {
          const {status, retryAfter} = readError(error);
          const isSafe = status === 429 || options.method !== "POST" || isRepeatable(options.url);
          const waitMs = waitBefore({count, backoffMs, retryAfter, chance: Math.random()});
          const isLast = count + 1 >= tries || waitMs >= timeLeft(options.request);
          if (isLast || !isSafe || !TEMPORARY.has(status)) throw error;
          await wait(waitMs);
        }
      }
    });
  };
}

/**
 * Milliseconds to wait after try number `count` (from 0): at least the seconds of `retryAfter`. `chance` (0 to 1) adds
 * a little, so that many runs do not retry at the same moment.
 */
export function waitBefore(times: {count: number; backoffMs: number; retryAfter: number; chance: number}): number {
  const {count, backoffMs, retryAfter, chance} = times;
  const pause = backoffMs * (count + 1) ** 2;
  return Math.ceil(Math.max(pause, retryAfter * 1_000) + (pause * chance) / 4);
}

const isRepeatable = (url: string): boolean => REPEATABLE_POSTS.some((form) => form.test(url));

function timeLeft(request: unknown): number {
  const hasDeadline = typeof request === "object" && request !== null && "deadline" in request;
  return hasDeadline && typeof request.deadline === "number" ? request.deadline - performance.now() : 0;
}

function atAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("no answer in the time allowed")), {once: true});
  });
}

/** Octokit gives a lost connection the status 500; only a status with a response is GitHub's. */
const answeredSchema = z.object({
  status: z.number(),
  response: z.object({headers: z.object({"retry-after": z.coerce.number().catch(0)}).optional()}),
});

function readError(error: unknown): {status: number; message: string; retryAfter: number} {
  const {data} = answeredSchema.safeParse(error);
  const message = error instanceof Error ? error.message : "no answer";
  return {status: data?.status ?? 0, message, retryAfter: data?.response.headers?.["retry-after"] ?? 0};
}

/** GraphQL reports its refusals with status 200. */
export function graphRefused(
  request: string,
  errors: readonly {readonly message: string}[] | undefined,
): {ok: false; failure: Refused} {
  const message = errors?.[0]?.message || "the answer lacks what was asked for";
  return refused(refusal({name: request, status: 200, message}));
}

/** The message becomes one line without HTML, as it goes into a comment. */
function refusal({name, status, message}: {name: string; status: number; message: string}): Refused {
  const line = message.trimStart().startsWith("<") ? "an HTML page instead of an answer" : message.split("\n")[0];
  return {kind: "github-refused", request: name, status, message: (line ?? "").slice(0, 300)};
}

function ignore(): void {}
