/** Compares two lists of commands: a command that is gone, an exit code that does not count any more, and other options. */
import type {FindingLevel} from "../../record/words.ts";
import {RUNNERS, STARTS_SCRIPTS} from "../../tools/command-name.ts";
import {kindOfName} from "../../tools/stage-kind.ts";
import {checksLess} from "../settings/compare-settings.ts";
import {isSubset} from "../settings/selected-tests.ts";
import {alwaysPasses, type CheckCommand, checksIn} from "./check-commands.ts";
import type {ShellLine} from "./command-fates.ts";
import {isOwnOption, optionDirection} from "./option-directions.ts";

/** What a command says now, and what that means. */
export interface CommandChange {
  readonly level: FindingLevel;
  readonly what: string;
}

/** What is known of the place that holds the commands. */
export interface ComparedPlace {
  /** such as `test` for a script; it shows the purpose of programs without a known tool */
  readonly name?: string;
  /** another check runs it */
  readonly isRequired?: boolean;
  /** whether the change runs a tool in another place instead */
  readonly isElsewhere?: (command: CheckCommand) => boolean;
  /** words that configuration adds to each command of a tool */
  readonly configured?: {readonly before: readonly string[]; readonly after: readonly string[]};
}

/** Names of scripts and targets that check something, also patterns such as `tests/%.run`. */
const CHECK_NAME = /(?:^|[^a-z])(?:tests?|checks?|lint|specs?|verify|validate|style|ci|cover(?:age)?)(?:[^a-z]|$)/;
/** Targets without a check. */
const PREPARES =
  /^(?:make|task|just) (?:.*(?:build|compile|dep|install|setup|clean|gen|fmt|format|proto|vendor|bin|tools|download|docs|[./$]).*|all|help)$/;
const MAX_PAIRS = 250_000;
const MAX_SHOWN = 80;

/** The changes that check less, or whose effect is not known; the worst first. */
export function compareCommands(
  before: readonly ShellLine[],
  after: readonly ShellLine[],
  place: ComparedPlace = {},
): CommandChange[] {
  const [allBefore, allAfter] = [checksIn(before), checksIn(after)];
  const [base, head] = withoutSame(allBefore, allAfter);
  if (base.length * head.length > MAX_PAIRS) return [{level: "flag", what: "it has too many commands to compare"}];
  const hasKnown = allBefore.some((one) => isKnown(one) && one.kind !== "build" && !one.isPrerequisite);
  const isNamedCheck = !["build", null].includes(kindOfName(place.name ?? "")) || place.isRequired === true;
  const isCheckPlace = allBefore.some(isKnown) || isNamedCheck || CHECK_NAME.test(place.name ?? "");
  const isCheck = (one: CheckCommand) =>
    isKnown(one) ||
    (isNamedCheck && (!hasKnown || one.isPrerequisite) && one.kind === "other" && !PREPARES.test(one.tool));
  const context = {place, allBefore, allAfter, base, head};
  const pairs = pairUp(base, head);
  const gone = base.filter((one) => isCheck(one) && !pairs.some(({old}) => old === one) && isGone(one, context));
  if (gone[0] !== undefined && alwaysPasses(after))
    return [{level: "block", what: `it does not run \`${gone[0].tool}\` any more and always passes`}];
  if (!isCheckPlace) return pairs.flatMap((pair) => compareOptions(pair, place)).filter(({level}) => level !== "note");
  const changes = [
    ...pairs.flatMap((pair) => lostStatus(pair, allAfter, isCheck)),
    ...newlyIgnored(context, pairs, isCheck),
    ...gone.map(({tool, kind}) => ({
      level: kind === "build" || startsOther(head) ? ("note" as const) : ("flag" as const),
      what: `\`${tool}\` is not run any more`,
    })),
    ...lostFailures(allBefore, allAfter),
    ...pairs.flatMap((pair) => compareOptions(pair, place)),
  ];
  const levels: readonly FindingLevel[] = ["block", "flag", "note"];
  return changes.toSorted((one, other) => levels.indexOf(one.level) - levels.indexOf(other.level));
}

type IsCheck = (command: CheckCommand) => boolean;

interface Pair {
  readonly old: CheckCommand;
  readonly now: CheckCommand;
}

interface Compared {
  readonly place: ComparedPlace;
  readonly allBefore: readonly CheckCommand[];
  readonly allAfter: readonly CheckCommand[];
  readonly base: readonly CheckCommand[];
  readonly head: readonly CheckCommand[];
}

const isKnown = ({kind}: CheckCommand): boolean => kind !== "other" && kind !== "failure";
const textOf = ({words, values, env}: CheckCommand): string =>
  [...Object.entries(env).map(([name, value]) => `${name}=${value}`), ...words, ...values].join(" ");
const shown = (command: CheckCommand): string => textOf(command).slice(0, MAX_SHOWN);

/** The commands that are not in both versions with the same words and fate. */
function withoutSame(
  base: readonly CheckCommand[],
  head: readonly CheckCommand[],
): [readonly CheckCommand[], readonly CheckCommand[]] {
  const keyOf = (one: CheckCommand) =>
    JSON.stringify([one.words, one.values, one.env, one.fate, one.isNegated, one.isConditional]);
  const counts = new Map<string, number>();
  for (const one of head) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  const same = new Map<string, number>();
  const gone = base.filter((one) => {
    const count = counts.get(keyOf(one)) ?? 0;
    if (count > 0) {
      counts.set(keyOf(one), count - 1);
      same.set(keyOf(one), (same.get(keyOf(one)) ?? 0) + 1);
    }
    return count === 0;
  });
  const fresh = head.filter((one) => {
    const count = same.get(keyOf(one)) ?? 0;
    if (count > 0) same.set(keyOf(one), count - 1);
    return count === 0;
  });
  return [gone, fresh];
}

/** Each new command with the one that it replaces: of the same tool, or else of the same program; the most alike first. */
function pairUp(base: readonly CheckCommand[], head: readonly CheckCommand[]): Pair[] {
  const free = new Set(base);
  const programOf = ({tool}: CheckCommand) => tool.split(" ", 1)[0];
  const isSameTool = (one: CheckCommand, other: CheckCommand) => one.tool === other.tool;
  const isSameProgram = (one: CheckCommand, other: CheckCommand) =>
    programOf(one) === programOf(other) && one.kind === other.kind && !/^(?:script|make|just|task)\b/.test(one.tool);
  const pairs: Pair[] = [];
  for (const isSame of [isSameTool, isSameProgram])
    for (const now of head) {
      if (pairs.some((pair) => pair.now === now)) continue;
      const shared = (one: CheckCommand) =>
        one.words.filter((word) => now.words.includes(word)).length - one.words.length / 100;
      const [old] = [...free].filter((one) => isSame(one, now)).toSorted((one, other) => shared(other) - shared(one));
      if (old === undefined) continue;
      free.delete(old);
      pairs.push({old, now});
    }
  return pairs;
}

/** No other command of the place, and no other place, runs the tool, or one of the same kind that is new. */
function isGone(one: CheckCommand, {place, allBefore, allAfter}: Compared): boolean {
  if (place.isElsewhere?.(one) === true) return false;
  const words = one.tool.split(" ");
  const tools = new Set(allBefore.map(({tool}) => tool));
  return !allAfter.some(
    ({tool, kind}) =>
      (words.every((word) => tool.split(" ").includes(word)) && (kind !== "build" || one.kind === "build")) ||
      ((kind === one.kind || one.kind === "other") && !tools.has(tool) && kind !== "other"),
  );
}

/** A new command starts another script or a task, and the checks may be there. */
const startsOther = (head: readonly CheckCommand[]): boolean =>
  head.some(({tool, kind}) => {
    const program = tool.split(" ", 1)[0] ?? "";
    const isRunner = program === "script" || RUNNERS.has(program) || STARTS_SCRIPTS.has(program);
    return kind !== "build" && (isRunner || /\.(?:sh|[cm]?[jt]s|py|bash)$/.test(tool));
  });

function lostStatus({old, now}: Pair, allAfter: readonly CheckCommand[], isCheck: IsCheck): CommandChange[] {
  const name = isKnown(now) ? now.tool : now.words.slice(0, 2).join(" ");
  if (now.isNegated !== old.isNegated) return [{level: "flag", what: `\`! ${name}\` turns the result of the command`}];
  const isLost =
    now.fate !== "decides" && (old.fate === "decides" || (now.fate === "ignored" && old.fate === "unread"));
  if (isLost)
    return [
      {
        level: isCheck(now) && now.fate === "ignored" ? "block" : "flag",
        what: `the exit code of \`${name}\` is ignored`,
      },
    ];
  const isStillRun = isKnown(now) && allAfter.some(({kind, isConditional}) => kind === now.kind && !isConditional);
  return now.isConditional && !old.isConditional && isCheck(old) && !isStillRun
    ? [{level: "flag", what: `\`${now.tool}\` runs only under a condition`}]
    : [];
}

/** A new command takes the place of another one of its kind, and its failure does not count. */
function newlyIgnored({base, head}: Compared, pairs: readonly Pair[], isCheck: IsCheck): CommandChange[] {
  const [gone, fresh] = [
    base.filter((one) => !pairs.some(({old}) => old === one)),
    head.filter((one) => !pairs.some(({now}) => now === one)),
  ];
  return fresh.flatMap(({kind, fate, tool, isConditional, words}): CommandChange[] => {
    const deciding = (list: readonly CheckCommand[]) =>
      list.filter((one) => one.kind === kind && one.fate === "decides" && !one.isConditional);
    const [old] = deciding(gone);
    if (old === undefined || kind === "failure" || deciding(fresh).length >= deciding(gone).length) return [];
    if (fate === "ignored" && isCheck(old)) return [{level: "block", what: `the exit code of \`${tool}\` is ignored`}];
    if (fate !== "decides")
      return [{level: "flag", what: `the exit code of \`${words.slice(0, 2).join(" ")}\` is ignored`}];
    return isConditional && !old.isConditional && isCheck(old)
      ? [{level: "flag", what: `\`${tool}\` runs only under a condition`}]
      : [];
  });
}

/** `exit 1` in fewer places. */
function lostFailures(base: readonly CheckCommand[], head: readonly CheckCommand[]): CommandChange[] {
  const count = (list: readonly CheckCommand[]) => list.filter(({kind}) => kind === "failure").length;
  return count(head) < count(base) ? [{level: "flag", what: "it fails in fewer cases"}] : [];
}

type Options = ReadonlyMap<string, readonly string[]>;

/** The options with a weaker value; or else a note that shows both commands. */
function compareOptions({old, now}: Pair, {configured}: ComparedPlace): CommandChange[] {
  const [before, after] = [
    optionsOf({...old, words: [...old.words, ...(configured?.before ?? [])]}),
    optionsOf({...now, words: [...now.words, ...(configured?.after ?? [])]}),
  ];
  const names = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => String(before.get(name)) !== String(after.get(name)),
  );
  const directions = names.map((name) => ({
    name,
    direction: optionDirection(now.tool, name),
    values: [before.get(name), after.get(name)] as const,
  }));
  const weaker = directions.find(
    ({name, direction, values: [from, to]}) =>
      direction !== null &&
      (isKnown(old) || direction.startsWith("at-") || isOwnOption(old.tool, name)) &&
      !to?.join().includes("${{") &&
      !(from === undefined && name.startsWith("cov")) &&
      (checksLess(direction, from, to) || (direction === "at-most" && to === undefined)),
  );
  if (weaker !== undefined) {
    const [from, to] = weaker.values.map((values) => (values === undefined ? "not set" : values.join(" ")));
    return [
      {level: "flag", what: `\`${nameOf({old, now}, weaker.name)}\` checks less: \`${from}\` before, \`${to}\` now`},
    ];
  }
  const {paths, lost, fresh} = comparePaths(old, now, isKnown(old));
  const kept = paths.filter((path) => !lost.includes(path));
  const isWholePackage = (path: string) => path.endsWith("...");
  const isNarrower =
    (kept.length > 0 && lost.length > 0 && fresh.length === 0) ||
    (lost.some(isWholePackage) && fresh.length > 0 && !fresh.some(isWholePackage)) ||
    isSubset(lost, fresh) ||
    (paths.length === 0 && fresh.length > 0 && now.values.length === 0 && ["test", "typecheck"].includes(now.kind));
  if (isNarrower)
    return [
      {level: "flag", what: `\`${now.tool}\` reads only \`${[...kept, ...fresh].join(" ").slice(0, MAX_SHOWN)}\``},
    ];
  const isKnownChange = directions.every(
    ({direction, values: [from, to]}) =>
      direction !== null && (direction === "nothing" || checksLess(direction, to, from)),
  );
  const plain = ({words, values, env}: CheckCommand) =>
    JSON.stringify([words.filter((word) => !word.startsWith("-")), values, env]);
  const isOther = !isKnownChange || plain(old) !== plain(now);
  return isOther && textOf(old) !== textOf(now)
    ? [{level: "note", what: `\`${shown(now)}\` runs in place of \`${shown(old)}\``}]
    : [];
}

/** The option as it is written. */
function nameOf({old, now}: Pair, name: string): string {
  const isWritten = (word: string) => word.replace(/^--?(?:no-)?D?|=.*$/gs, "") === name.replace(/^D/, "");
  const written = [...now.words, ...old.words].find((word) => word.startsWith("-") && isWritten(word));
  return `${now.tool} ${written?.replace(/=.*$/s, "") ?? name}`;
}

/** The options by their names without dashes. Only a value that looks like one is taken from the next word. */
function optionsOf({tool, words}: CheckCommand): Options {
  const options = new Map<string, readonly string[]>();
  for (const [index, word] of words.entries()) {
    const [, name = "", ownValue] = /^-{1,2}([A-Za-z][^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    // `python -m pytest` starts a module.
    if (name === "" || (name === "m" && /^python[\d.]*$/.test(words[index - 1] ?? ""))) continue;
    const next = words[index + 1] ?? "";
    const isSwitch = ["true", "false", "on", "off", "yes", "no"].includes(next);
    const values = [
      ownValue ?? ((isSwitch || takesValue(tool, name)) && next !== "" && !next.startsWith("-") ? next : "true"),
    ];
    const isOff = name.startsWith("no-") && optionDirection(tool, name) === null;
    const key = isOff ? name.slice(3) : name.replace(/^D(?=[a-z.]+)/, "");
    options.set(key, [...(options.get(key) ?? []), ...(isOff ? ["false"] : values)]);
  }
  return options;
}

const takesValue = (tool: string, name: string): boolean =>
  ["at-least", "at-most", "limits-run", "loads"].includes(optionDirection(tool, name) ?? "") ||
  /^(?:[DFAW]|deny|allow|forbid|cov|cov-.*|select|enable|extend-select|disable|exclude|ignore|skip|.*exit-?code)$/.test(
    name,
  );

/**
 * The values of the loops around a command; for a known tool, also the words that are neither options nor parts of its name. Of those that
 * changed, the ones that no option takes as its value.
 */
function comparePaths(
  old: CheckCommand,
  now: CheckCommand,
  isTool: boolean,
): Record<"paths" | "lost" | "fresh", string[]> {
  const pathsOf = (one: CheckCommand) => [
    ...one.values.map((value): [string, string] => ["", value]),
    ...(isTool ? pathsIn(one) : []),
  ];
  const missing = (one: CheckCommand, other: CheckCommand) =>
    pathsOf(one).flatMap(([option, word]) => {
      const isValue = option !== "" && !other.words.includes(option);
      return other.words.includes(word) || other.values.includes(word) || isValue ? [] : [word];
    });
  return {paths: pathsOf(old).map(([, word]) => word), lost: missing(old, now), fresh: missing(now, old)};
}

/** Each with the option in front of it. */
function pathsIn({tool, words}: CheckCommand): [option: string, word: string][] {
  const own = new Set(tool.split(" "));
  return words.slice(1).flatMap((word, index): [string, string][] => {
    const before = words[index] ?? "";
    const [, name = ""] = /^-{1,2}([A-Za-z][^=]*)$/.exec(before) ?? [];
    const isPath = !word.startsWith("-") && !/[$`]/.test(word) && !own.has(word) && !SUBCOMMAND.has(word);
    return isPath && (name === "" || !takesValue(tool, name)) ? [[name === "" ? "" : before, word]] : [];
  });
}

const SUBCOMMAND = new Set(["run", "watch", "report", "exec", "true", "false"]);

/** The text runs a known tool that checks something. */
export const hasChecks = (text: string): boolean => checksIn([{text}]).some(isKnown);
