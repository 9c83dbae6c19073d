/** Finds the line of a setting in its configuration file, by its key and the tables or objects around it. */

const SECTION = /^\[+([^[\]]+)\]+\s*(?:[#;].*)?$/;
const HAS_SECTIONS = /\.(?:toml|ini|cfg)$|(?:^|\/)\.\w+rc$/;
const COMMENT = /^\s*(?:#|\/\/|;|\/?\*|<!--)/;

/** `path` is that of the file; the keys of a key path are joined by spaces. Null if the last key is not there. */
export function lineOfKey(path: string, text: string, keyPath: string): number | null {
  const lines = text.split("\n");
  let {isInside, rest} = HAS_SECTIONS.test(path)
    ? insideSections(lines, keyPath)
    : {isInside: all(lines), rest: keyPath};
  const keys = rest.split(" ");
  const last = keyPattern(keys.pop() ?? "");
  for (const key of keys) {
    const isInsideKey = insideKey(lines, isInside, keyPattern(key));
    // Some keys are not in the file, because different names of one key are compared under one of them.
    if (isInsideKey.includes(true)) isInside = isInsideKey;
  }
  const index = lines.findIndex((line, at) => isInside[at] === true && !COMMENT.test(line) && last.test(line));
  return index < 0 ? null : index + 1;
}

const all = (lines: readonly string[]): boolean[] => lines.map(() => true);

/** A key before `=` or `:`, a part of a dotted key, an element or an attribute of XML. */
function keyPattern(key: string): RegExp {
  const name = key.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(
    String.raw`(?:^|[\s{,(<.])["']?${name}(?:["']?\s*(?:[:=]|=>)|(?<=<${name})[\s/>]|(?<=^\s*${name})\.)`,
  );
}

/** The lines of the sections whose names are the longest start of the path, and the rest of the path. */
function insideSections(lines: readonly string[], keyPath: string): {isInside: boolean[]; rest: string} {
  let current = "";
  const names = lines.map((line) => {
    const name = SECTION.exec(line)?.[1]?.trim();
    if (name !== undefined) current = startOf(keyPath, name);
    return current;
  });
  const longest = names.reduce((one, other) => (other.length > one.length ? other : one), "");
  return {isInside: names.map((name) => name === longest), rest: keyPath.slice(longest.length).trimStart()};
}

/** The start of the path that a section is: `[tool.mypy]` and `[tool:pytest]` are `tool mypy` and `tool:pytest`. */
function startOf(keyPath: string, name: string): string {
  const dotted = name.replace(/["']/g, "").replace(/\s*\.\s*/g, " ");
  return [name, dotted].find((one) => keyPath.startsWith(`${one} `)) ?? "-";
}

/** The lines of a key, and those below it with more indentation. */
function insideKey(lines: readonly string[], isInside: readonly boolean[], key: RegExp): boolean[] {
  const open: number[] = [];
  return lines.map((line, at) => {
    if (line.trim() === "") return false;
    const indent = line.search(/\S/) + (/^\s*-\s/.test(line) ? 1 : 0);
    while (open.length > 0 && indent <= (open.at(-1) ?? 0)) open.pop();
    const isKey = isInside[at] === true && !COMMENT.test(line) && key.test(line);
    if (isKey) open.push(indent);
    return isKey || open.length > 0;
  });
}
