/** Check: keys of tool configurations that check less than before. */

import {plainPath, stemOf} from "../../git/paths.ts";
import type {IntegrityFinding} from "../../record/finding.ts";
import type {FindingLevel} from "../../record/words.ts";
import {configurationOf, isConfiguration, isSetting} from "../../tools/configuration-files.ts";
import {COMMAND_WITH_SETTINGS} from "../../tools/integrity-names.ts";
import {compareCommands} from "../commands/compare-commands.ts";
import {isInScript} from "../gate/configured-words.ts";
import {compareSettings, gained, OF_RULES, type SettingChange} from "../settings/compare-settings.ts";
import {directionOf, wordsIn} from "../settings/directions.ts";
import {lineOfKey} from "../settings/key-lines.ts";
import {isOwnFile, weakerOwnKeys} from "../settings/own-settings.ts";
import {readSettings, type Settings} from "../settings/read-settings.ts";
import {losesNoTest} from "../settings/selected-tests.ts";
import {weakerInWorkflow} from "../settings/workflow-settings.ts";
import type {InspectedChange, InspectedFile, IntegrityCheck} from "../source/inspected-change.ts";
import {isCodePath, isGenerated, isTestData, isTestPath} from "../source/kinds.ts";
import {compareLines} from "../source/line-changes.ts";

/** More keys of one file say nothing new. */
const MAX_FINDINGS = 10;
const MAX_VALUE = 80;
const MAX_SHOWN = 3;

export const settings: IntegrityCheck = {
  name: "settings",
  find(change) {
    const changed = change.files.filter(
      ({path, basePath}) => isConfiguration(basePath) && !isTestData(path) && !isGenerated(path),
    );
    const said = changed.length === 0 ? NOTHING_SAID : saidBy(change);
    return [
      ...changed.flatMap((file) => compareFile(file, change, said)),
      ...change.files.flatMap((file) =>
        weakerInWorkflow(file)
          .slice(0, 1)
          .map((one) => weakerFinding(one, file, null)),
      ),
    ];
  },
};

/** What the files of the change do not say any more, and what they say now, so that a moved setting is known. */
interface SaidByChange {
  readonly before: Set<string>;
  readonly after: Set<string>;
}

const NOTHING_SAID: SaidByChange = {before: new Set(), after: new Set()};

function saidBy({files}: InspectedChange): SaidByChange {
  const configurations = files.filter(({path, basePath}) => isConfiguration(path) || isConfiguration(basePath));
  // Configuration may import or extend a file.
  const texts = configurations.map(({after}) => after ?? "");
  const isPart = ({path}: InspectedFile) =>
    PART.test(path) && !isTestPath(path) && texts.some((text) => text.includes(stemOf(path)));
  const parts = files.filter((file) => !configurations.includes(file) && isPart(file)).slice(0, MAX_PARTS);
  const said: SaidByChange = {before: new Set(), after: new Set()};
  for (const {basePath, path, before, after} of [...configurations, ...parts]) {
    const [old, now] = [factsOf(basePath, before), factsOf(path, after)];
    for (const [fact, count] of old) if (count > (now.get(fact) ?? 0)) said.before.add(fact);
    for (const [fact, count] of now) if (count > (old.get(fact) ?? 0)) said.after.add(fact);
  }
  return said;
}

const PART = /\.(?:[cm]?[jt]s|json)$/;
const MAX_PARTS = 20;

/** How often a file says each fact. */
function factsOf(path: string, text: string | null): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [key, values] of isConfiguration(path) ? settingsIn(path, text) : readSettings(path, text)) {
    const fact = factOf(key, values);
    counts.set(fact, (counts.get(fact) ?? 0) + 1);
  }
  return counts;
}

/** A list, a text with spaces, and the values of INI and TOML files can say the same. */
const factOf = (key: string, values: readonly string[]): string =>
  `${key.split(" ").at(-1)} ${values
    .join(" ")
    .toLowerCase()
    .split(/[\s,]+/)
    .toSorted()
    .join(" ")}`;

function compareFile(file: InspectedFile, change: InspectedChange, said: SaidByChange): IntegrityFinding[] {
  const successor = successorOf(file, change);
  if (file.status === "deleted" && successor === undefined) return deletedFile(file, change, said);
  const isNew = file.status === "added" && !isInForce(file, change);
  // The deleted file that it takes the place of is compared with it.
  if (isNew && change.files.some((one) => one.status === "deleted" && successorOf(one, change) === file)) return [];
  const current = successor ?? file;
  const before = settingsIn(file.basePath, file.before);
  const after = settingsIn(current.path, current.after);
  const isBlank = /^\s*(?:\{\s*\})?\s*$/.test(current.after ?? "");
  if (before.size > 0 && !isBlank && readSettings(current.path, current.after).size === 0)
    return [findingOf(current, "flag", "The configuration cannot be read any more")];
  if (isOwnFile(file.basePath)) return ownFindings(file, {before, after});
  const changes = compareSettings({before, after, losesOption: (old, now) => losesOption(old, now, after)}).filter(
    (one) => !isElsewhere(one, {file: current, change, said, settings: {before, after}}),
  );
  const weaker = changes.filter(({level}) => level !== null);
  return [
    ...weaker.slice(0, MAX_FINDINGS).map((one) => weakerFinding(one, current, isNew ? "note" : null)),
    ...otherChanges(current, isNew ? [] : changes.filter(({level}) => level === null)),
  ];
}

/** The settings of the sections of a file that configure checks. */
function settingsIn(path: string, text: string | null): Settings {
  const configuration = configurationOf(path);
  if (configuration === null) return new Map();
  return new Map(
    [...readSettings(path, text)].filter(
      ([key]) =>
        isSetting(configuration, key) &&
        (configuration.isMostlyOther !== true || directionOf(key) !== null || OF_RULES.test(key)),
    ),
  );
}

/** A new file of the same tool in the same folder with another ending: `.mocharc.js` after `.mocharc.yml`. */
function successorOf({basePath, status}: InspectedFile, {files}: InspectedChange): InspectedFile | undefined {
  const stem = (path: string) => path.replace(/\.(?:ya?ml|jsonc?|[cm]?[jt]s|toml|ini)$/, "");
  return status === "deleted"
    ? files.find((one) => one.status === "added" && stem(one.path) === stem(basePath))
    : undefined;
}

/** A new file decides: by its name, or because a script of the change names it. */
function isInForce({path}: InspectedFile, {files}: InspectedChange): boolean {
  if (configurationOf(path)?.decidesIfNew === true) return true;
  const name = path.slice(path.lastIndexOf("/") + 1);
  return files.some(
    (file) =>
      file.status !== "added" && compareLines(file.before, file.after).added.some(({text}) => text.includes(name)),
  );
}

/** Its tool now has other configuration, or the checked folder is gone, too. */
function deletedFile(file: InspectedFile, change: InspectedChange, said: SaidByChange): IntegrityFinding[] {
  const folder = file.basePath.slice(0, file.basePath.lastIndexOf("/") + 1);
  const configuration = configurationOf(file.basePath);
  const isReplaced = change.files.some(
    ({path, status}) =>
      (status === "added" && configurationOf(path) === configuration) ||
      (status === "deleted" && folder !== "" && path.startsWith(folder) && isCodePath(path)),
  );
  const settings = {before: settingsIn(file.basePath, file.before), after: NO_SETTINGS};
  const context = {file, change, said, settings};
  const changes = compareSettings({...settings, losesOption: () => false});
  const isLost = changes.some((one) => one.level !== null && !isElsewhere(one, context));
  return isReplaced || !isLost ? [] : [findingOf(file, "flag", "The configuration is deleted")];
}

const NO_SETTINGS: Settings = new Map();

/** An option that is now a setting of its own is not lost: `--cov-fail-under=90` and `fail_under`. */
function losesOption(before: readonly string[], after: readonly string[], settings: Settings): boolean {
  const isSetting = (word: string) => {
    const [option = "", value = "true"] = word.split("=");
    const name = wordsIn(option).join("");
    return [...settings].some(([key, values]) => {
      const last = wordsIn(key.split(" ").at(-1) ?? "").join("");
      return (
        last !== "" &&
        (name.endsWith(last) || (last === "strict" && name.startsWith(last))) &&
        values[0]?.toLowerCase() === value
      );
    });
  };
  const lost = before.flatMap((text) => text.split(/\s+/)).filter((word) => !isSetting(word));
  const lines = (words: readonly string[]) => [{text: `${COMMAND_WITH_SETTINGS} ${words.join(" ")}`}];
  return compareCommands(lines(lost), lines(after)).some(({level}) => level !== "note");
}

interface SettingContext {
  readonly file: InspectedFile;
  readonly change: InspectedChange;
  readonly said: SaidByChange;
  readonly settings: {readonly before: Settings; readonly after: Settings};
}

/** What the key said is still said in another place or form, or is about files that are gone. */
function isElsewhere(
  {key, before, after, level}: SettingChange,
  {file, change, said, settings}: SettingContext,
): boolean {
  if (before !== undefined && after === undefined)
    if (said.after.has(factOf(key, before)) || isInScript(key, before, change) || isImplied(key, settings)) return true;
  if (before === undefined && after !== undefined && said.before.has(factOf(key, after))) return true;
  const direction = directionOf(key);
  if (level === null || direction === null) return false;
  if (direction.weaker === "leaves-out")
    return gained(before, after).every((item) => wasNotSelected(item, settings.before));
  const lost = gained(after, before).filter((item) => !/^(?:true|false)$/i.test(item));
  const others = [...settings.after].filter(([other]) => other !== key && lastWord(other) === lastWord(key));
  if (
    direction.weaker === "demands" &&
    lost.length > 0 &&
    gained(
      others.flatMap(([, values]) => values),
      lost,
    ).length === 0
  )
    return true;
  if (direction.weaker !== "selects") return false;
  return losesNoTest(file, {before, after}, change) || (lost.length > 0 && lost.every((item) => isGone(item, change)));
}

/** `extend-select` adds to `select`. */
const lastWord = (key: string): string | undefined => wordsIn(key.split(" ").at(-1) ?? "").at(-1);

/** A switch of the same section turns on what the key said (typescriptlang.org/tsconfig, "strict"; vitest.dev, "coverage.thresholds"). */
function isImplied(key: string, {after}: SettingContext["settings"]): boolean {
  const section = key.slice(0, key.lastIndexOf(" ") + 1);
  const switches = IMPLIES.filter(([, implied]) => implied.test(key.slice(section.length)));
  return switches.some(([name]) => /^(?:true|strict)$/i.test(after.get(`${section}${name}`)?.join() ?? ""));
}

const IMPLIES: readonly (readonly [string, RegExp])[] = [
  ["strict", /strict|implicit|disallow|untyped|warn_|useUnknown|extra_checks/i],
  ["typeCheckingMode", /^report/],
  ["100", /^(?:lines|branches|functions|statements)$/],
];

/** A linter that selects rules did not check the others before. */
function wasNotSelected(item: string, before: Settings): boolean {
  const selected = [...before]
    .filter(([key]) => / (?:extend-)?select$/.test(` ${key}`))
    .flatMap(([, values]) => values);
  return (
    /^[A-Z]+\d*$/.test(item) &&
    selected.length > 0 &&
    gained(selected, [item]).length > 0 &&
    gained([item], selected).length === selected.length
  );
}

/** The files of a folder or path are deleted or moved by the change. */
function isGone(item: string, {files, testPaths = []}: InspectedChange): boolean {
  const path = plainPath(item.replace(/^(?:<rootDir>|\.)?\//, ""));
  const isInside = (one: string) => `${one}/`.startsWith(`${path}/`);
  const gone = files.some(({status, basePath}) => (status === "deleted" || status === "renamed") && isInside(basePath));
  return gone && !testPaths.some(isInside) && !files.some((one) => one.after !== null && isInside(one.path));
}

/** Rules for tests, scripts and examples may be looser than those for the product. */
const BESIDE =
  /\b(?:tests?|specs?|__tests__|conftest|scripts?|config|examples?|bench|docs|fixtures|stories|e2e|cypress|d\.ts)\b/;
const isBeside = (key: string): boolean =>
  key.split(" ").some((part) => /[*/]|\.d\.ts/.test(part) && BESIDE.test(part));

function weakerFinding(
  {key, before, after, level}: SettingChange,
  file: InspectedFile,
  most: "note" | null,
): IntegrityFinding {
  const message = `${nameOf(key)} checks less: ${wordChange(before, after)}`;
  return {
    ...findingOf(file, most ?? (isBeside(key) ? "note" : (level ?? "flag")), message),
    line: lineOfKey(file.after ?? "", key),
  };
}

/** What is not known to be weaker or harmless is for a person to read. */
function otherChanges(file: InspectedFile, changes: readonly SettingChange[]): IntegrityFinding[] {
  const [first] = changes;
  if (first === undefined) return [];
  const shown = changes
    .slice(0, MAX_SHOWN)
    .map(({key, before, after}) => `${nameOf(key)} (${wordChange(before, after)})`);
  const more = changes.length > MAX_SHOWN ? ` and ${changes.length - MAX_SHOWN} more` : "";
  const message = `Settings with an unknown effect changed: ${shown.join(", ")}${more}`;
  const finding = findingOf(file, "note", message);
  return [
    {...finding, line: lineOfKey(file.after ?? "", first.key), fix: "Check that the tool examines as much as before."},
  ];
}

function ownFindings(
  file: InspectedFile,
  {before, after}: {readonly before: Settings; readonly after: Settings},
): IntegrityFinding[] {
  return weakerOwnKeys({before: file.status === "added" ? null : before, after}).map((key) => ({
    ...weakerFinding({key, before: before.get(key), after: after.get(key), level: "flag"}, file, null),
    fix: "Restore the setting, or have it approved.",
  }));
}

const nameOf = (key: string): string => `\`${key.replaceAll(" ", ".")}\``;

/** Of lists that are too long to be shown whole, only what differs. */
function wordChange(from: readonly string[] | undefined, to: readonly string[] | undefined): string {
  if (from === undefined || to === undefined || ![from, to].some(isCut))
    return `${wordValues(from)} before, ${wordValues(to)} now`;
  const lost = from.filter((item) => !to.includes(item));
  const more = to.filter((item) => !from.includes(item));
  const differences = [
    ...(lost.length > 0 ? [`it loses ${wordValues(lost)}`] : []),
    ...(more.length > 0 ? [`it gets ${wordValues(more)}`] : []),
  ];
  return differences.join(" and ") || "its items have another order";
}

const isCut = (values: readonly string[]): boolean => values.join(", ").length > MAX_VALUE;

function wordValues(values: readonly string[] | undefined): string {
  if (values === undefined) return "not set";
  const text = values.join(", ");
  return isCut(values) ? `\`${text.slice(0, MAX_VALUE)}\`…` : `\`${text}\``;
}

const findingOf = ({path}: InspectedFile, level: FindingLevel, message: string): IntegrityFinding => ({
  check: "settings",
  level,
  path,
  line: null,
  message,
  fix: "Restore the setting, and correct the code that it complains about.",
});
