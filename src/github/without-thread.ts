/** The GitHub client of a run without a thread: nothing is read from a thread or written to one. */
import {ok} from "../record/words.ts";
import type {GitHub} from "./client.ts";

export function withoutThread(github: GitHub): GitHub {
  const comment = async (_: unknown, body = "") => ok({id: 0, body, author: null, createdAt: "", updatedAt: ""});
  return {
    ...github,
    comments: async () => ok([]),
    findComment: async () => ok(null),
    createComment: comment,
    updateComment: comment,
    react: async () => ok(null),
    unreact: async () => ok(null),
  };
}
