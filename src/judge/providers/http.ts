/** Asks a model over HTTP, with a time limit for the whole call. */
import {readBody} from "../../process/read-body.ts";
import type {NotJudgedReason} from "../../record/opinion.ts";
import {parseJson} from "../../record/parse-json.ts";
import {NO_USAGE} from "../../record/usage.ts";
import type {AskModel, ModelReply} from "../ask-model.ts";
import {ENDPOINTS, type EndpointName, readResponse, requestTo} from "./endpoints.ts";

/** An opinion usually has a few thousand bytes. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** One call for each prompt, without a retry, because a run does not wait for its judge. */
export function askEndpoint(options: {
  provider: EndpointName;
  model: string;
  variables: Readonly<Record<string, string | undefined>>;
  timeoutMs: () => number;
  signal: AbortSignal;
}): AskModel {
  const endpoint = ENDPOINTS[options.provider];
  const key = options.variables[endpoint.key] ?? "";
  const baseUrl = options.variables[endpoint.urlVariable] || endpoint.url;
  return async (prompt) => {
    const startMs = performance.now();
    const failedReply = (why: NotJudgedReason, detail: string): ModelReply => ({
      ...{kind: "failed", why, detail},
      ...{usage: NO_USAGE, durationMs: performance.now() - startMs},
    });
    if (key === "") return failedReply("missing-key", `the variable ${endpoint.key} is not set`);
    if (!/^https?:/i.test(baseUrl))
      return failedReply("model-failed", `${endpoint.urlVariable} does not start with https:// or http://`);
    const {url, headers, body} = requestTo({endpoint, baseUrl, model: options.model, key, prompt});
    // `AbortSignal.timeout` rejects fractions.
    const timeoutMs = Math.ceil(options.timeoutMs());
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      // Following a redirect would send the key to another server.
      const init = {method: "POST", headers, body, redirect: "error"} as const;
      const response = await fetch(url, {...init, signal: AbortSignal.any([timeout, options.signal])});
      const text = await readBody(response, MAX_ANSWER_BYTES);
      if (!response.ok) return failedReply("model-failed", describeStatus(response.status));
      const answer = text === null ? null : readResponse(endpoint.form, parseJson(text.toString("utf8")));
      if (answer === null) return failedReply("model-failed", "the endpoint's answer does not have its form");
      const {usage} = answer;
      if (answer.isCutOff) return {...failedReply("model-failed", "the answer was cut off at its length limit"), usage};
      const durationMs = performance.now() - startMs;
      return {kind: "answered", text: answer.text, model: `${options.provider}/${options.model}`, usage, durationMs};
    } catch (error) {
      if (options.signal.aborted) return failedReply("cancelled", "the run was cancelled");
      if (timeout.aborted) return failedReply("timed-out", `no answer within ${Math.round(timeoutMs / 1000)} s`);
      return failedReply("model-failed", `the endpoint could not be reached (${causeOf(error)})`);
    }
  };
}

/** The usual cause of a status from these providers. The body is not shown, because it may repeat the key. */
const CAUSES: Readonly<Record<number, string>> = {
  401: ": it does not accept the key",
  403: ": the key may not use the model",
  404: ": the model or the address is wrong",
  429: ": too many requests, or no credit",
};

function describeStatus(status: number): string {
  return `the endpoint answered with status ${status}${CAUSES[status] ?? ""}`;
}

/** The code of a network error. Messages of `fetch` can contain the address, which may have a key in it. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : null;
  return cause instanceof Error && "code" in cause ? String(cause.code) : "no connection";
}
