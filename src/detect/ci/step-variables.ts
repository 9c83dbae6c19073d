/** The variables that a GitHub job or step gives its commands, as far as the file says their values. */
import {mapOf, textAt, valueAt} from "../files/manifest-values.ts";
import {variablesOf} from "./check-variables.ts";
import {fillIn, type Lookup} from "./expression.ts";

/** `TOXENV` of a job or step: which of its environments tox runs, often a value of the matrix. */
export function toxEnvironment(holder: unknown, lookup: Lookup): Readonly<Record<string, string>> {
  return plainEnv({TOXENV: fillIn(textAt(holder, "env", "TOXENV") ?? "${{}}", lookup)});
}

/** A value of a matrix that selects a part of the project, such as `memory`; not a version or a system. */
const SELECTS_VARIANT =
  /^(?!ubuntu|debian|alpine|mac|darwin|win|linux|x\d|arm|amd|stable|beta|nightly|latest|lts)[A-Za-z][\w-]*$/i;
/** A variable that selects a compiler or a machine. */
const OF_TOOLCHAIN = /^(TOOLSET|TOOLCHAIN|COMPILER|ARCH|PLATFORM|OS)$|_(TOOLCHAIN|COMPILER|ARCH|PLATFORM|OS)$/i;

/** The variables of a job or step whose whole value is one of its matrix. */
export function matrixEnv(holder: unknown, lookup: Lookup): Record<string, string> {
  const entries = Object.entries(textValues(valueAt(holder, "env")))
    .filter(([, value]) => /^\$\{\{\s*matrix\.[\w.-]+\s*\}\}$/.test(value))
    .map(([name, value]) => [name, fillIn(value, lookup)] as const)
    .filter(([name, value]) => SELECTS_VARIANT.test(value) && !OF_TOOLCHAIN.test(name));
  const env = Object.fromEntries(entries);
  return variablesOf({env, ownVariables: Object.keys(env)});
}

/** Gives `tox` the environment that `TOXENV` names. */
export function withToxEnvironment(text: string, name: string | undefined): string {
  if (name === undefined || !/^[\w,.-]+$/.test(name)) return text;
  return text.replace(/^(\s*(?:python\S*(?: -\w+)* )?tox)(?=\s|$)(?!.* -e)/gm, `$1 -e ${name}`);
}

/** A version, of which CI installs a different one in each row of a matrix. */
const IS_VERSION = /^v?\d+(\.(\d+|x))*$/;

/** The variables of an `env` that a text names, with the values of the matrix filled in. */
export function namedIn(text: string, env: unknown, lookup: Lookup): Record<string, string> {
  const filled = Object.entries(textValues(env)).map(([name, value]) => [name, fillIn(value, lookup)] as const);
  const isNamed = (name: string): boolean => new RegExp(`\\$\\{?${name}\\b`).test(text);
  return plainEnv(Object.fromEntries(filled.filter(([name, value]) => isNamed(name) && !IS_VERSION.test(value))));
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
