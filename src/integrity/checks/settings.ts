/** Check: keys of tool configurations that check less than before. */

import type {IntegrityFinding} from "../../record/finding.ts";
import {filesOf, partsOf} from "../../tools/all-integrity.ts";
import type {WeakerWhen} from "../../tools/tool-integrity.ts";
import {isUnknownChange} from "../gate/other-settings.ts";
import {compareScripts} from "../gate/script-weakness.ts";
import {isSubset, losesNoTest, TEST_FILES} from "../gate/selected-tests.ts";
import {SETTING_RULES} from "../gate/setting-rules.ts";
import {readSettings, type Settings} from "../gate/settings.ts";
import type {InspectedChange, InspectedFile, IntegrityCheck} from "../source/inspected-change.ts";
import {isCodePath, isTestData} from "../source/kinds.ts";
import {compareLines} from "../source/line-changes.ts";

type Values = readonly string[];

const OFF = /^(?:false|off|0|no|none|False|never|skip)$/i;
const ON = /^(?:true|on|1|yes|True|error|always|\{.*|\$\{.*)$/i;

/** New files that take precedence over the settings that are there. */
const OVERRIDES = filesOf("overridingFiles", /\.cargo\/config(?:\.toml)?|verify\.json/);
/** The command to which a setting adds options. */
const COMMAND = partsOf("addedOptions");

export const settings: IntegrityCheck = {
  name: "settings",
  find(change) {
    return change.files
      .filter((file) => (file.status !== "added" || isInForce(file, change)) && !isTestData(file.path))
      .flatMap((file) => compareFile(file, change));
  },
};

/** A new file takes the place of settings that are there: by its name, or because a script of the change names it. */
function isInForce({path}: InspectedFile, {files}: InspectedChange): boolean {
  if (OVERRIDES.test(path)) return true;
  const name = path.slice(path.lastIndexOf("/") + 1);
  const scripts = files.filter(
    (file) => file.status !== "added" && /package\.json$|akefile$|\.(?:mk|sh|ya?ml)$|verify\.json$/.test(file.path),
  );
  return scripts.some(({before, after}) => compareLines(before, after).added.some(({text}) => text.includes(name)));
}

function compareFile(file: InspectedFile, change: InspectedChange): IntegrityFinding[] {
  const rules = SETTING_RULES.filter(({files}) => files.test(file.basePath));
  // A file with a name that the tool does not read is as good as deleted.
  const isGone = file.status === "deleted" || !rules.some(({files}) => files.test(file.path));
  const successor = isGone ? successorOf(file, change) : undefined;
  if (rules.length === 0 || (isGone && successor === undefined && isReplaced(file, change))) return [];
  const before = withNewPaths(readSettings(file.basePath, file.before), change);
  const current = successor ?? file;
  const after: Settings = isGone && successor === undefined ? new Map() : readSettings(current.path, current.after);
  if (before.size === 0 && file.status !== "added") return [];
  if (after.size === 0 && !isGone && !/^\s*\{\s*\}\s*$/.test(file.after ?? ""))
    return [finding({file, level: "flag", message: "The configuration cannot be read any more", key: ""})];
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  return keys.flatMap((key) => {
    const rule = rules.find((one) => one.key.test(key));
    // A new verify.json has no earlier commands to compare with.
    if (file.status === "added" && / command$/.test(key)) return [];
    if (rule === undefined) return otherChange(file, key, {before, after}, change);
    if (!isWeaker(rule.weaker, before.get(key), after.get(key))) return [];
    // The options of a rule that is new weaken nothing.
    const ruleKey = /^(?:.* )?rules \S+(?= )/.exec(key)?.[0];
    if (OF_RULES.has(rule.weaker) && ruleKey !== undefined && !before.has(ruleKey)) return [];
    if (
      isMoved(key, {before: before.get(key), after: after.get(key)}, change, file) ||
      areGone(rule.weaker, before.get(key), after.get(key), change)
    )
      return [];
    if (TEST_FILES.test(key) && losesNoTest(file, {before: before.get(key), after: after.get(key)}, change)) return [];
    // Without its base, the file loses all options of it.
    const isDetached = key === "extends" && !after.has(key) && !after.has("compilerOptions strict");
    const level = isDetached ? "flag" : rule.level;
    return [finding({file, level, key, message: wordChange(key, before, after)})];
  });
}

/** A key without a rule: what is not known to be harmless is for a person to decide. */
function otherChange(
  file: InspectedFile,
  key: string,
  {before, after}: {before: Settings; after: Settings},
  change: InspectedChange,
): IntegrityFinding[] {
  const values = {before: before.get(key), after: after.get(key)};
  if (file.status !== "modified" || !isUnknownChange(file.path, key, values.before, values.after)) return [];
  if (isMoved(key, values, change, file)) return [];
  const message = wordChange(key, before, after).replace("checks less", "can decide what is checked");
  return [finding({file, level: "flag", key, message})];
}

/** A new file of the same tool in the same folder with another ending: `.mocharc.js` after `.mocharc.yml`. */
function successorOf({basePath}: InspectedFile, {files}: InspectedChange): InspectedFile | undefined {
  const stem = (path: string) => path.replace(/\.(?:ya?ml|jsonc?|[cm]?[jt]s|toml|ini)$/, "");
  return files.find(({path, status}) => status === "added" && path !== basePath && stem(path) === stem(basePath));
}

/** Paths of files that the change moves, as they are after it. */
function withNewPaths(settings: Settings, {files}: InspectedChange): Settings {
  const moved = files.filter(({status}) => status === "renamed");
  if (moved.length === 0) return settings;
  const rename = (value: string) => {
    const path = value.replace(/^(?:<rootDir>|\.)\//, "");
    const file = moved.find(({basePath}) => basePath === path);
    return file === undefined ? value : value.replace(path, file.path);
  };
  return new Map([...settings].map(([key, values]) => [key, values.map(rename)]));
}

/** The tool now has another configuration file, or the checked folder was deleted with its configuration. */
function isReplaced({basePath}: InspectedFile, {files}: InspectedChange): boolean {
  const folder = basePath.slice(0, basePath.lastIndexOf("/") + 1);
  const rules = SETTING_RULES.filter((rule) => rule.files.test(basePath));
  return files.some(
    ({path, status}) =>
      (status === "added" && rules.some((rule) => rule.files.test(path))) ||
      (status === "deleted" && folder !== "" && path.startsWith(folder) && isCodePath(path)),
  );
}

/** The same value is under the same key in another file of the change: the configuration was split or moved. */
function isMoved(
  key: string,
  {before, after}: {before: Values | undefined; after: Values | undefined},
  {files}: InspectedChange,
  from: InspectedFile,
): boolean {
  const isGain = before === undefined && from.status !== "added";
  const values = before ?? after;
  if (values === undefined) return false;
  const otherFiles = files.filter((file) => file !== from && SETTING_RULES.some((rule) => rule.files.test(file.path)));
  return otherFiles.some((file) => {
    const [old, current] = [readSettings(file.basePath, file.before), readSettings(file.path, file.after)];
    return [...(isGain || from.status === "added" ? [...old, ...current] : current)].some(
      ([otherKey, value]) =>
        (key === otherKey || key.endsWith(` ${otherKey}`) || otherKey.endsWith(` ${key}`)) &&
        value.join() === values.join() &&
        (from.status === "added" || (isGain ? current : old).get(otherKey)?.join() !== value.join()),
    );
  });
}

/** What a list has lost was deleted by the change. */
function areGone(when: WeakerWhen, before: Values | undefined, after: Values | undefined, {files}: InspectedChange) {
  if (when !== "shrinks") return false;
  const lost = (before ?? []).filter((item) => !(after ?? []).includes(item)).map((item) => item.replace(/^\.?\//, ""));
  const gone = files.filter(({status}) => status === "deleted" || status === "renamed");
  return (
    lost.length > 0 &&
    lost.every((item) => item !== "" && gone.some(({basePath}) => `${basePath}/`.includes(`${item}/`)))
  );
}

const MAX_VALUE_LENGTH = 80;

/** Of lists that are too long to be shown whole, only what differs. */
function wordChange(key: string, before: Settings, after: Settings): string {
  const name = `\`${key.replaceAll(" ", ".")}\` checks less`;
  const [from, to] = [before.get(key), after.get(key)];
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

const isCut = (values: Values): boolean => values.join(", ").length > MAX_VALUE_LENGTH;

function wordValues(values: Values | undefined): string {
  if (values === undefined) return "not set";
  const text = values.join(", ");
  return isCut(values) ? `\`${text.slice(0, MAX_VALUE_LENGTH)}\`…` : `\`${text}\``;
}

function finding({
  file,
  level,
  message,
  key,
}: {
  file: InspectedFile;
  level: IntegrityFinding["level"];
  message: string;
  key: string;
}): IntegrityFinding {
  const lastKey = key.split(" ").at(-1) ?? "";
  const index = lastKey === "" ? -1 : (file.after ?? "").split("\n").findIndex((line) => line.includes(lastKey));
  const fix = "Restore the setting, and correct the code that it complains about.";
  return {check: "settings", level, path: file.path, line: index < 0 ? null : index + 1, message, fix};
}

/** Directions that options of lint rules have. */
const OF_RULES: ReadonlySet<WeakerWhen> = new Set(["widens", "switched-off"]);

/** Directions in which a value that depends on the environment can check less. */
const BY_ENVIRONMENT: ReadonlySet<WeakerWhen> = new Set(["narrows", "grows", "shrinks", "lower"]);

const WEAKER: Readonly<Record<WeakerWhen, (before: Values | undefined, after: Values | undefined) => boolean>> = {
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
    (after ?? []).some((item) => !(before ?? []).includes(item) && /^["']?ignore(?:::[^:]*)?["']?$/.test(item.trim())),
  replaces: (before, after) =>
    (after ?? []).some(
      (item) =>
        !(before ?? []).includes(item) &&
        /(?:^|[^a-z])(?:tests?|mocks?|stubs?|fakes?)(?:[^a-z]|$)|\.d\.[cm]?ts$/i.test(item),
    ),
  subset: (before, after) => isSubset(before ?? [], after ?? []),
  precedes: (before, after) =>
    before?.[0] !== undefined && before[0] !== after?.[0] && (after ?? []).includes(before[0]),
  loads: (before, after) => (after ?? []).some((item) => !(before ?? []).includes(item) && PROGRAM.test(item)),
  narrows: (before, after) =>
    after !== undefined &&
    before?.join() !== after.join() &&
    !(before ?? []).every((item) => after.includes(item) || item === ""),
};

function isWeaker(when: WeakerWhen, before: Values | undefined, after: Values | undefined): boolean {
  if (before?.join("\0") === after?.join("\0")) return false;
  const isComputed = (values: Values | undefined) => isAny(values, /\b(?:process\.env|os\.environ|getenv)\b/);
  if (BY_ENVIRONMENT.has(when) && before !== undefined && isComputed(after) && !isComputed(before)) return true;
  // A list that appears selects from everything.
  if (when === "narrows" && before === undefined) return after !== undefined;
  return WEAKER[when](before, after);
}

/** A file of the repository, not one of the reporters of the tool. */
const PROGRAM = /^(?:\.|\/|<rootDir>)|\.[cm]?[jt]s$/;

/** `error` and `error::DeprecationWarning` fail a test for a warning. */
const isStrictFilter = (item: string): boolean => /^["']?error\b/.test(item.trim());

function isAny(values: Values | undefined, pattern: RegExp): boolean {
  return values?.some((value) => pattern.test(value)) ?? false;
}

function numberOf(values: Values | undefined): number {
  const number = Number.parseFloat(values?.[0] ?? "");
  return Number.isNaN(number) ? Number.NEGATIVE_INFINITY : number;
}

/** Build output, dependencies and caches contain nothing to check. `lib` is a folder of sources as often. */
const OUTPUT_FOLDER =
  /(?:^|\/|\*)(?:(?:node_modules|dist|build|out|coverage|\.next|\.nuxt|\.output|target|\.cache|\.venv|venv|generated|\.git|__pycache__|\.turbo|\.vercel|storybook-static)(?:\/|$|\*)|lib[/*]*$)/;

const LOOSER = /^(?:smart|allow\w*|allow-\S+|ignore\S*|skip\S*|except\S*|none|local|after-used|as-needed|minimal)$/i;

/** A rule of the same severity with a text for an exception that it did not have before. */
const hasLooserOption = (before: Values, after: Values): boolean =>
  after.some((item, index) => index > 0 && LOOSER.test(item) && !before.includes(item));

/** 0 off, 1 a warning, 2 an error; a rule without a level of its own counts as an error. */
function severityOf(values: Values | undefined): number {
  const [first = ""] = values ?? [];
  if (values === undefined) return 0;
  if (/^(?:off|0|allow|false|ignore|none)$|^\[?\s*["']?(?:off|0)["']?\b/.test(first)) return 0;
  return /^(?:warn|warning|1|info|information|basic|standard)$|^\[?\s*["']?warn/.test(first) ? 1 : 2;
}
