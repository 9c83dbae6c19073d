/** Observes in the kernel's counters whether a command without a network tried to reach another machine. */
import {lstat, readFile} from "node:fs/promises";
import {join} from "node:path";

type WatchedCommand = readonly [string, ...string[]];

/** Runs the command, and then copies the counters of its network namespace; the exit code is the command's. */
const COPY_COUNTERS = '"$@"; code=$?; cat /proc/net/snmp /proc/net/snmp6 2>/dev/null >"$0"; exit $code';
const MAX_BYTES = 100_000;

/**
 * In a namespace with only a loopback interface, each connection to another machine is counted as a packet without a
 * route, and each query to a name server on loopback as a datagram without a listener (RFC 4293, RFC 4113; the
 * kernel's networking/snmp_counter). `checkout` is a checkout whose `.git` is not part of the comparison of its files.
 */
export function watchNetwork(checkout: string): {
  around: (argv: WatchedCommand) => WatchedCommand;
  attempts: () => Promise<number | null>;
} {
  const file = join(checkout, ".git", "assay-network");
  return {
    around: (argv) => ["/bin/sh", "-c", COPY_COUNTERS, file, ...argv],
    async attempts() {
      // The command may have put anything there, such as a pipe without an end.
      const stat = await lstat(file).catch(() => null);
      const counters = stat?.isFile() && stat.size < MAX_BYTES ? await readFile(file, "utf8").catch(() => "") : "";
      return countAttempts(counters);
    },
  };
}

/** Null if the counters are missing. `snmp` has a row of names and a row of values, `snmp6` a pair in each row. */
export function countAttempts(counters: string): number | null {
  const rows = counters.split("\n").map((row) => row.trim().split(/\s+/));
  const counterOf = (protocol: string, name: string): number | null => {
    const [names, values] = rows.filter(([label]) => label === protocol);
    const value = Number(values?.[names?.indexOf(name) ?? -1]);
    return Number.isSafeInteger(value) ? value : null;
  };
  const pairOf = (name: string): number => Number(rows.find(([label]) => label === name)?.[1]) || 0;
  const noRoute = counterOf("Ip:", "OutNoRoutes");
  if (noRoute === null) return null;
  return noRoute + (counterOf("Udp:", "NoPorts") ?? 0) + pairOf("Ip6OutNoRoutes") + pairOf("Udp6NoPorts");
}
