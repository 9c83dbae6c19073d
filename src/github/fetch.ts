/** Fetches from GitHub's API, and accepts only complete answers that are JSON. */

import {HttpClient} from "@actions/http-client";
import {type Response as Answer, fetch as fetchThrough, type RequestInit} from "undici";
import {readBody} from "../process/read-body.ts";
import {parseJson} from "../record/parse-json.ts";

/** No answer to Assay's requests is nearly as long: 100 comments of 64 kB each are 6.4 MB. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

type Send = (address: string, init: RequestInit) => Promise<Answer>;

/** Sends requests by the runner's proxy, if there is one for this address. */
export function sendByProxy(address: string): Send {
  const dispatcher = new HttpClient().getAgentDispatcher(address);
  return (to, init) => fetchThrough(to, {...init, ...(dispatcher && {dispatcher})});
}

/**
 * Returns a `fetch` that fails, like a lost connection, if an answer takes longer than `tryMs`, is cut off or too long,
 * or has a good status without being JSON, such as a proxy's HTML page. Octokit itself would accept such text as data.
 * The log of a job is text.
 */
export function strictFetch(tryMs: number, send: Send) {
  return async (address: string, init: RequestInit): Promise<Response> => {
    const timeout = AbortSignal.timeout(tryMs);
    const outer = init.signal;
    const response = await send(address, {...init, signal: outer ? AbortSignal.any([outer, timeout]) : timeout});
    const body = await readBody(response, MAX_ANSWER_BYTES);
    if (body === null) throw new Error("the answer is too long");
    const text = body.toString("utf8");
    const isJson = !address.endsWith("/logs");
    if (response.ok && isJson && text !== "" && parseJson(text) === undefined)
      throw new Error("the answer is not JSON");
    const headers = new Headers([...response.headers]);
    // they describe the encoded bytes, and the text is decoded
    headers.delete("content-encoding");
    headers.delete("content-length");
    return new Response(text === "" ? null : text, {status: response.status, headers});
  };
}
