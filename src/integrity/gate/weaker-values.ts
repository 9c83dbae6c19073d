/** Decides whether the value of a setting checks less than its value before. */
import {partsOf} from "../../tools/all-integrity.ts";
import type {IsWeaker, WeakerWhen} from "../../tools/tool-integrity.ts";
import {compareScripts} from "./script-weakness.ts";
import {isSubset, selects, selectsLess} from "./selected-tests.ts";

type SettingTextList = readonly string[];

const OFF = /^(?:false|off|0|no|none|False|never|skip)$/i;
const ON = /^(?:true|on|1|yes|True|error|always|\{.*|\$\{.*)$/i;
/** The command to which a setting adds options. */
const COMMAND = partsOf("addedOptions");

/** Directions in which a value that depends on the environment can check less. */
const BY_ENVIRONMENT: ReadonlySet<WeakerWhen> = new Set(["narrows", "narrows-folders", "grows", "shrinks", "lower"]);

const narrows = (before: SettingTextList | undefined, after: SettingTextList | undefined): boolean =>
  after !== undefined &&
  before?.join() !== after.join() &&
  !(before ?? []).every((item) => after.includes(item) || item === "" || isInFolderPattern(item, after));

const WEAKER: Readonly<
  Record<WeakerWhen, (before: SettingTextList | undefined, after: SettingTextList | undefined) => boolean>
> = {
  on: (before, after) => isAny(after, ON) && !isAny(before, ON),
  off: (before, after) => (isAny(after, OFF) && !isAny(before, OFF)) || (isAny(before, ON) && after === undefined),
  lower: (before, after) => numberOf(before) > (after === undefined ? Number.NEGATIVE_INFINITY : numberOf(after)),
  higher: (before, after) => numberOf(after) > numberOf(before),
  grows: (before, after) => (after ?? []).some((item) => !(before ?? []).includes(item) && !OUTPUT_FOLDER.test(item)),
  shrinks: (before, after) =>
    (before === undefined && after?.length === 0) ||
    ((before ?? []).some((item) => !(after ?? []).includes(item)) && (after ?? []).length < (before ?? []).length),
  "rule-lower": (before, after) =>
    (before !== undefined && severityOf(after) < severityOf(before)) ||
    (before === undefined && after !== undefined && severityOf(after) === 0) ||
    (before !== undefined && hasLooserOption(before, after ?? [])),
  "switched-on": (before, after) => before !== undefined && isAny(after, ON) && !isAny(before, ON),
  "switched-off": (before, after) => isAny(before, ON) && isAny(after, OFF),
  widens: (before, after) =>
    after !== undefined && !isAny(after, OFF) && after.some((item) => !(before ?? []).includes(item)),
  changes: (before, after) => before?.join() !== after?.join(),
  appears: (before, after) =>
    after !== undefined && !isAny(after, OFF) && (before === undefined || after.some((item) => !before.includes(item))),
  options: (before, after) =>
    compareScripts(`${COMMAND} ${(before ?? []).join(" ")}`, `${COMMAND} ${(after ?? []).join(" ")}`) !== null,
  warnings: (before, after) =>
    ((before ?? []).some(isStrictFilter) && !(after ?? []).some(isStrictFilter)) ||
    (after ?? []).some(
      (item) => !(before ?? []).includes(item) && /^["']?ignore(?:::[^:]*)?["']?$/.test(item.trim()),
    ) ||
    // A later filter comes first (docs.python.org/3/library/warnings.html).
    hidesOwnWarnings(before ?? [], after ?? []),
  replaces: (before, after) =>
    (after ?? []).some(
      (item) =>
        !(before ?? []).includes(item) &&
        /(?:^|[^a-z])(?:tests?|mocks?|stubs?|fakes?)(?:[^a-z]|$)|\.d\.[cm]?ts$/i.test(item),
    ),
  "selects-less": (before, after) => before !== undefined && after !== undefined && selectsLess(before, after),
  subset: (before, after) => isSubset(before ?? [], after ?? []),
  precedes: (before, after) =>
    before?.[0] !== undefined && before[0] !== after?.[0] && (after ?? []).includes(before[0]),
  loads: (before, after) => (after ?? []).some((item) => !(before ?? []).includes(item) && PROGRAM.test(item)),
  narrows,
  "narrows-folders": (before, after) =>
    narrows(
      before?.filter((item) => !isInFolder(item, after ?? [])),
      after,
    ),
};

export function isWeaker(
  when: WeakerWhen | IsWeaker,
  before: SettingTextList | undefined,
  after: SettingTextList | undefined,
): boolean {
  if (before?.join("\0") === after?.join("\0")) return false;
  const isComputed = (values: SettingTextList | undefined) => isAny(values, /\b(?:process\.env|os\.environ|getenv)\b/);
  if (
    typeof when === "string" &&
    BY_ENVIRONMENT.has(when) &&
    before !== undefined &&
    isComputed(after) &&
    !isComputed(before)
  )
    return true;
  // A list that appears selects from everything.
  if ((when === "narrows" || when === "narrows-folders") && before === undefined) return after !== undefined;
  return typeof when === "function" ? when(before ?? [], after ?? []) : WEAKER[when](before, after);
}

/** `src` has all that `src/core` has. */
const isInFolder = (item: string, folders: SettingTextList): boolean =>
  /^[\w<>.@/-]+$/.test(item) &&
  selects(
    folders.filter((folder) => !/[*?[{!]/.test(folder)),
    item.replace(/^<rootDir>\/|^\.\//, ""),
  );

/** `packages/*` has all that `packages/core` has. */
const isInFolderPattern = (item: string, patterns: SettingTextList): boolean =>
  /^[\w<>.@/-]+$/.test(item) &&
  !patterns.some((pattern) => pattern.startsWith("!")) &&
  selects(
    patterns.filter((pattern) => /^(?:[\w<>.@-]+\/)+\*{1,2}$/.test(pattern)),
    item.replace(/^<rootDir>\/|^\.\//, ""),
  );

/** A file of the repository, not one of the reporters of the tool. */
const PROGRAM = /^(?:\.|\/|<rootDir>)|\.[cm]?[jt]s$/;

/** `error` and `error::DeprecationWarning` fail a test for a warning. */
/** Warnings of one module were errors, `error::DeprecationWarning:name`, and a new filter hides the same category. */
function hidesOwnWarnings(before: readonly string[], after: readonly string[]): boolean {
  const categories = before.flatMap((item) => /^["']?error:[^:]*:(\w+):[\w.]+/.exec(item.trim())?.[1] ?? []);
  const hidden = after.filter((item) => !before.includes(item) && /^["']?(?:ignore|default|once):/.test(item.trim()));
  return hidden.some((item) => categories.some((category) => item.includes(`:${category}`)));
}

const isStrictFilter = (item: string): boolean => /^["']?error\b/.test(item.trim());

function isAny(values: SettingTextList | undefined, pattern: RegExp): boolean {
  return values?.some((value) => pattern.test(value)) ?? false;
}

function numberOf(values: SettingTextList | undefined): number {
  const number = Number.parseFloat(values?.[0] ?? "");
  return Number.isNaN(number) ? Number.NEGATIVE_INFINITY : number;
}

/** Build output, dependencies and caches contain nothing to check. `lib` is a folder of sources as often. */
const OUTPUT_FOLDER =
  /(?:^|\/|\*)(?:(?:node_modules|dist|build|out|coverage|\.next|\.nuxt|\.output|target|\.cache|\.venv|venv|generated|\.git|__pycache__|\.turbo|\.vercel|storybook-static)(?:\/|$|\*)|lib[/*]*$)/;

const LOOSER = /^(?:smart|allow\w*|allow-\S+|ignore\S*|skip\S*|except\S*|none|local|after-used|as-needed|minimal)$/i;

/** A rule of the same severity with a text for an exception that it did not have before. */
const hasLooserOption = (before: SettingTextList, after: SettingTextList): boolean =>
  after.some((item, index) => index > 0 && LOOSER.test(item) && !before.includes(item));

/** 0 off, 1 a warning, 2 an error; a rule without a level of its own counts as an error. */
function severityOf(values: SettingTextList | undefined): number {
  const [first = ""] = values ?? [];
  if (values === undefined) return 0;
  if (/^(?:off|0|allow|false|ignore|none)$|^\[?\s*["']?(?:off|0)["']?\b/.test(first)) return 0;
  return /^(?:warn|warning|1|info|information|basic|standard)$|^\[?\s*["']?warn/.test(first) ? 1 : 2;
}
