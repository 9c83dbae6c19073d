/** Groups a long list of similar problems into a table with each message and each file once. */
import type {Diagnostic} from "../record/evidence.ts";

/** Long enough to distinguish messages, and short enough to list many. */
const MAX_MESSAGE_CHARS = 100;
const SHORT_MESSAGE_CHARS = 61;

/** A problem, and its line as the tool printed it. */
interface FoldedProblem {
  readonly diagnostic: Diagnostic;
  readonly text: string;
}

/** Returns the list, at most `maxChars` long: by message if that fits, else by file. Errors come before warnings. */
export function groupProblems(problems: readonly FoldedProblem[], maxChars: number): string {
  const orderedProblems = [...problems].sort((a, b) => rank(a.diagnostic) - rank(b.diagnostic));
  const items = orderedProblems.map(({diagnostic}) => diagnostic);
  const names = shortNames(items);
  const heading = `${items.length} problems, folded:`;
  const room = maxChars - heading.length - 1;
  const lists = [() => groupByLine(orderedProblems, names), () => groupByMessage(items, names)];
  for (const list of lists) {
    const text = list();
    if (text.length <= room) return `${heading}\n${text}`;
  }
  return `${heading}\n${groupByFile({items, names, maxChars: room})}`;
}

/** The first problem of a kind as it was printed, and the places of the others. */
function groupByLine(problems: readonly FoldedProblem[], names: ReadonlyMap<string, string>): string {
  const groups = groupBy(problems, ({diagnostic}) => shortText(diagnostic, MAX_MESSAGE_CHARS));
  return [...groups.values()]
    .map(([first, ...others]) => {
      const places = placesOf(
        others.map(({diagnostic}) => diagnostic),
        names,
      );
      return others.length === 0 ? first?.text : `${first?.text} (${others.length} more: ${places})`;
    })
    .join("\n");
}

function placesOf(items: readonly Diagnostic[], names: ReadonlyMap<string, string>): string {
  const files = groupBy(items, (item) => item.file ?? "");
  return [...files].map(([file, some]) => placeOf(names.get(file) ?? file, some)).join(" ");
}

const rank = (item: Diagnostic): number => ["error", "warning", "info"].indexOf(item.severity);

function groupByMessage(items: readonly Diagnostic[], names: ReadonlyMap<string, string>): string {
  const groups = groupBy(items, (item) => shortText(item, MAX_MESSAGE_CHARS));
  return [...groups]
    .map(([message, group]) => {
      return `${message}${group.length > 1 ? ` (${group.length}×)` : ""}: ${placesOf(group, names)}`;
    })
    .join("\n");
}

function placeOf(name: string, items: readonly Diagnostic[]): string {
  const lines = [...new Set(items.flatMap((item) => (item.line === undefined ? [] : [item.line])))];
  return lines.length === 0 ? name : `${name}:${lines.join(",")}`;
}

/** One row per file. A message appears in full the first time, and by its number after that. */
function groupByFile(options: {
  items: readonly Diagnostic[];
  names: ReadonlyMap<string, string>;
  maxChars: number;
}): string {
  const countByMessage = new Map<string, number>();
  for (const item of options.items) {
    const text = shortText(item, SHORT_MESSAGE_CHARS);
    countByMessage.set(text, (countByMessage.get(text) ?? 0) + 1);
  }
  const numbers = new Map<string, number>();
  const rows: string[] = [];
  let room = options.maxChars - 16;
  let listedItems = 0;
  for (const [file, items] of groupBy(options.items, (item) => item.file ?? "")) {
    let row = `${options.names.get(file) ?? file}:`;
    for (const [text, some] of groupBy(items, (item) => shortText(item, SHORT_MESSAGE_CHARS))) {
      const lines = [...new Set(some.flatMap((item) => (item.line === undefined ? [] : [item.line])))].join(",");
      const part = ` ${lines}${numberMessages({text, repeated: countByMessage, numbers})};`;
      if (row.length + part.length >= room) break;
      row += part;
      listedItems += some.length;
    }
    room -= row.length + 1;
    rows.push(row);
    if (room < 40) break;
  }
  if (listedItems < options.items.length) rows.push(`… ${options.items.length - listedItems} more`);
  return rows.join("\n");
}

function numberMessages(options: {
  text: string;
  repeated: ReadonlyMap<string, number>;
  numbers: Map<string, number>;
}): string {
  const knownGroup = options.numbers.get(options.text);
  if (knownGroup !== undefined) return `#${knownGroup}`;
  if ((options.repeated.get(options.text) ?? 0) < 2) return ` ${options.text}`;
  options.numbers.set(options.text, options.numbers.size + 1);
  return ` #${options.numbers.size}=${options.text}`;
}

function shortText(item: Diagnostic, chars: number): string {
  const text = item.code === undefined || chars < MAX_MESSAGE_CHARS ? item.message : `${item.message} [${item.code}]`;
  return text.length > chars ? `${text.slice(0, chars - 1)}…` : text;
}

/** Assigns to each file the shortest name that is unique in the list: its base name or its whole path. */
function shortNames(items: readonly Diagnostic[]): Map<string, string> {
  const files = [...new Set(items.flatMap((item) => (item.file === undefined ? [] : [item.file])))];
  const counts = groupBy(files, (file) => file.split(/[\\/]/).at(-1) ?? file);
  return new Map(
    files.map((file) => {
      const base = file.split(/[\\/]/).at(-1) ?? file;
      return [file, (counts.get(base)?.length ?? 0) > 1 ? file : base];
    }),
  );
}

/** The values by their keys, in order of appearance. */
export function groupBy<T, K>(values: readonly T[], keyOf: (value: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}
