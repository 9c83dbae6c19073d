/** Takes fences away from one run, so that it has the next level that the machine offers. */
import {spawnSync} from "node:child_process";
import {probeSandbox} from "../../src/process/probes.ts";

/** Programs that are missing for the run alone. Unlike dash, bash hands on variables with a dash in their names. */
export const without = (...names: readonly string[]): readonly string[] => [
  ...["unshare", "--mount", "/bin/bash", "-c"],
  `${names.map((name) => `mount --bind /bin/false "$(command -v ${name})"`).join("; ")}; exec "$@"`,
  "without",
];

/** `nobody`, who is on every machine */
const ORDINARY = 65_534;

/** Both steps of a run as an ordinary user, to whom the machines of all runs in this world are given first. */
export const asOrdinaryUser = (world: string): readonly string[] => [
  ...["/bin/bash", "-e", "-c"],
  `chmod a+x "$1"; chown -R ${ORDINARY}:${ORDINARY} "$1"/run-*; shift; exec "$@"`,
  ...["as", world, "setpriv", "--reuid", `${ORDINARY}`, "--regid", `${ORDINARY}`, "--clear-groups", "--"],
];

/** Another user may not be allowed to read this Node, or any folder above it. */
function runsAsAnotherUser(): boolean {
  const user = ["--reuid", `${ORDINARY}`, "--regid", `${ORDINARY}`, "--clear-groups"];
  return spawnSync("setpriv", [...user, "--", process.execPath, "--version"]).status === 0;
}

/** Programs have to be taken away before they can be missing, and only root becomes another user. */
export const isAble = process.getuid?.() === 0 && runsAsAnotherUser();

export const hasBubblewrap = (await probeSandbox({network: true})).ok;
/** Ends the title of a test that is skipped without it. */
export const NEEDS_BUBBLEWRAP = hasBubblewrap ? "" : " (not on this machine: bubblewrap)";

/** Each level at which agent and stages are confined; a test of one that cannot be had here is skipped. */
export const LEVELS = [
  {
    level: "bubblewrap",
    name: `bubblewrap${NEEDS_BUBBLEWRAP}`,
    under: [],
    isolation: "sandbox",
    isThere: hasBubblewrap,
  },
  {
    level: "namespaces",
    name: `namespaces${isAble ? "" : " (needs root)"}`,
    under: hasBubblewrap ? without("bwrap") : [],
    isolation: "pid-namespace",
    isThere: isAble,
  },
] as const;
