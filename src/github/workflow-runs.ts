/** Cancels workflow runs. */
import {z} from "zod";
import {ok, type Result} from "../record/words.ts";
import type {Refused, Transport} from "./transport.ts";

export function workflowRunVerbs({owner, repo, ask}: Transport) {
  /**
   * Asks GitHub to cancel a workflow run, as the button does. `over`: it has already ended. The token needs `actions:
   * write`.
   */
  async function cancelRun(id: string): Promise<Result<"cancelled" | "over", Refused>> {
    const answer = await ask({
      name: `cancel the workflow run ${id}`,
      answer: z.unknown(),
      send: (rest, request) => rest.actions.cancelWorkflowRun({owner, repo, run_id: Number(id), request}),
    });
    if (answer.ok) return ok("cancelled");
    return [404, 409].includes(answer.failure.status) ? ok("over") : answer;
  }

  return {cancelRun};
}
