/** Check: keys of tool configurations that check less than before. */

import type {IntegrityFinding} from "../../record/finding.ts";
import {filesOf, INTEGRITY} from "../../tools/all-integrity.ts";
import type {IsWeaker, WeakerWhen} from "../../tools/tool-integrity.ts";
import {alignSettings} from "../gate/aligned-settings.ts";
import {isInCommand} from "../gate/configured-options.ts";
import {lineOfKey} from "../gate/key-lines.ts";
import {hasMovedSetup} from "../gate/moved-code.ts";
import {isUnknownChange} from "../gate/other-settings.ts";
import {losesNoTest, TEST_FILES} from "../gate/selected-tests.ts";
import {SETTING_RULES} from "../gate/setting-rules.ts";
import {readSettings, type Settings} from "../gate/settings.ts";
import {isWeaker} from "../gate/weaker-values.ts";
import type {InspectedChange, InspectedFile, IntegrityCheck} from "../source/inspected-change.ts";
import {isCodePath, isTestData} from "../source/kinds.ts";
import {compareLines} from "../source/line-changes.ts";
import {newTestSettings} from "./new-test-settings.ts";
import {wordChange, wordFix} from "./setting-words.ts";

type Values = readonly string[];

/** New files that take precedence over the settings that are there. */
const OVERRIDES = filesOf("overridingFiles", /\.cargo\/config(?:\.toml)?|verify\.json|\.npmrc/);

export const settings: IntegrityCheck = {
  name: "settings",
  find(change) {
    return change.files
      .filter(({path}) => !isTestData(path))
      .flatMap((file) =>
        file.status !== "added" || isInForce(file, change) ? compareFile(file, change) : newTestSettings(file, change),
      );
  },
};

/** A new file takes the place of settings that are there: by its name, or because a script of the change names it. */
function isInForce({path}: InspectedFile, {files}: InspectedChange): boolean {
  if (OVERRIDES.test(path)) return true;
  const name = path.slice(path.lastIndexOf("/") + 1);
  const scripts = files.filter(
    (file) =>
      file.status !== "added" &&
      (/package\.json$|akefile$|\.(?:mk|sh|ya?ml)$|verify\.json$/.test(file.path) || sharedName(file) !== null),
  );
  return scripts.some(({before, after}) => compareLines(before, after).added.some(({text}) => text.includes(name)));
}

/** The name of the configuration that a file is a part of, by what it contains; the file itself for all others. */
function sharedName({path, basePath, before, after}: InspectedFile): string | null {
  const isNamed = SETTING_RULES.some(({files}) => files.test(basePath));
  const row = SHARED.find(({files, pattern}) => files.test(path) && pattern.test(before ?? after ?? ""));
  return isNamed || row === undefined ? null : row.readAs;
}

const SHARED = INTEGRITY.flatMap(({sharedSettings}) => sharedSettings ?? []);

function compareFile(given: InspectedFile, change: InspectedChange): IntegrityFinding[] {
  const name = sharedName(given);
  if (name === null) return compareSettings(given, change);
  const found = compareSettings({...given, path: name, basePath: name}, change);
  return found.map((one) => ({...one, path: given.path}));
}

function compareSettings(file: InspectedFile, change: InspectedChange): IntegrityFinding[] {
  const rules = SETTING_RULES.filter(({files}) => files.test(file.basePath));
  // A file with a name that the tool does not read is as good as deleted.
  const isGone = file.status === "deleted" || !rules.some(({files}) => files.test(file.path));
  const successor = isGone ? successorOf(file, change) : undefined;
  if (rules.length === 0 || (isGone && successor === undefined && isReplaced(file, change))) return [];
  const current = successor ?? file;
  const base = withNewPaths(readSettings(file.basePath, file.before), change);
  const head: Settings = isGone && successor === undefined ? new Map() : readSettings(current.path, current.after);
  if (base.size === 0 && file.status !== "added") return [];
  const {before, after} = alignSettings(file.basePath, {before: base, after: head});
  if (head.size === 0 && !isGone && !/^\s*\{\s*\}\s*$/.test(file.after ?? ""))
    return [finding({file, level: "flag", message: "The configuration cannot be read any more", key: ""})];
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  return keys.flatMap((key) => {
    const rule = rules.find((one) => one.key.test(key));
    // A new verify.json has no earlier commands to compare with.
    if (file.status === "added" && / command$/.test(key)) return [];
    if (rule === undefined) return otherChange(file, key, {before, after}, change);
    const old = NARROWS.has(rule.weaker) ? inNewFolders(before.get(key), change) : before.get(key);
    if (!isWeaker(rule.weaker, old, after.get(key))) return [];
    // The options of a rule that is new weaken nothing.
    const ruleKey = /^(?:.* )?rules \S+(?= )/.exec(key)?.[0];
    if (OF_RULES.has(rule.weaker) && ruleKey !== undefined && !before.has(ruleKey)) return [];
    if (
      isMoved({key, file, change, before: before.get(key), after: after.get(key), weaker: rule.weaker}) ||
      hasMovedSetup(key, {before: before.get(key), after: after.get(key)}, change) ||
      areGone(rule.weaker, before.get(key), after.get(key), change) ||
      (!after.has(key) && isInCommand(file, {key, values: before.get(key)}, change))
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
  if (isMoved({key, file, change, ...values})) return [];
  if (values.after === undefined && isInCommand(file, {key, values: values.before}, change)) return [];
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

/** The folders of a list, as they are after the change if it moves all that is read in them to one other folder. */
function inNewFolders(values: Values | undefined, {files, testPaths = []}: InspectedChange): Values | undefined {
  return values?.map((value) => {
    const path = value.replace(/^(?:<rootDir>|\.)\//, "");
    const depth = path.split("/").length;
    const isInside = (one: string) => one.startsWith(`${path}/`);
    const moved = files.filter(({status, basePath}) => status === "renamed" && isInside(basePath));
    const [folder, ...others] = new Set(moved.map((one) => one.path.split("/").slice(0, depth).join("/")));
    const isLeft = testPaths.some(isInside) || files.some((one) => one.after !== null && isInside(one.path));
    return folder === undefined || others.length > 0 || isLeft ? value : value.replace(path, folder);
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

/**
 * The same value, or by the rule of the key one that checks as much, is under the same key in another file of the change: the configuration
 * was split or moved.
 */
function isMoved({
  key,
  file: from,
  change: {files},
  before,
  after,
  weaker,
}: {
  key: string;
  file: InspectedFile;
  change: InspectedChange;
  before: Values | undefined;
  after: Values | undefined;
  weaker?: WeakerWhen | IsWeaker;
}): boolean {
  const isGain = before === undefined && from.status !== "added";
  const values = before ?? after;
  if (values === undefined) return false;
  // The same name, or a file that the configuration imports.
  const isPart = ({path}: InspectedFile) =>
    /\.(?:[cm]?[jt]s|json)$/.test(path) && (from.after ?? "").includes(path.replace(/^.*\//, "").replace(/\.\w+$/, ""));
  const otherFiles = files.filter(
    (file) =>
      file.path !== from.path &&
      (SETTING_RULES.some((rule) => rule.files.test(file.path)) || isPart(file) || sharedName(file) !== null),
  );
  return otherFiles.some((file) => {
    const [old, current] = [readSettings(file.basePath, file.before), readSettings(file.path, file.after)];
    return [...(isGain || from.status === "added" ? [...old, ...current] : current)].some(
      ([otherKey, value]) =>
        isSameKey(withAlias(key), withAlias(otherKey)) &&
        (comparable(value) === comparable(values) ||
          (weaker !== undefined && after === undefined && !isWeaker(weaker, before, value))) &&
        (from.status === "added" || comparable((isGain ? current : old).get(otherKey)) !== comparable(value)),
    );
  });
}

const ALIASES = INTEGRITY.flatMap(({movedAlias}) => movedAlias ?? []);
const withAlias = (key: string): string => ALIASES.reduce((name, {from, to}) => name.replace(from, to), key);
const isSameKey = (key: string, other: string): boolean =>
  key === other || key.endsWith(` ${other}`) || other.endsWith(` ${key}`);

/** A list, a text with spaces, and the values of INI and TOML files can say the same. */
const comparable = (values: Values | undefined): string | undefined =>
  values
    ?.join(" ")
    .toLowerCase()
    .split(/[\s,]+/)
    .toSorted()
    .join(" ");

/** What a list has lost was deleted by the change. */
function areGone(
  when: WeakerWhen | IsWeaker,
  before: Values | undefined,
  after: Values | undefined,
  {files}: InspectedChange,
) {
  if (when !== "shrinks" && when !== "selects-less") return false;
  const lost = (before ?? []).filter((item) => !(after ?? []).includes(item)).map((item) => item.replace(/^\.?\//, ""));
  const gone = files.filter(({status}) => status === "deleted" || status === "renamed");
  return (
    lost.length > 0 &&
    lost.every((item) => item !== "" && gone.some(({basePath}) => `${basePath}/`.includes(`${item}/`)))
  );
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
  const line = key === "" ? null : lineOfKey(file.path, file.after ?? "", key);
  return {check: "settings", level, path: file.path, line, message, fix: wordFix(file.path, key)};
}

const NARROWS: ReadonlySet<IsWeaker | WeakerWhen> = new Set(["narrows", "narrows-folders"]);
/** Directions that options of lint rules have. */
const OF_RULES: ReadonlySet<IsWeaker | WeakerWhen> = new Set(["widens", "switched-off"]);
