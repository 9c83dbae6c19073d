/** Compares two versions of a configuration: a key that is gone, a list, a number or a level that checks less, and any other change. */

import {plainPath} from "../../git/paths.ts";
import type {FindingLevel} from "../../record/words.ts";
import {type Direction, directionOf} from "./directions.ts";
import type {Settings} from "./read-settings.ts";
import {selects} from "./selected-tests.ts";

type OldValues = readonly string[] | undefined;

export interface SettingChange {
  readonly key: string;
  readonly before: OldValues;
  readonly after: OldValues;
  /** of a value that checks less; null if its effect is not known */
  readonly level: FindingLevel | null;
}

/** `losesOption`: whether the options of a command check less. */
export interface ComparedVersions {
  readonly before: Settings;
  readonly after: Settings;
  readonly losesOption: (before: readonly string[], after: readonly string[]) => boolean;
}

/** The changed keys whose values check less, or whose effect is not known. */
export function compareSettings(versions: ComparedVersions): SettingChange[] {
  const {before, after} = versions;
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  return keys.flatMap((key): SettingChange[] => {
    const [old, now] = [before.get(key), after.get(key)];
    if (sorted(old) === sorted(now)) return [];
    const direction = directionOf(key);
    const isLevel = levelOf(key, old ?? now) !== null;
    const isWeaker = isLevel
      ? isLowerLevel(key, old, now)
      : direction !== null && DIRECTION_TESTS[direction.weaker](old, now, versions);
    if (isWeaker)
      return isOptionOfNewRule(key, before) ? [] : [{key, before: old, after: now, level: direction?.level ?? "flag"}];
    const isStricter = isLevel
      ? isLowerLevel(key, now, old)
      : direction !== null && DIRECTION_TESTS[direction.weaker](now, old, versions);
    return direction?.weaker === "nothing" || isStricter ? [] : [{key, before: old, after: now, level: null}];
  });
}

const sorted = (values: OldValues): string | undefined => values?.toSorted().join("\0");

/** The options of a rule that is new weaken nothing. */
function isOptionOfNewRule(key: string, before: Settings): boolean {
  const rule = /^(?:.* )?rules \S+(?= )/.exec(key)?.[0];
  return rule !== undefined && ![...before.keys()].some((one) => one === rule || one.startsWith(`${rule} `));
}

type ComparesDirection = (before: OldValues, after: OldValues, versions: ComparedVersions) => boolean;

const DIRECTION_TESTS: Readonly<Record<Direction, ComparesDirection>> = {
  "leaves-out": (before, after) =>
    isOn(after) ? !isOn(before) : !isOff(after) && gained(before, after).some((item) => !OUTPUT.test(item)),
  demands: (before, after) =>
    (isOn(before) && (after === undefined || isOff(after))) ||
    (isOff(after) && !isOff(before)) ||
    (before !== undefined && !isOff(before) && !isOn(before) && !isOn(after) && gained(after, before).length > 0),
  "switched-off": (before, after) => isOn(before) && !isOn(after),
  presets: (before, after) => gained(after, before).length > 0 && gained(before, after).length === 0,
  // Several folders can be all that there is at the root.
  selects(before, after) {
    const lost = gained(after?.map(withoutDepth), before?.map(withoutDepth));
    const isNegated = gained(before, after).some((item) => item.startsWith("!"));
    return (
      after !== undefined && (isNegated || (after.length > 1 ? lost.filter((item) => item !== ".") : lost).length > 0)
    );
  },
  "at-least": (before, after) =>
    (isOn(before) && !isOn(after)) ||
    numbersOf(before).some((from, at) => from > (numbersOf(after)[at] ?? Number.NEGATIVE_INFINITY)),
  "at-most": (before, after) =>
    numbersOf(before).some((from, at) => from * growthOf(before) < (numbersOf(after)[at] ?? from)),
  "limits-run": (before, after) => !isOff(after) && gained(before, after).length > 0,
  loads: (before, after) => gained(before, after).some((item) => PROGRAM.test(item)),
  "stands-in": (before, after) => gained(before, after).some((item) => STAND_IN.test(item)),
  options: (before, after, {losesOption}) => losesOption(before ?? [], after ?? []),
  warnings: (before, after) =>
    gained(after, before).some((item) => /^["']?error\b/.test(item)) ||
    gained(before, after).some((item) => /^["']?ignore(?:::[^:]*)?["']?$/.test(item)),
  nothing: () => false,
};

/** `before` and `after` are the values of one option of a command. */
export const checksLess = (direction: Direction, before: OldValues, after: OldValues): boolean =>
  DIRECTION_TESTS[direction](before, after, NO_OPTIONS);

const isOn = (values: OldValues): boolean =>
  values?.length === 1 && /^(?:true|on|yes|1|enable|always)$/i.test(values[0] ?? "");
const isOff = (values: OldValues): boolean =>
  values?.length === 1 && /^(?:false|off|no|0|none|disable|never)$/i.test(values[0] ?? "");

/** The items of `after` that `before` does not include, alone or in a folder, pattern or group. */
export function gained(before: OldValues, after: OldValues): string[] {
  const [old = [], now = []] = [before, after].map((values) => (values ?? []).flatMap(itemsOf));
  return now.filter((item) => !old.some((wide) => covers(wide, item)));
}

const itemsOf = (value: string): string[] =>
  value.split(/[,;\s]+/).flatMap((item) => {
    const name = item.replace(/^(?:<rootDir>|\.)\//, "");
    return name === "" ? [] : [MERGED_LINTERS[name] ?? name];
  });

/** Linters whose checks another one has (golangci-lint.run, "Migration guide"). */
const MERGED_LINTERS: Readonly<Record<string, string>> = {gosimple: "staticcheck", stylecheck: "staticcheck"};

/** `src` for `src/**` and `src/**\/*.ts`. */
const withoutDepth = (glob: string): string =>
  plainPath(glob).replace(/(?:^|\/)\*\*(?:\/\*(?:\.[\w{},*]+)?)?$/, "") || ".";

/** `E5` has `E501`, but `E` does not have `ERA`: only digits may follow. */
const covers = (wide: string, item: string): boolean =>
  wide === item ||
  wide === "ALL" ||
  (/^[A-Z]+\d*$/.test(wide) && item.startsWith(wide) && /^\d+$/.test(item.slice(wide.length))) ||
  selects([wide], item);

const UNITS: Readonly<Record<string, number>> = {k: 1e3, ki: 1024, m: 1e6, mi: 1024 ** 2, g: 1e9, ms: 1e-3};

/** The numbers of a list in their places: `["error", 8]`, `90%`, `10 kB`. */
const numbersOf = (values: OldValues): number[] =>
  (values ?? []).map((value) => {
    const [, number = "", unit = ""] = /^(-?[\d.]+)\s*(ms|[kmg]i?)?/i.exec(value) ?? [];
    return Number.parseFloat(number) * (UNITS[unit.toLowerCase()] ?? 1);
  });

/** Products grow, and limits of their size with them: a tenth of the commits in the history of some change one a little. */
const growthOf = (values: OldValues): number => (/^\d[\d.]*\s*[kmg]i?b$/i.test(values?.[0] ?? "") ? 1.25 : 1);

/** A file of the repository, not a part of a tool. */
const PROGRAM = /^(?:\.|\/|<rootDir>)|\.(?:[cm]?[jt]s|py)(?::\w+)?$/;
const STAND_IN = /(?:^|[^a-z])(?:tests?|mocks?|stubs?|fakes?)(?:[^a-z]|$)|\.d\.[cm]?ts$/i;
/** Build output, dependencies and caches contain nothing to check. */
const OUTPUT =
  /(?:^|\/|\*)(?:node_modules|dist|build|out|coverage|\.next|\.nuxt|\.output|target|\.cache|\.?venv|generated|\.git|__pycache__|\.turbo)(?:\/|$|\*)|^lib\/?$/;

const LEVELS: readonly (readonly string[])[] = [
  ["off", "none", "ignore", "allow", "skip"],
  ["info", "information", "hint", "suggestion", "basic", "note"],
  ["warn", "warning", "standard"],
  ["error", "deny", "forbid", "strict"],
];
/** Levels of linters that are levels only below these keys. */
const SHORT_LEVELS: Readonly<Record<string, number>> = {false: 0, "0": 0, "1": 2, "2": 3, true: 3, on: 3};
export const OF_RULES = /(?:^| )(?:rules|lints|errors|categories|analyzer|severity|level)(?: |$)|\.severity$/;

/** How much a failure counts; null for a value that says nothing about it. */
function levelOf(key: string, values: OldValues): number | null {
  const [first = ""] = values ?? [];
  const level = LEVELS.findIndex((words) => words.includes(first.toLowerCase()));
  return level >= 0 ? level : ((OF_RULES.test(key) && wordsAfterRules(key) ? SHORT_LEVELS[first] : undefined) ?? null);
}

/** The value of a rule itself, not one of its options. */
const wordsAfterRules = (key: string): boolean => !/ rules \S+ \S+ \S+$/.test(` ${key}`);

function isLowerLevel(key: string, before: OldValues, after: OldValues): boolean {
  const [from, to] = [levelOf(key, before), levelOf(key, after)];
  if (before === undefined) return to === 0;
  if (after === undefined) return from !== null && from > 0;
  if (from === null || to === null) return false;
  return to < from || (to === from && DIRECTION_TESTS["at-most"](before, after, NO_OPTIONS));
}

const NO_OPTIONS: ComparedVersions = {before: new Map(), after: new Map(), losesOption: () => false};
