/** Decides whether a file of Go or Rust is built by a plain run of its tests: Linux, no tags, no features. */

/** What holds there; `go1.21` and all other versions too. */
const HOLDS =
  /^(?:linux|unix|amd64|gc|cgo|go1\.\d+|test|debug_assertions|panic="unwind"|target_(?:os="linux"|family="unix"|arch="x86_64"|env="gnu"|pointer_width="64"|endian="little"|has_atomic(?:="\w+")?))$/;

/** `named`: the commands that check something, which may set tags and features. */
export function isBuilt(path: string, text: string, named = ""): boolean {
  if (path.endsWith(".go")) return isBuiltByGo(text, named);
  if (!path.endsWith(".rs")) return true;
  return [...text.matchAll(/^\s*#!\[cfg\(([^\n]*)\)\]/gm)].every(([, condition = ""]) => holdsInRust(condition, named));
}

/** The old form joins by a space (or), a comma (and) and lines (and); pkg.go.dev/cmd/go, "Build constraints". */
function isBuiltByGo(text: string, named: string): boolean {
  const head = text.slice(0, /^package\s/m.exec(text)?.index ?? 0);
  const expression = /^\/\/go:build\s+(.+)$/m.exec(head)?.[1];
  if (expression !== undefined) return evaluate(expression.match(/&&|\|\||[!()]|[\w.]+/g) ?? [], named);
  return [...head.matchAll(/^\/\/\s*\+build\s+(.+)$/gm)].every(([, line = ""]) =>
    line
      .trim()
      .split(/\s+/)
      .some((part) => part.split(",").every((tag) => holds(tag.replace(/^!/, ""), named) !== tag.startsWith("!"))),
  );
}

/** `all`, `any` and `not` in the terms of Go. */
export function holdsInRust(condition: string, named = ""): boolean {
  const tokens = condition.match(/\w+\s*=\s*"[^"]*"|\w+|[(),]/g) ?? [];
  const read = (at: number): {value: boolean; next: number} => {
    const token = tokens[at] ?? "";
    if (tokens[at + 1] !== "(") return {value: holds(token.replace(/\s/g, ""), named), next: at + 1};
    const values: boolean[] = [];
    let next = at + 2;
    while (next < tokens.length && tokens[next] !== ")") {
      if (tokens[next] === ",") next += 1;
      else {
        const inner = read(next);
        values.push(inner.value);
        next = Math.max(inner.next, next + 1);
      }
    }
    const value =
      token === "not" ? values[0] !== true : token === "any" ? values.includes(true) : !values.includes(false);
    return {value, next: next + 1};
  };
  return read(0).value;
}

function holds(tag: string, named: string): boolean {
  const name = /^feature="(.*)"$/.exec(tag)?.[1] ?? tag;
  const isSet = new RegExp(
    String.raw`(?:-tags|--features|-F)[= ]\S*\b${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}\b`,
  );
  // `go test -race` sets this tag.
  if (tag === "race") return /\s-race\b/.test(named);
  return HOLDS.test(tag) || isSet.test(named) || (name !== tag && named.includes("--all-features"));
}

/** `||` binds less than `&&`, and that less than `!`. */
function evaluate(tokens: readonly string[], named: string): boolean {
  let at = 0;
  const unary = (): boolean => {
    const token = tokens[at++] ?? "";
    if (token === "!") return !unary();
    if (token !== "(") return holds(token, named);
    const value = either();
    at += 1;
    return value;
  };
  const both = (): boolean => {
    let value = unary();
    while (tokens[at] === "&&") {
      at += 1;
      value = unary() && value;
    }
    return value;
  };
  const either = (): boolean => {
    let value = both();
    while (tokens[at] === "||") {
      at += 1;
      value = both() || value;
    }
    return value;
  };
  return either();
}
