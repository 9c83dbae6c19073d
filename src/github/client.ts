/** All requests of a run to GitHub's API, as functions that return a `Result` and never throw. */
import {attestationMethods} from "./attestations.ts";
import {checkMethods, statusMethods} from "./checks.ts";
import {commentMethods, reactionMethods} from "./comments.ts";
import {commitMethods} from "./commits.ts";
import {lineCommentMethods} from "./line-comments.ts";
import {outcomeMethods} from "./outcomes.ts";
import {peopleMethods} from "./people.ts";
import {pictureMethods} from "./pictures.ts";
import {policyFileMethods} from "./policy-file.ts";
import {pullRequestMethods} from "./pull-requests.ts";
import {type Connection, openTransport} from "./transport.ts";
import {workflowRunMethods} from "./workflow-runs.ts";

/**
 * Returns the functions for one repository; sends nothing yet. `token` and `apiUrl` are passed in, never read from the
 * environment. Each function ends within about a minute, waits at least a second between writes, and fails with
 * `github-refused`, with status 0 if there was no answer.
 */
export function connect(connection: Connection) {
  const transport = openTransport(connection);
  const people = peopleMethods(transport);
  return {
    rateLimit: transport.rateLimit,
    contentLimit: transport.contentLimit,
    ...people,
    ...commentMethods(transport, people.whoami),
    ...reactionMethods(transport),
    ...pictureMethods(transport),
    ...policyFileMethods(transport),
    ...pullRequestMethods(transport),
    ...lineCommentMethods(transport),
    ...checkMethods(transport),
    ...statusMethods(transport),
    ...commitMethods(transport),
    ...attestationMethods(transport),
    ...workflowRunMethods(transport),
    ...outcomeMethods(transport),
  };
}

export type GitHub = ReturnType<typeof connect>;
