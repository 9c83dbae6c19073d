/** Creates something on GitHub exactly once, also if the answer to the first request is lost. */
import {setTimeout as wait} from "node:timers/promises";
import {ok, type Result} from "../record/words.ts";
import {isAmbiguous, type Question, type Refused, type Transport} from "./transport.ts";

/**
 * Sends the question. After an ambiguous failure it looks with `find`, and sends again only if a complete look-up found
 * nothing: a failed look-up proves nothing. Returns what was created or found.
 */
export async function createOnce<T>(options: {
  transport: Transport;
  question: Question<T>;
  find: () => Promise<Result<T | null, Refused>>;
}): Promise<Result<T, Refused>> {
  const {transport, question, find} = options;
  const {tries, backoffMs, callMs} = transport.patience;
  const deadline = performance.now() + callMs;
  for (let count = 1; ; count += 1) {
    const answer = await transport.ask(question);
    if (answer.ok || !isAmbiguous(answer.failure)) return answer;
    transport.log(`No clear answer to "${question.name}" (${answer.failure.message}); looking whether it was done.`);
    // GitHub lists what it accepted a moment later
    await wait(backoffMs * count ** 2);
    const existing = await find();
    if (!existing.ok) return answer;
    if (existing.value !== null) return ok(existing.value);
    if (count >= tries || performance.now() >= deadline) return answer;
  }
}
