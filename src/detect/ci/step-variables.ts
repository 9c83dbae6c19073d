/** The variables that a GitHub job or step gives its commands, as far as the file says their values. */
import {mapOf} from "../files/manifest-values.ts";
import {fillIn, type Lookup} from "./expression.ts";
import {isVersion, keysOfMatrix, type MatrixUse} from "./matrix.ts";

/** The variables with which tox starts environments: https://tox.wiki/en/stable/config.html and pallets/click. */
const OF_TOX = new Set(["TOXENV", "TOX_ENV"]);

/** The values of a row of a matrix, and what the job does with its keys. */
export interface RowValues extends Pick<MatrixUse, "ofTools"> {
  readonly lookup: Lookup;
}

/**
 * The variables of an `env`, with the values of the row and the event filled in; without those that only a run knows,
 * and without those that say nothing but the versions and the machine of the row, of which one row counts.
 */
export function filledEnv(env: unknown, row: RowValues): Record<string, string> {
  return filledValues(env, row, (name, value) => OF_TOX.has(name) || !isOfTools(value, row));
}

/** The variables of an `env` that a text names: their values are a part of it. */
export function namedIn(text: string, env: unknown, row: RowValues): Record<string, string> {
  return filledValues(env, row, (name, value) => readsVariable(text, name) && !isOfTools(value, row));
}

/** True for a shell text that reads the variable. */
export const readsVariable = (text: string, name: string): boolean => new RegExp(`\\$\\{?${name}\\b`).test(text);

function filledValues(env: unknown, {lookup}: RowValues, isKept: (name: string, value: string) => boolean) {
  const kept = Object.entries(textValues(env)).filter(([name, value]) => isKept(name, value));
  return plainEnv(Object.fromEntries(kept.map(([name, value]) => [name, fillIn(value, lookup)])));
}

/** True for a value that reads the matrix, and only the versions of its tools and of its machine. */
function isOfTools(value: string, {lookup, ofTools}: RowValues): boolean {
  const keys = keysOfMatrix(value);
  return keys.length > 0 && keys.every((key) => isVersion(key, lookup(["matrix", key]), {ofTools}));
}

/**
 * Gives `tox` the environment that its variable names, so that its set-up makes only that one: `uv run --group dev tox run`
 * of pallets/click.
 */
export function withToxEnvironment(text: string, name: string | undefined): string {
  if (name === undefined || !/^[\w,.-]+$/.test(name)) return text;
  const call = /^(?!.*\s(?:install|add)\s)(.*(?:^|\s)tox(?: (?:r|run|p|run-parallel))?)(?=\s|$)(?!.* -e)/gm;
  return text.replace(call, `$1 -e ${name}`);
}

/** The variables of an `env` whose values are in the file. */
export function plainEnv(env: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(textValues(env)).filter(([, value]) => !value.includes("${{")));
}

/** The variables of an `env` as texts. */
export function textValues(env: unknown): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of mapOf(env))
    if (["string", "number", "boolean"].includes(typeof value)) values[name] = String(value);
  return values;
}
