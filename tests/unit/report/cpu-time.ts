/** Measures work by the processor's time, beside other work of the same kind: neighbours and slow machines lengthen both. */

/** What `common` takes on a machine that nobody else uses, in milliseconds of processor time. */
const COMMON_MS = 20;
const LINES = "<a b=c>`d` [e](f) &amp; g\n".repeat(40_000);

/** Milliseconds of processor time of a common machine that nobody else uses: of the first run below `enough`, or the least of ten. */
export function cpuTime(work: () => unknown, {enough}: {enough: number}): number {
  const runs: {common: number; own: number}[] = [];
  let time: number;
  do {
    const [before, own, after] = [spent(commonWork), spent(work), spent(commonWork)];
    runs.push({common: Math.min(before, after), own});
    const common = Math.max(COMMON_MS, Math.min(...runs.map((run) => run.common)));
    time = (COMMON_MS * Math.min(...runs.map((run) => run.own))) / common;
  } while (time >= enough && runs.length < 10);
  return time;
}

/** Patterns, pieces and a new text, over a megabyte. */
function commonWork(): number {
  const pieces = LINES.split("\n").map((line) => line.replace(/[<>`&]/g, (mark) => `\\${mark}`));
  return pieces.join("\n").length;
}

function spent(work: () => unknown): number {
  const before = cpuClock();
  work();
  return cpuClock() - before;
}

/** Milliseconds of processor time of this process: programs next to it hardly add to them. */
export function cpuClock(): number {
  const {user, system} = process.cpuUsage();
  return (user + system) / 1000;
}
