/** Finds the commands whose output a shell line uses: `$(…)` and backticks, also within double quotes. */

/** The texts of the substitutions of a line, inner ones after outer ones. Arithmetic is none, and single quotes hide them. */
export function substitutionsIn(line: string): string[] {
  const texts: string[] = [];
  let isQuoted = false;
  for (let i = 0; i < line.length; i++) {
    const char = line[i];
    if (char === "\\") i++;
    else if (char === '"') isQuoted = !isQuoted;
    else if (char === "'" && !isQuoted) {
      const end = line.indexOf("'", i + 1);
      if (end < 0) return texts;
      i = end;
    } else if (/^(?:\$\(\(|`)/.test(line.slice(i, i + 3)) || /^[$<>]\(/.test(line.slice(i, i + 2))) {
      const end = char === "`" ? line.indexOf("`", i + 1) : closingParenthesis(line, i + 1);
      if (end < 0) return texts;
      const isArithmetic = line.startsWith("$((", i);
      const text = line.slice(i + (char === "`" ? 1 : 2), end);
      texts.push(...(isArithmetic ? [] : [text.trim()]), ...substitutionsIn(text));
      i = end;
    }
  }
  return texts;
}

function closingParenthesis(line: string, open: number): number {
  let depth = 0;
  for (let i = open; i < line.length; i++) {
    const char = line[i];
    if (char === "\\") i++;
    else if (char === "'") {
      const end = line.indexOf("'", i + 1);
      if (end > 0) i = end;
    } else if (char === "(") depth++;
    else if (char === ")" && --depth === 0) return i;
  }
  return -1;
}
