/** Creates something on GitHub exactly once, even if the answer to the first request is lost. */
import {setTimeout as wait} from "node:timers/promises";
import {ok, type Result} from "../record/words.ts";
import {type ApiCall, isAmbiguous, type Refused, type Transport} from "./transport.ts";

/**
 * Sends the request. After an ambiguous failure it searches with `find`, and sends again only if a complete search
 * found nothing, because a failed search proves nothing. Returns what was created or found.
 */
export async function createOnce<T>(options: {
  transport: Transport;
  apiCall: ApiCall<T>;
  find: () => Promise<Result<T | null, Refused>>;
}): Promise<Result<T, Refused>> {
  const {transport, apiCall, find} = options;
  const {tries, backoffMs, callMs} = transport.patience;
  const deadline = performance.now() + callMs;
  for (let count = 1; ; count += 1) {
    const answer = await transport.call(apiCall);
    if (answer.ok || !isAmbiguous(answer.failure)) return answer;
    transport.log(`No clear answer to "${apiCall.name}" (${answer.failure.message}); looking whether it was done.`);
    // GitHub lists what it accepted a moment later
    await wait(backoffMs * count ** 2);
    const searchResult = await find();
    if (!searchResult.ok) return answer;
    if (searchResult.value !== null) return ok(searchResult.value);
    if (count >= tries || performance.now() >= deadline) return answer;
  }
}
