/** Says which values of a verify.json check less. It is Assay's own contract, so each key has a row. */
import {isNamed} from "../../git/paths.ts";
import {readSettings, type Settings} from "./read-settings.ts";

/** A missing key has no values. */
type IsWeaker = (before: readonly string[], after: readonly string[]) => boolean;

const turnedOn: IsWeaker = ([before], [after]) => after === "true" && before !== "true";
const turnedOff: IsWeaker = ([before], [after]) =>
  (after === "false" && before !== "false") || (before === "true" && after === undefined);
const grows: IsWeaker = (before, after) => after.some((item) => !before.includes(item));
const shrinks: IsWeaker = (before, after) =>
  before.some((item) => !after.includes(item)) && after.length < before.length;
const changes: IsWeaker = (before, after) => before.join("\0") !== after.join("\0");
const otherCommand: IsWeaker = (before, after) =>
  after.length > 0 && (before.length === 0 || before.some((item) => !after.includes(item)));
/** `standard` is the value of a missing key. */
const above =
  (standard: number): IsWeaker =>
  ([before = standard], [after = standard]) =>
    Number(after) > Number(before);
/** An earlier value of the list, which begins with the weakest. */
const before =
  (standard: string, ...values: readonly string[]): IsWeaker =>
  ([old = standard], [now = standard]) =>
    values.indexOf(now) < values.indexOf(old);

interface OwnSetting {
  /** tested against the key path, whose keys are joined by spaces */
  readonly key: RegExp;
  readonly isWeaker: IsWeaker;
}

export const OWN_SETTINGS: readonly OwnSetting[] = [
  {key: /^(?:enabled|integrity enabled|failFast)$|^overrides \S+$/, isWeaker: turnedOff},
  {key: /(?:^| )optional$/, isWeaker: turnedOn},
  {key: /^(?:skipPatterns|exampleSecrets|flaky|integrity allow|stages when|overrides \S+ when)$/, isWeaker: grows},
  {key: /^(?:protectedPaths|codeExtensions|stages name)$/, isWeaker: shrinks},
  {key: /^(?:stages|overrides \S+) command$/, isWeaker: otherCommand},
  {key: /^limits files$/, isWeaker: above(100)},
  {key: /^limits megabytes$/, isWeaker: above(4)},
  {key: /^integrity approvers$/, isWeaker: ([old = 1], [now = 1]) => Number(now) < Number(old)},
  {key: /^sandbox$/, isWeaker: before("auto", "off", "auto", "required")},
  {key: /^network$/, isWeaker: before("all", "all", "setup", "none")},
  {key: /^coverage$/, isWeaker: before("source", "source", "strict")},
  {key: /^onFailure$/, isWeaker: before("park", "commit", "park")},
  {key: /^publish$/, isWeaker: before("pull-request", "direct", "branch", "pull-request")},
  {key: /^integrity level \S+$/, isWeaker: changes},
];

export const isOwnFile = (path: string): boolean => isNamed(path, "verify.json");

/** The keys whose values check less. A new file has no earlier commands to compare with. */
export function weakerOwnKeys({before, after}: {readonly before: Settings | null; readonly after: Settings}): string[] {
  const keys = [...new Set([...(before?.keys() ?? []), ...after.keys()])];
  return keys.filter((key) => {
    const row = OWN_SETTINGS.find((one) => one.key.test(key));
    if (row === undefined || (before === null && key.endsWith(" command"))) return false;
    return row.isWeaker(before?.get(key) ?? [], after.get(key) ?? []);
  });
}

const MAX_VALUE = 40;

/** The settings of a new verify.json that check less than those before it, in a few words each. `before` is null without an earlier file. */
export function weakerSettings(file: string, {before, after}: {before: string | null; after: string}): string[] {
  const [old, current] = [readSettings(file, before), readSettings(file, after)];
  const longer = [...current].flatMap(([key, [time]]) =>
    key.endsWith(" timeout") && time !== old.get(key)?.[0] ? [key] : [],
  );
  return [...weakerOwnKeys({before: old, after: current}), ...longer].map((key) =>
    `${key} ${current.get(key)?.join(", ") ?? "removed"}`.slice(0, key.length + MAX_VALUE),
  );
}
