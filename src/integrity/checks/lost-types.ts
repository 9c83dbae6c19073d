/** Finds declarations that lose their types. A part of the check `suppressions`. */
import {groupBy} from "../../diagnostics/group-by.ts";
import type {IntegrityFinding} from "../../record/finding.ts";
import type {InspectedFile} from "../source/inspected-change.ts";
import {isTestPath} from "../source/kinds.ts";
import type {ChangedLine} from "../source/line-changes.ts";

const TYPED = /\.(?:[cm]?[jt]sx?|vue|svelte|pyi?)$/;
const DECLARED =
  /\b(?:def|function|const|let|var|fn|type|interface|class)\s+(\w+)|^(\w+)(?:\s*:\s*TypeAlias)?\s*=(?=\s*(?:typing\.)?Any\s*$)|^\s*(?:readonly\s+|public\s+|private\s+)?(\w+)\??\s*:|^\s*(?:(?:public|private|protected|static|async|override|abstract)\s+)*(?!(?:if|for|while|switch|catch|return|await|new|super)\b)(\w+)\s*(?:<[^()]*>)?\((?=.*[{;,(]\s*$)/;
const ANY =
  /(?::|->|=>|=|[<,|([])\s*(?:typing\.)?Any\b(?!\[)|(?::|=>|=|[<,|(])\s*(?:any\b(?!\s*[(:])|Function\b(?=\s*[;,)>|=}]|\s*$))/g;
/** The keys of a record are texts anyway. */
const ANY_KEYS = /(?<=\bRecord<)\s*any(?=\s*,)/g;
const COMMENT = /\s(?:\/\/|#)\s.*$/;
/** Containers of Python, and those with the types of their items. */
const CONTAINERS =
  /\b(?:list|dict|tuple|set|frozenset|List|Dict|Tuple|Set|Callable|Iterable|Sequence|Mapping)\b(?!\()/g;
const ITEMS = new RegExp(String.raw`${CONTAINERS.source}\[`, "g");
const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

const STATES_TYPE = /:|->|\b(?:interface|type|class)\b/;

/** A further parameter of any type; the types of the others are as before. */
function isLonger(before: string, after: string): boolean {
  const partsOf = (text: string) => text.split(/[,()]/).map((part) => part.trim());
  const parts = new Set(partsOf(after));
  return after.split(",").length > before.split(",").length && partsOf(before).every((part) => parts.has(part));
}

/** `Items[Any, Any]` says the same as `Items` alone. */
const withoutAnyItems = (text: string): string => text.replace(/(?<=\w)\[(?:Any|\.\.\.)(?:,\s*Any)*\]/g, "");

/** The colon at the end of a `def` line states no type. */
const statesType = (text: string): boolean =>
  STATES_TYPE.test(/^\s*(?:async\s+)?def\b/.test(text) ? text.replace(/:\s*(?:#.*)?$/, "") : text);

/** The lines that the other side does not have in another form: another indentation, comma or semicolon. */
function withoutEqual(lines: readonly ChangedLine[], others: readonly ChangedLine[]): ChangedLine[] {
  const formOf = ({text}: ChangedLine) => text.replace(/[,;]?\s*$/, "").trim();
  const counts = new Map<string, number>();
  for (const other of others) counts.set(formOf(other), (counts.get(formOf(other)) ?? 0) + 1);
  return lines.filter((line) => {
    const count = counts.get(formOf(line)) ?? 0;
    counts.set(formOf(line), count - 1);
    return count <= 0;
  });
}

/** A declaration that had a type, and now is `any`. */
export function lostTypes(change: {
  file: InspectedFile;
  added: readonly ChangedLine[];
  removed: readonly ChangedLine[];
}) {
  const {file, added, removed} = change;
  if (!TYPED.test(file.path) || isTestPath(file.path)) return [];
  const nameOf = (text: string) =>
    DECLARED.exec(text)
      ?.slice(1)
      .find((name) => name !== undefined);
  const count = (text: string) => text.replace(COMMENT, "").replace(ANY_KEYS, "").match(ANY)?.length ?? 0;
  const removedByName = groupBy(withoutEqual(removed, added), ({text}) => nameOf(text));
  const counts = new Map<string, number>();
  const place = withoutEqual(added, removed).find(({text}) => {
    const name = nameOf(text);
    if (name === undefined) return false;
    // The overloads of a function have one name, and their order.
    const index = counts.get(name) ?? 0;
    counts.set(name, index + 1);
    const lines = removedByName.get(name) ?? [];
    const before = lines[Math.min(index, lines.length - 1)];
    if (before === undefined || withoutAnyItems(before.text) === withoutAnyItems(text)) return false;
    // Without any type, the body of a function is not checked.
    const isUntyped =
      /^\s*(?:async\s+)?def\b.*\)\s*->/.test(before.text) && /^\s*(?:async\s+)?def\b[^:]*\)\s*:/.test(text);
    // `list` stands for `list[Any]`.
    const isBare =
      file.path.endsWith(".py") &&
      countOf(text, ITEMS) < countOf(before.text, ITEMS) &&
      countOf(text, CONTAINERS) >= countOf(before.text, CONTAINERS);
    return (
      isUntyped ||
      isBare ||
      (statesType(before.text) && count(text) > count(before.text) && !isLonger(before.text, text))
    );
  });
  if (place === undefined) return [];
  const message = `\`${nameOf(place.text)}\` has no type any more, so the type check skips it`;
  const fix = "Restore the type, or state the one that it has now.";
  return [
    {
      check: "suppressions",
      level: "flag",
      path: file.path,
      line: place.number,
      message,
      fix,
    } satisfies IntegrityFinding,
  ];
}
