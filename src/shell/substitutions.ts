/** Finds the commands whose output a shell line uses: `$(…)` and backticks, also within double quotes. */

/** The texts of the substitutions of a line, inner ones after outer ones. Arithmetic is none, and single quotes hide them. */
export const substitutionsIn = (line: string): string[] =>
  outerSubstitutionsIn(line).flatMap(({text}) => [text, ...substitutionsIn(text)]);

/** A substitution, and how it begins: `$(`, `<(`, `>(` or a backtick. */
export interface Substitution {
  readonly text: string;
  readonly opens: string;
}

/** The substitutions of a line that are in no other one. */
export function outerSubstitutionsIn(line: string): Substitution[] {
  const found: Substitution[] = [];
  let isQuoted = false;
  for (let i = 0; i < line.length; i++) {
    const char = line[i];
    if (char === "\\") i++;
    else if (char === '"') isQuoted = !isQuoted;
    else if (char === "'" && !isQuoted) {
      const end = line.indexOf("'", i + 1);
      if (end < 0) return found;
      i = end;
    } else if (char === "`" || /^[$<>]\(/.test(line.slice(i, i + 2))) {
      const end = char === "`" ? line.indexOf("`", i + 1) : closingParenthesis(line, i + 1);
      if (end < 0) return found;
      const text = line.slice(i + (char === "`" ? 1 : 2), end);
      if (isArithmetic(line, i, end)) found.push(...outerSubstitutionsIn(text));
      else found.push({text: text.trim(), opens: line.slice(i, i + (char === "`" ? 1 : 2))});
      i = end;
    }
  }
  return found;
}

/** True for `$((…))`; `$((a); b)` starts commands. */
const isArithmetic = (line: string, start: number, end: number): boolean =>
  line.startsWith("$((", start) &&
  closingParenthesis(line, start + 2) === end - 1 &&
  !line.slice(start, end).includes(";");

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
