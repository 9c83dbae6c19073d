/** Finds expected values that were written, and that the code under test computes now. */
import {closingBracket} from "../source/mask.ts";
import type {InspectedTest} from "./test-case.ts";

const ASSIGNED = /(?<![\w.$])([A-Za-z_$][\w$]*)\s*(?::[^=\n]+)?:?=(?![=>])[ \t]*/g;
const MAX_VALUES = 500;

/** The name of such a value or table. `before`, `after`: the code of a file of tests, without the contents of strings. */
export function computedValue(
  before: string,
  after: string,
  options: {readonly tests: readonly InspectedTest[]; readonly tables: ReadonlySet<string>},
): string | null {
  const {tests, tables} = options;
  const assertions = tests.flatMap((test) => test.assertions);
  const [earlier, current] = [valuesIn(before), valuesIn(after)];
  for (const [name, value] of current) {
    const written = earlier.get(name);
    if (written === undefined || written === value || !/^(?:[[({"'`\d-]|\[\]|map\[|&?vec!)/.test(written)) continue;
    const isExpected = ({text, subject}: {text: string; subject: string}) =>
      tables.has(name) || new RegExp(String.raw`(?<![\w.$])${quoted(name)}(?![\w$])`).test(text.replace(subject, ""));
    const isComputed = assertions.some(
      (one) => isExpected(one) && calledIn(one.subject).some((call) => uses(value, call) && !uses(written, call)),
    );
    if (isComputed) return name;
  }
  return null;
}

const quoted = (name: string): string => name.replaceAll("$", String.raw`\$`);

/** What converts or reads values is not the code under test. */
const PLAIN =
  /^(?:len|str|int|float|bool|list|dict|set|tuple|sorted|repr|string|sum|min|max|abs|round|String|Number|Boolean|Array|Object|JSON|stringify|parse|keys|values|entries|map|filter|join|sort|slice|size|get|to_string|toString|format|Sprintf)$/;

const calledIn = (subject: string): string[] =>
  [...subject.matchAll(/([A-Za-z_$][\w$]*)\(/g)].flatMap(([, name = ""]) => (PLAIN.test(name) ? [] : [name]));

/** Also as an argument: `inputs.map(infer)`. */
const uses = (value: string, name: string): boolean =>
  new RegExp(String.raw`(?<![\w$])${quoted(name)}\s*(?=\()|[(,]\s*${quoted(name)}\s*[,)]`).test(value);

/** The value of each name that is assigned once. */
function valuesIn(code: string): Map<string, string> {
  const values = new Map<string, string>();
  const repeated = new Set<string>();
  for (const match of [...code.matchAll(ASSIGNED)].slice(0, MAX_VALUES)) {
    const name = match[1] ?? "";
    if (values.has(name)) repeated.add(name);
    values.set(name, valueAt(code, match.index + match[0].length));
  }
  return new Map([...values].filter(([name]) => !repeated.has(name)));
}

function valueAt(code: string, from: number): string {
  let at = from;
  while (at < code.length && !/[;\n]/.test(code[at] ?? ""))
    at = "([{".includes(code[at] ?? "") ? closingBracket(code, at) + 1 : at + 1;
  return code.slice(from, at);
}
