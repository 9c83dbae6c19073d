/** Finds the names that a JavaScript, TypeScript or Python file imports, and those that it defines. */

const JAVASCRIPT_IMPORT =
  /^[ \t]*import\s+(?!type\b)(?<names>(?:[\w$ \t\r{},*]|\n(?!\s*import\b))+?)\s+from\s*["'](?<module>[^"']+)/gm;
const JAVASCRIPT_REQUIRE =
  /^[ \t]*(?:const|let|var)\s+(?<bound>\{[^}=]*\}|[\w$]+)\s*=\s*(?:await\s+import|require)\s*\(\s*["'](?<required>[^"']+)/gm;
const PYTHON_IMPORT =
  /^[ \t]*from\s+(?<module>[\w.]+)\s+import\s+(?<names>\((?:[^)\n]|\n(?![ \t]*from\b))*\)|[^\n#(]+)|^[ \t]*import\s+(?<required>[\w.]+)\s+as\s+(?<bound>\w+)/gm;
const DEFINITION =
  /^(?:export\s+)?(?:async\s+)?(?:const|let|var|function\*?|class|def)\s+([A-Za-z_$][\w$]*)|^([A-Za-z_]\w*)\s*=(?!=)/gm;
const REQUIRED = /^(?:const|let|var)\s+[\w$]+\s*=\s*(?:await\s+import|require)\s*\(/;

/** The local names with their modules: `b` for `import {a as b}` and for `from m import a as b`. */
export function importedNames(text: string, path: string): Map<string, string> {
  const patterns = path.endsWith(".py") ? [PYTHON_IMPORT] : [JAVASCRIPT_IMPORT, JAVASCRIPT_REQUIRE];
  const statements = patterns.flatMap((pattern) => [...text.matchAll(pattern)]);
  return new Map(
    statements.flatMap(({groups}) => {
      const names = (groups?.["names"] ?? groups?.["bound"] ?? "").split(/[{}(),\n]/).flatMap(localName);
      return names.map((name) => [name, groups?.["module"] ?? groups?.["required"] ?? ""] as const);
    }),
  );
}

function localName(clause: string): string[] {
  const name = /([A-Za-z_$][\w$]*)\s*$/.exec(clause.replace(/#.*/, ""))?.[1];
  return name === undefined ? [] : [name];
}

/** Each name with the number of its line, from 1. */
export function definedNames(text: string): Map<string, number> {
  const lineByName = new Map<string, number>();
  let [line, counted] = [1, 0];
  for (const match of text.matchAll(DEFINITION)) {
    for (; counted < match.index; counted += 1) if (text[counted] === "\n") line += 1;
    const end = text.indexOf("\n", match.index);
    const name = match[1] ?? match[2];
    if (name !== undefined && !REQUIRED.test(text.slice(match.index, end < 0 ? text.length : end)))
      lineByName.set(name, line);
  }
  return lineByName;
}
