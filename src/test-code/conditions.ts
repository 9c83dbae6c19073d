/** Decides whether a condition leaves a test running where the checks run: on Linux, with current tools. */

/** Other systems and tools, and versions that are not maintained any more. */
const OTHERS =
  /win32|["']nt["']|windows|darwin|\bmac(?:os)?\b|cygwin|wasm|msvc|pypy|miri|\bShort\(|version_info(?:\[:2\])?\s*<\s*\(\s*3,\s*(?:\d|10)\b/i;
const HERE = /linux|posix|\bunix\b|\bmin\s*=\s*(?:JRE\.)?JAVA_(?:\d|1[0-7])\b/i;
/** With these, a condition is more than one question. */
const COMPOSED = /\bor\b|\|\||&&|\band\b|\?|\bif\b.*\belse\b|environ|getenv|\benv\b|eval/i;
const NEGATED = /!|\bnot\b/g;
const RUNS_IF = /skipUnless|runIf|Enabled|assumeTrue|\bcfg\(/;
/** What says why, which decides nothing. */
const REASONS = [
  /,?\s*\w*[rR]eason\s*=\s*(?:"[^"]*"|'[^']*')/g,
  /\s*&&\s*["'\x60].*/g,
  /\s*\?\s*["'\x60].*/g,
  /"[^"]*\s[^"]*"|'[^']*\s[^']*'/g,
  /^#\[/,
];

/** `runsIf`: whether the test runs if the condition holds; null if its words decide. Unknown is no. */
export function isForOthers({text, runsIf, file}: {text: string; runsIf: boolean | null; file: string}): boolean {
  const condition = REASONS.reduce((rest, reason) => rest.replace(reason, ""), text);
  const name = /^\(?(?:@?[\w.]+\(|\w+\s*:\s*)?!?([A-Za-z_]\w*)\)?$/.exec(condition)?.[1];
  const [defined] = name === undefined ? [] : definitionsOf(name, file);
  const whole = defined === undefined ? condition : condition.replace(name ?? "", `(${defined})`);
  const [isOther, isHere] = [OTHERS.test(whole), HERE.test(whole)];
  const isList = /\bin\b|includes/.test(whole);
  if (COMPOSED.test(whole) || (isOther === isHere && !(isHere && isList))) return false;
  const isNegated = (whole.match(NEGATED)?.length ?? 0) % 2 === 1;
  const holds = isHere !== isNegated;
  return holds === (runsIf ?? RUNS_IF.test(text));
}

/** The value of a name that the file sets once. */
function definitionsOf(name: string, file: string): string[] {
  const values = [...file.matchAll(new RegExp(String.raw`(?<![\w.])${name}\s*:?=(?!=)\s*([^\n;]+)`, "g"))];
  return values.length === 1 ? values.map(([, value = ""]) => value) : [];
}
