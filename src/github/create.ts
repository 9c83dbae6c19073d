/** Creates things at GitHub exactly once, also when the answer to the first request was lost. */
import {setTimeout as wait} from "node:timers/promises";
import {ok, type Result, refused} from "../record/words.ts";
import {isAmbiguous, type Question, type Refused, type Transport} from "./transport.ts";

/**
 * Sends the question. After an ambiguous failure it looks with `find` whether the thing is there, and asks again only
 * when a complete look-up says no: a look-up that failed is no proof. Gives the created or found thing.
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
    const sent = await transport.ask(question);
    if (sent.ok || !isAmbiguous(sent.failure)) return sent;
    transport.log(`No clear answer to "${question.name}" (${sent.failure.message}); looking whether it was done.`);
    // what GitHub accepted shows up in its lists a moment later
    await wait(backoffMs * count ** 2);
    const found = await find();
    if (!found.ok) return refused(sent.failure);
    if (found.value !== null) return ok(found.value);
    if (count >= tries || performance.now() >= deadline) return sent;
  }
}
