/** The door to GitHub's API: every verb that a run needs, as data in and `Result` out, never a throw. */
import {checkVerbs} from "./checks.ts";
import {commentVerbs} from "./comments.ts";
import {commitVerbs} from "./commits.ts";
import {peopleVerbs} from "./people.ts";
import {threadVerbs} from "./threads.ts";
import {type Connection, openTransport} from "./transport.ts";

/**
 * Gives the verbs for one repository; nothing is sent yet. `token` and `apiUrl` are passed in, never read from the
 * environment. Each verb ends within about a minute, waits at least a second between writes, and fails with
 * `github-refused`, whose status is 0 when no answer came.
 */
export function connect(connection: Connection) {
  const transport = openTransport(connection);
  const people = peopleVerbs(transport);
  return {
    ...people,
    ...commentVerbs(transport, people.whoami),
    ...threadVerbs(transport),
    ...checkVerbs(transport),
    ...commitVerbs(transport),
  };
}

export type GitHub = ReturnType<typeof connect>;
