/** The words of findings about settings: what has changed, and what to do. */
import {compareVersions, PACKAGE_VERSION} from "../gate/package-versions.ts";
import type {Settings} from "../gate/settings.ts";

const MAX_VALUE_LENGTH = 80;

/** Of lists that are too long to be shown whole, only what differs. */
export function wordChange(key: string, before: Settings, after: Settings): string {
  const [from, to] = [before.get(key), after.get(key)];
  const name = `\`${key.replaceAll(" ", ".")}\` ${wordEffect(key, from, to)}`;
  if (from === undefined || to === undefined || ![from, to].some(isCut))
    return `${name}: ${wordValues(from)} before, ${wordValues(to)} now`;
  const lost = from.filter((item) => !to.includes(item));
  const gained = to.filter((item) => !from.includes(item));
  const difference = [
    ...(lost.length > 0 ? [`it loses ${wordValues(lost)}`] : []),
    ...(gained.length > 0 ? [`it gets ${wordValues(gained)}`] : []),
  ];
  return `${name}: ${difference.join(" and ") || "its items have another order"}`;
}

function wordEffect(key: string, from: readonly string[] | undefined, to: readonly string[] | undefined): string {
  if (!PACKAGE_VERSION.test(key)) return "checks less";
  if (to === undefined) return "is not there any more";
  return (compareVersions(from?.[0], to[0]) ?? 0) < 0 ? "is an earlier version" : "has changed";
}

const isCut = (values: readonly string[]): boolean => values.join(", ").length > MAX_VALUE_LENGTH;

function wordValues(values: readonly string[] | undefined): string {
  if (values === undefined) return "not set";
  const text = values.join(", ");
  return isCut(values) ? `\`${text.slice(0, MAX_VALUE_LENGTH)}\`…` : `\`${text}\``;
}

/** What a reader of the finding can do. */
export function wordFix(path: string, key: string): string {
  if (/(^|\/)verify\.json$/.test(path)) return "Restore the setting, or have it approved.";
  if (PACKAGE_VERSION.test(key)) return "Check that this version finds as much as the one before.";
  return "Restore the setting, and correct the code that it complains about.";
}
