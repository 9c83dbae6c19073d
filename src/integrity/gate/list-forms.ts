/** Gives lists of YAML and TOML one form, so that a list that is only written in another way has the same lines. */

export interface AlignedLists {
  readonly before: string;
  readonly after: string;
  /** for each line of `after`, its number in the file */
  readonly numbers: readonly number[];
}

interface List {
  /** its lines, from the line of its key; the second index is behind the last one */
  readonly from: number;
  readonly to: number;
  readonly form: "block" | "flow" | "long flow";
  /** the keys around it and its own */
  readonly path: string;
  readonly head: string;
  readonly items: readonly ListItem[];
}

interface ListItem {
  readonly text: string;
  /** the number of its line */
  readonly number: number;
}

const KEY = /^(\s*(?:-\s+)*)(["']?)([\w][\w.-]*)\2\s*[:=]\s*/;
const ITEM = /^\s*-\s+(?![[{&|>-]|["']?[\w.-]+["']?:(?:\s|$))(\S.*)$/;
const TABLE = /^\[+([^[\]]+)\]+\s*(?:#.*)?$/;
const MAX_ITEM_LINES = 1000;
/** Items with the commas behind them, up to the end of the list or the line. */
const WORDS = /^(?:\s*(?:(?:"[^"]*"|'[^']*')\s*|[^\s"'#,[\]{}][^"'#,[\]{}]*)?(?:,|(?=[\]#]|$)))*/;
/** A longer line is data. */
const MAX_LINE_CHARS = 1000;

/** Lists that have one form in both texts stay as they are. */
export function alignLists(before: string, after: string): AlignedLists {
  const [old, now] = [before.split(/\r?\n/), after.split(/\r?\n/)];
  const [oldLists, newLists] = [listsIn(old), listsIn(now)];
  const forms = new Map<string, Set<string>>();
  for (const {path, form} of [...oldLists, ...newLists]) forms.set(path, (forms.get(path) ?? new Set()).add(form));
  const isRewritten = ({path}: List) => (forms.get(path)?.size ?? 0) > 1;
  const aligned = rewrite(now, newLists.filter(isRewritten));
  return {
    before: rewrite(old, oldLists.filter(isRewritten)).text,
    after: aligned.text,
    numbers: aligned.numbers,
  };
}

/** Each item on its own line, without quotes. */
function rewrite(lines: readonly string[], lists: readonly List[]): {text: string; numbers: number[]} {
  const starts = new Map(lists.map((list) => [list.from, list]));
  const rows: ListItem[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const list = starts.get(at);
    rows.push({text: list?.head ?? lines[at] ?? "", number: at + 1});
    if (list === undefined) continue;
    const indent = " ".repeat(indentOf(list.head) + 2);
    rows.push(...list.items.map(({text, number}) => ({text: `${indent}- ${text}`, number})));
    at = list.to - 1;
  }
  return {text: rows.map(({text}) => text).join("\n"), numbers: rows.map(({number}) => number)};
}

const indentOf = (line: string): number => line.search(/\S|$/);

function listsIn(lines: readonly string[]): List[] {
  const lists: List[] = [];
  let parents: {readonly indent: number; readonly key: string}[] = [];
  for (const [at, line] of lines.entries()) {
    const table = TABLE.exec(line)?.[1];
    const [start = "", dashes = "", , key = ""] = KEY.exec(line) ?? [];
    if (table !== undefined) parents = [{indent: -1, key: table}];
    if (key === "" || table !== undefined || at < (lists.at(-1)?.to ?? 0)) continue;
    parents = [...parents.filter(({indent}) => indent < dashes.length), {indent: dashes.length, key}];
    const rest = line.slice(start.length);
    const read = rest.startsWith("[") ? readFlow(lines, at, start.length) : isEmpty(rest) ? readBlock(lines, at) : null;
    if (read === null) continue;
    lists.push({...read, from: at, path: parents.map((one) => one.key).join(" "), head: start.trimEnd()});
  }
  return lists;
}

const isEmpty = (rest: string): boolean => /^(?:#|$)/.test(rest);

type ListItems = Pick<List, "to" | "form" | "items">;

function readBlock(lines: readonly string[], at: number): ListItems | null {
  const items: ListItem[] = [];
  const indent = indentOf(lines[at] ?? "");
  let to = at + 1;
  for (; to < lines.length && to - at < MAX_ITEM_LINES; to += 1) {
    const line = lines[to] ?? "";
    if (line.length > MAX_LINE_CHARS) return null;
    if (/^\s*(?:#.*)?$/.test(line)) continue;
    const item = ITEM.exec(line)?.[1];
    if (indentOf(line) < indent || (item === undefined && indentOf(line) === indent)) break;
    // A list of lists or of objects, or an item of several lines.
    if (item === undefined) return null;
    items.push({text: withoutQuotes(item), number: to + 1});
  }
  return items.length === 0 ? null : {to, form: "block", items};
}

function readFlow(lines: readonly string[], at: number, column: number): ListItems | null {
  const items: ListItem[] = [];
  for (let to = at; to < lines.length && to - at < MAX_ITEM_LINES; to += 1) {
    const text = to === at ? (lines[to] ?? "").slice(column + 1) : (lines[to] ?? "");
    if (text.length > MAX_LINE_CHARS) return null;
    const [words = ""] = WORDS.exec(text) ?? [];
    const texts = words.match(/"[^"]*"|'[^']*'|[^\s,"'][^,"']*/g) ?? [];
    items.push(...texts.map((item) => ({text: withoutQuotes(item), number: to + 1})));
    const end = text.slice(words.length);
    if (/^\]\s*(?:#.*)?$/.test(end))
      return items.length === 0 ? null : {to: to + 1, form: to === at ? "flow" : "long flow", items};
    if (!isEmpty(end)) return null;
  }
  return null;
}

const withoutQuotes = (item: string): string => {
  const [, , quoted, plain = ""] = /^(?:(["'])(.*?)\1|(.*?))\s*(?:\s#.*)?$/.exec(item.trim()) ?? [];
  return quoted ?? plain.trim();
};
