/** Evaluates the condition of a step as far as the variables that the workflow sets decide it. */

type Value = string | boolean | null;

const TOKEN = /'(?:[^']|'')*'|&&|\|\||[!=]=|[<>]=?|[!(),]|[\w.*[\]-]+/g;
const MAX_LENGTH = 400;

/**
 * False if the step never runs, null if that is unknown. `variables`: what `env` has for the step; null for a variable
 * that is known only when it runs (docs.github.com, "Evaluate expressions in workflows").
 */
export function conditionValue(condition: string, variables: ReadonlyMap<string, string | null>): boolean | null {
  const text = condition.trim().replace(/^\$\{\{([^}]*)\}\}$/, "$1");
  if (text === "" || text.length > MAX_LENGTH || text.includes("${{")) return null;
  const tokens = text.match(TOKEN) ?? [];
  let at = 0;
  const primary = (): Value => {
    const token = tokens[at++] ?? "";
    if (token === "!") return negated(truthOf(primary()));
    if (token === "(") {
      const value = either();
      at += 1;
      return value;
    }
    if (tokens[at] !== "(") return valueOfToken(token, variables);
    // The result of a function.
    for (let depth = 0; at < tokens.length; at += 1) {
      if (tokens[at] === "(") depth += 1;
      if (tokens[at] === ")" && --depth === 0) break;
    }
    at += 1;
    return null;
  };
  const comparison = (): Value => {
    const left = primary();
    const operator = tokens[at] ?? "";
    if (!/^[!=]=$|^[<>]/.test(operator)) return left;
    at += 1;
    const right = primary();
    if (typeof left !== "string" || typeof right !== "string" || !operator.endsWith("=") || /[<>]/.test(operator))
      return null;
    return (left.toLowerCase() === right.toLowerCase()) === (operator === "==");
  };
  const both = (): Value => {
    let value = comparison();
    while (tokens[at] === "&&") {
      at += 1;
      value = and(truthOf(value), truthOf(comparison()));
    }
    return value;
  };
  const either = (): Value => {
    let value = both();
    while (tokens[at] === "||") {
      at += 1;
      value = negated(and(negated(truthOf(value)), negated(truthOf(both()))));
    }
    return value;
  };
  return truthOf(either());
}

function valueOfToken(token: string, variables: ReadonlyMap<string, string | null>): Value {
  if (token === "true" || token === "false") return token === "true";
  if (token.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'");
  const name = /^env\.(\w+)$/.exec(token)?.[1];
  return name === undefined ? null : (variables.get(name) ?? null);
}

const truthOf = (value: Value): boolean | null => (typeof value === "string" ? value !== "" : value);
const negated = (value: boolean | null): boolean | null => (value === null ? null : !value);
const and = (one: boolean | null, other: boolean | null): boolean | null =>
  one === false || other === false ? false : one === true && other === true ? true : null;
