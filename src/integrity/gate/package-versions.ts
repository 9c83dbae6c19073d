/** Compares the versions of packages that check something: a later version is expected to check as much. */
import type {IsWeaker} from "../../tools/tool-integrity.ts";

/** Key paths whose values are versions of packages. */
export const PACKAGE_VERSION = /^(?:devDependencies|dependencies) /;

/** True unless a declared package is new, or has the same or a later version of the same origin. */
export const isOtherPackage: IsWeaker = ([before], [after]) => {
  if (before === undefined) return after === undefined || versionOf(after) === null;
  const order = compareVersions(before, after);
  return order === null || order < 0;
};

/** Negative for an earlier version after the change; null if the two have no order. */
export function compareVersions(before: string | undefined, after: string | undefined): number | null {
  const [old, now] = [versionOf(before), versionOf(after)];
  if (old === null || now === null) return null;
  const places = [0, 1, 2].map((place) => (now.numbers[place] ?? 0) - (old.numbers[place] ?? 0));
  const difference = places.find((one) => one !== 0);
  return difference ?? Number(old.isPrerelease) - Number(now.isPrerelease);
}

/** Null for a range with two ends, a tag or an address. */
function versionOf(text: string | undefined): {numbers: number[]; isPrerelease: boolean} | null {
  const [, version, prerelease] =
    /^(?:[\^~=v]|>=)?\s?v?(\d+(?:\.(?:\d+|[xX*])){0,2})(-[\w.-]+)?(?:\+[\w.-]+)?$/.exec(text ?? "") ?? [];
  if (version === undefined) return null;
  const numbers = version.split(".").map((part) => Number.parseInt(part, 10) || 0);
  return {numbers, isPrerelease: prerelease !== undefined};
}
