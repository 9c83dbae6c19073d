/** Measures work by the processor's time, beside other work of the same kind: neighbours and slow machines lengthen both. */

/** What `common` takes on a machine that nobody else uses, in milliseconds of processor time. */
const COMMON_MS = 20;
const LINES = "<a b=c>`d` [e](f) &amp; g\n".repeat(40_000);

/** The least of three runs, in milliseconds of processor time of a common machine that nobody else uses. */
export function cpuTime(work: () => unknown): number {
  const runs = [1, 2, 3].map(() => ({beside: spent(common), own: spent(work), after: spent(common)}));
  const least = Math.min(...runs.flatMap(({beside, after}) => [beside, after]));
  return (COMMON_MS * Math.min(...runs.map(({own}) => own))) / Math.max(COMMON_MS, least);
}

/** Patterns, pieces and a new text, over a megabyte. */
function common(): number {
  const pieces = LINES.split("\n").map((line) => line.replace(/[<>`&]/g, (mark) => `\\${mark}`));
  return pieces.join("\n").length;
}

function spent(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const {user, system} = process.cpuUsage(before);
  return (user + system) / 1000;
}
