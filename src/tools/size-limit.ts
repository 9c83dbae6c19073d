/** size-limit: the limits for the size of what is built. */
import type {IsWeaker, ToolIntegrity} from "./tool-integrity.ts";

/** Bytes or seconds (github.com/ai/size-limit, "Config"). */
const UNITS: Readonly<Record<string, number>> = {kb: 1e3, kib: 1024, mb: 1e6, mib: 1024 ** 2, gb: 1e9, ms: 1e-3};

function amountOf(text: string): number {
  const [, number, unit = ""] = /^([\d.]+)\s*([a-z]*)$/i.exec(text.trim()) ?? [];
  return number === undefined ? Number.NaN : Number(number) * (UNITS[unit.toLowerCase()] ?? 1);
}

/** Limits that are gone, next to those in their place; the other entries can have another order. */
const raisesSize: IsWeaker = (before, after) => {
  const amounts = (list: readonly string[], other: readonly string[]) =>
    list
      .filter((item) => !other.includes(item))
      .map(amountOf)
      .sort((one, next) => next - one);
  const [lost, fresh] = [amounts(before, after), amounts(after, before)];
  return fresh.some((amount, index) => amount > GROWTH * (lost[index] ?? Number.POSITIVE_INFINITY));
};

/** Products grow, and their limits with them: a tenth of the commits in the history of some change one a little. */
const GROWTH = 1.25;

const RUNS = /(?:^|[\s/])size-limit(?:\s|$)/;

export const sizeLimitIntegrity: ToolIntegrity = {
  alignment: {
    files: /(?:^|\/)package\.json$/,
    // Without a script that runs it, a limit checks nothing.
    align({before, after}) {
      const isRun = [...after].some(
        ([key, values]) => key.startsWith("scripts ") && values.some((one) => RUNS.test(one)),
      );
      const limits = before.get("size-limit limit");
      return isRun || limits === undefined
        ? {before, after}
        : {before, after: new Map([...after, ["size-limit limit", limits]])};
    },
  },
  settings: [
    {
      files: /(?:^|\/)(?:package|\.size-limit)\.json$/,
      rules: [[/^(?:size-limit )?limit$/, raisesSize]],
    },
  ],
};
