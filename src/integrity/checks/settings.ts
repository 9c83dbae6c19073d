/** Check: keys of tool configurations that check less than before. */
import type {IntegrityFinding} from "../../record/finding.ts";
import {compareScripts} from "../gate/script-weakness.ts";
import {losesNoTest, TEST_FILES} from "../gate/selected-tests.ts";
import {SETTING_RULES, type WeakerWhen} from "../gate/setting-rules.ts";
import {readSettings, type Settings} from "../gate/settings.ts";
import type {InspectedChange, InspectedFile, IntegrityCheck} from "../source/inspected-change.ts";
import {isCodePath, isTestData} from "../source/kinds.ts";
import {compareLines} from "../source/line-changes.ts";

type Values = readonly string[];

const OFF = /^(?:false|off|0|no|none|False|never|skip)$/i;
const ON = /^(?:true|on|1|yes|True|error|always|\{.*|\$\{.*)$/i;

/** New files that take precedence over the settings that are there. */
const OVERRIDES =
  /(?:^|\/)(?:\.cargo\/config(?:\.toml)?|\.?ruff\.toml|pytest\.ini|\.mypy\.ini|mypy\.ini|ty\.toml|pyrefly\.toml|verify\.json)$/;

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
  if (rules.length === 0 || (isGone && isReplaced(file, change))) return [];
  const before = readSettings(file.basePath, file.before);
  const after: Settings = isGone ? new Map() : readSettings(file.path, file.after);
  if (before.size === 0 && file.status !== "added") return [];
  if (after.size === 0 && !isGone && !/^\s*\{\s*\}\s*$/.test(file.after ?? ""))
    return [finding({file, level: "flag", message: "The configuration cannot be read any more", key: ""})];
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  return keys.flatMap((key) => {
    const rule = rules.find((one) => one.key.test(key));
    // The commands of a new verify.json have nothing to be compared with.
    if (file.status === "added" && / command$/.test(key)) return [];
    if (rule === undefined || !isWeaker(rule.weaker, before.get(key), after.get(key))) return [];
    // The options of a rule that is new weaken nothing.
    const ruleKey = /^(?:.* )?rules \S+(?= )/.exec(key)?.[0];
    if (OF_RULES.has(rule.weaker) && ruleKey !== undefined && !before.has(ruleKey)) return [];
    const values = file.status === "added" ? after.get(key) : before.get(key);
    if (isMoved(key, values, change, file) || areGone(rule.weaker, before.get(key), after.get(key), change)) return [];
    if (TEST_FILES.test(key) && losesNoTest(file, {before: before.get(key), after: after.get(key)}, change)) return [];
    return [finding({file, level: rule.level, key, message: wordChange(key, before, after)})];
  });
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
function isMoved(key: string, values: Values | undefined, {files}: InspectedChange, from: InspectedFile): boolean {
  if (values === undefined) return false;
  const others = files.filter((file) => file !== from && SETTING_RULES.some((rule) => rule.files.test(file.path)));
  return others.some((file) => {
    const before = readSettings(file.basePath, file.before);
    return [...readSettings(file.path, file.after)].some(
      ([other, value]) =>
        (key === other || key.endsWith(` ${other}`) || other.endsWith(` ${key}`)) &&
        value.join() === values.join() &&
        (from.status === "added" || before.get(other)?.join() !== value.join()),
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

function wordChange(key: string, before: Settings, after: Settings): string {
  const show = (values: Values | undefined) =>
    values === undefined ? "not set" : `\`${values.join(", ").slice(0, 80)}\``;
  return `\`${key.replaceAll(" ", ".")}\` checks less: ${show(before.get(key))} before, ${show(after.get(key))} now`;
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
    (before === undefined && after !== undefined && severityOf(after) === 0),
  "switched-on": (before, after) => before !== undefined && isAny(after, ON) && !isAny(before, ON),
  "switched-off": (before, after) => isAny(before, ON) && isAny(after, OFF),
  widens: (before, after) =>
    after !== undefined && !isAny(after, OFF) && after.some((item) => !(before ?? []).includes(item)),
  changes: (before, after) => before?.join() !== after?.join(),
  appears: (before, after) =>
    after !== undefined && !isAny(after, OFF) && (before === undefined || after.some((item) => !before.includes(item))),
  options: (before, after) =>
    compareScripts(`pytest ${(before ?? []).join(" ")}`, `pytest ${(after ?? []).join(" ")}`) !== null,
  warnings: (before, after) =>
    ((before ?? []).some(isStrictFilter) && !(after ?? []).some(isStrictFilter)) ||
    (after ?? []).some((item) => !(before ?? []).includes(item) && /^["']?ignore(?:::[^:]*)?["']?$/.test(item.trim())),
  replaces: (before, after) =>
    (after ?? []).some(
      (item) => !(before ?? []).includes(item) && /(?:^|[^a-z])(?:tests?|mocks?|stubs?|fakes?)(?:[^a-z]|$)/i.test(item),
    ),
  narrows: (before, after) =>
    after !== undefined &&
    before?.join() !== after.join() &&
    !(before ?? []).every((item) => after.includes(item) || item === ""),
};

function isWeaker(when: WeakerWhen, before: Values | undefined, after: Values | undefined): boolean {
  if (before?.join("\0") === after?.join("\0")) return false;
  // A list that appears selects from everything.
  if (when === "narrows" && before === undefined) return after !== undefined;
  return WEAKER[when](before, after);
}

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

/** 0 off, 1 a warning, 2 an error; a rule without a level of its own counts as an error. */
function severityOf(values: Values | undefined): number {
  const [first = ""] = values ?? [];
  if (values === undefined) return 0;
  if (/^(?:off|0|allow|false|ignore|none)$|^\[?\s*["']?(?:off|0)["']?\b/.test(first)) return 0;
  return /^(?:warn|warning|1|info|information|basic|standard)$|^\[?\s*["']?warn/.test(first) ? 1 : 2;
}
