/** Fetches from GitHub's API, and accepts only complete answers that are JSON. */

/** No answer to Assay's requests is nearly as long: 100 comments of 64 kB each are 6.4 MB. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/**
 * Returns a `fetch` that fails, like a lost connection, if an answer takes longer than `tryMs`, is cut off or too long,
 * or has a good status without being JSON, such as a proxy's HTML page. Octokit itself would accept such text as data.
 */
export function strictFetch(tryMs: number, send: typeof fetch = fetch): typeof fetch {
  return async (input, init) => {
    const timeout = AbortSignal.timeout(tryMs);
    const outer = init?.signal;
    const response = await send(input, {...init, signal: outer ? AbortSignal.any([outer, timeout]) : timeout});
    const text = await readAll(response);
    if (response.ok && text !== "" && !isJson(text)) throw new Error("the answer is not JSON");
    const headers = new Headers(response.headers);
    // they describe the encoded bytes, and the text is decoded
    headers.delete("content-encoding");
    headers.delete("content-length");
    return new Response(text === "" ? null : text, {status: response.status, headers});
  };
}

async function readAll(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw new Error("the answer is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
