/** Takes fences away from one run, so that it has the next level that the machine offers. */

/** Programs that are missing for the run alone. Unlike dash, bash hands on variables with a dash in their names. */
export const without = (...names: readonly string[]): readonly string[] => [
  ...["unshare", "--mount", "/bin/bash", "-c"],
  `${names.map((name) => `mount --bind /bin/false "$(command -v ${name})"`).join("; ")}; exec "$@"`,
  "without",
];

/** They have to be taken away before they can be missing. */
export const isAble = process.getuid?.() === 0;

/** Each level at which agent and stages are confined, as far as it can be had here. */
export const LEVELS = [
  {name: "bubblewrap", under: [], isolation: "sandbox", isThere: true},
  {name: "namespaces", under: without("bwrap"), isolation: "pid-namespace", isThere: isAble},
].filter(({isThere}) => isThere);
