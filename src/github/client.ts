/** All requests of a run to GitHub's API, as functions that return a `Result` and never throw. */
import {checkVerbs, statusVerbs} from "./checks.ts";
import {commentVerbs, reactionVerbs} from "./comments.ts";
import {commitVerbs} from "./commits.ts";
import {peopleVerbs} from "./people.ts";
import {pullRequestVerbs} from "./pull-requests.ts";
import {type Connection, openTransport} from "./transport.ts";
import {workflowRunVerbs} from "./workflow-runs.ts";

/**
 * Returns the functions for one repository; sends nothing yet. `token` and `apiUrl` are passed in, never read from the
 * environment. Each function ends within about a minute, waits at least a second between writes, and fails with
 * `github-refused`, with status 0 if there was no answer.
 */
export function connect(connection: Connection) {
  const transport = openTransport(connection);
  const people = peopleVerbs(transport);
  return {
    rateLimit: transport.rateLimit,
    ...people,
    ...commentVerbs(transport, people.whoami),
    ...reactionVerbs(transport),
    ...pullRequestVerbs(transport),
    ...checkVerbs(transport),
    ...statusVerbs(transport),
    ...commitVerbs(transport),
    ...workflowRunVerbs(transport),
  };
}

export type GitHub = ReturnType<typeof connect>;
