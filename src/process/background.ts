/** Runs a program so that nothing else on the machine waits for it. */
import {ownPrograms} from "./own-programs.ts";

/**
 * Where the kernel groups processes by session, `nice` weighs only those of one session against each other: two programs
 * with a session each get half of the machine, whatever their values. There the session's own value has to be set (sched(7),
 * "The autogroup feature"). An unprivileged write is refused when another came less than a tenth of a second before.
 */
const LOW = `
group=/proc/self/autogroup
for tries in 1 2 3 4 5; do
  [ ! -w $group ] && break
  echo 19 > $group && break
  sleep 0.1
done 2>/dev/null
exec "$0" -n 19 "$@"
`;

/** Takes a program and its arguments, and gives those that run it at the lowest priority; its exit is the program's own. */
export function runInBackground(argv: readonly [string, ...string[]]): readonly [string, ...string[]] {
  const nice = ownPrograms().find("nice");
  return nice.ok ? ["/bin/sh", "-c", LOW, nice.value, ...argv] : argv;
}
