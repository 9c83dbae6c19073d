/** Runs a program at the lowest priority. */
import {ownPrograms} from "./own-programs.ts";

/**
 * If the kernel groups processes by session, `nice` only compares processes of one session: two programs in two
 * sessions get half of the machine each, with any nice values. Then the session's own value must be set (sched(7), "The
 * autogroup feature"). The kernel refuses an unprivileged write less than a tenth of a second after another.
 */
const LOW_PRIORITY_SCRIPT = `
group=/proc/self/autogroup
for tries in 1 2 3 4 5; do
  [ ! -w $group ] && break
  echo 19 > $group && break
  sleep 0.1
done 2>/dev/null
exec "$0" -n 19 "$@"
`;

/** Returns the arguments that run this program at the lowest priority; the exit code remains the program's own. */
export function runInBackground(argv: readonly [string, ...string[]]): readonly [string, ...string[]] {
  const nice = ownPrograms().find("nice");
  return nice.ok ? ["/bin/sh", "-c", LOW_PRIORITY_SCRIPT, nice.value, ...argv] : argv;
}
