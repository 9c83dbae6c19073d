/** The variables that a GitHub job or step gives its commands, as far as the file says their values. */
import {mapOf} from "../files/manifest-values.ts";
import {fillIn, type Lookup} from "./expression.ts";

/** A value of a matrix that selects a part of the project, such as `memory`; not a version or a system. */
const SELECTS_VARIANT =
  /^(?!ubuntu|debian|alpine|mac|darwin|win|linux|x\d|arm|amd|stable|beta|nightly|latest|lts|py\d)(?:[A-Za-z][\w-]*|-.*|)$/i;
/** A variable that selects a compiler or a machine. */
const OF_TOOLCHAIN = /^(TOOLSET|TOOLCHAIN|COMPILER|ARCH|PLATFORM|OS)$|_(TOOLCHAIN|COMPILER|ARCH|PLATFORM|OS)$/i;

/**
 * The variables of an `env`, with the values of the row and the event filled in; without those that only a run knows,
 * and without the versions and the systems of a matrix, of which one row counts.
 */
export function filledEnv(env: unknown, lookup: Lookup): Record<string, string> {
  const entries = Object.entries(textValues(env)).flatMap(([name, value]) => {
    const filled = fillIn(value, lookup);
    const isOfRow = /\bmatrix\./.test(value) && name !== "TOXENV";
    return isOfRow && (!SELECTS_VARIANT.test(filled) || OF_TOOLCHAIN.test(name)) ? [] : [[name, filled] as const];
  });
  return plainEnv(Object.fromEntries(entries));
}

/** The variables of an `env` that a text names: their values are a part of it. */
export function namedIn(text: string, env: unknown, lookup: Lookup): Record<string, string> {
  const filled = Object.entries(textValues(env)).map(([name, value]) => [name, fillIn(value, lookup)] as const);
  const isNamed = (name: string): boolean => new RegExp(`\\$\\{?${name}\\b`).test(text);
  return plainEnv(Object.fromEntries(filled.filter(([name, value]) => isNamed(name) && !IS_VERSION.test(value))));
}

/** A version, of which CI installs a different one in each row of a matrix. */
const IS_VERSION = /^v?\d+(\.(\d+|x))*$/;

/** Gives `tox` the environment that `TOXENV` names. */
export function withToxEnvironment(text: string, name: string | undefined): string {
  if (name === undefined || !/^[\w,.-]+$/.test(name)) return text;
  return text.replace(/^(\s*(?:python\S*(?: -\w+)* )?tox)(?=\s|$)(?!.* -e)/gm, `$1 -e ${name}`);
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
